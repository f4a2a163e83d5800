import FileParts
import HDRCore
import ImageFiles
import TestFiles
import Testing

/// Tests the choice of a HEIF file's map: `tmap` before auxiliary pictures, by the references of its writer. The files
/// have structure only, and are read for their metadata.
@Suite struct HEIFGainMapTests {
  typealias B = HEIFBuilder

  static let av1C = B.box("av1C", [0x81, 0, 0x0C, 0])
  static let greyAV1C = B.box("av1C", [0x81, 0, 0x1C, 0])
  static let urn = "urn:com:apple:photo:2020:aux:hdrgainmap"

  static func auxC(_ urn: String) -> [UInt8] { B.fullBox("auxC", Array(urn.utf8) + [0]) }

  static let iso = ISO21496(
    GainMapMetadata(kind: .iso, baseHeadroom: 0, alternateHeadroom: 2, min: [0, 0, 0], max: [2, 2, 2]))!

  /// Base 1, map 2, tone map 3 and XMP 4 of the map, Exif 5 with Apple's maker note. Both kinds of map, as iOS 18 has it.
  static func file() -> HEIFBuilder {
    var builder = B()
    builder.brands = ["avif", "mif1", "miaf", "tmap"]
    let exif = TinyApple.exif(note: TinyApple.note(tag33: (1, 1), tag48: (0, 1)))
    builder.items = [
      B.Item(id: 1, type: "av01", data: [0], properties: [B.ispe(40, 30), av1C, B.box("irot", [1])]),
      B.Item(
        id: 2, type: "av01", data: [0], properties: [B.ispe(20, 15), greyAV1C, auxC(urn), B.box("irot", [1])]),
      B.Item(id: 3, type: "tmap", data: iso.serialized(for: .tmap), properties: [B.ispe(40, 30)]),
      B.Item(
        id: 4, type: "mime", data: TinyApple.packet(TinyApple.apple(headroom: "6.5")),
        contentType: "application/rdf+xml"),
      B.Item(id: 5, type: "Exif", data: B.u32(0) + exif),
    ]
    builder.references = [("dimg", 3, [1, 2]), ("auxl", 2, [1]), ("cdsc", 4, [2]), ("cdsc", 5, [1])]
    builder.extra = [B.box("grpl", B.fullBox("altr", B.u32(9) + B.u32(2) + B.u32(3) + B.u32(1)))]
    return builder
  }

  private func read(_ builder: HEIFBuilder) throws -> SourceImage {
    try HEIFDecoder.decode(builder.bytes, request: .metadata, limits: DecodeLimits())
  }

  private func codes(_ source: SourceImage) -> [String] { source.warnings.map(\.code) }

  @Test func toneMapsGoBeforeAuxiliaries() throws {
    let source = try read(Self.file()), map = try #require(source.gainMap)
    #expect(map.metadata.kind == .iso && map.bindings == ["tmap", "aux"] && source.warnings.isEmpty)
    #expect(map.image.width == 20 && map.image.model == .grey && source.geometry.orientation == .left)
  }

  /// A fault of each writer in the tone map leads to Apple's formula and headroom.
  @Test(arguments: ["brand", "altr", "dimg", "payload", "version", "none"]) func anUnusableToneMapLeavesTheOther(
    fault: String
  ) throws {
    var builder = Self.file()
    var code: String?
    switch fault {
    case "brand": (builder.brands, code) = (["avif", "mif1", "miaf"], "gainmap.brand")
    case "altr": (builder.extra, code) = ([], "gainmap.altr")
    case "dimg": (builder.references[0].2, code) = ([2, 1], "gainmap.reference")
    case "payload":
      builder.items[2].data = [UInt8](repeating: 0, count: 62)
      code = "gainmap.invalid"
    case "version":
      builder.items[2].data[0] = 9
      code = "gainmap.version"
    default:
      builder.items.remove(at: 2)
      builder.references.removeFirst()
      builder.extra = []
    }
    let source = try read(builder), map = try #require(source.gainMap)
    #expect(map.metadata.apple?.headroom == 6.5 && map.metadata.apple?.rule == .xmp && map.bindings == ["aux"])
    #expect(codes(source) == (code.map { [$0] } ?? []))
  }

  @Test("a gain map of G, B, R planes that differ in size is not read")
  func identityMatrixWithSubsampledChroma() throws {
    for (matrix, isRead) in [(0, false), (6, true)] {
      var builder = Self.file()
      // 4:2:0; both kinds of map are in the same item.
      builder.items[1].properties = [
        B.ispe(20, 15), Self.av1C, Self.auxC(Self.urn), B.box("irot", [1]),
        B.box("colr", Array("nclx".utf8) + B.u16(2) + B.u16(2) + B.u16(matrix) + [0x80]),
      ]
      let source = try read(builder)
      #expect((source.gainMap != nil) == isRead, "matrix \(matrix)")
      #expect(codes(source).contains("gainmap.decode") == !isRead, "\(source.warnings)")
    }
  }

  @Test func theMakerNoteSpeaksWhereXMPDoesNot() throws {
    var builder = Self.file()
    builder.extra = []
    builder.items[3].data = TinyApple.packet(TinyApple.apple(version: 65_536))
    #expect(try read(builder).gainMap?.metadata.apple?.rule == .makerNote)
    #expect(try read(builder).gainMap?.metadata.apple?.headroom == 8)
    // Without either the map stays, and is not applied.
    builder.items[4].data = B.u32(0) + TinyApple.exif(note: TinyApple.note(tag48: (0, 1)))
    let source = try read(builder)
    #expect(source.gainMap?.metadata.isComplete == false)
    #expect(codes(source) == ["gainmap.altr", "gainmap.apple-headroom"])
    // Without XMP of its own, too.
    builder.references = builder.references.filter { $0.0 != "cdsc" || $0.1 != 4 }
    builder.items.remove(at: 3)
    #expect(try read(builder).gainMap?.metadata.apple == AppleGainMap(tag48: 0))
  }

  /// iOS 18: Exif, XMP, thumbnail and auxiliaries name the base and the tone map, or the tone map alone.
  @Test(arguments: [[1, 3], [3, 1], [3]]) func referencesMayNameTheBaseOrTheToneMap(targets: [Int]) throws {
    var builder = Self.file()
    builder.items.append(B.Item(id: 6, type: "av01", data: [0], properties: [B.ispe(20, 15), Self.av1C]))
    builder.references = [
      ("dimg", 3, [1, 2]), ("auxl", 2, targets), ("cdsc", 4, [2]), ("cdsc", 5, targets), ("thmb", 6, targets),
    ]
    let source = try read(builder)
    #expect(source.gainMap?.metadata.kind == .iso && source.gainMap?.bindings == ["tmap", "aux"])
    #expect(source.exif != nil && source.warnings.isEmpty)
    // The same references without a usable tone map.
    builder.extra = []
    let older = try read(builder)
    #expect(older.gainMap?.metadata.apple?.headroom == 6.5 && codes(older) == ["gainmap.altr"])
  }

  /// The picture's own Exif, not one that only a tone map has.
  @Test func ownMetadataGoesFirst() throws {
    var builder = Self.file()
    let other = TinyApple.exif(note: TinyApple.note(tag33: (0, 1)))
    builder.items.insert(B.Item(id: 7, type: "Exif", data: B.u32(0) + other), at: 0)
    builder.references.append(("cdsc", 7, [3]))
    let exif = try #require(try read(builder).exif)
    #expect(exif == TinyApple.exif(note: TinyApple.note(tag33: (1, 1), tag48: (0, 1))))
  }

  /// The base's turn is used, whatever the map or the tone map say.
  @Test("the base's rotation is used for the gain map, with a warning")
  func turnsOfTheirOwn() throws {
    var builder = Self.file()
    builder.items[2].properties.append(B.box("irot", [1]))
    #expect(try read(builder).warnings.isEmpty)
    builder.items[2].properties[1] = B.box("irot", [3])
    #expect(codes(try read(builder)) == ["gainmap.transform"])
    builder = Self.file()
    builder.items[1].properties.removeLast()
    for extra in [builder.extra, []] {
      builder.extra = extra
      let source = try read(builder)
      #expect(source.geometry.orientation == .left && source.gainMap != nil)
      #expect(codes(source).last == "gainmap.transform")
    }
  }

  @Test func mapsOfOtherVendorsNeedTheirMetadata() throws {
    var builder = Self.file()
    builder.extra = []
    builder.items[3].data = TinyApple.packet(TinyApple.hdrgm)
    for urn in ["urn:com:samsung:photo:2024:aux:hdrgainmap", "urn:com:photo:aux:hdrgainmap", Self.urn] {
      builder.items[1].properties[2] = Self.auxC(urn)
      let map = try #require(try read(builder).gainMap)
      #expect(map.metadata.kind == .hdrgm && map.metadata.max == [3, 3, 3] && map.bindings == ["aux", "xmp"])
    }
    // Broken: Apple's type still says its own formula, the others say nothing.
    builder.items[3].data = TinyApple.packet(TinyApple.hdrgm.replacing("GainMapMax>3", with: "GainMapMax>nan"))
    #expect(try read(builder).gainMap?.metadata.kind == .apple)
    builder.items[1].properties[2] = Self.auxC("urn:com:photo:aux:hdrgainmap")
    #expect(try read(builder).gainMap == nil)
    #expect(codes(try read(builder)) == ["gainmap.altr", "gainmap.invalid"])
    builder.items[3].data = TinyApple.packet("")
    #expect(codes(try read(builder)) == ["gainmap.altr", "gainmap.auxiliary"])
    // An unknown type, and types that are no gain maps.
    builder.items[1].properties[2] = Self.auxC("urn:com:other:aux:hdrgainmap")
    #expect(codes(try read(builder)) == ["gainmap.altr", "gainmap.auxiliary"])
    builder.items[1].properties[2] = Self.auxC("urn:mpeg:hevc:2015:auxid:2")
    let depth = try read(builder)
    #expect(codes(depth) == ["gainmap.altr"] && depth.gainMap == nil)
  }

  /// Every byte of the headers, replaced by values that hurt: an error, or a picture; the map never brings it down.
  @Test func changedBytesNeverTrap() throws {
    let bytes = Self.file().bytes
    var maps = 0
    for index in bytes.indices {
      for value in [0, 1, 0x7F, 0xFF, bytes[index] ^ 1] as [UInt8] {
        var changed = bytes
        changed[index] = value
        guard let source = try? HEIFDecoder.decode(changed, request: .metadata, limits: DecodeLimits()) else {
          continue
        }
        if let data = source.gainMap?.metadata {
          maps += 1
          #expect(([data.baseHeadroom, data.alternateHeadroom] + data.min + data.max).allSatisfy { $0.isFinite })
        }
      }
    }
    #expect(maps > 1000)
  }
}
