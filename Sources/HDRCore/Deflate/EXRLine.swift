/// A row of R G B A halves as the bytes of OpenEXR's ZIP, before Deflate: the low bytes of all rows of a chunk and then the
/// high ones, in each row a plane for each channel, the last one first; of each byte the difference from the one before,
/// plus 128. Source: ImfZip.cpp of OpenEXR 3.1.
///
/// The twin of deflate_exr.glsl; `EXRWriter` makes the same bytes faster.
package struct EXRLine: Sendable, Hashable {
  package var width: Int
  /// The number of channels: 3, or 4 with alpha.
  package var channels: Int
  /// The rows of a chunk.
  package static let chunkRows = 16

  package init(width: Int, channels: Int) { (self.width, self.channels) = (width, channels) }

  /// The bytes of a row.
  package var byteCount: Int { 2 * width * channels }

  /// Writes the bytes of a chunk.
  package func fill(_ rows: Range<Int>, into out: UnsafeMutableRawPointer, row: (Int) -> UnsafeRawPointer) {
    let out = out.assumingMemoryBound(to: UInt8.self)
    var at = 0, before: UInt8 = 128
    for shift in [UInt16(0), 8] {
      for y in rows {
        let halves = row(y).assumingMemoryBound(to: UInt16.self)
        for channel in (0..<channels).reversed() {
          for x in 0..<width {
            let byte = UInt8(truncatingIfNeeded: halves[4 &* x &+ channel] &>> shift)
            out[at] = byte &- before &+ 128
            before = byte
            at &+= 1
          }
        }
      }
    }
  }
}
