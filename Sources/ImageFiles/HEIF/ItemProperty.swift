import FileParts
import HDRCore

/// A property of `ipco`, interpreted (ISO/IEC 23008-12 clause 6.5; layouts in
/// docs/colour-formulas.md#metadata-layouts).
package enum ItemProperty: Sendable {
  /// `ispe`: size in pixels before any transform.
  case size(width: Int, height: Int)
  /// `colr` of type nclx.
  case nclx(CICP)
  /// `colr` of type prof or rICC.
  case icc(ArraySlice<UInt8>)
  /// `pixi`: bits of each channel.
  case channelDepths([Int])
  case transform(ItemTransform)
  /// `auxC`: the type of an auxiliary picture.
  case auxiliary(urn: String)
  case hevc(HEVCConfiguration)
  case av1(AV1Configuration)
  case light(LightProperty)
  /// `a1op`: the operating point of a layered AV1 item to decode.
  case operatingPoint(Int)
  /// `lsel`: the layer of a layered item that is the picture; `nil`: the highest.
  case layer(Int?)
  /// `uncC`, `cmpd`, `cmpC` and `icef` of uncompressed pictures.
  case uncompressed(UncompressedConfiguration)
  case components([ComponentType?])
  case compression(GenericCompression)
  case compressedUnits([Range<UInt64>])
  /// `jpgC`: the first bytes of a JPEG.
  case jpegPrefix(ArraySlice<UInt8>)
  /// `udes` and `altt`: what people say of the picture, by keyword.
  case texts([(keyword: String, bytes: [UInt8])])
  /// A property that this reader may ignore.
  case irrelevant(FourCC)
  /// An unknown property that is marked essential.
  case unknown(FourCC)
  /// A known box with impossible contents; an error only for the items that use it.
  case invalid(FourCC, DecodeError)

  init(_ box: Box) {
    do throws(DecodeError) {
      self = try Self.read(box)
    } catch {
      self = .invalid(box.type, error)
    }
  }

  private static func read(_ box: Box) throws(DecodeError) -> ItemProperty {
    var reader = box.reader
    switch box.type {
    case "ispe":
      _ = try reader.fullBox()
      return .size(width: try reader.u32(), height: try reader.u32())
    case "colr": return try readColor(&reader)
    case "pixi":
      _ = try reader.fullBox()
      return .channelDepths(try reader.take(Int(try reader.u8())).map { Int($0) })
    case "irot": return .transform(.rotation(quarterTurns: Int(try reader.u8() & 3)))
    case "imir": return .transform(.mirror(exchangesLeftAndRight: try reader.u8() & 1 == 1))
    case "clap": return .transform(.crop(try CleanAperture(&reader)))
    case "auxC":
      _ = try reader.fullBox()
      guard let urn = try reader.cString() else {
        throw .malformed(where: "auxC box", what: "the type has no terminating zero")
      }
      return .auxiliary(urn: urn)
    case "hvcC": return .hevc(try HEVCConfiguration(&reader))
    case "av1C": return .av1(try AV1Configuration(&reader))
    case let type where LightBoxes.named(type) != nil:
      return .light(LightProperty(type: box.type, payload: box.payload))
    case "a1op": return .operatingPoint(Int(try reader.u8()))
    case "lsel":
      let layer = try reader.u16()
      return .layer(layer == 0xFFFF ? nil : layer)
    case "uncC": return .uncompressed(try UncompressedConfiguration(&reader))
    case "cmpd": return .components(try ComponentType.read(&reader))
    case "cmpC": return .compression(try GenericCompression(&reader))
    case "jpgC": return .jpegPrefix(try reader.take(reader.remaining))
    case "icef": return .compressedUnits(try GenericCompression.units(&reader))
    // Faults of texts cost no picture.
    case "udes", "altt": return .texts((try? texts(&reader, isDescription: box.type == "udes")) ?? [])
    case "pasp", "a1lx", "rloc", "crtt", "mdft", "subs", "thmb": return .irrelevant(box.type)
    default: return .unknown(box.type)
    }
  }

  /// Reads `udes`: language, name, description, tags; or `altt`: a text and its language.
  private static func texts(
    _ reader: inout ByteReader, isDescription: Bool
  ) throws(DecodeError) -> [(keyword: String, bytes: [UInt8])] {
    _ = try reader.fullBox()
    if isDescription { _ = try reader.cString() }
    var found: [(keyword: String, bytes: [UInt8])] = []
    for keyword in isDescription ? ["Title", "Description", "tags"] : ["alternative text"] {
      // The text is UTF-8, of which the reader has taken each byte for a character.
      found.append((keyword, (try reader.cString() ?? "").unicodeScalars.map { UInt8($0.value) }))
    }
    return found
  }

  private static func readColor(_ reader: inout ByteReader) throws(DecodeError) -> ItemProperty {
    let kind = try reader.code()
    switch kind {
    case "nclx":
      let primaries = try reader.u16(), transfer = try reader.u16(), matrix = try reader.u16()
      return .nclx(CICP(primaries, transfer, matrix, full: try reader.u8() & 0x80 != 0))
    case "prof", "rICC": return .icc(try reader.take(reader.remaining))
    default: return .irrelevant(kind)
    }
  }
}

/// The properties of one item, sorted by meaning.
package struct ItemProperties: Sendable {
  package var width: Int?
  package var height: Int?
  package var nclx: CICP?
  package var icc: ArraySlice<UInt8>?
  package var channelDepths: [Int]?
  /// The transforms in `ipma` order, which is the order of application.
  package var transforms: [ItemTransform] = []
  package var auxiliaryURN: String?
  package var hevc: HEVCConfiguration?
  package var av1: AV1Configuration?
  package var light: [LightProperty] = []
  package var operatingPoint = 0
  /// The chosen layer of a layered item; `nil`: the highest.
  package var layer: Int?
  package var uncompressed: UncompressedConfiguration?
  package var components: [ComponentType?]?
  package var compression: GenericCompression?
  package var compressedUnits: [Range<UInt64>]?
  /// The bytes of a JPEG item that stand before its data.
  package var jpegPrefix: ArraySlice<UInt8>?
  /// Text properties describe the picture for people.
  package var texts: [(keyword: String, bytes: [UInt8])] = []
  /// True if there is more than one `colr` of a kind; the first one is used.
  package var hasRepeatedColor = false

  package init() {}

  /// Warnings about properties that no picture needs.
  var oddities: [Warning] {
    var found: [Warning] = []
    if let depths = channelDepths, depths.count > BoxLimits.components {
      found.append(Warning("heif.pixi", "a pixi box of \(depths.count) channels is ignored"))
    }
    if transforms.count > ItemTransform.most {
      found.append(
        Warning(
          "heif.transforms", "\(transforms.count) rotations, mirrors and crops, more than one of each; all are applied")
      )
    }
    return found
  }
}

extension HEIFFile {
  /// Returns the properties of an item.
  ///
  /// - Throws: the error of a broken property of this item, `.unsupported` for an unknown essential one.
  package func properties(of id: Int) throws(DecodeError) -> ItemProperties {
    var result = ItemProperties()
    for association in associations[id] ?? [] {
      switch properties[association.property] {
      case .size(let width, let height):
        if result.width == nil { (result.width, result.height) = (width, height) }
      case .nclx(let cicp):
        if result.nclx == nil { result.nclx = cicp } else { result.hasRepeatedColor = true }
      case .icc(let bytes):
        if result.icc == nil { result.icc = bytes } else { result.hasRepeatedColor = true }
      case .channelDepths(let depths): result.channelDepths = depths
      case .transform(let transform): result.transforms.append(transform)
      case .auxiliary(let urn): result.auxiliaryURN = urn
      case .hevc(let configuration): result.hevc = configuration
      case .av1(let configuration): result.av1 = configuration
      case .light(let property): result.light.append(property)
      case .operatingPoint(let index): result.operatingPoint = index
      case .layer(let layer): result.layer = layer
      case .uncompressed(let configuration): result.uncompressed = configuration
      case .components(let types): result.components = types
      case .compression(let compression): result.compression = compression
      case .compressedUnits(let units): result.compressedUnits = units
      case .jpegPrefix(let bytes): result.jpegPrefix = bytes
      case .texts(let texts): result.texts += texts.filter { !$0.bytes.isEmpty }
      case .irrelevant: break
      case .unknown(let type):
        if association.isEssential { throw .unsupported(feature: "essential item property", found: "\(type)") }
      case .invalid(_, let error): throw error
      }
    }
    return result
  }
}
