/// A row of R G B A samples as the bytes of PNG: a filter byte, then samples, most significant byte first; alpha is
/// dropped unless it is kept. Source: PNG (third edition) clauses 7.2 and 9.
package struct PNGLine: Sendable, Hashable {
  package var width: Int
  /// The bytes of a sample, 1 or 2.
  package var sampleBytes: Int
  package var keepsAlpha: Bool

  package init(width: Int, sampleBytes: Int, keepsAlpha: Bool) {
    (self.width, self.sampleBytes, self.keepsAlpha) = (width, sampleBytes, keepsAlpha)
  }

  /// The filter numbers of PNG clause 9.2.
  package enum Filter: UInt8, CaseIterable { case none, sub, up, average, paeth }

  /// The bytes of a pixel in the file, which is PNG's `bpp`.
  package var pixelBytes: Int { (keepsAlpha ? 4 : 3) * sampleBytes }
  /// The bytes of a row with its filter byte.
  package var byteCount: Int { width * pixelBytes + 1 }

  /// The most bytes of a chunk of more than one row.
  private static let mostChunkBytes = 1 << 18
  /// The rows of a chunk that is deflated by itself.
  package var chunkRows: Int { max(1, Self.mostChunkBytes / byteCount) }

  /// Writes the bytes of a chunk's rows, and up to 8 after them: the first row is predicted from the left, the others from
  /// above.
  package func fill(_ rows: Range<Int>, into out: UnsafeMutableRawPointer, row: (Int) -> UnsafeRawPointer) {
    for y in rows {
      let place = out + (y - rows.lowerBound) * byteCount
      if y == rows.lowerBound {
        sub(row(y), into: place)
      } else {
        up(row(y), above: row(y - 1), into: place)
      }
    }
  }

  /// Writes a row with filter Up: a filter byte and the row minus the row above, byte by byte modulo 256. Eight bytes
  /// more may be written.
  package func up(_ row: UnsafeRawPointer, above: UnsafeRawPointer?, into output: UnsafeMutableRawPointer) {
    output.storeBytes(of: Filter.up.rawValue, as: UInt8.self)
    plain(row, above: above, into: output + 1)
  }

  /// Writes a row with filter Sub: a filter byte and each pixel minus the pixel to its left. Eight bytes more may be
  /// written.
  package func sub(_ row: UnsafeRawPointer, into output: UnsafeMutableRawPointer) {
    output.storeBytes(of: Filter.sub.rawValue, as: UInt8.self)
    convert(row, into: output + 1) { x, _ in x == 0 ? nil : row + 4 * sampleBytes * (x - 1) }
  }

  /// Writes the bytes of a row without filter byte, minus those of the row above if there is one.
  @inline(__always)
  package func plain(_ row: UnsafeRawPointer, above: UnsafeRawPointer?, into output: UnsafeMutableRawPointer) {
    if let above {
      convert(row, into: output) { _, offset in above + offset }
    } else {
      convert(row, into: output) { _, _ in nil }
    }
  }

  /// Writes each pixel minus another one, bytes swapped after the subtraction, which does not mix bytes: a pixel is
  /// always one word. Without alpha, a row's last pixel also writes the next row's first byte, which is overwritten later.
  @inline(__always)
  private func convert(
    _ row: UnsafeRawPointer, into output: UnsafeMutableRawPointer, minus other: (Int, Int) -> UnsafeRawPointer?
  ) {
    let step = pixelBytes
    if sampleBytes == 2 {
      for x in 0..<width {
        let current = row.loadUnaligned(fromByteOffset: 8 &* x, as: UInt64.self)
        let taken = other(x, 8 &* x)?.loadUnaligned(as: UInt64.self) ?? 0
        output.storeBytes(
          of: Self.swappedPairs(Self.bytewiseDifference(current, taken)), toByteOffset: step &* x, as: UInt64.self)
      }
    } else {
      for x in 0..<width {
        let current = row.loadUnaligned(fromByteOffset: 4 &* x, as: UInt32.self)
        let taken = other(x, 4 &* x)?.loadUnaligned(as: UInt32.self) ?? 0
        output.storeBytes(of: Self.bytewiseDifference(current, taken), toByteOffset: step &* x, as: UInt32.self)
      }
    }
  }

  /// Returns `a - b` in each byte: the top bits are left out of the word subtraction, so that no borrow crosses a byte.
  @inline(__always)
  private static func bytewiseDifference<Word: FixedWidthInteger & UnsignedInteger>(_ a: Word, _ b: Word) -> Word {
    let tops = Word.max / 255 &* 128
    return ((a | tops) &- (b & ~tops)) ^ ((a ^ ~b) & tops)
  }

  @inline(__always)
  private static func swappedPairs(_ word: UInt64) -> UInt64 {
    (word & 0x00FF_00FF_00FF_00FF) << 8 | (word >> 8) & 0x00FF_00FF_00FF_00FF
  }
}
