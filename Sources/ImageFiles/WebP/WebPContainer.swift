import FileParts
import HDRCore

/// The chunks of a WebP file, checked before the library sees a file of its own (`plain`). Source: RFC 9649 clause 2.
package struct WebPContainer {
  static let place = "WebP"
  /// The most chunks of a file, frames included.
  static let maxChunks = 1 << 16

  /// A part that the library decodes: the bit stream, and alpha beside a lossy one.
  package struct Frame {
    var stream: WebPBitstream
    package var chunk: ArraySlice<UInt8>
    var alpha: ArraySlice<UInt8>?
    /// The place on the canvas.
    package var x = 0
    package var y = 0

    var hasAlpha: Bool { stream.hasAlpha || alpha != nil }
  }

  /// The size of the picture: of the canvas.
  package private(set) var width = 0
  package private(set) var height = 0
  package private(set) var frame: Frame
  /// The number of frames of an animation; 0: a still picture.
  package private(set) var frames = 0
  private(set) var icc: ArraySlice<UInt8>?
  private(set) var exif: ArraySlice<UInt8>?
  private(set) var xmp: ArraySlice<UInt8>?
  private(set) var credentials: ContentCredentials?
  /// The chunks that nothing reads.
  private(set) var unknown = UnknownParts()
  private static let known: Set<String> = [
    "VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF",
  ]

  package init(_ bytes: [UInt8], limits: DecodeLimits, warnings: inout [Warning]) throws(DecodeError) {
    var reader = ByteReader(bytes, place: Self.place, isLittleEndian: true)
    try reader.skip(4)
    let size = try reader.u32()
    try reader.skip(4)
    guard size >= 4, size <= bytes.count - 8 else { throw .truncated(where: Self.place) }
    var all = try Self.chunks(bytes[12..<8 + size])
    if size + 8 + (size & 1) < bytes.count {
      warnings.append(
        Warning("webp.trailing", "\(bytes.count - size - 8) bytes beyond the end of the picture are not read"))
    }
    var canvas: (width: Int, height: Int)?
    if all.first?.name == "VP8X" {
      var header = ByteReader(all.removeFirst().payload, place: "WebP VP8X", isLittleEndian: true)
      try header.skip(4)
      canvas = (Int(try header.unsigned(3)) + 1, Int(try header.unsigned(3)) + 1)
    }
    let animated = all.filter { $0.name == "ANMF" }
    frames = animated.count
    if let first = animated.first {
      guard let canvas else { throw .malformed(where: Self.place, what: "frames without a canvas") }
      var header = ByteReader(first.payload, place: "WebP ANMF", isLittleEndian: true)
      let x = 2 * Int(try header.unsigned(3)), y = 2 * Int(try header.unsigned(3))
      let wanted = (Int(try header.unsigned(3)) + 1, Int(try header.unsigned(3)) + 1)
      try header.skip(4)
      frame = try Self.frame(Self.chunks(first.payload[header.position...]))
      (frame.x, frame.y) = (x, y)
      guard (frame.stream.width, frame.stream.height) == wanted, x + wanted.0 <= canvas.width,
        y + wanted.1 <= canvas.height
      else { throw .malformed(where: "WebP ANMF", what: "the first frame does not fit its place") }
    } else {
      frame = try Self.frame(all)
    }
    (width, height) = canvas ?? (frame.stream.width, frame.stream.height)
    _ = try checkedPixels(width, height, limits, place: Self.place)
    guard frames > 0 || (width, height) == (frame.stream.width, frame.stream.height) else {
      throw .malformed(where: Self.place, what: "the canvas is not of the picture's size")
    }
    for chunk in all where !Self.known.contains(chunk.name) {
      if !take(chunk, warnings: &warnings) { unknown.add(chunk.name, byteCount: chunk.payload.count) }
    }
  }

  /// Takes a chunk of metadata, of each kind the first; returns false for others.
  private mutating func take(_ chunk: Chunk, warnings: inout [Warning]) -> Bool {
    switch chunk.name {
    case "ICCP" where icc == nil: icc = chunk.payload
    case "EXIF" where exif == nil: exif = chunk.payload
    case "XMP " where xmp == nil: xmp = chunk.payload
    case "C2PA" where credentials == nil:
      credentials = ContentCredentials(chunk.payload, place: "C2PA chunk", warnings: &warnings)
      return credentials != nil
    default: return false
    }
    return true
  }

  // MARK: Chunks

  private typealias Chunk = (name: String, payload: ArraySlice<UInt8>)

  private static func chunks(_ bytes: ArraySlice<UInt8>) throws(DecodeError) -> [Chunk] {
    var reader = ByteReader(bytes, place: place, isLittleEndian: true), found: [Chunk] = []
    while reader.remaining >= 8 {
      guard found.count < maxChunks else {
        throw .limit(what: "chunks of a WebP file", found: found.count + 1, allowed: maxChunks)
      }
      let name = try reader.fourCC(), size = try reader.u32()
      found.append((name, try reader.take(size)))
      // Chunks end on even places; some writers omit the last byte.
      if size & 1 == 1, reader.remaining > 0 { try reader.skip(1) }
    }
    return found
  }

  /// Returns the picture of a list of chunks.
  private static func frame(_ chunks: [Chunk]) throws(DecodeError) -> Frame {
    guard let picture = chunks.first(where: { ["VP8 ", "VP8L"].contains($0.name) }) else {
      throw .malformed(where: place, what: "it has no picture")
    }
    let isLossless = picture.name == "VP8L"
    return Frame(
      stream: try WebPBitstream(picture.payload, isLossless: isLossless), chunk: picture.payload,
      alpha: isLossless ? nil : chunks.first { $0.name == "ALPH" }?.payload)
  }

  /// The file that the library sees: the first picture, and alpha beside it.
  package var plain: [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] { TIFFValue.bytes(value, count, true) }
    func chunk(_ name: String, _ payload: some Collection<UInt8>) -> [UInt8] {
      Array(name.utf8) + little(payload.count, 4) + payload + (payload.count & 1 == 1 ? [0] : [])
    }
    var body = Array("WEBP".utf8)
    if let alpha = frame.alpha {
      body += chunk("VP8X", [0x10, 0, 0, 0] + little(frame.stream.width - 1, 3) + little(frame.stream.height - 1, 3))
      body += chunk("ALPH", alpha)
    }
    body += chunk(frame.stream.isLossless ? "VP8L" : "VP8 ", frame.chunk)
    return Array("RIFF".utf8) + little(body.count, 4) + body
  }
}
