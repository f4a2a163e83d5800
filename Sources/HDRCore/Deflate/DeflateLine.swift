/// A line says which bytes of a picture's rows are deflated, and in which chunks: those of a format.
package enum DeflateLine: Sendable, Hashable {
  case png(PNGLine)
  case tiff(TIFFLine)
  case exr(EXRLine)

  package var width: Int {
    switch self {
    case .png(let line): line.width
    case .tiff(let line): line.width
    case .exr(let line): line.width
    }
  }

  /// The number of channels: 3, or 4 with alpha.
  package var channels: Int {
    switch self {
    case .png(let line): line.keepsAlpha ? 4 : 3
    case .tiff(let line): line.channels
    case .exr(let line): line.channels
    }
  }

  /// The bytes of a sample.
  package var sampleBytes: Int {
    switch self {
    case .png(let line): line.sampleBytes
    case .tiff(let line): line.sampleBytes
    case .exr: 2
    }
  }

  /// The bytes of a row.
  package var byteCount: Int {
    switch self {
    case .png(let line): line.byteCount
    case .tiff(let line): line.byteCount
    case .exr(let line): line.byteCount
    }
  }

  /// The rows of each chunk but the last one, which may have fewer.
  package var chunkRows: Int {
    switch self {
    case .png(let line): line.chunkRows
    case .tiff: TIFFLine.stripRows
    case .exr: EXRLine.chunkRows
    }
  }

  /// True if all chunks are one zlib stream; else each is a stream of its own.
  package var joinsChunks: Bool { if case .png = self { true } else { false } }

  /// Writes the bytes of a chunk's rows, and up to 8 after them.
  ///
  /// - Parameter row: returns the samples of a row of a plane; interleaved ones are plane 0.
  package func fill(
    _ rows: Range<Int>, into out: UnsafeMutableRawPointer, row: (_ plane: Int, _ y: Int) -> UnsafeRawPointer
  ) {
    switch self {
    case .png(let line): line.fill(rows, into: out) { row(0, $0) }
    case .tiff(let line): line.fill(rows, into: out, row: row)
    case .exr(let line): line.fill(rows, into: out) { row(0, $0) }
    }
  }
}
