#if canImport(Glibc)
  import Glibc
#endif

/// Advice to the system about memory for pictures: large pages where it has them. A fresh page costs as much time as 4 KiB
/// of rendering, and a picture of 100 MB has 25 000 of them.
public enum LargePages {
  /// Smaller blocks are not worth the call.
  public static let leastByteCount = 4 << 20

  /// Says that a block is about to be written from end to end. Only advice: contents and addresses stay, and where the
  /// system has no large pages nothing happens.
  public static func advise(_ base: UnsafeMutableRawPointer, byteCount: Int) {
    guard byteCount >= leastByteCount else { return }
    #if canImport(Glibc) && os(Linux)
      let page = UInt(sysconf(Int32(_SC_PAGESIZE)))
      let start = UInt(bitPattern: base) & ~(page - 1), end = UInt(bitPattern: base) + UInt(byteCount)
      // MADV_HUGEPAGE (madvise(2)), which the module map does not have.
      _ = madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), 14)
    #endif
  }
}
