/// A row of samples as the bytes of a TIFF strip, before Deflate: integers of 16 bits become differences to the left
/// (predictor 2), floats become planes of bytes and then differences of bytes (3). The twin of deflate_tiff.glsl.
/// Source: TIFF 6.0 section 14; Adobe technical note 3.
package struct TIFFLine: Sendable, Hashable {
  /// The samples of a row.
  package enum Samples: Int, Sendable, Hashable, CaseIterable {
    /// R G B A of 16 bits.
    case integers
    /// R G B A halves.
    case halves
    /// Planes of binary32.
    case floats
  }

  package var samples: Samples
  package var width: Int
  /// The number of channels: 3, or 4 with alpha.
  package var channels: Int
  /// The rows of a strip.
  package static let stripRows = 64

  package init(_ samples: Samples, width: Int, channels: Int) {
    (self.samples, self.width, self.channels) = (samples, width, channels)
  }

  package var isFloat: Bool { samples != .integers }
  /// The bytes of a sample.
  package var sampleBytes: Int { samples == .floats ? 4 : 2 }
  /// The bytes of a row.
  package var byteCount: Int { width * channels * sampleBytes }

  /// Writes the bytes of rows, and up to 8 after them.
  ///
  /// - Parameter row: returns the samples of a row of a plane; interleaved ones are plane 0.
  package func fill(
    _ rows: Range<Int>, into out: UnsafeMutableRawPointer, row: (_ plane: Int, _ y: Int) -> UnsafeRawPointer
  ) {
    withUnsafeTemporaryAllocation(byteCount: byteCount + 8, alignment: 8) { scratch in
      let split = scratch.baseAddress!
      var line = out
      for y in rows {
        switch samples {
        case .integers: differences(row(0, y), line)
        case .halves:
          self.split(halves: row(0, y), split)
          differences(ofBytes: split, line)
        case .floats:
          self.split(row, y, split)
          differences(ofBytes: split, line)
        }
        line += byteCount
      }
    }
  }

  /// Writes each sample minus the sample of the pixel to the left, modulo 2^16.
  private func differences(_ row: UnsafeRawPointer, _ out: UnsafeMutableRawPointer) {
    let step = 2 &* channels
    var left = SIMD4<UInt16>()
    // Without alpha, a pixel also writes into the next one, which is overwritten later.
    for x in 0..<width {
      let pixel = row.loadUnaligned(fromByteOffset: 8 &* x, as: SIMD4<UInt16>.self)
      out.storeBytes(of: pixel &- left, toByteOffset: step &* x, as: SIMD4<UInt16>.self)
      left = pixel
    }
  }

  /// Writes the high bytes of all samples of the row, then the low ones.
  private func split(halves row: UnsafeRawPointer, _ out: UnsafeMutableRawPointer) {
    let step = channels, plane = width * channels
    for (shift, base) in [(UInt64(8), out), (0, out + plane)] {
      for x in 0..<width {
        var bytes = row.loadUnaligned(fromByteOffset: 8 &* x, as: UInt64.self) &>> shift & 0x00FF_00FF_00FF_00FF
        bytes = (bytes | bytes &>> 8) & 0x0000_FFFF_0000_FFFF
        let four = UInt32(truncatingIfNeeded: bytes | bytes &>> 16)
        base.storeBytes(of: four, toByteOffset: step &* x, as: UInt32.self)
      }
    }
  }

  /// Writes the highest bytes of all samples of the row first, the lowest last. Zeros lose their sign, as executors may
  /// give either sign.
  private func split(_ row: (Int, Int) -> UnsafeRawPointer, _ y: Int, _ out: UnsafeMutableRawPointer) {
    func plane(_ index: Int) -> UnsafePointer<Float> { row(index, y).assumingMemoryBound(to: Float.self) }
    let step = channels, bytes = width * channels
    let r = plane(0), g = plane(1), b = plane(2), a = plane(step - 1)
    for part in 0..<4 {
      let base = out + part * bytes, shift = UInt32(24 - 8 * part)
      for x in 0..<width {
        func byte(_ value: Float) -> UInt32 { (value + 0).bitPattern &>> shift & 0xFF }
        let four = (byte(r[x]) | byte(g[x]) &<< 8) | (byte(b[x]) &<< 16 | byte(a[x]) &<< 24)
        base.storeBytes(of: four, toByteOffset: step &* x, as: UInt32.self)
      }
    }
  }

  /// Writes each byte of a row minus the byte one pixel before.
  private func differences(ofBytes row: UnsafeRawPointer, _ out: UnsafeMutableRawPointer) {
    let from = row.assumingMemoryBound(to: UInt8.self), to = out.assumingMemoryBound(to: UInt8.self)
    let step = channels, count = byteCount
    for index in 0..<step { to[index] = from[index] }
    for index in step..<count { to[index] = from[index] &- from[index &- step] }
  }
}
