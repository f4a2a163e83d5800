import FileParts
import CISAL
import HDRCore

/// A writer of a PNG file: the signature, then chunks. Source: W3C PNG (third edition).
struct PNGFile {
  /// The colour types of PNG clause 11.2.1 that are written.
  enum Colors: Int {
    case grey = 0
    case rgb = 2
    case rgba = 6
  }

  private var sink: ByteSink
  /// These parts come before the bytes of `sink`, where pixels are not copied.
  private var earlier: [FilePart] = []

  var parts: [FilePart] { earlier + [.bytes(sink.bytes)] }

  init() { sink = ByteSink() }

  init(reserving count: Int) {
    sink = ByteSink(reserving: count)
    sink.append(PNGChunks.signature)
  }

  mutating func chunk(_ type: String, _ data: [UInt8]) {
    data.withUnsafeBytes { chunk(type, $0) }
  }

  /// Writes a chunk: length, type, data, CRC-32 of type and data (PNG clause 5.3).
  mutating func chunk(_ type: String, _ data: UnsafeRawBufferPointer) {
    sink.u32(data.count)
    sink.ascii(type)
    sink.append(data)
    sink.u32(Int(crc32(checksum(of: type), data)))
  }

  /// Writes a chunk whose data stay where they are.
  private mutating func chunk(_ type: String, _ memory: PixelBuffer, _ range: Range<Int>) {
    let data = FilePart.memory(memory, range)
    sink.u32(range.count)
    sink.ascii(type)
    earlier += [.bytes(sink.bytes), data]
    sink = ByteSink()
    sink.u32(Int(data.withBytes { crc32(checksum(of: type), $0) }))
  }

  private func checksum(of type: String) -> UInt32 { Array(type.utf8).withUnsafeBytes { crc32(0, $0) } }

  private func crc32(_ seed: UInt32, _ data: UnsafeRawBufferPointer) -> UInt32 {
    guard let start = data.baseAddress, !data.isEmpty else { return seed }
    return crc32_gzip_refl(seed, start.assumingMemoryBound(to: UInt8.self), UInt64(data.count))
  }

  // MARK: Before the pixels

  mutating func header(width: Int, height: Int, sampleBytes: Int, colors: Colors) {
    var data = ByteSink()
    data.u32(width)
    data.u32(height)
    data.u8(8 * sampleBytes)
    data.u8(colors.rawValue)
    // Compression deflate, the five filters, not interlaced.
    data.zeros(3)
    chunk("IHDR", data.bytes)
  }

  /// Writes code points; matrix 0 and full range, as PNG demands.
  mutating func codePoints(_ cicp: CICP) {
    chunk("cICP", [UInt8(truncatingIfNeeded: cicp.primaries), UInt8(truncatingIfNeeded: cicp.transfer), 0, 1])
  }

  mutating func mastering(_ display: MasteringDisplay) {
    if let payload = display.payload(order: .redGreenBlue) { chunk("mDCV", payload) }
  }

  mutating func level(_ level: ContentLightLevel) {
    guard level.maxCLL > 0 else { return }
    var data = ByteSink()
    // Units of 0.0001 cd/m².
    data.u32(Int(min(level.maxCLL, 400_000) * 10_000 + 0.5))
    data.u32(Int(min(max(level.maxFALL, 0), 400_000) * 10_000 + 0.5))
    chunk("cLLI", data.bytes)
  }

  mutating func profile(_ profile: [UInt8], name: String) throws(EncodeError) {
    var data = ByteSink()
    data.ascii(name)
    // The end of the name, and compression method 0.
    data.zeros(2)
    let packed = try zlibStream(profile, level: 9)
    data.append(packed.bytes)
    chunk("iCCP", data.bytes)
  }

  mutating func metadata(exif: [UInt8]?, xmp: [UInt8]?) {
    if let exif, exif.count < 1 << 31 { chunk("eXIf", exif) }
    if let xmp, xmp.count < (1 << 31) - 64 {
      var data = ByteSink()
      data.ascii("XML:com.adobe.xmp")
      // The end of the keyword, not compressed, method 0, empty language tag, empty translated keyword.
      data.zeros(5)
      data.append(xmp)
      chunk("iTXt", data.bytes)
    }
  }

  // MARK: Pixels

  /// Writes a stream of pixels as chunks.
  mutating func pixels(_ stream: UnsafeRawBufferPointer) {
    for piece in Self.pieces(stream.count) { chunk("IDAT", UnsafeRawBufferPointer(rebasing: stream[piece])) }
  }

  /// Writes a stream of pixels as chunks that point to its memory.
  mutating func pixels(in stream: PixelBuffer) {
    for piece in Self.pieces(stream.byteCount) { chunk("IDAT", stream, piece) }
  }

  /// The chunks of a stream of so many bytes: 1 MiB each.
  private static func pieces(_ byteCount: Int) -> [Range<Int>] {
    stride(from: 0, to: byteCount, by: 1 << 20).map { $0..<min($0 + (1 << 20), byteCount) }
  }

  /// Compresses rows of R G B A.
  mutating func pixels(
    _ rows: PixelRows, _ line: PNGLine, _ method: DeflateMethod, threads: Int
  ) throws(EncodeError) {
    let filter = PNGFilter(rows: rows, line: line)
    switch method {
    case .fast(let level):
      var growing = self
      // An array with two owners would be copied at the first append.
      self = PNGFile()
      let stream = ZlibStream(level: level) { growing.chunk("IDAT", $0) }
      // About 256 KiB of scanlines at a time: they are still in the cache when deflate reads them.
      let step = max(1, (1 << 18) / filter.lineBytes)
      let scratch = PixelBuffer(uninitializedByteCount: step * filter.lineBytes)
      var y = 0
      while y < rows.height {
        let end = min(y + step, rows.height)
        filter.up(y..<end, into: scratch.base)
        let piece = UnsafeRawBufferPointer(start: scratch.base, count: (end - y) * filter.lineBytes)
        try stream.write(piece, isLast: end == rows.height)
        y = end
      }
      self = growing
    case .small(let levels):
      let filtered = filter.adaptive()
      let packed = try zlibStream(
        UnsafeRawBufferPointer(start: filtered.base, count: filtered.byteCount), levels: levels)
      pixels(packed.bytes)
    case .chunks:
      let stream = chunkedStream(DeflateLayout(line, height: rows.height), threads: threads) { rows.row($1) }
      stream.withUnsafeBytes { pixels($0) }
    }
  }

  /// Compresses the rows of a grey picture, 8 or 16 bits, with filter Up.
  ///
  /// - Throws: `EncodeError.unsupported` for another layout.
  mutating func greyPixels(_ image: SampleImage, _ method: DeflateMethod) throws(EncodeError) {
    guard image.model == .grey, image.format == .uint8 || image.format == .uint16, let plane = image.channels.first
    else { throw image.refusal(for: "grey PNG") }
    let step = image.format.bytes, lineBytes = image.width * step + 1
    let lines = PixelBuffer(uninitializedByteCount: lineBytes * image.height)
    let out = lines.base.assumingMemoryBound(to: UInt8.self)
    /// Returns byte `index` of a scanline: the high one of a word comes first.
    func byte(_ y: Int, _ index: Int) -> UInt8 {
      let sample = plane.buffer.base + plane.offset + y * plane.rowBytes + index / step * plane.stepBytes
      return (sample + (step == 1 ? 0 : 1 - index % 2)).load(as: UInt8.self)
    }
    for y in 0..<image.height {
      out[y * lineBytes] = PNGLine.Filter.up.rawValue
      for index in 0..<lineBytes - 1 {
        out[y * lineBytes + 1 + index] = byte(y, index) &- (y == 0 ? 0 : byte(y - 1, index))
      }
    }
    let levels = if case .small(let levels) = method { levels } else { [1] }
    let packed = try zlibStream(UnsafeRawBufferPointer(start: lines.base, count: lines.byteCount), levels: levels)
    pixels(packed.bytes)
  }
}
