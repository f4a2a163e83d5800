/// OpenEXR files of headers and samples as a test wants them, uncompressed.
package struct EXRBuilder {
  package struct Channel: Sendable {
    package var name: String
    /// 0 uint, 1 half, 2 float.
    package var type: Int
    package var sampling: Int
    /// Bits of a sample by its coordinates.
    package var sample: @Sendable (Int, Int) -> UInt32

    package init(
      name: String, type: Int = 1, sampling: Int = 1, sample: @escaping @Sendable (Int, Int) -> UInt32 = { _, _ in 0 }
    ) {
      (self.name, self.type, self.sampling, self.sample) = (name, type, sampling, sample)
    }
  }

  package struct Part {
    package var name: String?
    package var channels: [Channel]
    /// Least x and y, largest x and y.
    package var data: [Int]
    package var display: [Int]
    package var tile: Int?
    package var type: String?
    package var compression = 0
    package var attributes: [(String, String, [UInt8])] = []
    /// Samples of a deep part by coordinates: of each a number for every channel, by the order of names.
    package var deep: (@Sendable (Int, Int) -> [[Float]])?

    package init(_ channels: [Channel], data: [Int], display: [Int]? = nil) {
      (self.channels, self.data, self.display) = (channels, data, display ?? data)
    }
  }

  package var parts: [Part]
  /// Leaves the offset tables empty, as a writer that was stopped.
  package var isUnfinished = false
  /// Chunks that are left out.
  package var chunksLeftOut = 0

  package init(parts: [Part]) { self.parts = parts }

  /// Makes a picture of R, G, B in halves, perhaps with chromaticities: eight numbers.
  package init(
    width: Int, height: Int, chromaticities: [Float]? = nil,
    _ light: @escaping @Sendable (_ x: Int, _ y: Int) -> [Double]
  ) {
    let channels = ["R", "G", "B"].enumerated().map { channel, name in
      Channel(name: name) { x, y in Self.half(Float(light(x, y)[channel])) }
    }
    var part = Part(channels, data: [0, 0, width - 1, height - 1])
    if let chromaticities {
      part.attributes = [("chromaticities", "chromaticities", chromaticities.flatMap { Self.float($0) })]
    }
    self.init(parts: [part])
  }

  package static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  package static func float(_ value: Float) -> [UInt8] { little(Int(value.bitPattern), 4) }

  package static func attribute(_ name: String, _ type: String, _ value: [UInt8]) -> [UInt8] {
    Array(name.utf8) + [0] + Array(type.utf8) + [0] + little(value.count, 4) + value
  }

  /// Half of a number that has one exactly.
  package static func half(_ value: Float) -> UInt32 { UInt32(Float16(value).bitPattern) }

  /// Channels of constants, halves.
  package static func constants(_ values: KeyValuePairs<String, Float>) -> [Channel] {
    values.map { name, value in Channel(name: name) { _, _ in half(value) } }
  }

  private func header(_ part: Part, isMultipart: Bool, count: Int) -> [UInt8] {
    var list: [UInt8] = []
    for channel in part.channels.sorted(by: { $0.name < $1.name }) {
      list += Array(channel.name.utf8) + [0] + Self.little(channel.type, 4) + [0, 0, 0, 0]
      list += Self.little(channel.sampling, 4) + Self.little(channel.sampling, 4)
    }
    func box(_ sides: [Int]) -> [UInt8] { sides.flatMap { Self.little($0, 4) } }
    var bytes = Self.attribute("channels", "chlist", list + [0])
    bytes += Self.attribute("compression", "compression", [UInt8(part.compression)])
    bytes += Self.attribute("dataWindow", "box2i", box(part.data))
    bytes += Self.attribute("displayWindow", "box2i", box(part.display))
    bytes += Self.attribute("lineOrder", "lineOrder", [0])
    bytes += Self.attribute("pixelAspectRatio", "float", Self.float(1))
    if let tile = part.tile {
      bytes += Self.attribute("tiles", "tiledesc", Self.little(tile, 4) + Self.little(tile, 4) + [0])
    }
    if isMultipart || part.type != nil || part.deep != nil {
      let kind = part.deep == nil ? ["scanlineimage", "tiledimage"] : ["deepscanline", "deeptile"]
      let type = part.type ?? kind[part.tile == nil ? 0 : 1]
      bytes += Self.attribute("type", "string", Array(type.utf8))
    }
    if isMultipart { bytes += Self.attribute("chunkCount", "int", Self.little(count, 4)) }
    if let name = part.name { bytes += Self.attribute("name", "string", Array(name.utf8)) }
    for (name, type, value) in part.attributes { bytes += Self.attribute(name, type, value) }
    return bytes + [0]
  }

  /// Chunks of a part, each with what stands before its data.
  private func chunks(_ part: Part, _ number: Int) -> [[UInt8]] {
    let (x0, y0, x1, y1) = (part.data[0], part.data[1], part.data[2], part.data[3])
    let step = part.tile.map { ($0, $0) } ?? (x1 - x0 + 1, 1)
    var result: [[UInt8]] = []
    for (row, y) in stride(from: y0, through: y1, by: step.1).enumerated() {
      for (column, x) in stride(from: x0, through: x1, by: step.0).enumerated() {
        let rows = y...min(y + step.1 - 1, y1), columns = x...min(x + step.0 - 1, x1)
        let leader = part.tile == nil ? Self.little(y, 4) : [column, row, 0, 0].flatMap { Self.little($0, 4) }
        let head = (parts.count > 1 ? Self.little(number, 4) : []) + leader
        if let deep = part.deep {
          result.append(head + Self.deepChunk(part, deep, rows, columns))
          continue
        }
        var data: [UInt8] = []
        for line in rows {
          for channel in part.channels.sorted(by: { $0.name < $1.name }) where line % channel.sampling == 0 {
            for place in columns where place % channel.sampling == 0 {
              data += Self.little(Int(channel.sample(place, line)), channel.type == 1 ? 2 : 4)
            }
          }
        }
        result.append(head + Self.little(data.count, 4) + data)
      }
    }
    return result
  }

  /// Sizes, the numbers of samples up to each pixel of its row, and the samples.
  private static func deepChunk(
    _ part: Part, _ deep: (Int, Int) -> [[Float]], _ rows: ClosedRange<Int>, _ columns: ClosedRange<Int>
  ) -> [UInt8] {
    var counts: [UInt8] = [], data: [UInt8] = []
    for y in rows {
      let pixels = columns.map { deep($0, y) }
      var total = 0
      for pixel in pixels {
        total += pixel.count
        counts += little(total, 4)
      }
      for (index, channel) in part.channels.sorted(by: { $0.name < $1.name }).enumerated() {
        for value in pixels.flatMap({ $0.map { $0[index] } }) {
          data += channel.type == 1 ? little(Int(half(value)), 2) : float(value)
        }
      }
    }
    return [counts.count, data.count, data.count].flatMap { little($0, 8) } + counts + data
  }

  package var bytes: [UInt8] {
    let isMultipart = parts.count > 1, all = parts.indices.map { chunks(parts[$0], $0) }
    let isDeep = parts.contains { $0.deep != nil }, isTiled = !isMultipart && !isDeep && parts[0].tile != nil
    let flags = (isMultipart ? 0x1000 : 0) | (isDeep ? 0x800 : 0) | (isTiled ? 0x200 : 0)
    let names = parts.flatMap { $0.attributes.flatMap { [$0.0, $0.1] } + $0.channels.map(\.name) }
    let longNames = names.contains { $0.utf8.count > 31 } ? 0x400 : 0
    var file: [UInt8] = [0x76, 0x2f, 0x31, 0x01] + Self.little(2 | flags | longNames, 4)
    for (part, chunks) in zip(parts, all) { file += header(part, isMultipart: isMultipart, count: chunks.count) }
    if isMultipart { file.append(0) }
    let flat = all.flatMap { $0 }
    var offset = file.count + 8 * flat.count
    for chunk in flat {
      file += Self.little(isUnfinished ? 0 : offset, 8)
      offset += chunk.count
    }
    for chunk in flat.dropLast(chunksLeftOut) { file += chunk }
    return file
  }
}
