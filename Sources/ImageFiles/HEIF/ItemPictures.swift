import FileParts
import CDav1d
import HDRCore

/// The codec family of a picture.
package enum PictureCodec: Sendable {
  case hevc, av1, uncompressed, jpeg

  var format: FileFormat {
    switch self {
    case .hevc: .heic
    case .av1: .avif
    case .uncompressed, .jpeg: .heif
    }
  }
}

/// The description of an item's picture before decoding.
package struct ItemPicture: Sendable {
  /// The stored size, before transforms.
  package var width: Int
  package var height: Int
  package var codec: PictureCodec
  package var format: CodedFormat
  /// The item's properties; colour comes from the first tile or source if the item itself has none.
  package var properties: ItemProperties
  /// The transforms in order of application, those of an identity item's source first.
  package var transforms: [ItemTransform]
}

/// A decoder of a file's items to pictures: coded ones (`hvc1`, `av01`, `jpeg`), `unci`, `grid`, `iden` and `iovl`.
///
/// It counts the decoded pixels and pictures of a file, so that small files cannot cause endless work.
final class ItemPictures {
  let file: HEIFFile
  let limits: DecodeLimits
  /// Decoders warn of pictures, and each warning is kept once.
  private(set) var warnings: [Warning] = []
  private var pixelsLeft: Int
  private var decodesLeft = BoxLimits.pictureDecodes
  /// The library that decoded each item's picture.
  private var decoders: [Int: String] = [:]

  init(_ file: HEIFFile, limits: DecodeLimits) {
    self.file = file
    self.limits = limits
    pixelsLeft = limits.maxPixels.multipliedReportingOverflow(by: 2).overflow ? .max : 2 * limits.maxPixels
  }

  /// Returns the size, format and properties of an item, from headers only.
  func describe(_ id: Int) throws(DecodeError) -> ItemPicture { try describe(id, path: []) }

  /// Decodes the samples of an item, without transforms and without alpha items.
  func decode(_ id: Int) throws(DecodeError) -> SampleImage { try decode(id, path: []) }

  /// Returns the library and version that decoded an item, or would decode it.
  func decoder(of id: Int, _ picture: ItemPicture) -> String {
    switch picture.codec {
    case .av1: "dav1d " + String(cString: dav1d_version())
    case .uncompressed: decoders[id] ?? UncompressedPicture.reader(of: picture.properties)
    case .jpeg: JPEGItem.reader
    case .hevc: decoders[id] ?? HEVCPicture.expectedLibrary(for: picture, by: limits.hevcDecoder).label
    }
  }

  // MARK: -

  /// Checks one step in a chain of derived images, so that no file can make the reader loop.
  private func enter(_ id: Int, _ path: [Int]) throws(DecodeError) -> (item: HEIFFile.Item, path: [Int]) {
    guard !path.contains(id) else { throw .malformed(where: "dimg reference", what: "item \(id) is made of itself") }
    guard path.count <= BoxLimits.derivationDepth else {
      throw .malformed(where: "dimg reference", what: "derived more than \(BoxLimits.derivationDepth) times over")
    }
    return (try file.item(id, for: "picture"), path + [id])
  }

  func describe(_ id: Int, path: [Int]) throws(DecodeError) -> ItemPicture {
    let (item, path) = try enter(id, path)
    let properties = try file.properties(of: id)
    guard let width = properties.width, let height = properties.height else {
      throw .malformed(where: "ispe box", what: "item \(id) has none")
    }
    _ = try checkedPixels(width, height, limits, place: "ispe box")
    try properties.check(for: item.pictureType)
    switch item.pictureType {
    case "hvc1":
      guard let hevc = properties.hevc else { throw .malformed(where: "hvcC box", what: "item \(id) has none") }
      return ItemPicture(
        width: width, height: height, codec: .hevc, format: try hevc.sequenceParameterSet().format,
        properties: properties, transforms: properties.transforms)
    case "av01":
      guard let av1 = properties.av1 else { throw .malformed(where: "av1C box", what: "item \(id) has none") }
      return ItemPicture(
        width: width, height: height, codec: .av1, format: av1.format(itemData: try? file.data(of: id)),
        properties: properties, transforms: properties.transforms)
    case "unci":
      return ItemPicture(
        width: width, height: height, codec: .uncompressed,
        format: try properties.uncompressedLayout(width: width, height: height).format, properties: properties,
        transforms: properties.transforms)
    case "jpeg":
      let jpeg = try jpegItem(id, properties)
      var own = properties
      if own.nclx == nil, own.icc == nil { own.icc = noted { jpeg.profile(limits, warnings: &$0) }?[...] }
      return ItemPicture(
        width: width, height: height, codec: .jpeg, format: jpeg.format, properties: own,
        transforms: properties.transforms)
    case "iovl": return try describeOverlay(id, properties, width: width, height: height, path: path)
    case "grid":
      let grid = try grid(id)
      guard grid.width == width, grid.height == height else {
        throw .malformed(
          where: "grid item", what: "its size \(grid.width)x\(grid.height) is not that of ispe, \(width)x\(height)")
      }
      var picture = try describe(grid.tiles[0], path: path)
      picture.properties = properties.filled(from: picture.properties)
      (picture.width, picture.height) = (width, height)
      picture.transforms = properties.transforms
      return picture
    case "iden":
      var picture = try describe(try identitySource(id), path: path)
      picture.properties = properties.filled(from: picture.properties)
      picture.transforms += properties.transforms
      return picture
    default:
      throw .unsupported(feature: "picture item type", found: "\(item.type)")
    }
  }

  func decode(_ id: Int, path: [Int]) throws(DecodeError) -> SampleImage {
    let picture = try describe(id, path: path)
    let (item, path) = try enter(id, path)
    let width = picture.width, height = picture.height
    let place = "data of item \(id)"
    switch item.type {
    case "iovl": return try composeOverlay(id, picture, path: path)
    case "grid": return try compose(try grid(id), path: path)
    case "iden": return try decode(try identitySource(id), path: path)
    default: try charge(width * height)
    }
    if item.pictureType == "jpeg" {
      let jpeg = try jpegItem(id, picture.properties)
      var found: [Warning] = []
      let image = try jpeg.decode(warnings: &found)
      note(found)
      return image
    }
    let data = try file.data(of: id)
    switch (item.type, picture.properties.hevc) {
    case ("hvc1", .some(let configuration)):
      let decoded = try HEVCPicture.decode(
        data, configuration, by: limits.hevcDecoder, width: width, height: height, place: place)
      decoders[path[0]] = decoded.library.label
      return decoded.image
    case ("unci", _):
      decoders[path[0]] = UncompressedPicture.reader(of: picture.properties)
      return try UncompressedPicture.decode(
        data, try picture.properties.uncompressedLayout(width: width, height: height), picture.properties, place: place)
    default:
      return try AV1Picture.decode(
        data, operatingPoint: picture.properties.operatingPoint, layer: picture.properties.layer, width: width,
        height: height, place: place)
    }
  }

  /// Reads the headers of a JPEG whose item has a size.
  private func jpegItem(_ id: Int, _ properties: ItemProperties) throws(DecodeError) -> JPEGItem {
    try JPEGItem(
      try file.data(of: id), prefix: properties.jpegPrefix, width: properties.width ?? 0,
      height: properties.height ?? 0, place: "data of item \(id)")
  }

  private func note(_ found: [Warning]) { warnings += found.filter { !warnings.contains($0) } }

  private func noted<Result>(_ body: (inout [Warning]) -> Result) -> Result {
    var found: [Warning] = []
    let result = body(&found)
    note(found)
    return result
  }

  func charge(_ pixels: Int) throws(DecodeError) {
    guard decodesLeft > 0 else {
      throw .malformed(where: "grid item", what: "more than \(BoxLimits.pictureDecodes) pictures to decode")
    }
    decodesLeft -= 1
    guard pixels <= pixelsLeft else {
      throw .limit(
        what: "pixel count of all pictures", found: 2 * limits.maxPixels - pixelsLeft + pixels,
        allowed: 2 * limits.maxPixels, raise: .setting("max-pixels"))
    }
    pixelsLeft -= pixels
  }

  private func identitySource(_ id: Int) throws(DecodeError) -> Int {
    let sources = file.targets("dimg", from: id)
    guard sources.count == 1 else {
      throw .malformed(where: "iden item", what: "made of \(sources.count) items instead of one")
    }
    return sources[0]
  }
}

extension HEIFFile.Item {
  /// The type of a picture item; a JPEG may also be a `mime` item.
  var pictureType: FourCC { type == "mime" && contentType == "image/jpeg" ? "jpeg" : type }
}

extension ItemProperties {
  /// Checks the properties for items of a type.
  ///
  /// - Throws: `.unsupported` for properties that change the meaning of such an item and are not supported for it.
  fileprivate func check(for type: FourCC) throws(DecodeError) {
    if let layer, type != "av01", type != "hvc1" || layer != 0 {
      throw .unsupported(feature: "layer of an item of type \(type)", found: "layer \(layer)")
    }
    guard compression == nil || type == "unci" else {
      throw .unsupported(feature: "generic compression", found: "item type \(type)")
    }
  }

  fileprivate func uncompressedLayout(width: Int, height: Int) throws(DecodeError) -> UncompressedLayout {
    guard let uncompressed else { throw .malformed(where: "uncC box", what: "there is none") }
    return try UncompressedLayout(uncompressed, types: components, width: width, height: height)
  }

  /// Returns these properties, with the colour of `other` if they have none. Writers put colour on the tiles, on the
  /// grid, or on both; a grid with only an ICC profile still needs the matrix and range of its tiles.
  func filled(from other: ItemProperties) -> ItemProperties {
    var result = self
    if nclx == nil, icc == nil { result.icc = other.icc }
    if nclx == nil { result.nclx = other.nclx }
    return result
  }
}

// MARK: - Grid

/// The payload of a `grid` item and its tiles in rows (ISO/IEC 23008-12 clause 6.6.2.3).
private struct Grid {
  var rows: Int
  var columns: Int
  var width: Int
  var height: Int
  var tiles: [Int]
}

extension ItemPictures {
  private func grid(_ id: Int) throws(DecodeError) -> Grid {
    var reader = ByteReader(try file.data(of: id), place: "grid item")
    let version = try reader.u8()
    guard version == 0 else { throw .unsupported(feature: "grid version", found: "\(version)") }
    let isWide = try reader.u8() & 1 != 0
    let rows = Int(try reader.u8()) + 1, columns = Int(try reader.u8()) + 1
    let width = isWide ? try reader.u32() : try reader.u16()
    let height = isWide ? try reader.u32() : try reader.u16()
    let tiles = file.targets("dimg", from: id)
    guard tiles.count == rows * columns else {
      throw .malformed(where: "grid item", what: "\(tiles.count) tiles for \(rows) rows of \(columns)")
    }
    _ = try checkedPixels(width, height, limits, place: "grid item")
    return Grid(rows: rows, columns: columns, width: width, height: height, tiles: tiles)
  }

  /// Decodes the tiles and joins them; samples beyond the right and bottom edges are dropped.
  private func compose(_ grid: Grid, path: [Int]) throws(DecodeError) -> SampleImage {
    let first = try describe(grid.tiles[0], path: path)
    try check(first, in: grid)
    // Memory for the whole picture is allocated only after the first tile is decoded.
    var previous = (id: grid.tiles[0], image: try decode(grid.tiles[0], path: path))
    let model = previous.image
    guard model.alpha == nil else {
      throw .unsupported(feature: "grid of tiles with alpha", found: "alpha in the tile itself")
    }
    var format = first.format
    (format.bitDepth, format.chroma) = (model.bitDepth, model.chroma)
    let canvas = format.makeImage(width: grid.width, height: grid.height)
    for (index, id) in grid.tiles.enumerated() {
      // A tile that is used several times in succession is decoded once.
      if id != previous.id {
        let tile = try describe(id, path: path)
        guard tile.width == first.width, tile.height == first.height else {
          throw .malformed(
            where: "grid item",
            what: "tiles of \(first.width)x\(first.height) and \(tile.width)x\(tile.height) pixels")
        }
        try checkTransforms(tile)
        previous = (id, try decode(id, path: path))
      }
      let image = previous.image
      guard image.bitDepth == model.bitDepth, image.chroma == model.chroma, image.model == model.model else {
        throw .malformed(where: "grid item", what: "its tiles have different sample formats")
      }
      let x = index % grid.columns * first.width, y = index / grid.columns * first.height
      for (channel, (from, to)) in zip(image.channels, canvas.channels).enumerated() {
        let h = channel == 0 ? 0 : canvas.chroma.horizontalShift, v = channel == 0 ? 0 : canvas.chroma.verticalShift
        to.copyRows(
          from: from.buffer.base + from.offset, stride: from.rowBytes, width: from.width, height: from.height,
          toX: x >> h, y: y >> v)
      }
    }
    return canvas
  }

  private func check(_ tile: ItemPicture, in grid: Grid) throws(DecodeError) {
    try checkTransforms(tile)
    // At most 256 by 256 tiles of at most 65535 pixels a side: no overflow.
    guard tile.width * grid.columns >= grid.width, tile.height * grid.rows >= grid.height else {
      throw .malformed(where: "grid item", what: "its tiles do not cover it")
    }
    let cutsChroma =
      grid.columns > 1 && tile.width & ((1 << tile.format.chroma.horizontalShift) - 1) != 0
      || grid.rows > 1 && tile.height & ((1 << tile.format.chroma.verticalShift) - 1) != 0
    if cutsChroma {
      throw .unsupported(
        feature: "grid of \(tile.format.chroma.rawValue) tiles with odd sides", found: "\(tile.width)x\(tile.height)")
    }
    // Limits decoded pixels to 4 times the shown ones (docs/isolation.md#limits), with room for edges of small
    // pictures.
    let decoded = tile.width * tile.height * grid.tiles.count
    guard decoded <= 4 * grid.width * grid.height + 4096 * 4096 else {
      throw .malformed(where: "grid item", what: "its tiles hold \(decoded) pixels, far more than it shows")
    }
  }

  private func checkTransforms(_ tile: ItemPicture) throws(DecodeError) {
    let geometry = try Geometry(width: tile.width, height: tile.height, transforms: tile.transforms)
    guard geometry == Geometry(width: tile.width, height: tile.height) else {
      throw .unsupported(feature: "grid tile that is turned or cropped", found: "a transform")
    }
  }
}
