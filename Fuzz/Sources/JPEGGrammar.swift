/// JPEG: segments whose lengths are right, in any order and number, in one stream or several.
enum JPEGGrammar {
  private enum Piece {
    case segment(marker: UInt8, payload: [UInt8])
    /// Start and end of image, entropy-coded data.
    case raw([UInt8])

    var bytes: [UInt8] {
      switch self {
      case .segment(let marker, let payload): [0xFF, marker] + u16(2 + payload.count) + payload
      case .raw(let bytes): bytes
      }
    }
  }

  private static let identifiers = [
    "Exif\0\0", "http://ns.adobe.com/xap/1.0/\0", "http://ns.adobe.com/xmp/extension/\0", "ICC_PROFILE\0",
    "urn:iso:std:iso:ts:21496:-1\0", "MPF\0", "Photoshop 3.0\0", "JFIF\0", "Adobe",
  ]
  private static let frame: [UInt8] = [8, 0, 8, 0, 8, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]
  private static let scan: [UInt8] = [3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0]

  @Sendable static func mutate(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    if random.one(in: 8) { return blindly(bytes, maxSize: maxSize) }
    var pieces = read(bytes)
    if pieces.isEmpty { pieces = stream }
    for _ in 0...random.below(3) where !pieces.isEmpty {
      let index = random.below(pieces.count)
      switch random.below(8) {
      case 0: pieces.remove(at: index)
      case 1: pieces.insert(pieces[index], at: random.below(pieces.count + 1))
      case 2: pieces.swapAt(index, random.below(pieces.count))
      case 3: pieces.insert(application(&random), at: min(1 + random.below(4), pieces.count))
      case 4: if pieces.count < 64 { pieces += stream }
      default: pieces[index] = changed(pieces[index], maxSize: min(maxSize, 8192))
      }
    }
    return pieces.flatMap(\.bytes)
  }

  private static var stream: [Piece] {
    [
      .raw([0xFF, 0xD8]), .segment(marker: 0xC0, payload: frame), .segment(marker: 0xDA, payload: scan),
      .raw([0, 0xFF, 0xD9]),
    ]
  }

  private static func read(_ bytes: [UInt8]) -> [Piece] {
    var pieces: [Piece] = [], at = 0
    while at + 4 <= bytes.count {
      guard bytes[at] == 0xFF, bytes[at + 1] >= 0xC0, bytes[at + 1] != 0xFF, !(0xD0...0xD9).contains(bytes[at + 1])
      else {
        // Up to the next marker.
        let end = bytes[(at + 2)...].indices.first {
          $0 + 1 < bytes.count && bytes[$0] == 0xFF && bytes[$0 + 1] >= 0xC0 && bytes[$0 + 1] != 0xFF
        }
        pieces.append(.raw(Array(bytes[at..<(end ?? bytes.count)])))
        at = end ?? bytes.count
        continue
      }
      let length = max(2, min(bytes[at...].number(2, 2), bytes.count - at - 2))
      pieces.append(.segment(marker: bytes[at + 1], payload: Array(bytes[(at + 4)..<(at + 2 + length)])))
      at += 2 + length
    }
    if at < bytes.count { pieces.append(.raw(Array(bytes[at...]))) }
    return pieces
  }

  private static func changed(_ piece: Piece, maxSize: Int) -> Piece {
    switch piece {
    case .raw(let bytes): return .raw(blindly(bytes, maxSize: maxSize))
    case .segment(let marker, let payload):
      // What a segment begins with says who reads it: it stays.
      let head = identifiers.first { payload.starts(with: $0.utf8) }?.utf8.count ?? 0
      return .segment(
        marker: marker, payload: Array(payload.prefix(head)) + blindly(Array(payload.dropFirst(head)), maxSize: maxSize)
      )
    }
  }

  private static func application(_ random: inout Random) -> Piece {
    let name = random.pick(identifiers)
    let marker: UInt8 =
      name.hasPrefix("Exif") || name.hasPrefix("http")
      ? 0xE1
      : name.hasPrefix("Photo") ? 0xED : name == "JFIF\0" ? 0xE0 : name == "Adobe" ? 0xEE : 0xE2
    var payload = Array(name.utf8)
    switch name {
    case "ICC_PROFILE\0": payload += [UInt8(1 + random.below(3)), UInt8(1 + random.below(3))]
    case "urn:iso:std:iso:ts:21496:-1\0": payload += [0, 0, 0, 0]
    case "http://ns.adobe.com/xmp/extension/\0":
      payload += Array("0123456789ABCDEF0123456789ABCDEF".utf8) + u32(4 + random.below(8)) + u32(random.below(8))
    case "JFIF\0", "Adobe": payload += [1, 1, 0, 0, 1, 0, 1, 0, 0]
    default: break
    }
    return .segment(marker: marker, payload: payload + (0..<random.below(16)).map { _ in UInt8(random.below(256)) })
  }
}
