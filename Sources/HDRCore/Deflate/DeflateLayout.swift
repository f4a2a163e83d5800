/// A layout cuts the bytes of a picture's rows into chunks, each a Deflate block of its own, and chunks into segments.
///
/// A chunk needs no byte of the chunk before. So chunks can be made in any order, on any processor.
package struct DeflateLayout: Sendable, Hashable {
  /// The bytes in which matches are looked for, by one invocation of a kernel. No match goes beyond its segment.
  package static let segmentBytes = 4096

  package let line: DeflateLine
  package let height: Int

  package init(_ line: DeflateLine, height: Int) { (self.line, self.height) = (line, height) }

  package init(_ line: PNGLine, height: Int) { self.init(.png(line), height: height) }

  /// The rows of each chunk but the last one.
  package var chunkRows: Int { line.chunkRows }
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
  /// - Parameter row: returns the samples of a row of a plane; interleaved ones are plane 0.
  package func fill(
    _ chunk: Int, into out: UnsafeMutableRawPointer, row: (_ plane: Int, _ y: Int) -> UnsafeRawPointer
  ) {
    line.fill(rows(ofChunk: chunk), into: out, row: row)
  }
}
