import HDRCore

/// Rows of a picture as TIFF stores them with a predictor: integers of 16 bits as differences to the left (2), halves in
/// planes of bytes and then as differences of bytes (3). Source: TIFF 6.0 section 14; Adobe technical note 3.
struct TIFFPredictor {
  let rows: PixelRows
  /// 3, or 4 with alpha.
  let channels: Int
  let isFloat: Bool

  var rowBytes: Int { rows.width * channels * 2 }

  /// Up to 8 bytes beyond the last row are written too, and `scratch` has a row and as many more.
  func predict(_ range: Range<Int>, into out: UnsafeMutableRawPointer, scratch: UnsafeMutableRawPointer) {
    var line = out
    for y in range {
      if isFloat { bytes(y, line, scratch) } else { differences(y, line) }
      line += rowBytes
    }
  }

  /// Modulo 2^16, each sample minus that of the pixel to the left.
  private func differences(_ y: Int, _ out: UnsafeMutableRawPointer) {
    let row = rows.row(y), step = 2 &* channels
    var left = SIMD4<UInt16>()
    // A pixel that drops alpha spills into the next one, which is written after it.
    for x in 0..<rows.width {
      let pixel = row.loadUnaligned(fromByteOffset: 8 &* x, as: SIMD4<UInt16>.self)
      out.storeBytes(of: pixel &- left, toByteOffset: step &* x, as: SIMD4<UInt16>.self)
      left = pixel
    }
  }

  /// First the high bytes of all samples of the row, then the low ones; then each minus the one a pixel before.
  private func bytes(_ y: Int, _ out: UnsafeMutableRawPointer, _ scratch: UnsafeMutableRawPointer) {
    let row = rows.row(y), step = channels, plane = rows.width * channels
    for (shift, base) in [(UInt64(8), scratch), (0, scratch + plane)] {
      for x in 0..<rows.width {
        var bytes = row.loadUnaligned(fromByteOffset: 8 &* x, as: UInt64.self) &>> shift & 0x00FF_00FF_00FF_00FF
        bytes = (bytes | bytes &>> 8) & 0x0000_FFFF_0000_FFFF
        let four = UInt32(truncatingIfNeeded: bytes | bytes &>> 16)
        base.storeBytes(of: four, toByteOffset: step &* x, as: UInt32.self)
      }
    }
    let all = scratch.assumingMemoryBound(to: UInt8.self), to = out.assumingMemoryBound(to: UInt8.self)
    for index in 0..<step { to[index] = all[index] }
    for index in step..<2 &* plane { to[index] = all[index] &- all[index &- step] }
  }
}
