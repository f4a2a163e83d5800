import FileParts
import HDRCore

/// The chunks of a PNG, checked before a library sees the file. Source: W3C PNG (third edition) clause 5.
struct PNGChunks {
  struct Chunk {
    /// The type of the chunk, four letters.
    var name: String
    var payload: Range<Int>
    /// True if the chunk comes before PLTE and the first IDAT, as colour chunks must.
    var isEarly: Bool
    /// True if the chunk comes behind an IDAT.
    var isLate = false
    /// True if the CRC is another one, which only chunks of gain maps may have here.
    var isDamaged = false
  }

  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  static let maxChunks = 1 << 20
  /// The chunks whose damage costs the gain map and leaves the picture.
  static let gainMapNames: Set<String> = ["gmAP", "gdAT", "gMAP", "gDAT"]

  let bytes: [UInt8]
  /// All chunks except IDAT and IEND; the CRC of all but a gain map's is right.
  private(set) var chunks: [Chunk] = []

  private(set) var width = 0
  private(set) var height = 0
  /// The stored bit depth: 1, 2, 4, 8 or 16.
  private(set) var bitDepth = 0
  /// The colour type: 0 grey, 2 R G B, 3 palette, 4 grey and alpha, 6 R G B A.
  private(set) var colorType = 0

  /// Reads and checks the chunks.
  ///
  /// - Throws: `.malformed` for a wrong signature, header, order or CRC; `.truncated` when a chunk exceeds the end of
  ///   the file or IEND is missing.
  init(_ bytes: [UInt8]) throws(DecodeError) {
    self.bytes = bytes
    guard bytes.starts(with: Self.signature) else { throw .malformed(where: "PNG", what: "no signature") }
    var reader = ByteReader(bytes[8...], place: "PNG chunk")
    var hasData = false, hasPalette = false, isFirst = true, count = 0
    while true {
      count += 1
      guard count <= Self.maxChunks else {
        throw .limit(what: "PNG chunk count", found: count, allowed: Self.maxChunks)
      }
      let length = try reader.u32()
      let nameBytes = try reader.take(4)
      let name = latin1(nameBytes)
      guard nameBytes.allSatisfy({ (65...90).contains($0) || (97...122).contains($0) }) else {
        throw .malformed(where: "PNG", what: "a chunk name is not four letters")
      }
      guard length <= 0x7FFF_FFFF, length <= reader.remaining - 4 else { throw .truncated(where: "PNG \(name)") }
      let payload = try reader.take(length)
      let crc = UInt32(try reader.u32())
      guard isFirst == (name == "IHDR") else { throw .malformed(where: "PNG", what: "IHDR is not the first chunk") }
      isFirst = false
      switch name {
      case "IDAT": hasData = true
      case "IEND":
        guard hasData else { throw .malformed(where: "PNG", what: "no IDAT") }
        return
      default:
        let isDamaged = crc != pngCRC32(bytes[payload.startIndex - 4..<payload.endIndex])
        guard !isDamaged || Self.gainMapNames.contains(name) else {
          throw .malformed(where: "PNG \(name)", what: "wrong CRC")
        }
        if name == "IHDR" { try readHeader(payload) }
        chunks.append(
          Chunk(
            name: name, payload: payload.indices, isEarly: !hasData && !hasPalette, isLate: hasData,
            isDamaged: isDamaged))
        if name == "PLTE" { hasPalette = true }
      }
    }
  }

  private mutating func readHeader(_ payload: ArraySlice<UInt8>) throws(DecodeError) {
    guard payload.count == 13 else { throw .malformed(where: "PNG IHDR", what: "\(payload.count) bytes") }
    var reader = ByteReader(payload, place: "PNG IHDR")
    width = try reader.u32()
    height = try reader.u32()
    bitDepth = Int(try reader.u8())
    colorType = Int(try reader.u8())
    let allowed: [Int: [Int]] = [0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16]]
    guard allowed[colorType]?.contains(bitDepth) == true else {
      throw .malformed(where: "PNG IHDR", what: "colour type \(colorType) with \(bitDepth) bits")
    }
  }

  /// Returns the first chunk of a type before PLTE and IDAT.
  func early(_ name: String) -> ArraySlice<UInt8>? {
    chunks.first { $0.name == name && $0.isEarly }.map { bytes[$0.payload] }
  }

  /// Returns the first chunk of a type, anywhere.
  func first(_ name: String) -> ArraySlice<UInt8>? {
    chunks.first { $0.name == name }.map { bytes[$0.payload] }
  }

  /// The types of colour, light and Exif chunks that occur more than once, which PNG forbids, with their number.
  var repeated: [(name: String, count: Int)] {
    let names = ["cICP", "iCCP", "sRGB", "gAMA", "cHRM", "cLLI", "mDCV", "eXIf"]
    return names.map { name in (name, chunks.count { $0.name == name }) }.filter { $0.count > 1 }
  }

  /// The file without the damaged chunks of a gain map, which libpng refuses.
  var soundBytes: [UInt8] {
    let damaged = chunks.filter(\.isDamaged).map(\.payload)
    if damaged.isEmpty { return bytes }
    var result: [UInt8] = [], at = 0
    for payload in damaged {
      // Length and name come before a payload, the CRC behind it.
      result += bytes[at..<payload.lowerBound - 8]
      at = payload.upperBound + 4
    }
    return result + bytes[at...]
  }

  func all(_ name: String) -> [ArraySlice<UInt8>] { chunks.filter { $0.name == name }.map { bytes[$0.payload] } }
}

/// Returns the CRC-32 of PNG (polynomial 0xEDB88320, reflected).
func pngCRC32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
  var crc: UInt32 = 0xFFFF_FFFF
  for byte in bytes { crc = pngCRCTable[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] ^ crc >> 8 }
  return ~crc
}

private let pngCRCTable: [UInt32] = (0..<256).map { index in
  (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
}
