/// A layout cuts the bytes of a picture's rows into chunks, each a Deflate block of its own, and chunks into segments.
///
/// A chunk needs no byte of the chunk before: its first row is predicted from the left, the others from above. So
/// chunks can be made in any order, on any processor.
package struct DeflateLayout: Sendable, Hashable {
  /// The most bytes of a chunk of more than one row.
  private static let mostBytes = 1 << 18
  /// The bytes in which matches are looked for, by one invocation of a kernel. No match goes beyond its segment.
  package static let segmentBytes = 4096

  package let line: PNGLine
  package let height: Int

  package init(_ line: PNGLine, height: Int) { (self.line, self.height) = (line, height) }

  /// The rows of each chunk but the last one.
  package var chunkRows: Int { max(1, Self.mostBytes / line.byteCount) }
  package var chunkCount: Int { (height + chunkRows - 1) / chunkRows }
  /// The bytes of each chunk but the last one, which may have fewer.
  package var chunkBytes: Int { min(chunkRows, height) * line.byteCount }

  /// The segments of each chunk but the last one, which may have fewer.
  package var segmentsOfChunk: Int { (chunkBytes + Self.segmentBytes - 1) / Self.segmentBytes }

  package func rows(ofChunk chunk: Int) -> Range<Int> {
    chunk * chunkRows..<min((chunk + 1) * chunkRows, height)
  }

  package func bytes(ofChunk chunk: Int) -> Int { rows(ofChunk: chunk).count * line.byteCount }

  /// The layout of some rows as a picture of their own; the first is that of a chunk.
  package func rows(_ rows: Range<Int>) -> DeflateLayout { DeflateLayout(line, height: rows.count) }

  /// Writes the bytes of a chunk's rows, and up to 8 after them.
  ///
  /// - Parameter row: returns the samples of a row.
  package func fill(_ chunk: Int, into out: UnsafeMutableRawPointer, row: (Int) -> UnsafeRawPointer) {
    let rows = rows(ofChunk: chunk)
    for y in rows {
      let place = out + (y - rows.lowerBound) * line.byteCount
      if y == rows.lowerBound {
        line.sub(row(y), into: place)
      } else {
        line.up(row(y), above: row(y - 1), into: place)
      }
    }
  }
}
