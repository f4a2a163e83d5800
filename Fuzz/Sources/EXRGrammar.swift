import HDRCore
@testable import ImageFiles

/// OpenEXR: attributes whose sizes are right, and chunks that keep their places in the table.
enum EXRGrammar {
  private struct Attribute {
    var name: [UInt8]
    var type: [UInt8]
    var value: [UInt8]
    var bytes: [UInt8] { name + [0] + type + [0] + little(value.count, 4) + value }
  }

  static func little(_ value: Int, _ count: Int) -> [UInt8] { u64(value).reversed().prefix(count).map { $0 } }

  /// Files of every compression that is written, and one of tiles.
  static var files: [[UInt8]] {
    let image = SampleImage.interleaved(width: 9, height: 33, channelCount: 4, format: .float16, bitDepth: 16)
    let words = image.channels[0].buffer.base.assumingMemoryBound(to: UInt16.self)
    for index in 0..<(4 * image.pixelCount) { words[index] = UInt16(0x3000 + index / 7 * 3) }
    return EXRCompression.allCases.flatMap { compression in
      [true, false].compactMap { hasAlpha in
        var request = EncodeRequest(
          kind: .exr, image: image, hasAlpha: hasAlpha, cicp: CICP(9, 8, 0, full: true), contentHeadroom: 4,
          displayHeadroom: 4)
        request.coding.exrCompression = compression
        return (try? encodeImage(request))?.main
      }
    } + [tiles, lumaChroma]
  }

  /// Luminance of each pixel and colour differences of every second one, without compression.
  private static var lumaChroma: [UInt8] {
    let width = 6, height = 4
    let box = [0, 0, width - 1, height - 1].flatMap { little($0, 4) }
    let channels = [("BY", 2), ("RY", 2), ("Y", 1)].flatMap { (name: String, step: Int) -> [UInt8] in
      Array(name.utf8) + [0] + little(1, 4) + little(0, 4) + little(step, 4) + little(step, 4)
    }
    let attributes = [
      Attribute(name: Array("channels".utf8), type: Array("chlist".utf8), value: channels + [0]),
      Attribute(name: Array("compression".utf8), type: Array("compression".utf8), value: [0]),
      Attribute(name: Array("dataWindow".utf8), type: Array("box2i".utf8), value: box),
      Attribute(name: Array("displayWindow".utf8), type: Array("box2i".utf8), value: box),
      Attribute(name: Array("lineOrder".utf8), type: Array("lineOrder".utf8), value: [0]),
      Attribute(name: Array("pixelAspectRatio".utf8), type: Array("float".utf8), value: [0, 0, 0x80, 0x3f]),
      Attribute(name: Array("screenWindowCenter".utf8), type: Array("v2f".utf8), value: little(0, 8)),
      Attribute(name: Array("screenWindowWidth".utf8), type: Array("float".utf8), value: [0, 0, 0x80, 0x3f]),
    ]
    var file = EXRFile.magic + little(2, 4) + attributes.flatMap(\.bytes) + [0], chunks: [[UInt8]] = []
    for y in 0..<height {
      let chroma = y % 2 == 0 ? (0..<width).flatMap { little(0x2c00 + 64 * $0, 2) } : []
      let row = chroma + (0..<width).flatMap { little(0x3800 + 32 * ($0 + y), 2) }
      chunks.append(little(y, 4) + little(row.count, 4) + row)
    }
    var offset = file.count + 8 * chunks.count
    for chunk in chunks {
      file += little(offset, 8)
      offset += chunk.count
    }
    return file + chunks.flatMap { $0 }
  }

  private static var tiles: [UInt8] {
    let header = EXRHeader.Window(minX: 0, minY: 0, maxX: 5, maxY: 4)
    let box = [header.minX, header.minY, header.maxX, header.maxY].flatMap { little($0, 4) }
    let channel = Array("Y".utf8) + [0] + little(1, 4) + little(0, 4) + little(1, 4) + little(1, 4)
    let attributes = [
      Attribute(name: Array("channels".utf8), type: Array("chlist".utf8), value: channel + [0]),
      Attribute(name: Array("compression".utf8), type: Array("compression".utf8), value: [0]),
      Attribute(name: Array("dataWindow".utf8), type: Array("box2i".utf8), value: box),
      Attribute(name: Array("displayWindow".utf8), type: Array("box2i".utf8), value: box),
      Attribute(
        name: Array("tiles".utf8), type: Array("tiledesc".utf8), value: little(4, 4) + little(4, 4) + [0]),
    ]
    var file = EXRFile.magic + little(0x202, 4) + attributes.flatMap(\.bytes) + [0], chunks: [[UInt8]] = []
    for (y, height) in [4, 1].enumerated() {
      for (x, width) in [4, 2].enumerated() {
        let size = 2 * width * height
        chunks.append(
          [x, y, 0, 0, size].flatMap { little($0, 4) } + [UInt8](repeating: 0x3c, count: size))
      }
    }
    var offset = file.count + 8 * chunks.count
    for chunk in chunks {
      file += little(offset, 8)
      offset += chunk.count
    }
    return file + chunks.flatMap { $0 }
  }

  @Sendable static func mutate(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    if bytes.first == Target.mark {
      return [Target.mark] + blindly(Array(bytes.dropFirst()), maxSize: 400)
    }
    if random.one(in: 3) { return blindly(bytes, maxSize: maxSize) }
    var attributes: [Attribute] = [], rest = bytes.dropFirst(8)
    func text() -> [UInt8]? {
      guard let end = rest.prefix(256).firstIndex(of: 0) else { return nil }
      defer { rest = rest[(end + 1)...] }
      return Array(rest[..<end])
    }
    while rest.first != 0, let name = text(), let type = text(), rest.count >= 4 {
      let size = min(Int(rest.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }), rest.count - 4)
      attributes.append(Attribute(name: name, type: type, value: Array(rest.dropFirst(4).prefix(size))))
      rest = rest.dropFirst(4 + size)
    }
    let before = attributes.reduce(0) { $0 + $1.bytes.count }
    for _ in 0...random.below(3) where !attributes.isEmpty {
      let index = random.below(attributes.count)
      switch random.below(6) {
      case 0: attributes.remove(at: index)
      case 1: attributes.insert(attributes[index], at: random.below(attributes.count + 1))
      case 2:
        // A number of four bytes.
        let value = attributes[index].value, at = random.below(max(1, value.count / 4)) * 4
        guard value.count >= at + 4 else { continue }
        attributes[index].value.replaceSubrange(at..<at + 4, with: little(random.number() - random.below(3), 4))
      case 3: attributes[index].value = attributes[index].value.map { _ in UInt8(random.below(12)) }
      default: attributes[index].value = blindly(attributes[index].value, maxSize: 4096)
      }
    }
    // Offsets of chunks that have moved.
    let moved = attributes.reduce(0) { $0 + $1.bytes.count } - before
    var tail = Array(rest)
    var at = 1
    while moved != 0, tail.count >= at + 8, at < 8 * 64 {
      let offset = Int(truncatingIfNeeded: tail[at..<at + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
      guard offset > 0, offset < bytes.count else { break }
      tail.replaceSubrange(at..<at + 8, with: little(max(0, offset + moved), 8))
      at += 8
    }
    return Array(bytes.prefix(8)) + attributes.flatMap(\.bytes) + tail
  }
}
