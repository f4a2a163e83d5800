import Synchronization

/// A block of raw memory with one owner, shared by reference.
///
/// Pixels live here from a decoder to the executor and from the executor to an encoder, without copies. The memory may
/// belong to a codec library: then `release` gives it back when the last reference goes away.
package final class PixelBuffer: @unchecked Sendable {
  package let base: UnsafeMutableRawPointer
  package let byteCount: Int
  /// True if this class allocated the memory: no codec process and no library can write to it.
  package let isOwn: Bool
  /// The block that this memory is a part of; `nil` for memory that no device can import for long.
  package let block: HostBlock?
  /// The device that holds the samples, which are here once it has brought them; `nil`: they are here.
  package let device: (any DeviceSamples)?
  private let release: @Sendable (UnsafeMutableRawPointer) -> Void

  /// The alignment of memory that this class allocates, in bytes: a cache line and the widest vector.
  package static let alignment = 64

  /// Allocates zeroed memory; `byteCount` may be 0. 64 readable bytes follow it, so that vector loads may overrun.
  package init(byteCount: Int) {
    precondition(byteCount >= 0)
    self.byteCount = byteCount
    device = nil
    (base, release, isOwn, block) = Self.allocate(byteCount + 64)
    base.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount + 64)
  }

  /// Allocates memory whose first bytes the caller is about to write: not zeroed, apart from the overrun.
  package init(uninitializedByteCount byteCount: Int) {
    precondition(byteCount >= 0)
    self.byteCount = byteCount
    device = nil
    (base, release, isOwn, block) = Self.allocate(byteCount + 64)
    let first = Self.zeroesAll ? 0 : byteCount
    (base + first).initializeMemory(as: UInt8.self, repeating: 0, count: byteCount + 64 - first)
  }

  /// Copies bytes.
  package convenience init(copying bytes: [UInt8]) {
    self.init(uninitializedByteCount: bytes.count)
    bytes.withUnsafeBytes { if let from = $0.baseAddress { base.copyMemory(from: from, byteCount: $0.count) } }
  }

  /// Takes over foreign memory, perhaps a part of a block. `release` is called once, with `base`.
  package init(
    adopting base: UnsafeMutableRawPointer, byteCount: Int, in block: HostBlock? = nil,
    release: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
  ) {
    self.base = base
    self.byteCount = byteCount
    isOwn = false
    device = nil
    self.block = block
    self.release = release
  }

  /// Stands for samples that a device holds, in memory that is its to give and to free.
  package init(_ device: any DeviceSamples, at base: UnsafeMutableRawPointer, byteCount: Int) {
    (self.base, self.byteCount, self.device) = (base, byteCount, device)
    isOwn = false
    block = nil
    release = { _ in }
  }

  deinit { release(base) }

  /// Gives the pages of the first bytes back to the system, if this class allocated them; what they held is lost.
  func forget(first byteCount: Int) {
    guard isOwn else { return }
    // A device that has imported the pages would see the old ones still.
    block?.pagesChange()
    PictureMemory.forget(base, byteCount: min(byteCount, self.byteCount))
  }

  private static let zeroing = Atomic<Bool>(false)

  /// True to zero also memory that a caller will overwrite, so that a decoder that does not write all of it shows
  /// nothing of other pictures (docs/reliability.md#promises, promise 8).
  package static var zeroesAll: Bool {
    get { zeroing.load(ordering: .relaxed) }
    set { zeroing.store(newValue, ordering: .relaxed) }
  }

  private static let source = Mutex<(@Sendable (Int) -> UnsafeMutableRawPointer?)?>(nil)

  /// Sets the source of memory until the next call. The allocator is used for what the source refuses. The source's
  /// memory is aligned as this class requires and is not freed here.
  package static func allocate(from source: (@Sendable (Int) -> UnsafeMutableRawPointer?)?) {
    Self.source.withLock { $0 = source }
  }

  private typealias Memory = (
    base: UnsafeMutableRawPointer, release: @Sendable (UnsafeMutableRawPointer) -> Void, isOwn: Bool, block: HostBlock?
  )

  /// Returns memory of this class's alignment, the function that frees it, true if it is of this process alone, and its
  /// block.
  private static func allocate(_ byteCount: Int) -> Memory {
    if let base = source.withLock({ $0 })?(byteCount) { return (base, { _ in }, false, nil) }
    guard byteCount >= PictureMemory.leastByteCount else {
      return (.allocate(byteCount: byteCount, alignment: alignment), { $0.deallocate() }, true, nil)
    }
    let block = PictureMemory.take(byteCount)
    return (
      block.base, { _ in PictureMemory.giveBack(block) }, true,
      byteCount >= PictureMemory.leastLongLived ? block : nil
    )
  }
}
