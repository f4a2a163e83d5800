/// Samples that a device holds. Host memory is reserved for them, and cannot be read before they are brought there: a
/// reader that forgets to ask stops the process and makes no picture of something else.
package protocol DeviceSamples: AnyObject, Sendable {
  /// True once the samples are in host memory, too.
  var areHere: Bool { get }
}
