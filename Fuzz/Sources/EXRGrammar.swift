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
    } + [tiles, lumaChroma, zstd, deep(tile: nil), deep(tile: 2)]
  }

  /// A channel by its name, its type (0 integers, 1 halves, 2 floats) and its sampling.
  private static func channel(_ name: String, _ type: Int = 1, step: Int = 1) -> [UInt8] {
    Array(name.utf8) + [0] + [type, 0, step, step].flatMap { little($0, 4) }
  }

  /// A file of one part that begins at 0, 0.
  private static func file(
    flags: Int, _ width: Int, _ height: Int, channels: [[UInt8]], compression: UInt8 = 0, tile: Int? = nil,
    type: String? = nil, chunks: [[UInt8]]
  ) -> [UInt8] {
    let box = [0, 0, width - 1, height - 1].flatMap { little($0, 4) }
    func attribute(_ name: String, _ type: String, _ value: [UInt8]) -> Attribute {
      Attribute(name: Array(name.utf8), type: Array(type.utf8), value: value)
    }
    var attributes = [
      attribute("channels", "chlist", channels.flatMap { $0 } + [0]),
      attribute("compression", "compression", [compression]), attribute("dataWindow", "box2i", box),
      attribute("displayWindow", "box2i", box), attribute("lineOrder", "lineOrder", [0]),
      attribute("pixelAspectRatio", "float", [0, 0, 0x80, 0x3f]),
      attribute("screenWindowCenter", "v2f", little(0, 8)),
      attribute("screenWindowWidth", "float", [0, 0, 0x80, 0x3f]),
    ]
    if let tile { attributes.append(attribute("tiles", "tiledesc", little(tile, 4) + little(tile, 4) + [0])) }
    if let type {
      attributes += [
        attribute("type", "string", Array(type.utf8)), attribute("version", "int", little(1, 4)),
        attribute("chunkCount", "int", little(chunks.count, 4)),
      ]
    }
    var file = EXRFile.magic + little(2 | flags, 4) + attributes.flatMap(\.bytes) + [0]
    var offset = file.count + 8 * chunks.count
    for chunk in chunks {
      file += little(offset, 8)
      offset += chunk.count
    }
    return file + chunks.flatMap { $0 }
  }

  /// Luminance of each pixel and colour differences of every second one, without compression.
  private static var lumaChroma: [UInt8] {
    let width = 6, height = 4
    let chunks = (0..<height).map { y in
      let chroma = y % 2 == 0 ? (0..<width).flatMap { little(0x2c00 + 64 * $0, 2) } : []
      let row = chroma + (0..<width).flatMap { little(0x3800 + 32 * ($0 + y), 2) }
      return little(y, 4) + little(row.count, 4) + row
    }
    return file(
      flags: 0, width, height, channels: [channel("BY", step: 2), channel("RY", step: 2), channel("Y")], chunks: chunks)
  }

  private static var tiles: [UInt8] {
    let chunks = [4, 1].enumerated().flatMap { y, height in
      [4, 2].enumerated().map { x, width in
        let size = 2 * width * height
        return [x, y, 0, 0, size].flatMap { little($0, 4) } + [UInt8](repeating: 0x3c, count: size)
      }
    }
    return file(flags: 0x200, 6, 5, channels: [channel("Y")], tile: 4, chunks: chunks)
  }

  /// Halves, floats and integers in frames of one raw block each.
  private static var zstd: [UInt8] {
    let width = 4
    let chunks = (0..<2).map { y in
      // Differences: the low bytes of all, then the next ones.
      let halves = [UInt8](repeating: UInt8(y + 1), count: 3 * width) + [UInt8](repeating: 1, count: 3 * width)
      let words = [UInt8](repeating: 7, count: 2 * width * 4)
      let inner = little(halves.count, 8) + halves + little(words.count, 8) + words
      let frame = [0x28, 0xb5, 0x2f, 0xfd, 0x20, UInt8(inner.count)] + little(inner.count << 3 | 1, 3) + inner
      let chunk = Array("zstd-exr".utf8) + [2, 1, frame.count, 0].flatMap { little($0, 4) } + frame
      return little(y, 4) + little(chunk.count, 4) + chunk
    }
    return file(
      flags: 0, width, 2, channels: [channel("B"), channel("G"), channel("R"), channel("Z", 2), channel("id", 0)],
      compression: 13, chunks: chunks)
  }

  /// Pixels of none, one and two samples.
  private static func deep(tile: Int?) -> [UInt8] {
    let width = 4, height = 2, step = tile ?? width
    let chunks = (0..<(tile.map { height / $0 } ?? height)).flatMap { row in
      (0..<width / step).map { column in
        var counts: [UInt8] = [], samples: [UInt8] = []
        for _ in 0..<(tile ?? 1) {
          let total = (0..<step).reduce(0) { total, x in
            counts += little(total + x % 3, 4)
            return total + x % 3
          }
          for _ in 0..<4 { samples += (0..<total).flatMap { little(0x3000 + 256 * $0, 2) } }
          samples += (0..<total).flatMap { little(0x4080_0000 - $0 << 20, 4) }
        }
        let place = tile == nil ? [row] : [column, row, 0, 0]
        return place.flatMap { little($0, 4) }
          + [counts.count, samples.count, samples.count].flatMap { little($0, 8) } + counts + samples
      }
    }
    return file(
      flags: 0x800, width, height,
      channels: [channel("A"), channel("B"), channel("G"), channel("R"), channel("Z", 2)], tile: tile,
      type: tile == nil ? "deepscanline" : "deeptile", chunks: chunks)
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
