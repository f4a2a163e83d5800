/// Photoshop files out of plain values: no layers but their number.
package struct PSDBuilder {
  package var width: Int
  package var height: Int
  /// The samples of each channel, row by row; floats as their bits.
  package var planes: [[UInt64]]
  package var bits = 8
  /// 1 grey, 3 RGB.
  package var mode = 3
  package var isBig = false
  /// 0 plain, 1 PackBits.
  package var compression = 0
  /// The number of layers, negative where the merged picture has alpha; `nil`: no section.
  package var layers: Int?
  /// True if the layers are in a block of their own, as in files of 16 and 32 bits.
  package var hasLayerBlock = false
  package var resources: [(id: Int, data: [UInt8])] = []

  package init(width: Int, height: Int, planes: [[UInt64]]) {
    (self.width, self.height, self.planes) = (width, height, planes)
  }

  private func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
  }

  private func line(_ plane: [UInt64], _ y: Int) -> [UInt8] {
    plane[y * width..<(y + 1) * width].flatMap { number(Int(truncatingIfNeeded: $0), bits / 8) }
  }

  /// PackBits: runs of three and more, literals else.
  package static func packed(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = [], at = 0, literals: [UInt8] = []
    func flushed() -> [UInt8] { literals.isEmpty ? [] : [UInt8(literals.count - 1)] + literals }
    while at < bytes.count {
      let run = min(bytes[at...].prefix { $0 == bytes[at] }.count, 128)
      if run >= 3 {
        out += flushed() + [UInt8(truncatingIfNeeded: 1 - run), bytes[at]]
        literals = []
        at += run
      } else {
        literals.append(bytes[at])
        at += 1
        if literals.count == 128 {
          out += flushed()
          literals = []
        }
      }
    }
    return out + flushed()
  }

  private var layerSection: [UInt8] {
    guard let layers else { return [] }
    let size = isBig ? 8 : 4, count = number(layers, 2) + [0, 0]
    if !hasLayerBlock { return number(count.count, size) + count + number(0, 4) }
    return number(0, size) + number(0, 4) + Array("8BIMLr16".utf8) + number(count.count, size) + count
  }

  package var bytes: [UInt8] {
    var file = Array("8BPS".utf8) + number(isBig ? 2 : 1, 2) + [0, 0, 0, 0, 0, 0] + number(planes.count, 2)
    file += number(height, 4) + number(width, 4) + number(bits, 2) + number(mode, 2) + number(0, 4)
    let blocks = resources.flatMap { resource -> [UInt8] in
      Array("8BIM".utf8) + number(resource.id, 2) + [0, 0] + number(resource.data.count, 4) + resource.data
        + (resource.data.count & 1 == 1 ? [0] : [])
    }
    file += number(blocks.count, 4) + blocks
    let layers = layerSection
    file += number(layers.count, isBig ? 8 : 4) + layers + number(compression, 2)
    let lines: [[UInt8]] = planes.flatMap { plane in (0..<height).map { line(plane, $0) } }
    if compression != 1 { return file + lines.flatMap { $0 } }
    let packed: [[UInt8]] = lines.map(Self.packed)
    return file + packed.flatMap { number($0.count, isBig ? 4 : 2) } + packed.flatMap { $0 }
  }
}
