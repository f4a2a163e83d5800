/// Writes small HEIF files by hand: only structure, no coded pictures.
package struct HEIFBuilder {
  package struct Item {
    package var id: Int
    package var type: String
    /// Goes to `idat`.
    package var data: [UInt8]
    /// Whole property boxes, in order of association.
    package var properties: [[UInt8]]
    /// The content type of `mime` items.
    package var contentType: String?
    /// The place of the item's bytes in the file, in place of `data`.
    package var extent: (offset: Int, length: Int)?

    package init(
      id: Int, type: String, data: [UInt8] = [], properties: [[UInt8]] = [], contentType: String? = nil,
      extent: (offset: Int, length: Int)? = nil
    ) {
      (self.id, self.type, self.data, self.properties) = (id, type, data, properties)
      (self.contentType, self.extent) = (contentType, extent)
    }
  }

  package var brands = ["heic", "mif1"]
  package var primary = 1
  package var items: [Item] = []
  /// Type, from, to.
  package var references: [(String, Int, [Int])] = []
  /// Whole boxes at the end of `meta`.
  package var extra: [[UInt8]] = []
  /// 32-bit item numbers and 15-bit property indices everywhere.
  package var isWide = false

  package init() {}

  package static func u16(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
  package static func u32(_ value: Int) -> [UInt8] { u16(value >> 16 & 0xFFFF) + u16(value & 0xFFFF) }
  package static func u64(_ value: UInt64) -> [UInt8] { u32(Int(value >> 32)) + u32(Int(value & 0xFFFF_FFFF)) }

  package static func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    u32(8 + payload.count) + Array(type.utf8) + payload
  }

  package static func fullBox(_ type: String, version: Int = 0, flags: Int = 0, _ payload: [UInt8]) -> [UInt8] {
    box(type, u32(version << 24 | flags) + payload)
  }

  package static func ispe(_ width: Int, _ height: Int) -> [UInt8] { fullBox("ispe", u32(width) + u32(height)) }

  package static func grid(rows: Int, columns: Int, width: Int, height: Int) -> [UInt8] {
    [0, 0, UInt8(rows - 1), UInt8(columns - 1)] + u16(width) + u16(height)
  }

  private func id(_ value: Int) -> [UInt8] { isWide ? Self.u32(value) : Self.u16(value) }

  package var ftyp: [UInt8] {
    Self.box("ftyp", Array(brands[0].utf8) + [0, 0, 0, 0] + brands.flatMap { Array($0.utf8) })
  }

  package var meta: [UInt8] {
    let hdlr = Self.fullBox("hdlr", [0, 0, 0, 0] + Array("pict".utf8) + [UInt8](repeating: 0, count: 13))
    let pitm = Self.fullBox("pitm", version: isWide ? 1 : 0, id(primary))
    let entries = items.flatMap { item in
      Self.fullBox(
        "infe", version: isWide ? 3 : 2,
        id(item.id) + [0, 0] + Array(item.type.utf8) + [0]
          + (item.contentType.map { Array($0.utf8) + [0] } ?? []))
    }
    let iinf = Self.fullBox("iinf", version: isWide ? 1 : 0, id(items.count) + entries)
    let parts = [hdlr, pitm, iinf, iloc, iref, iprp, Self.box("idat", items.flatMap(\.data))] + extra
    return Self.fullBox("meta", parts.flatMap(\.self))
  }

  private var iloc: [UInt8] {
    var entries: [UInt8] = [], offset = 0
    for item in items {
      let place = item.extent ?? (offset, item.data.count)
      entries += id(item.id) + [0, item.extent == nil ? 1 : 0, 0, 0] + Self.u16(1)
      entries += Self.u32(place.offset) + Self.u32(place.length)
      offset += item.data.count
    }
    return Self.fullBox("iloc", version: isWide ? 2 : 1, [0x44, 0] + id(items.count) + entries)
  }

  private var iref: [UInt8] {
    let children = references.flatMap { type, from, to in
      Self.box(type, id(from) + Self.u16(to.count) + to.flatMap(id))
    }
    return Self.fullBox("iref", version: isWide ? 1 : 0, children)
  }

  private var iprp: [UInt8] {
    var boxes: [UInt8] = [], index = 0, map: [UInt8] = []
    for item in items {
      map += id(item.id) + [UInt8(item.properties.count)]
      for property in item.properties {
        index += 1
        boxes += property
        map += isWide ? Self.u16(0x8000 | index) : [UInt8(0x80 | index)]
      }
    }
    let ipma = Self.fullBox("ipma", version: isWide ? 1 : 0, flags: isWide ? 1 : 0, Self.u32(items.count) + map)
    return Self.box("iprp", Self.box("ipco", boxes) + ipma)
  }

  package var bytes: [UInt8] { ftyp + meta }
}
