import FileParts
import HDRCore

extension HEIFDecoder {
  /// Returns the payloads of base and gain map of a HEIC or AVIF file. The reader decides which picture is the map.
  ///
  /// - Returns: a `map` of `nil` when there is none, or none that can be taken out whole.
  /// - Throws: `.unsupported` for a base with alpha, or a derived one that is no grid of coded tiles.
  package static func codedRenditions(
    _ bytes: [UInt8], limits: DecodeLimits
  ) throws(DecodeError) -> CodedRenditions {
    try checkFileSize(bytes, limits)
    let file = try HEIFFile(bytes)
    let base = try file.choose(limits.reading).id
    var ignored: [Warning] = []
    let auxiliaries = file.auxiliaries(of: base, warnings: &ignored)
    if let alpha = auxiliaries.first(where: { HEIFFile.alphaURNs.contains($0.urn) }) {
      throw .unsupported(feature: "taking out a picture with alpha", found: "item \(alpha.id)")
    }
    let pictures = ItemPictures(file, limits: limits)
    let payloads = HEIFPayloads(
      file: file, pictures: pictures, boxes: try propertyBoxes(bytes), fileSize: bytes.count)
    let picture = try payloads.picture(base)
    // Exif may hold the headroom of Apple's map, but the choice of the map's item does not depend on it.
    let map = pictures.gainMap(
      of: base, try pictures.describe(base), auxiliaries: auxiliaries, exif: nil, request: .metadata, limits: limits,
      warnings: &ignored)?.item
    let taken = map.flatMap { try? payloads.picture($0) }
    var renditions = CodedRenditions(base: .heif(picture), map: taken.map { .heif($0) })
    if let apple = auxiliaries.first(where: { $0.urn == AppleGainMap.urn }), let kept = try? payloads.picture(apple.id)
    {
      renditions.appleMap = AppleMapItem(
        picture: .heif(kept), xmp: file.xmp(of: apple.id, limits: limits, warnings: &ignored))
    }
    renditions.auxiliaries = payloads.auxiliaries(auxiliaries, limits: limits)
    return renditions
  }
}

/// Returns the property boxes of all `ipco` in file order, each whole. Open or 64-bit box sizes become 32-bit sizes.
private func propertyBoxes(_ bytes: [UInt8]) throws(DecodeError) -> [[UInt8]] {
  var reader = ByteReader(bytes, place: "file")
  while reader.remaining >= 8 {
    let meta = try Box(&reader)
    guard meta.type == "meta" else { continue }
    var result: [[UInt8]] = []
    for properties in try meta.children(after: 4) where properties.type == "iprp" {
      for container in try properties.children() where container.type == "ipco" {
        for box in try container.children() {
          // The extended type of a `uuid` box is directly before its payload.
          let start = box.payload.startIndex - (box.type == "uuid" ? 16 : 0)
          result.append(HEIFBox.plain(box.type.bytes) { $0.append(bytes[start..<box.payload.endIndex]) })
        }
      }
    }
    return result
  }
  return []
}

private struct HEIFPayloads {
  let file: HEIFFile
  let pictures: ItemPictures
  let boxes: [[UInt8]]
  let fileSize: Int

  /// The properties that are not copied: configuration and size are part of the coded items, and `auxC` is only valid
  /// in the old role.
  private static let itemBound: Set<FourCC> = ["ispe", "hvcC", "av1C", "auxC"]

  func picture(_ id: Int) throws(DecodeError) -> HEIFCodedPicture {
    let described = try pictures.describe(id)
    let item = try file.item(id, for: "picture")
    guard item.type == "grid" else {
      return HEIFCodedPicture(
        items: [try coded(id, described)], width: described.width, height: described.height,
        properties: properties(of: id))
    }
    let tiles = file.targets("dimg", from: id)
    guard !tiles.isEmpty, Set(tiles).count == tiles.count else {
      throw .unsupported(feature: "taking out a grid", found: "tiles used twice")
    }
    var items: [HEIFCodedItem] = []
    var total = 0
    for tile in tiles {
      let picture = try pictures.describe(tile)
      try checkTile(tile)
      let coded = try coded(tile, picture)
      // Extents may overlap; a valid file is not smaller than its items.
      total += coded.data.count
      guard total <= fileSize else { throw .malformed(where: "iloc box", what: "tiles hold more than the file") }
      items.append(coded)
    }
    var own = properties(of: id)
    for type in ["colr", "pixi"] as [FourCC] where !own.contains(where: { isBox($0.box, type) }) {
      own += properties(of: tiles[0]).filter { isBox($0.box, type) }
    }
    return HEIFCodedPicture(
      items: items, grid: Array(try file.data(of: id)), width: described.width, height: described.height,
      properties: own)
  }

  /// Takes out auxiliary pictures other than alpha and gain maps, with their types and XMP. Those that cannot be taken out
  /// whole are left out, and those beyond the size of the file.
  func auxiliaries(_ all: [HEIFFile.Auxiliary], limits: DecodeLimits) -> [AuxiliaryItem] {
    var result: [AuxiliaryItem] = [], total = 0, ignored: [Warning] = []
    for auxiliary in all
    where !HEIFFile.alphaURNs.contains(auxiliary.urn) && !HEIFFile.gainMapURNs.contains(auxiliary.urn) {
      guard let kept = try? picture(auxiliary.id),
        let type = associated(auxiliary.id).first(where: { isBox($0.box, "auxC") })?.box
      else { continue }
      let xmp = file.xmp(of: auxiliary.id, limits: limits, warnings: &ignored)
      total += kept.items.reduce(xmp?.count ?? 0) { $0 + $1.data.count }
      guard total <= fileSize else { break }
      result.append(AuxiliaryItem(item: auxiliary.id, picture: .heif(kept), type: type, xmp: xmp))
    }
    return result
  }

  private func coded(_ id: Int, _ picture: ItemPicture) throws(DecodeError) -> HEIFCodedItem {
    let item = try file.item(id, for: "picture")
    let configuration: FourCC = item.type == "av01" ? "av1C" : "hvcC"
    guard item.type == "hvc1" || item.type == "av01" else {
      throw .unsupported(feature: "taking out an item", found: "\(item.type)")
    }
    guard let box = associated(id).first(where: { isBox($0.box, configuration) }) else {
      throw .malformed(where: "\(configuration) box", what: "item \(id) has none")
    }
    return HEIFCodedItem(
      type: "\(item.type)", configuration: box.box, data: Array(try file.data(of: id)), width: picture.width,
      height: picture.height)
  }

  /// Checks that a tile has no other essential property, as it keeps only its configuration and size.
  private func checkTile(_ id: Int) throws(DecodeError) {
    for property in properties(of: id) where property.isEssential {
      let types: [FourCC] = ["colr", "pixi", "pasp", "clli", "mdcv"]
      guard types.contains(where: { isBox(property.box, $0) }) else {
        throw .unsupported(
          feature: "taking out a tile with an essential property", found: latin1(Array(property.box[4..<8])))
      }
    }
  }

  private func properties(of id: Int) -> [HEIFCodedPicture.Property] {
    associated(id).filter { property in !Self.itemBound.contains { isBox(property.box, $0) } }
  }

  private func associated(_ id: Int) -> [HEIFCodedPicture.Property] {
    (file.associations[id] ?? []).compactMap { association in
      guard boxes.indices.contains(association.property) else { return nil }
      return HEIFCodedPicture.Property(box: boxes[association.property], isEssential: association.isEssential)
    }
  }

  private func isBox(_ box: [UInt8], _ type: FourCC) -> Bool { box.dropFirst(4).starts(with: type.bytes) }
}
