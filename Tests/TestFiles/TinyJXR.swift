/// A JPEG XR container made byte by byte, around code streams that end after their heads.
package struct TinyJXR {
  package var width = 48
  package var height = 32
  /// The last byte of the pixel format's identifier.
  package var format: UInt8 = 0x0D
  /// The identifier in place of that of `format`.
  package var identifier: [UInt8]?
  /// The codes of colours and depth in the code stream: 7 RGB, 1 bytes.
  package var colors = 7
  package var depth = 1
  /// The first byte of flags: tiles 0x80, frequencies 0x40, index 4, overlap 3; the second: short sizes 0x80, window 0x20,
  /// stretched tiles 8, alpha 1.
  package var flags: (UInt8, UInt8) = (0x44, 0xC0)
  package var version: UInt8 = 0x11
  /// Bytes between the sizes and the head of the plane: tiles and a window.
  package var tiles: [UInt8] = []
  /// The first byte of the head of the plane; the upper three bits are the colours inside.
  package var plane: UInt8 = 0x60
  package var orientation: Int?
  /// A code stream of alpha with a depth of its own.
  package var alphaDepth: Int?
  /// Entries of values of four bytes: tag, type, value.
  package var more: [(tag: Int, type: Int, value: Int)] = []
  /// Entries of blocks: tag, type, bytes.
  package var blocks: [(tag: Int, type: Int, bytes: [UInt8])] = []
  package var next = 0
  /// Changes numbers of the container after all else: by tag.
  package var numbers: [Int: Int] = [:]

  package init() {}

  package static let stem: [UInt8] = [
    0x24, 0xC3, 0xDD, 0x6F, 0x03, 0x4E, 0xFE, 0x4B, 0xB1, 0x85, 0x3D, 0x77, 0x76, 0x8D, 0xC9,
  ]

  private func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private func stream(colors: Int, depth: Int, plane: UInt8, isAlpha: Bool) -> [UInt8] {
    func side(_ value: Int) -> [UInt8] {
      Array(little(value - 1, flags.1 & 0x80 != 0 ? 2 : 4).reversed())
    }
    let second = isAlpha ? flags.1 & ~1 : flags.1
    var bytes = Array("WMPHOTO\0".utf8) + [version, flags.0, second, UInt8(colors << 4 | depth)]
    bytes += side(width) + side(height) + (isAlpha && tiles.isEmpty ? [] : tiles) + [plane, 0x80, 0x20, 0x08]
    return bytes + [UInt8](repeating: 0x5A, count: 24)
  }

  package var bytes: [UInt8] {
    let image = stream(colors: colors, depth: depth, plane: plane, isAlpha: false)
    let alpha = alphaDepth.map { stream(colors: 0, depth: $0, plane: 0, isAlpha: true) }
    var entries = more
    if let orientation { entries.append((0xBC02, 4, orientation)) }
    entries += [(0xBC80, 4, width), (0xBC81, 4, height), (0xBCC0, 4, 0), (0xBCC1, 4, image.count)]
    if let alpha { entries += [(0xBCC2, 4, 0), (0xBCC3, 4, alpha.count)] }
    let blocks = [(tag: 0xBC01, type: 1, bytes: identifier ?? Self.stem + [format])] + blocks
    let count = entries.count + blocks.count
    var at = 8 + 2 + 12 * count + 4, places: [Int: Int] = [:]
    for block in blocks {
      places[block.tag] = at
      at += block.bytes.count
    }
    places[0xBCC0] = at
    places[0xBCC2] = at + image.count
    let all =
      entries.map { ($0.tag, $0.type, 1, places[$0.tag] ?? $0.value) }
      + blocks.map { ($0.tag, $0.type, $0.bytes.count, places[$0.tag] ?? 0) }
    var file: [UInt8] = [0x49, 0x49, 0xBC, 1] + little(8, 4) + little(count, 2)
    for (tag, type, number, value) in all.sorted(by: { $0.0 < $1.0 }) {
      file += little(tag, 2) + little(type, 2) + little(number, 4) + little(numbers[tag] ?? value, 4)
    }
    file += little(next, 4) + blocks.flatMap(\.bytes)
    return file + image + (alpha ?? [])
  }
}
