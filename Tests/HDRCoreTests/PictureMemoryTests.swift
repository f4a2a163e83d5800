import HDRCore
import Testing

@Suite struct PictureMemoryTests {
  /// Planes of bands are taken again and again, by comparisons too: their pages are not cleared each time.
  @Test("memory of a MiB and more is kept for the next picture; devices import 4 MiB and more")
  func smallPicturesAreKept() async {
    await #expect(processExitsWith: .success) {
      PictureMemory.keep(byteCount: 64 << 20)
      for (bytes, isImported) in [(1 << 20, false), (3 << 20, false), (4 << 20, true)] {
        let kept = PixelBuffer(uninitializedByteCount: bytes), address = PictureMemoryTests.address(bytes)
        #expect((kept.block != nil) == isImported)
        #expect(kept.base != address, "\(bytes) bytes in use were given away")
        #expect(PictureMemoryTests.address(bytes) == address, "\(bytes) bytes were not kept")
        withExtendedLifetime(kept) {}
      }
    }
  }

  /// Returns the address of memory that is given back at once.
  private static func address(_ bytes: Int) -> UnsafeMutableRawPointer {
    PixelBuffer(uninitializedByteCount: bytes).base
  }
}
