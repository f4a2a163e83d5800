import FileParts
import HDRCore
import HDRPlan
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// The search for a gain map after a JPEG, on files put together here and on those of `data/images/gainmap_jpeg`.
@Suite struct JPEGGainMapTests {
  @Test func isoMetadataGoesBeforeXMP() throws {
    let source = try decodeImage(TinyJPEG.withGainMap)
    let map = try #require(source.gainMap)
    #expect(map.metadata.kind == .iso && map.metadata.alternateHeadroom == 2)
    #expect(map.bindings == ["app2-iso", "xmp", "mpf", "gcontainer"])
    #expect(samples(map.image.channels[0]) == TinyJPEG.greySamples)
    #expect(map.matrix == 6 && map.fullRange && map.alternateColor == nil)
    #expect(source.warnings.isEmpty)
  }

  @Test func metadataRequestDescribesTheMap() throws {
    let map = try #require(try decodeImage(TinyJPEG.withGainMap, request: .metadata).gainMap)
    #expect(map.image.width == 9 && map.image.model == .grey && map.image.channels.isEmpty)
  }

  @Test func aMapWithoutAnyIndexIsFoundByItsStart() throws {
    let map = splice(TinyJPEG.hdrgmSegment(max: "3.5"), into: TinyJPEG.grey)
    let source = try decodeImage(TinyJPEG.color444 + [0, 0, 0] + map)
    #expect(source.gainMap?.bindings == ["xmp", "scan"])
    #expect(source.gainMap?.metadata.max == [3.5, 3.5, 3.5])
  }

  @Test func streamsWithoutMetadataAreNoMaps() throws {
    let source = try decodeImage(TinyJPEG.color444 + TinyJPEG.grey)
    #expect(source.gainMap == nil && source.warnings.isEmpty)
  }

  @Test func anAnnouncedMapThatIsMissingIsNamed() throws {
    let primary = splice(segment(0xE2, TinyJPEG.isoIdentifier + [0, 0, 0, 0]), into: TinyJPEG.color444)
    let source = try decodeImage(primary)
    #expect(source.gainMap == nil && source.warnings.map(\.code) == ["gainmap.missing"])
  }

  @Test func brokenMetadataLeavesTheBase() throws {
    let map = splice(TinyJPEG.hdrgmSegment(max: "nan"), into: TinyJPEG.grey)
    let source = try decodeImage(TinyJPEG.color444 + map)
    #expect(source.gainMap == nil && source.warnings.map(\.code) == ["gainmap.invalid"])
    #expect(samples(source.image.channels[0]) == TinyJPEG.luma)
  }

  @Test func brokenPixelsOfTheMapLeaveTheBase() throws {
    let map = splice(TinyJPEG.hdrgmSegment(max: "3"), into: TinyJPEG.grey)
    let source = try decodeImage(TinyJPEG.color444 + map.dropLast(5))
    #expect(source.gainMap == nil && source.warnings.map(\.code) == ["gainmap.pixels"])
  }

  @Test func extendedXMPMayHoldTheProperties() throws {
    let guid = "0123456789ABCDEF0123456789ABCDEF"
    let main = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
      <rdf:Description xmlns:xmpNote="http://ns.adobe.com/xmp/note/" xmpNote:HasExtendedXMP="\(guid)"/>\
      </rdf:RDF></x:xmpmeta>
      """
    let extended = Array(TinyJPEG.hdrgmPacket(max: "2").utf8)
    func word(_ value: Int) -> [UInt8] {
      [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
    }
    func chunk(_ range: Range<Int>) -> [UInt8] {
      segment(
        0xE1,
        Array("http://ns.adobe.com/xmp/extension/\0".utf8) + Array(guid.utf8) + word(extended.count)
          + word(range.lowerBound) + extended[range])
    }
    let standard = segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(main.utf8))
    let map = splice(standard + chunk(200..<extended.count) + chunk(0..<200), into: TinyJPEG.grey)
    #expect(try decodeImage(TinyJPEG.color444 + map).gainMap?.metadata.max == [2, 2, 2])
    // Of a picture the packet has all properties, and no longer says that there are more.
    let picture = try decodeImage(map, request: .metadata), packet = String(decoding: picture.xmp ?? [], as: UTF8.self)
    #expect(picture.extras.trailers.isEmpty && packet.contains("GainMapMax") && !packet.contains("HasExtendedXMP"))
    let gap = splice(standard + chunk(0..<200) + chunk(201..<extended.count), into: TinyJPEG.grey)
    #expect(try decodeImage(TinyJPEG.color444 + gap).gainMap == nil)
  }

  // MARK: Vectors

  @Test(.enabled(if: SharedData.hasVectors, "skipped: no data"))
  func indexesAndContainersOfTheVectorsAreRead() throws {
    let file = try #require(SharedData.json("specs/gain-map-vectors.json"))
    let vectors = try #require(file["vectors"] as? [[String: Any]])
    let parse = try #require(vectors.first { $0["kind"] as? String == "mpf_parse" })
    let input = try #require(parse["in"] as? [String: Any])
    let tiff = hexBytes(try #require(input["tiff_hex"] as? String))
    var warnings: [Warning] = []
    let origin = try #require(input["tiff_header_position"] as? Int)
    let index = try #require(MultiPicture(tiff[...], origin: origin, warnings: &warnings))
    let images = try #require((parse["out"] as? [String: Any])?["images"] as? [[String: Any]])
    #expect(index.pictures.map(\.attribute) == images.map { $0["attribute"] as? Int ?? -1 })
    #expect(index.pictures.map(\.size) == images.map { $0["size"] as? Int ?? -1 })
    #expect(index.pictures.map(\.position) == images.map { $0["position"] as? Int ?? -1 })

    // The segment of the writer's vector is read as well: the stored offset counts from the TIFF header.
    let build = try #require(vectors.first { $0["kind"] as? String == "mpf" })
    let segment = hexBytes(try #require((build["out"] as? [String: Any])?["segment_hex"] as? String))
    let sizes = try #require(build["in"] as? [String: Any])
    let builtOrigin = try #require(sizes["tiff_header_position"] as? Int)
    let built = try #require(MultiPicture(segment[8...], origin: builtOrigin, warnings: &warnings))
    #expect(built.pictures.last?.position == sizes["primary_size"] as? Int)
    #expect(built.pictures.last?.size == sizes["gain_map_size"] as? Int)
    #expect(warnings.isEmpty)

    let container = try #require(vectors.first { $0["kind"] as? String == "gcontainer" })
    let directory = try #require(container["in"] as? [String: Any])
    let items = try #require(directory["items"] as? [[String: Any]]).map {
      ContainerItem(
        semantic: $0["semantic"] as? String ?? "", length: $0["length"] as? Int ?? 0,
        padding: $0["padding"] as? Int ?? 0)
    }
    let positions = containerPositions(items, primaryLength: try #require(directory["primary_length"] as? Int))
    #expect(
      positions.last?.position == (container["out"] as? [String: Any])?["gain_map_position"] as? Int)
  }

  @Test func indexesNeverTrap() {
    var warnings: [Warning] = []
    var tiff: [UInt8] = [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1, 0xB0, 2, 0, 7, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]
    #expect(MultiPicture(tiff[...], origin: 0, warnings: &warnings) == nil)
    for position in tiff.indices {
      for value in [0, 0x7F, 0xFF] as [UInt8] {
        tiff[position] = value
        for picture in MultiPicture(tiff[...], origin: 100, warnings: &warnings)?.pictures ?? [] {
          #expect(picture.position >= 0)
        }
      }
    }
    #expect(warnings.contains { $0.code == "mpf.invalid" })
  }

  // MARK: Real files

  /// File, kind, map size, channels, headrooms, first minimum, maxima, first offset, places.
  private struct Fact {
    var file: String
    var kind: GainMapKind
    var size: [Int]
    var channels: Int
    var headrooms: [Double]
    var min: Double
    var max: [Double]
    var offset: Double
    var bindings: [String]
  }

  private static let facts = [
    Fact(
      file: "gain_mapped-photo-colorful_daisies.jpg", kind: .hdrgm, size: [800, 600], channels: 3,
      headrooms: [0, 2.58496], min: 0, max: [2.58496, 2.58496, 2.58496], offset: 0,
      bindings: ["xmp", "mpf", "gcontainer"]),
    Fact(
      file: "lamps.jpg", kind: .hdrgm, size: [1020, 768], channels: 1, headrooms: [0, 2.990012], min: 0,
      max: [2.990012, 2.990012, 2.990012], offset: 0, bindings: ["xmp", "mpf", "gcontainer"]),
    Fact(
      file: "made_iso_only_a.jpg", kind: .iso, size: [320, 240], channels: 3, headrooms: [0, 3], min: -0.490638,
      max: [2.980447, 2.980447, 2.980447], offset: 1.0 / 64, bindings: ["app2-iso", "mpf"]),
    Fact(
      file: "made_uhdr_pq.jpg", kind: .iso, size: [320, 240], channels: 3, headrooms: [0, 5.622376], min: 0,
      max: [5.622376, 5.622376, 5.622376], offset: 0, bindings: ["app2-iso", "mpf"]),
    Fact(
      file: "memorial.jpg", kind: .hdrgm, size: [512, 768], channels: 3, headrooms: [0, 7.6145], min: 0,
      max: [7.6145, 7.6145, 7.6145], offset: 1.0 / 64, bindings: ["xmp", "mpf", "gcontainer"]),
    Fact(
      file: "output_uhdr_2.jpg", kind: .iso, size: [800, 533], channels: 3, headrooms: [0, 2.165108], min: -0.321928,
      max: [2.165108, 2.165108, 2.165108], offset: 1.0 / 64, bindings: ["app2-iso", "mpf"]),
    Fact(
      file: "paris_exif_xmp_icc_gainmap_bigendian.jpg", kind: .hdrgm, size: [512, 384], channels: 1,
      headrooms: [0, 3.5], min: 0, max: [3.5, 3.6, 3.7], offset: 0, bindings: ["xmp", "mpf", "gcontainer"]),
    Fact(
      file: "seine_sdr_gainmap_srgb.jpg", kind: .hdrgm, size: [400, 300], channels: 3, headrooms: [0, 1.3],
      min: -0.256907, max: [1.277177, 1.277203, 1.277969], offset: 1.0 / 64, bindings: ["xmp", "mpf"]),
    Fact(
      file: "small_uhdr.jpg", kind: .iso, size: [600, 400], channels: 3, headrooms: [0, 3.947876], min: -3.835419,
      max: [3.8396, 3.822845, 3.947876], offset: 1.0 / 64, bindings: ["app2-iso", "xmp", "mpf"]),
  ]

  @Test(.enabled(if: SharedData.hasImages, "skipped: no data"))
  func gainMapsOfRealFilesAreThoseOfTheTable() throws {
    func near(_ a: Double, _ b: Double) -> Bool { abs(a - b) < 1e-5 }
    for fact in Self.facts {
      let bytes = try #require(SharedData.bytes("data/images/gainmap_jpeg/" + fact.file), "\(fact.file)")
      let source = try decodeImage(bytes)
      let map = try #require(source.gainMap, "\(fact.file)")
      #expect(map.metadata.kind == fact.kind, "\(fact.file)")
      #expect([map.image.width, map.image.height] == fact.size, "\(fact.file)")
      #expect(map.image.channels.count == fact.channels, "\(fact.file)")
      #expect(near(map.metadata.baseHeadroom, fact.headrooms[0]), "\(fact.file)")
      #expect(near(map.metadata.alternateHeadroom, fact.headrooms[1]), "\(fact.file)")
      #expect(near(map.metadata.min[0], fact.min), "\(fact.file)")
      #expect(zip(map.metadata.max, fact.max).allSatisfy { near($0, $1) }, "\(fact.file)")
      #expect(near(map.metadata.baseOffset[0], fact.offset), "\(fact.file)")
      #expect(map.bindings == fact.bindings, "\(fact.file)")
      // Metadata alone says the same.
      let short = try decodeImage(bytes, request: .metadata)
      #expect(short.gainMap?.metadata == map.metadata && short.image.channels.isEmpty, "\(fact.file)")
      #expect(short.warnings == source.warnings, "\(fact.file)")
    }
  }

  @Test(.enabled(if: SharedData.hasImages, "skipped: no data"))
  func theProfileOfTheMapSaysTheAlternatesColour() throws {
    let bytes = try #require(SharedData.bytes("data/images/gainmap_jpeg/made_uhdr_pq.jpg"))
    let source = try decodeImage(bytes)
    let alternate = try #require(source.gainMap?.alternateColor)
    #expect(source.gainMap?.metadata.usesBaseColorSpace == false)
    #expect(alternate.encoding == .cicp(primaries: 9, transfer: 16))
    #expect(alternate.iccDescription == "Rec2020 Gamut with PQ Transfer")
    guard case .matrixTRC(let curves, _, let primaries) = source.color.encoding else {
      Issue.record("the base's profile is a matrix profile")
      return
    }
    #expect(curves == [.sRGB, .sRGB, .sRGB] && primaries == 12)
  }

  @Test(.enabled(if: SharedData.hasImages, "skipped: no data"))
  func anAppleMapHasItsTagsAndHeadroom() throws {
    let bytes = try #require(SharedData.bytes("data/images/gainmap_jpeg/apple_gainmap_new.jpg"))
    let source = try decodeImage(bytes)
    let map = try #require(source.gainMap)
    #expect(map.image.width == 192 && map.image.height == 256 && map.image.model == .grey)
    #expect(map.bindings == ["apple-xmp", "mpf"] && map.metadata.kind == .apple && source.warnings.isEmpty)
    let apple = try #require(map.metadata.apple)
    #expect(apple.headroom == 4.532783 && apple.rule == .xmp && apple.version == 131_072)
    #expect(abs((apple.tag33 ?? .nan) - 82_317.0 / 54_194) < 1e-12 && apple.tag48 == 0)
    #expect(abs(map.metadata.alternateHeadroom - 2.180397) < 1e-6)
    #expect(source.image.width == 384 && source.image.height == 512 && source.image.chroma == .s420)
    #expect(source.color.iccDescription == "Display P3")
  }
}
