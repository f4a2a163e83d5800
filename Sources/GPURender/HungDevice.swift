import Synchronization

/// Tells whether a device of this process did not answer in time. Its driver may then wait for it for ever when the
/// process ends: NVIDIA's does, in a destructor of its library.
package enum HungDevice {
  private static let found = Atomic<Bool>(false)

  package static var isThere: Bool { found.load(ordering: .sequentiallyConsistent) }

  static func note() { found.store(true, ordering: .sequentiallyConsistent) }
}
