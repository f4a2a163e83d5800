@testable import ImageFiles
import PlainData

/// PNG: chunks whose lengths and CRCs are right.
enum PNGGrammar {
  private struct Chunk {
    var name: [UInt8]
    var payload: [UInt8]
    var bytes: [UInt8] {
      let body = name + payload
      return u32(payload.count) + body + u32(Int(pngCRC32(body[...])))
    }
  }

  private static let names = [
    "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV", "cLLI", "tEXt",
    "zTXt", "iTXt", "eXIf", "acTL", "mDCv", "cLLi", "gmAP", "gdAT", "gMAP", "gDAT",
  ]

  private static let usual: [String: [UInt8]] = [
    "cICP": [9, 16, 0, 1], "gAMA": u32(45455), "cLLI": u32(10_000_000) + u32(1_000_000),
    "cHRM": [31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000].flatMap(u32),
    "mDCV": [35400, 14600, 8500, 39850, 6550, 2300, 15635, 16450].flatMap(u16) + u32(10_000_000) + u32(1),
    "eXIf": HEIFGrammar.hex("4d4d002a00000008000101120003000000010006000000000000"),
    "iTXt": Array("XML:com.adobe.xmp\0\0\0\0\0<a/>".utf8), "IHDR": u32(8) + u32(8) + [8, 2, 0, 0, 0],
    // "p", method 0, and 132 bytes of zlib stream that say nothing.
    "iCCP": [0x70, 0, 0] + HEIFGrammar.hex("789c6300010000000500010d0a2db4"),
    "gmAP": [0, 0, 0, 0], "gdAT": map,
  ]

  /// Metadata as ImageMagick keeps them.
  private static let texts: [[UInt8]] = [
    ("exif", usual["eXIf"] ?? []), ("APP1", Array("http://ns.adobe.com/xap/1.0/\0<a/>".utf8)),
    ("xmp", Array("<a/>".utf8)), ("iptc", [0x1C, 2, 5, 0, 1, 65]),
    ("8bim", HEIFGrammar.hex("3842494d040400000000000000")), ("icc", [UInt8](repeating: 0, count: 132)),
  ].map { kind, content in
    Array("Raw profile type \(kind)\0\n\(kind)\n \(content.count)\n\(content.hexDigits)\n".utf8)
  }

  /// A grey map of one pixel, with its metadata.
  private static let map: [UInt8] = {
    let metadata = HEIFGrammar.hex("0000000040") + [0, 1, 2, 1, 0, 1, 2, 1, 1, 1, 1, 64, 1, 64].flatMap(u32)
    let chunks: [(String, [UInt8])] = [
      ("IHDR", u32(1) + u32(1) + [8, 0, 0, 0, 0]), ("gmAP", metadata),
      ("IDAT", HEIFGrammar.hex("7801010200fdff00ff01010100")), ("IEND", []),
    ]
    return PNGChunks.signature + chunks.flatMap { Chunk(name: Array($0.0.utf8), payload: $0.1).bytes }
  }()

  @Sendable static func mutate(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    if random.one(in: 8) { return blindly(bytes, maxSize: maxSize) }
    var chunks: [Chunk] = [], rest = bytes.dropFirst(8)
    while rest.count >= 12 {
      let length = min(rest.number(0, 4), rest.count - 12)
      chunks.append(Chunk(name: Array(rest.dropFirst(4).prefix(4)), payload: Array(rest.dropFirst(8).prefix(length))))
      rest = rest.dropFirst(12 + length)
    }
    if chunks.isEmpty {
      chunks = ["IHDR", "IDAT", "IEND"].map { Chunk(name: Array($0.utf8), payload: usual[$0] ?? []) }
    }
    for _ in 0...random.below(3) where !chunks.isEmpty {
      let index = random.below(chunks.count)
      switch random.below(8) {
      case 0: chunks.remove(at: index)
      case 1: chunks.insert(chunks[index], at: random.below(chunks.count + 1))
      case 2: chunks.swapAt(index, random.below(chunks.count))
      case 3, 4:
        let name = random.pick(names)
        let payload = name == "tEXt" ? random.pick(texts) : usual[name] ?? []
        // Most belong between the header and the pixels.
        chunks.insert(
          Chunk(name: Array(name.utf8), payload: payload), at: random.one(in: 4) ? index : min(1, chunks.count))
      default: chunks[index].payload = blindly(chunks[index].payload, maxSize: min(maxSize, 8192))
      }
    }
    return PNGChunks.signature + chunks.flatMap(\.bytes)
  }
}
