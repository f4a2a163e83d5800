import Synchronization

/// Memory of whole pages that holds one picture after another. A device may import it once and then copy from and to
/// all of them by itself.
///
/// The pages stay the same until `pagesChange` or the end of the block. Whoever has imported them hears of both before
/// the memory goes (`onChange`).
package final class HostBlock: Sendable {
  /// The unit of sizes and addresses, which processors and devices share.
  package static let pageBytes = 4096

  /// Returns the bytes of the fewest pages that hold so many.
  package static func wholePages(_ byteCount: Int) -> Int { (byteCount + pageBytes - 1) & ~(pageBytes - 1) }

  package let byteCount: Int
  private let address: UInt
  private let free: @Sendable (UnsafeMutableRawPointer) -> Void
  private let listeners = Mutex<[@Sendable () -> Void]>([])

  /// Takes over pages. `free` is called once, with `base`.
  ///
  /// - Parameters:
  ///   - base: a multiple of `pageBytes`, as `byteCount`.
  package init(
    _ base: UnsafeMutableRawPointer, byteCount: Int, free: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
  ) {
    address = UInt(bitPattern: base)
    self.byteCount = byteCount
    self.free = free
  }

  deinit {
    pagesChange()
    free(base)
  }

  // The memory lives as long as the object.
  package var base: UnsafeMutableRawPointer { UnsafeMutableRawPointer(bitPattern: address)! }

  /// Has a function called, once, when the pages change or the block ends.
  package func onChange(_ action: @escaping @Sendable () -> Void) { listeners.withLock { $0.append(action) } }

  /// Announces that other pages have taken the place of some that no picture uses.
  package func pagesChange() {
    let actions = listeners.withLock { listeners in
      defer { listeners = [] }
      return listeners
    }
    for action in actions { action() }
  }
}
