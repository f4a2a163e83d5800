import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// The memory of large `PixelBuffer`s. A fresh page costs as much time as rendering 4 KiB, and a picture of 100 MB has
/// 25 000 of them. So the system is asked for large pages if it has them, and a caller that works on one picture after
/// another can keep the blocks for the next.
package enum PictureMemory {
  /// The smallest block of this memory; smaller ones are allocated as usual.
  package static let leastByteCount = 1 << 20
  /// The smallest memory for which large pages are asked, and which devices copy from and to by themselves.
  package static let leastLongLived = 4 << 20

  private struct Kept {
    /// The kept blocks; the last was given back most recently.
    var blocks: [HostBlock] = []
    var byteCount = 0
    var limit = 0

    /// Removes the oldest blocks until the rest is within the limit.
    mutating func trim() -> [HostBlock] {
      var removed: [HostBlock] = []
      while byteCount > limit {
        let block = blocks.removeFirst()
        byteCount -= block.byteCount
        removed.append(block)
      }
      return removed
    }
  }

  private static let kept = Mutex(Kept())

  /// Keeps blocks that pictures give back for later pictures, up to this total of bytes. 0, the initial value, keeps
  /// nothing and frees the kept blocks.
  package static func keep(byteCount: Int) {
    let freed = kept.withLock { kept in
      kept.limit = max(0, byteCount)
      return kept.trim()
    }
    // They are freed here, outside the lock.
    withExtendedLifetime(freed) {}
  }

  /// Announces that a block is about to be written completely. This is only advice: contents and addresses stay, and
  /// without large pages nothing happens.
  package static func advise(_ base: UnsafeMutableRawPointer, byteCount: Int) {
    guard byteCount >= leastLongLived else { return }
    #if canImport(Glibc) && os(Linux)
      let page = UInt(sysconf(Int32(_SC_PAGESIZE)))
      let start = UInt(bitPattern: base) & ~(page - 1), end = UInt(bitPattern: base) + UInt(byteCount)
      // 14 is MADV_HUGEPAGE (madvise(2)), which the module map does not have.
      _ = madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), 14)
    #endif
  }

  /// Gives the whole pages of a part of memory back to the system; addresses stay, and hold zeros.
  static func forget(_ base: UnsafeMutableRawPointer, byteCount: Int) {
    #if canImport(Glibc) && os(Linux)
      let page = UInt(sysconf(Int32(_SC_PAGESIZE))), start = (UInt(bitPattern: base) + page - 1) & ~(page - 1)
      let end = (UInt(bitPattern: base) + UInt(byteCount)) & ~(page - 1)
      if start < end { _ = madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_DONTNEED) }
    #endif
  }

  /// Returns at least `byteCount` bytes with undefined contents. A kept block is used if at most a quarter of it remains
  /// unused; of several that fit alike the one that was given back last, which may be in the cache.
  static func take(_ byteCount: Int) -> HostBlock {
    let block = kept.withLock { kept -> HostBlock? in
      let fitting = kept.blocks.indices.reversed().filter {
        kept.blocks[$0].byteCount >= byteCount && kept.blocks[$0].byteCount / 4 * 3 <= byteCount
      }
      guard let best = fitting.min(by: { kept.blocks[$0].byteCount < kept.blocks[$1].byteCount }) else { return nil }
      kept.byteCount -= kept.blocks[best].byteCount
      return kept.blocks.remove(at: best)
    }
    if let block { return block }
    let bytes = HostBlock.wholePages(byteCount)
    let base = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: HostBlock.pageBytes)
    advise(base, byteCount: bytes)
    return HostBlock(base, byteCount: bytes) { $0.deallocate() }
  }

  /// Gives back a block from `take`.
  static func giveBack(_ block: HostBlock) {
    let freed = kept.withLock { kept in
      kept.blocks.append(block)
      kept.byteCount += block.byteCount
      return kept.trim()
    }
    // They are freed here, outside the lock.
    withExtendedLifetime(freed) {}
  }
}
