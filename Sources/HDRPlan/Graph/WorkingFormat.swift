/// The format in which a pass hands its picture on to a later one (docs/architecture.md#passes).
package enum WorkingFormat: String, Sendable, Hashable, CaseIterable {
  /// R G B A binary16: half the memory. Values are rounded to 11 bits and end at 65504 times reference white.
  case rgba16f
  /// Planes of binary32: nothing is rounded between passes.
  case rgba32f
}
