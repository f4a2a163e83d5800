import HDRCore
@testable import ImageFiles

extension Target {
  static let uncompressed = Target(
    "uncompressed", maxLength: 1 << 13, mutate: UncompressedGrammar.mutate, run: uncompressed)

  /// Every `unci` item of a file, samples and all.
  private static func uncompressed(_ bytes: [UInt8]) {
    guard let file = try? HEIFFile(bytes) else { return }
    let pictures = ItemPictures(file, limits: DecodeLimits(maxPixels: 1 << 16))
    for id in file.items.keys.sorted().prefix(8) where file.items[id]?.type == "unci" {
      guard let described = try? pictures.describe(id) else { continue }
      guard let image = try? pictures.decode(id) else { continue }
      demand(image.model == described.emptyImage.model, "the model of what was announced")
      demand(image.width == described.width && image.height == described.height, "the size of what was announced")
      for (plane, bits) in image.channels.map({ ($0, image.bitDepth) })
        + (image.alpha.map { [($0, image.alphaBitDepth)] } ?? [])
      {
        demand(plane.stepBytes == (bits > 8 ? 2 : 1), "samples of \(bits) bits in \(plane.stepBytes) bytes")
        for y in 0..<plane.height {
          for x in 0..<plane.width {
            let at = plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes
            let value = bits > 8 ? Int(at.load(as: UInt16.self)) : Int(at.load(as: UInt8.self))
            demand(value < 1 << bits, "a sample of \(value) in \(bits) bits")
          }
        }
      }
    }
  }
}

/// Uncompressed pictures: sizes that fit, or nearly.
enum UncompressedGrammar {
  @Sendable static func mutate(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    random.one(in: 3) ? HEIFGrammar.mutate(bytes, maxSize: maxSize, random: &random) : file(&random, maxSize: maxSize)
  }

  private static func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    u32(8 + payload.count) + Array(type.utf8) + payload
  }

  /// Properties of a picture without its size.
  static func properties(_ random: inout Random, count: Int) -> [[UInt8]] {
    var types = random.pick([[0], [1], [1, 2, 3], [1, 3, 2], [4, 5, 6], [6, 5, 4]])
    if random.one(in: 4) { types.insert(7, at: random.below(types.count + 1)) }
    if random.one(in: 6) { types.insert(12, at: random.below(types.count + 1)) }
    if random.one(in: 12) { types.append(random.below(20)) }
    let bits = random.pick([8, 8, 10, 12, 16, 8 + random.below(9)])
    let align = random.pick([0, 0, 0, 1, 2, 4])
    func odd(_ value: Int, _ other: Int) -> Int { random.one(in: 24) ? other : value }
    var list: [UInt8] = []
    for index in types.indices {
      list += u16(odd(index, random.below(20))) + [UInt8(odd(bits, 1 + random.below(256)) - 1)]
      list += [UInt8(odd(0, random.below(4))), UInt8(odd(align, random.below(12)))]
    }
    func size() -> [UInt8] { u32(random.one(in: 3) ? random.pick([1, 2, 3, 4, 7, 8, 16, 64, 1 << 20]) : 0) }
    let uncC =
      random.one(in: 12)
      ? [1, 0, 0, 0] + Array(random.pick(["rgb3", "rgba", "abgr", "yuv2"]).utf8)
      : [0, 0, 0, 0, 0, 0, 0, 0] + u32(odd(types.count, random.number())) + list
        + [UInt8(types.contains(2) ? random.below(4) : odd(0, 2)), UInt8(random.pick([0, 0, 1, 1, 2, 3, 4, 5]))]
        + [UInt8(odd(0, 4)), UInt8(random.pick([0, 0, 0x80, 0x88, odd(0, 0x10)]))] + size() + size() + size()
        + u32(random.pick([0, 0, 1, 3, odd(0, random.number())])) + u32(random.pick([0, 0, 1, odd(0, -1)]))
    var boxes = [box("cmpd", u32(types.count) + types.flatMap(u16)), box("uncC", uncC)]
    if random.one(in: 3) {
      boxes.append(
        box(
          "cmpC", [0, 0, 0, 0] + Array(random.pick(["defl", "defl", "zlib", "brot"]).utf8) + [UInt8(random.below(5))]))
    }
    if random.one(in: 4) {
      let units = 1 + random.below(4)
      let sizes = (0..<units).flatMap { _ in u16(odd(count / units, random.below(600))) }
      boxes.append(box("icef", [0, 0, 0, 0, UInt8(odd(4, random.below(256)))] + u32(units) + sizes))
    }
    return boxes
  }

  static func file(_ random: inout Random, maxSize: Int) -> [UInt8] {
    let width = 4 * (1 + random.below(6)), height = 2 * (1 + random.below(6))
    let count = random.pick([width * height, 3 * width * height, 6 * width * height, random.below(2000)])
    var data = (0..<min(count, maxSize / 2)).map { _ in UInt8(random.below(256)) }
    var boxes = properties(&random, count: data.count)
    let isCompressed = boxes.contains { $0.dropFirst(4).starts(with: "cmpC".utf8) }
    if isCompressed, !random.one(in: 4) {
      // One stored block.
      data =
        [1] + [UInt8(data.count & 255), UInt8(data.count >> 8)]
        + [UInt8(~data.count & 255), UInt8(~data.count >> 8 & 255)] + data
    }
    boxes.insert(box("ispe", [0, 0, 0, 0] + u32(width) + u32(height)), at: 0)
    let isGrid = random.one(in: 8)
    let item = { (id: Int, type: String) in box("infe", [2, 0, 0, 0] + u16(id) + [0, 0] + Array(type.utf8) + [0]) }
    let place = { (id: Int, at: Int, size: Int) in u16(id) + [0, 1, 0, 0] + u16(1) + u32(at) + u32(size) }
    let uses = { (id: Int) in u16(id) + [UInt8(boxes.count)] + (1...boxes.count).map { UInt8(0x80 | $0) } }
    let grid = [0, 0, 0, 1] + u16(2 * width) + u16(height)
    var meta: [UInt8] = [0, 0, 0, 0]
    meta += box("hdlr", [UInt8](repeating: 0, count: 8) + Array("pict".utf8) + [UInt8](repeating: 0, count: 13))
    meta += box("pitm", [0, 0, 0, 0] + u16(isGrid ? 2 : 1))
    meta += box("iinf", [0, 0, 0, 0] + u16(isGrid ? 2 : 1) + item(1, "unci") + (isGrid ? item(2, "grid") : []))
    meta += box(
      "iloc",
      [1, 0, 0, 0, 0x44, 0] + u16(isGrid ? 2 : 1) + place(1, 0, data.count)
        + (isGrid ? place(2, data.count, grid.count) : []))
    meta += box("iref", [0, 0, 0, 0] + (isGrid ? box("dimg", u16(2) + u16(2) + u16(1) + u16(1)) : []))
    meta += box("iprp", box("ipco", boxes.flatMap { $0 }) + box("ipma", [0, 0, 0, 0] + u32(1) + uses(1)))
    meta += box("idat", data + grid)
    return box("ftyp", Array("mif1".utf8) + [0, 0, 0, 0] + Array("mif1".utf8)) + box("meta", meta)
  }
}
