import FileParts
import HDRCore

/// The `meta` box of a HEIF or AVIF file: items, their references, and their properties.
///
/// Source: ISO/IEC 14496-12 clause 8.11 (meta, iloc, iinf, iref, pitm, idat), ISO/IEC 23008-12 clauses 6 and 9 (items,
/// iprp, ipco, ipma, grpl); docs/gain-map-maths.md#containers. Nothing here decodes pixels.
package struct HEIFFile: Sendable {
  package struct Item: Sendable {
    package var id: Int
    package var type: FourCC
    package var isHidden: Bool
    /// The protection scheme; the item is encrypted if this is not 0.
    package var protectionIndex: Int
    package var name: String
    /// The MIME type of a `mime` item, e.g. "application/rdf+xml".
    package var contentType: String
    /// The compression of a `mime` item; empty: none.
    package var contentEncoding: String
  }

  /// A reference from the item `from` to the items `to`, in order.
  package struct Reference: Sendable, Hashable {
    package var type: FourCC
    package var from: Int
    package var to: [Int]
  }

  package struct Association: Sendable, Hashable {
    /// The index into `properties`, from 0.
    package var property: Int
    package var isEssential: Bool
  }

  package struct Group: Sendable, Hashable {
    package var type: FourCC
    package var id: Int
    package var entities: [Int]
  }

  /// The brands: the major brand first, then the compatible ones.
  package private(set) var brands: [FourCC] = []
  /// The primary item, from `pitm`; it is in `items`.
  package private(set) var primaryID = 0
  package private(set) var items: [Int: Item] = [:]
  package private(set) var references: [Reference] = []
  package private(set) var properties: [ItemProperty] = []
  package private(set) var associations: [Int: [Association]] = [:]
  package private(set) var groups: [Group] = []
  /// True if there is a `moov` box: an image sequence beside the stills.
  package private(set) var hasSequence = false
  /// The payload of the box with the video of a motion photo; empty if it does not fit into the file.
  private(set) var video: ArraySlice<UInt8>?
  /// The boxes beside `meta` that hold none of its items: `uuid` and unknown ones.
  private(set) var others: [Box] = []
  /// True if a box after `meta` does not fit into the file.
  private var isCut = false
  private var locations: [Int: ItemLocation] = [:]
  /// The index in `references` of the first reference of each type from each item.
  private var firstReferences: [ReferenceKey: Int] = [:]
  private struct ReferenceKey: Hashable {
    var type: FourCC
    var from: Int
  }
  private var idat: ArraySlice<UInt8> = []
  let bytes: [UInt8]

  /// Reads the boxes of a file.
  ///
  /// - Throws: `.truncated`, `.malformed` with the box's name, `.unsupported` for files without a still picture.
  package init(_ bytes: [UInt8]) throws(DecodeError) {
    self.bytes = bytes
    var meta: Box?
    var reader = ByteReader(bytes, place: "file")
    var count = 0
    while reader.remaining >= 8 {
      count += 1
      guard count <= BoxLimits.children else { throw .malformed(where: "file", what: "too many top-level boxes") }
      let box: Box, start = reader.position
      do throws(DecodeError) {
        box = try Box(&reader)
      } catch {
        // After a valid meta box only the extents of the items matter; they are checked one by one.
        guard meta != nil else { throw error }
        if case .truncated = error { isCut = true }
        if bytes[(start + 4)...].starts(with: "mpvd".utf8) { video = [] }
        break
      }
      if box.type == "ftyp", brands.isEmpty { try readBrands(box) }
      if box.type == "meta", meta == nil { meta = box }
      if box.type == "moov" { hasSequence = true }
      if box.type == "mpvd" { video = box.payload }
      if !Self.usualBoxes.contains(box.type), others.count < BoxLimits.toneMaps { others.append(box) }
    }
    guard !brands.isEmpty else { throw .malformed(where: "ftyp box", what: "there is none") }
    guard let meta else {
      if hasSequence {
        throw .unsupported(feature: "image sequence without a still picture", found: "\(brands[0])")
      }
      throw .malformed(where: "meta box", what: "there is none")
    }
    try readMeta(meta)
  }

  /// True if the first bytes of a file are those of a HEIF or AVIF still (or of a sequence that may hold one).
  static func recognizes(_ head: ArraySlice<UInt8>) -> Bool {
    var reader = ByteReader(head, place: "ftyp box")
    guard let size = try? reader.u32(), let type = try? reader.code(), type == "ftyp", size >= 16 else { return false }
    var left = min(size - 8, reader.remaining)
    var position = 0
    while left >= 4, let brand = try? reader.code() {
      // The second word is the minor version.
      if position != 1, knownBrands.contains(brand) { return true }
      position += 1
      left -= 4
    }
    return false
  }

  /// The types of top-level boxes that are read, hold data of items, or hold nothing.
  private static let usualBoxes: Set<FourCC> = [
    "ftyp", "styp", "meta", "mdat", "moov", "moof", "mpvd", "free", "skip", "wide", "pdin", "sidx", "ssix", "prft",
    "etyp",
  ]

  private static let knownBrands: Set<FourCC> = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "mif2", "msf1", "avif", "avis", "miaf", "tmap", "jpeg",
  ]
}

// MARK: - Questions

extension HEIFFile {
  /// Returns the targets of the first reference of this type from an item; empty when there is none.
  package func targets(_ type: FourCC, from id: Int) -> [Int] {
    firstReferences[ReferenceKey(type: type, from: id)].map { references[$0].to } ?? []
  }

  /// Returns the items that refer to `id`, in file order.
  package func sources(_ type: FourCC, to id: Int) -> [Int] {
    references.filter { $0.type == type && $0.to.contains(id) }.map(\.from)
  }

  package func item(_ id: Int, for purpose: String) throws(DecodeError) -> Item {
    guard let item = items[id] else { throw .malformed(where: purpose, what: "there is no item \(id)") }
    return item
  }

  /// Returns the bytes of an item, its extents joined.
  ///
  /// - Throws: `.truncated` for extents past the end of the file, `.malformed` if their sum is larger than the file or
  ///   there are none, `.unsupported` for bytes in another file or derived from another item.
  package func data(of id: Int) throws(DecodeError) -> ArraySlice<UInt8> {
    guard let location = locations[id] else { throw .malformed(where: "iloc box", what: "no entry for item \(id)") }
    if let item = items[id], item.protectionIndex != 0 {
      throw .unsupported(feature: "encrypted item", found: "item \(id)")
    }
    return try location.data(file: bytes[...], idat: idat, place: "data of item \(id)")
  }
}

extension HEIFFile {
  /// A warning about the missing part of a file that ends too early; `nil`: the file is whole.
  var truncation: Warning? {
    let cut = items.keys.filter { locations[$0]?.fits(into: bytes.count) == false }.count
    guard isCut || cut > 0 else { return nil }
    return Warning(
      "file.truncated",
      "the file ends too early: " + (cut > 0 ? "\(cut) of its \(items.count) items" : "its last box")
        + " would reach beyond its \(bytes.count) bytes")
  }
}

// MARK: - Reading

extension HEIFFile {
  private mutating func readBrands(_ box: Box) throws(DecodeError) {
    var reader = box.reader
    brands = [try reader.code()]
    try reader.skip(4)
    while reader.remaining >= 4 { brands.append(try reader.code()) }
  }

  private mutating func readMeta(_ meta: Box) throws(DecodeError) {
    var primary: Int?
    var seen: Set<FourCC> = []
    let once: Set<FourCC> = ["hdlr", "pitm", "iinf", "iloc", "iref", "iprp", "idat", "grpl"]
    for box in try meta.children(after: 4) {
      if once.contains(box.type), !seen.insert(box.type).inserted {
        throw .malformed(where: "meta box", what: "it holds two \(box.type) boxes")
      }
      switch box.type {
      case "hdlr": try checkHandler(box)
      case "pitm":
        var reader = box.reader
        let version = try reader.fullBox().version
        primary = try reader.itemID(wide: version > 0)
      case "iinf": try readItems(box)
      case "iloc": locations = try ItemLocation.read(box)
      case "iref": try readReferences(box)
      case "iprp": try readProperties(box)
      case "idat": idat = box.payload
      case "grpl": try readGroups(box)
      default: break
      }
    }
    guard let primary else { throw .malformed(where: "pitm box", what: "there is none") }
    guard items[primary] != nil else {
      throw .malformed(where: "pitm box", what: "it names item \(primary), which does not exist")
    }
    primaryID = primary
  }

  private func checkHandler(_ box: Box) throws(DecodeError) {
    var reader = box.reader
    try reader.skip(8)
    let handler = try reader.code()
    guard handler == "pict" else { throw .unsupported(feature: "meta box handler", found: "\(handler)") }
  }

  private mutating func readItems(_ box: Box) throws(DecodeError) {
    var reader = box.reader
    let version = try reader.fullBox().version
    let count = version == 0 ? try reader.u16() : try reader.u32()
    guard count <= BoxLimits.items else {
      throw .malformed(where: "iinf box", what: "\(count) items, more than \(BoxLimits.items)")
    }
    for entry in try readBoxes(&reader, place: "iinf box") where entry.type == "infe" {
      guard let item = try readItem(entry) else { continue }
      guard items.updateValue(item, forKey: item.id) == nil else {
        throw .malformed(where: "infe box", what: "item \(item.id) is described twice")
      }
    }
  }

  /// Reads an entry of `iinf`; `nil` for versions 0 and 1, which have no item type and hold no pictures.
  private func readItem(_ box: Box) throws(DecodeError) -> Item? {
    var reader = box.reader
    let (version, flags) = try reader.fullBox()
    guard version >= 2 else { return nil }
    let id = try reader.itemID(wide: version > 2)
    let protection = try reader.u16()
    let type = try reader.code()
    var item = Item(
      id: id, type: type, isHidden: flags & 1 != 0, protectionIndex: protection, name: "", contentType: "",
      contentEncoding: "")
    item.name = try reader.cString() ?? ""
    if type == "mime" {
      item.contentType = try reader.cString() ?? ""
      item.contentEncoding = try reader.cString() ?? ""
    }
    return item
  }

  private mutating func readReferences(_ box: Box) throws(DecodeError) {
    var reader = box.reader
    let wide = try reader.fullBox().version > 0
    var total = 0
    for child in try readBoxes(&reader, place: "iref box") {
      var reader = ByteReader(child.payload, place: "\(child.type) reference")
      let from = try reader.itemID(wide: wide)
      var to: [Int] = []
      for _ in 0..<(try reader.u16()) { to.append(try reader.itemID(wide: wide)) }
      total += to.count
      guard total <= BoxLimits.targets else {
        throw .malformed(where: "iref box", what: "more than \(BoxLimits.targets) items are referred to")
      }
      let key = ReferenceKey(type: child.type, from: from)
      if firstReferences[key] == nil { firstReferences[key] = references.count }
      references.append(Reference(type: child.type, from: from, to: to))
    }
  }

  private mutating func readProperties(_ box: Box) throws(DecodeError) {
    let children = try box.children()
    for container in children where container.type == "ipco" {
      properties += try container.children().map { ItemProperty($0) }
    }
    for map in children where map.type == "ipma" { try readAssociations(map) }
  }

  private mutating func readAssociations(_ box: Box) throws(DecodeError) {
    var reader = box.reader
    let (version, flags) = try reader.fullBox()
    let count = try reader.u32()
    guard count <= BoxLimits.items else {
      throw .malformed(where: "ipma box", what: "\(count) items, more than \(BoxLimits.items)")
    }
    for _ in 0..<count {
      let id = try reader.itemID(wide: version > 0)
      var list: [Association] = []
      for _ in 0..<(try reader.u8()) {
        let wide = flags & 1 != 0
        let word = wide ? try reader.u16() : Int(try reader.u8())
        let top = wide ? 0x8000 : 0x80
        let index = word & (top - 1)
        // 0 means "no property".
        if index == 0 { continue }
        guard index <= properties.count else {
          throw .malformed(where: "ipma box", what: "property \(index) of \(properties.count)")
        }
        list.append(Association(property: index - 1, isEssential: word & top != 0))
      }
      guard associations.updateValue(list, forKey: id) == nil else {
        throw .malformed(where: "ipma box", what: "item \(id) is listed twice")
      }
    }
  }

  private mutating func readGroups(_ box: Box) throws(DecodeError) {
    var total = 0
    for child in try box.children() {
      var reader = ByteReader(child.payload, place: "\(child.type) group")
      _ = try reader.fullBox()
      let id = try reader.u32()
      let count = try reader.u32()
      guard count <= reader.remaining / 4 else { throw .truncated(where: "\(child.type) group") }
      total += count
      guard total <= BoxLimits.targets else {
        throw .malformed(where: "grpl box", what: "more than \(BoxLimits.targets) entities")
      }
      var entities: [Int] = []
      for _ in 0..<count { entities.append(try reader.u32()) }
      groups.append(Group(type: child.type, id: id, entities: entities))
    }
  }
}
