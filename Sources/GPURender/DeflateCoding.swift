import HDRCore
import HDRPlan
import Kernels

/// A coding says how a device deflates the rows of a picture.
package struct DeflateCoding: Sendable {
  package let layout: DeflateLayout

  package init(_ layout: DeflateLayout) { self.layout = layout }

  package var kernels: [BandKernel] { [rowsKernel] + BandKernel.deflate }

  /// The kernel that makes the bytes of rows.
  var rowsKernel: BandKernel {
    switch layout.line {
    case .png: .deflateRows
    case .tiff(let line):
      switch line.samples {
      case .integers: .deflateTIFFWords
      case .halves: .deflateTIFFHalves
      case .floats: .deflateTIFFFloats
      }
    case .exr: .deflateEXRHalves
    }
  }

  /// The sink whose pixels are deflated.
  var sink: SinkKind {
    switch layout.line {
    case .png(let line): line.sampleBytes == 2 ? .rgba16 : .rgba8
    case .tiff(let line):
      switch line.samples {
      case .integers: .rgba16
      case .halves: .rgba16f
      case .floats: .floatPlanes
      }
    case .exr: .rgba16f
    }
  }

  /// True if a pass makes the pixels that are deflated.
  func suits(_ pass: Pass) -> Bool {
    guard pass.sink.kind == sink, pass.width == layout.line.width, pass.height == layout.height else { return false }
    // Only planes have as many channels as a line.
    guard case .tiff(let line) = layout.line, line.samples == .floats else { return true }
    return pass.sink.channels == line.channels
  }

  /// Returns the coding of some rows as a picture of their own.
  package func rows(_ rows: Range<Int>) -> DeflateCoding { DeflateCoding(layout.rows(rows)) }

  /// Returns the stream that kernels must make of a picture in its sink's layout.
  package func rows(of image: SampleImage) -> DeflatedRows {
    let coder = DeflateChunkCoder(chunkBytes: layout.chunkBytes)
    let planes = image.channels + [image.alpha].compactMap(\.self)
    let rows = PixelBuffer(uninitializedByteCount: layout.chunkBytes + 8)
    let out = PixelBuffer(uninitializedByteCount: DeflateChunkCoder.mostBytes(layout.chunkBytes))
    var streams = DeflateStreams(layout)
    for chunk in 0..<layout.chunkCount {
      layout.fill(chunk, into: rows.base) { plane, y in
        let plane = planes[plane]
        return UnsafeRawPointer(plane.buffer.base + plane.offset + y * plane.rowBytes)
      }
      let bytes = UnsafeRawBufferPointer(start: rows.base, count: layout.bytes(ofChunk: chunk))
      let count = coder.code(bytes, into: out.base)
      streams.append(UnsafeRawBufferPointer(start: out.base, count: count), AdlerSum(bytes))
    }
    return withExtendedLifetime(image) { streams.finished { PixelBuffer(uninitializedByteCount: $0) } }
  }

  /// Returns the picture whose rows a device has deflated.
  package func picture(_ rows: DeflatedRows) -> SampleImage {
    let format: SampleFormat =
      switch sink {
      case .rgba8: .uint8
      case .rgba16f: .float16
      case .floatPlanes: .float32
      default: .uint16
      }
    var image = SampleImage(
      width: layout.line.width, height: layout.height, model: .rgb, format: format, bitDepth: 8 * format.bytes,
      channels: [])
    image.deflated = rows
    return image
  }
}

/// A picture whose rows a device has deflated, and what was measured of it.
package struct DeflatedPicture: Sendable {
  package var rows: DeflatedRows
  package var sums: PixelSums

  package init(rows: DeflatedRows, sums: PixelSums) { (self.rows, self.sums) = (rows, sums) }
}

/// The kernels that deflate leave in a band's output the bits and checksum sums of each chunk, what was measured of the
/// pixels, then chunks one after another.
package struct DeflateBand: Sendable {
  // Numbers of deflate.glsl.
  static let tokenWords = 2048, infoWords = 313, chunkHead = 3, headWords = 41

  let layout: DeflateLayout
  let light: BandSums?
  let headEnd: Int
  let seamsOffset: Int
  /// The first byte of the stream.
  let streamOffset: Int
  package let byteCount: Int

  /// - Parameter layout: of the band.
  package init(_ layout: DeflateLayout, _ measurement: Measurement?, alignment: Int) {
    func aligned(_ bytes: Int) -> Int { (bytes + alignment - 1) / alignment * alignment }
    self.layout = layout
    let sums = aligned(4 * Self.chunkHead * layout.chunkCount)
    light = measurement.map { BandSums($0, width: layout.line.width, height: layout.height, at: sums) }
    headEnd = light?.bytes.upperBound ?? 4 * Self.chunkHead * layout.chunkCount
    seamsOffset = aligned(headEnd)
    streamOffset = aligned(seamsOffset + 8 * layout.chunkCount * layout.segmentsOfChunk)
    byteCount = aligned(streamOffset + layout.chunkCount * Self.mostChunkBytes(layout))
  }

  private static func mostChunkBytes(_ layout: DeflateLayout) -> Int {
    (DeflateChunkCoder.mostBytes(layout.chunkBytes) + 3) / 4 * 4
  }

  /// The most bits of a chunk, which kernels count in words of 32 bits.
  var mostChunkBits: Int { 8 * Self.mostChunkBytes(layout) }

  /// The words of a chunk's lines, and one that is read behind the last.
  var chunkWords: Int { (layout.chunkBytes + 3) / 4 + 1 }

  /// The head of a band.
  package struct Head {
    /// The bits of each chunk, from a whole word on.
    let bits: [Int]
    let checksums: [AdlerSum]
    /// The bytes of the output that hold the chunks.
    let stream: Range<Int>
    let light: PixelSums?
  }

  /// Reads the head; `nil` if its numbers are impossible: a device may fail.
  ///
  /// - Parameter output: the band's output up to `headEnd`.
  package func head(_ output: UnsafeRawPointer) -> Head? {
    let words = UnsafeRawBufferPointer(start: output, count: 4 * Self.chunkHead * layout.chunkCount)
      .bindMemory(to: UInt32.self)
    var bits: [Int] = [], checksums: [AdlerSum] = []
    for chunk in 0..<layout.chunkCount {
      let first = Self.chunkHead * chunk, count = Int(words[first])
      guard count > DeflateCodes.headBits, count <= mostChunkBits,
        let sum = AdlerSum(sum: words[first + 1], sums: words[first + 2], count: layout.bytes(ofChunk: chunk))
      else { return nil }
      bits.append(count)
      checksums.append(sum)
    }
    let sums = light.map { $0.sums(output) }
    if let sums, sums == nil { return nil }
    let stream = streamOffset..<streamOffset + bits.reduce(0) { $0 + ($1 + 31) / 32 * 4 }
    return Head(bits: bits, checksums: checksums, stream: stream, light: sums ?? nil)
  }
}
