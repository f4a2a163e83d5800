import FileParts
import Foundation
import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// Adaptive HDR HEIC and AVIF: structure of docs/gain-map-maths.md#containers, and everything read back unchanged.
@Suite struct AdaptiveHEIFTests {
  static let containers: [AdaptiveContainer] = [.heic, .avif]

  // MARK: - Samples

  @Test(arguments: containers, [(96, 80), (101, 67), (67, 102), (33, 31)])
  func filesOfAnySizeReadBack(container: AdaptiveContainer, size: (Int, Int)) throws {
    for base in [AdaptiveHEIF.Layout(.s420, 8), AdaptiveHEIF.Layout(.s444, 10)] {
      for map in AdaptiveHEIF.layouts {
        let request = AdaptiveHEIF.request(container, size.0, size.1, base: base, map: map)
        let files = try encodeAdaptive(request)
        let read = try decodeImage(files.main)
        #expect(files.warnings.isEmpty && read.warnings.isEmpty, "\(read.warnings)")
        #expect(read.format == container.format)
        // No crop on either: the base is as large as it says.
        #expect(read.geometry == Geometry(width: size.0, height: size.1))
        #expect(read.color.cicp == CICP(12, 13, 6, full: true) && read.color.icc == nil)
        let gainMap = try #require(read.gainMap)
        #expect(gainMap.metadata == request.metadata && gainMap.bindings.contains("tmap"))
        #expect(gainMap.matrix == 6 && gainMap.fullRange)
        #expect(gainMap.alternateColor?.cicp == CICP(12, 16, 6, full: true))
        guard case .samples(let baseImage) = request.base, case .samples(let mapImage) = request.map else { return }
        let baseDifference = AdaptiveHEIF.difference(baseImage, read.image)
        #expect(baseDifference.mean < 0.006 && baseDifference.worst < 0.06, "\(base) \(baseDifference)")
        let mapDifference = AdaptiveHEIF.difference(mapImage, gainMap.image)
        #expect(mapDifference.mean < 0.006 && mapDifference.worst < 0.06, "\(map) \(mapDifference)")
      }
    }
  }

  @Test("an Adaptive HEIF file has brand, items and references of a tmap", arguments: containers)
  func structure(container: AdaptiveContainer) throws {
    let request = AdaptiveHEIF.request(container)
    let bytes = try encodeAdaptive(request).main
    let file = try HEIFFile(bytes)
    #expect(file.brands.first == (container == .heic ? "heic" : "avif"))
    #expect(["mif1", "miaf", "tmap"].allSatisfy { file.brands.contains($0) })
    let coded: FourCC = container == .heic ? "hvc1" : "av01"
    #expect(file.primaryID == 1 && file.items.count == 3)
    #expect(file.items[1]?.type == coded && file.items[1]?.isHidden == false)
    #expect(file.items[2]?.type == "tmap" && file.items[2]?.isHidden == false)
    #expect(file.items[3]?.type == coded && file.items[3]?.isHidden == true)
    #expect(file.references.map(\.type) == ["dimg"] && file.targets("dimg", from: 2) == [1, 3])
    #expect(file.groups.map(\.type) == ["altr"] && file.groups.map(\.entities) == [[2, 1]])
    #expect(file.groups.allSatisfy { file.items[$0.id] == nil })

    let payload = Array(try file.data(of: 2))
    #expect(payload.count == 62 && payload[0] == 0)
    #expect(Array(payload.dropFirst()) == request.metadata.rawPayload)
    let base = try file.properties(of: 1), tone = try file.properties(of: 2), map = try file.properties(of: 3)
    #expect(base.width == 96 && base.height == 80 && tone.width == 96 && tone.height == 80)
    #expect(map.width == 48 && map.height == 40)
    #expect(base.nclx == CICP(12, 13, 6, full: true) && base.channelDepths == [8, 8, 8])
    #expect(tone.nclx == CICP(12, 16, 6, full: true) && tone.channelDepths == [10, 10, 10])
    #expect(map.nclx == CICP(2, 2, 6, full: true) && map.channelDepths == [8])
    #expect([base, tone, map].allSatisfy { $0.transforms.isEmpty && $0.light.isEmpty })
    // Only the decoder configurations must be understood.
    #expect((1...3).map { id in (file.associations[id] ?? []).filter(\.isEssential).count } == [1, 0, 1])
  }

  @Test(arguments: containers) func profilesLightAndMetadataAreReadBack(container: AdaptiveContainer) throws {
    var request = AdaptiveHEIF.request(container)
    let profile = try #require(ICCProfileWriter.profile(primaries: 12, transfer: 13))
    request.baseColor.icc = profile
    request.alternateColor?.icc = profile
    request.alternateDepth = 12
    request.alternateLight.clli = Writer.hdr10Light
    request.metadata = AdaptiveHEIF.metadata(channels: 3)
    request.exif = TinyExif.orientation(3, littleEndian: true)
    request.xmp = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'></x:xmpmeta>".utf8)
    let bytes = try encodeAdaptive(request).main
    let read = try decodeImage(bytes)
    #expect(read.color.icc != nil && read.color.matrix == 6)
    #expect(read.exif == TinyExif.orientation(1, littleEndian: true))
    #expect(read.xmp == request.xmp)
    #expect(read.light.clli == nil)
    #expect(read.gainMap?.metadata == request.metadata && read.gainMap?.alternateColor?.icc != nil)
    let file = try HEIFFile(bytes)
    #expect(try file.data(of: 2).count == 142)
    let base = try file.properties(of: 1), tone = try file.properties(of: 2)
    #expect(base.icc.map { Array($0) } == profile && tone.icc.map { Array($0) } == profile)
    #expect(base.nclx != nil && tone.nclx == CICP(12, 16, 6, full: true))
    #expect(tone.channelDepths == [12, 12, 12])
    #expect(tone.light.map(\.type) == ["clli"])
    #expect(read.gainMap?.alternateLight.clli == Writer.hdr10Light)
    #expect(file.sources("cdsc", to: 1).count == 2 && file.sources("cdsc", to: 2).isEmpty)
  }

  /// Base in PQ, alternate in SDR.
  @Test(arguments: containers, [ChromaSubsampling.s420, .s444])
  func baseMayBeTheHDRRendition(container: AdaptiveContainer, chroma: ChromaSubsampling) throws {
    var request = AdaptiveHEIF.request(
      container, 101, 67, base: AdaptiveHEIF.Layout(chroma, 10), map: AdaptiveHEIF.Layout(.s444, 8))
    request.baseColor = AdaptiveColor(cicp: CICP(9, 16, 9, full: true))
    request.baseLight.clli = Writer.hdr10Light
    request.alternateColor = AdaptiveColor(cicp: CICP(1, 13, 6, full: true))
    request.alternateDepth = 8
    request.metadata = AdaptiveHEIF.metadata(hdrBase: true)
    let bytes = try encodeAdaptive(request).main
    let read = try decodeImage(bytes)
    #expect(read.warnings.isEmpty)
    #expect(read.color.cicp == CICP(9, 16, 9, full: true) && read.light.clli == Writer.hdr10Light)
    #expect(read.image.bitDepth == 10 && read.image.chroma == chroma)
    #expect(read.gainMap?.metadata == request.metadata && read.gainMap?.metadata.baseIsHDR == true)
    #expect(read.gainMap?.alternateColor?.cicp == CICP(1, 13, 6, full: true))
    let file = try HEIFFile(bytes)
    #expect(file.brands.first == (container == .heic ? "heix" : "avif"))
  }

  /// Kind write_bytes of the gain-map vectors; the segment of JPEG is AdaptiveJPEGTests's.
  @Test(.enabled(if: SharedData.hasVectors, "skipped: no data"))
  func boxesHaveTheBytesOfTheVectors() throws {
    let file = try #require(SharedData.json("specs/gain-map-vectors.json")?["vectors"] as? [[String: Any]])
    let vectors = file.filter { $0["kind"] as? String == "write_bytes" }
    func bytes(_ id: String) throws -> [UInt8] {
      let vector = try #require(vectors.first { $0["id"] as? String == id })
      return hexBytes(try #require((vector["out"] as? [String: Any])?["hex"] as? String))
    }
    #expect(vectors.count == 3)
    #expect(HEIFBox.groupsList([HEIFBox.group("altr", id: 1000, members: [3, 1])]) == (try bytes("write-altr")))
    #expect(HEIFBox.reference("dimg", from: 3, to: [1, 2]) == (try bytes("write-dimg")))
  }

  @Test("colr and grid boxes have the bytes of ISO/IEC 23008-12")
  func boxes() throws {
    #expect(HEIFBox.nclx(CICP(12, 16, 6, full: true)) == hexBytes("00000013636f6c726e636c78000c0010000680"))
    #expect(HEIFBox.grid(rows: 2, columns: 3, width: 0x1234, height: 0x567) == hexBytes("0000010212340567"))
    #expect(HEIFBox.grid(rows: 1, columns: 1, width: 0x12345, height: 7) == hexBytes("000100000001234500000007"))
  }

  // MARK: - Payloads that are kept

  @Test(arguments: containers) func losslessPayloadsAreReadAsTheyWere(container: AdaptiveContainer) throws {
    let base = AdaptiveHEIF.picture(90, 70, AdaptiveHEIF.Layout(.s444, 8))
    let map = AdaptiveHEIF.picture(45, 35, AdaptiveHEIF.Layout(.none, 10))
    let request = AdaptiveHEIF.request(
      container, base: .heif(try AdaptiveHEIF.lossless(base, container, cicp: CICP(12, 13, 6, full: true))),
      map: .heif(try AdaptiveHEIF.lossless(map, container, cicp: CICP(2, 2, 6, full: true))))
    let read = try decodeImage(encodeAdaptive(request).main)
    #expect(AdaptiveHEIF.difference(base, read.image).worst == 0)
    #expect(AdaptiveHEIF.difference(map, try #require(read.gainMap?.image)).worst == 0)
  }

  @Test(arguments: containers) func payloadsComeBackOut(container: AdaptiveContainer) throws {
    let bytes = try encodeAdaptive(AdaptiveHEIF.request(container, 101, 67)).main
    let taken = try codedRenditions(bytes)
    var request = AdaptiveHEIF.request(container, base: taken.base, map: try #require(taken.map))
    request.exif = TinyExif.orientation(6, littleEndian: false)
    let again = try encodeAdaptive(request).main
    let second = try codedRenditions(again)
    #expect(AdaptiveHEIF.kept(taken.base) != nil && AdaptiveHEIF.kept(taken.map) != nil)
    #expect(AdaptiveHEIF.kept(second.base) == AdaptiveHEIF.kept(taken.base))
    #expect(AdaptiveHEIF.kept(second.map) == AdaptiveHEIF.kept(taken.map))
    // The rows are as they were, and so is what Exif says of them.
    #expect(try decodeImage(again, request: .metadata).exif == TinyExif.orientation(6, littleEndian: false))
  }

  /// Sources of other software: tiles, turns, auxiliary maps, `tmap`, grids of different layout.
  @Test(
    .enabled(if: SharedData.hasImages, "skipped: no data"),
    arguments: [
      "heic_gainmap/greyhounds-looking-for-a-table.heic", "heic_gainmap/ios18_tmap_crop_1280x1792.heic",
      "heic_gainmap/pug.heic", "heic_gainmap/made_tmap_sdrbase_rgbmap.heic", "heic_gainmap/made_libultrahdr_pq.heic",
      "avif_gainmap/seine_sdr_gainmap_srgb.avif", "avif_gainmap/seine_sdr_gainmap_srgb_icc.avif",
      "avif_gainmap/seine_hdr_gainmap_small_srgb.avif", "avif_gainmap/made_gm_sdrbase_gm400_half.avif",
    ])
  func payloadsOfOthersStayBitForBit(path: String) throws {
    let bytes = try HEIF.bytes(path)
    let taken = try codedRenditions(bytes)
    let base = try #require(AdaptiveHEIF.kept(taken.base)), map = try #require(AdaptiveHEIF.kept(taken.map))
    let container: AdaptiveContainer = path.hasSuffix("avif") ? .avif : .heic
    let request = AdaptiveHEIF.request(container, base: taken.base, map: .heif(map), mapMatrix: 2)
    let written = try encodeAdaptive(request).main
    let second = try codedRenditions(written)
    let newBase = try #require(AdaptiveHEIF.kept(second.base)), newMap = try #require(AdaptiveHEIF.kept(second.map))
    #expect(newBase == base)
    #expect(newMap.items == map.items && newMap.grid == map.grid)
    // A map gets what it lacks, colr and the turn of its base, and loses nothing.
    #expect(map.properties.allSatisfy { newMap.properties.contains($0) })

    let before = try decodeImage(bytes), after = try decodeImage(written)
    #expect(after.image.hash == before.image.hash)
    #expect(after.geometry == before.geometry)
    #expect(after.color.encoding == before.color.encoding && after.color.matrix == before.color.matrix)
    let gainMap = try #require(after.gainMap)
    #expect(gainMap.metadata == request.metadata && gainMap.image.width == map.width)
    if let old = before.gainMap { #expect(gainMap.image.hash == old.image.hash) }
    #expect(!after.warnings.contains { $0.code == "gainmap.transform" })
  }

  /// `clap` of the base, copied to a map of half the size, covers the same part.
  @Test func cropsScaleWithTheMap() throws {
    let crop = HEIFBox.clap(width: 81, height: 63, codedWidth: 90, codedHeight: 70)
    let turn: [UInt8] = [0, 0, 0, 9] + Array("irot".utf8) + [1]
    var base = try AdaptiveHEIF.lossless(
      AdaptiveHEIF.picture(90, 70, AdaptiveHEIF.Layout(.s444, 8)), .heic, cicp: CICP(12, 13, 6, full: true))
    for box in [crop, turn] { base.properties.append(HEIFCodedPicture.Property(box: box, isEssential: true)) }
    let map = AdaptiveHEIF.picture(30, 35, AdaptiveHEIF.Layout(.none, 8))
    let bytes = try encodeAdaptive(AdaptiveHEIF.request(.heic, base: .heif(base), map: .samples(map))).main
    let file = try HEIFFile(bytes)
    #expect(
      try file.properties(of: 3).transforms == [
        .crop(
          CleanAperture(
            width: .init(27, 1), height: .init(63, 2), horizontalOffset: .init(-3, 2), verticalOffset: .init(-7, 4))),
        .rotation(quarterTurns: 1),
      ])
    #expect(try file.properties(of: 2).transforms.isEmpty)
    let read = try decodeImage(bytes)
    #expect(read.geometry.outputWidth == 63 && read.geometry.outputHeight == 81)
    #expect(read.gainMap != nil)

    // A map with a turn of its own belongs to another picture.
    var turned = try AdaptiveHEIF.lossless(map, .heic, cicp: CICP(2, 2, 6, full: true))
    let other: [UInt8] = [0, 0, 0, 9] + Array("irot".utf8) + [2]
    turned.properties.append(HEIFCodedPicture.Property(box: other, isEssential: true))
    #expect(throws: EncodeError.self) {
      try encodeAdaptive(AdaptiveHEIF.request(.heic, base: .heif(base), map: .heif(turned)))
    }
  }

  @Test func payloadsOfOtherContainersAreRefused() throws {
    let image = AdaptiveHEIF.picture(64, 64, AdaptiveHEIF.Layout(.none, 8))
    for (container, other) in [(AdaptiveContainer.heic, AdaptiveContainer.avif), (.avif, .heic)] {
      let foreign = AdaptivePicture.heif(try AdaptiveHEIF.lossless(image, other, cicp: .unspecified))
      for (base, map) in [
        (foreign, .samples(image)), (.samples(image), foreign), (.jpegStream([0xFF, 0xD8]), .samples(image)),
        (AdaptivePicture.samples(image), AdaptivePicture.jpegStream([0xFF, 0xD8])),
      ] {
        #expect(throws: EncodeError.self) {
          try encodeAdaptive(AdaptiveHEIF.request(container, base: base, map: map))
        }
      }
    }
  }

  // MARK: - Taking out

  @Test(.enabled(if: SharedData.hasImages, "skipped: no data")) func alphaOfOthersIsSeen() throws {
    let bytes = try HEIF.bytes("avif_gainmap/color_grid_gainmap_different_grid.avif")
    #expect(throws: DecodeError.unsupported(feature: "taking out a picture with alpha", found: "item 14")) {
      try codedRenditions(bytes)
    }
  }

  @Test func picturesWithAlphaAreNotTakenOut() throws {
    let image = AdaptiveHEIF.picture(64, 64, AdaptiveHEIF.Layout(.none, 8))
    let coded = try AdaptiveHEIF.lossless(image, .heic, cicp: .unspecified).items[0]
    var muxer = HEIFMuxer(brands: ["heic", "mif1"])
    let items = (0..<2).map { _ in
      let item = muxer.addItem("hvc1", data: coded.data)
      muxer.setProperty(coded.configuration, essential: true, of: item)
      muxer.setProperty(HEIFBox.ispe(width: 64, height: 64), essential: false, of: item)
      return item
    }
    let plain = try codedRenditions(muxer.fileBytes())
    #expect(AdaptiveHEIF.kept(plain.base)?.items == [coded] && plain.map == nil)
    let auxC = HEIFBuilder.fullBox("auxC", Array("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha".utf8) + [0])
    muxer.setProperty(auxC, essential: true, of: items[1])
    muxer.addReference("auxl", from: items[1], to: [items[0]])
    let bytes = try muxer.fileBytes()
    #expect(throws: DecodeError.unsupported(feature: "taking out a picture with alpha", found: "item 2")) {
      try codedRenditions(bytes)
    }
  }

  @Test func tilesUsedTwiceAreNotTakenOut() throws {
    let image = AdaptiveHEIF.picture(64, 64, AdaptiveHEIF.Layout(.none, 8))
    let coded = try AdaptiveHEIF.lossless(image, .heic, cicp: .unspecified).items[0]
    var muxer = HEIFMuxer(brands: ["heic", "mif1"])
    let payload = HEIFBox.grid(rows: 1, columns: 2, width: 128, height: 64)
    let grid = muxer.addItem("grid", data: payload, storage: .itemData)
    muxer.setProperty(HEIFBox.ispe(width: 128, height: 64), essential: false, of: grid)
    let tile = muxer.addItem("hvc1", data: coded.data, isHidden: true)
    muxer.setProperty(coded.configuration, essential: true, of: tile)
    muxer.setProperty(HEIFBox.ispe(width: 64, height: 64), essential: false, of: tile)
    muxer.addReference("dimg", from: grid, to: [tile, tile])
    let bytes = try muxer.fileBytes()
    #expect(try decodeImage(bytes).image.width == 128)
    #expect(throws: DecodeError.unsupported(feature: "taking out a grid", found: "tiles used twice")) {
      try codedRenditions(bytes)
    }
  }

  /// Cut anywhere and with any byte changed: an error or a result, never more.
  @Test(arguments: containers) func brokenFilesEndInErrors(container: AdaptiveContainer) throws {
    let bytes = try encodeAdaptive(AdaptiveHEIF.request(container, 65, 67)).main
    let media = try #require(Writer.position(of: Array("mdat".utf8), in: bytes))
    var refused = 0
    for end in 0..<media { if (try? codedRenditions(Array(bytes.prefix(end)))) == nil { refused += 1 } }
    // Nothing before the end of `meta` is enough.
    #expect(refused >= media - 8)
    for at in 0..<media {
      for value: UInt8 in [0, 1, 0x7F, 0xFF] {
        var changed = bytes
        changed[at] = value
        if let taken = try? codedRenditions(changed), case .heif(let base) = taken.base {
          #expect(base.items.reduce(0) { $0 + $1.data.count } <= bytes.count)
        }
      }
    }
  }

  @Test(.enabled(if: SharedData.hasMalformed, "skipped: no data")) func malformedFilesAreHarmless() throws {
    var tried = 0
    for name in HEIF.list("data/malformed") {
      guard let bytes = SharedData.bytes("data/malformed/" + name) else { continue }
      if HEIFDecoder.recognizes(bytes.prefix(64)) {
        tried += 1
        _ = try? codedRenditions(bytes)
      }
    }
    #expect(tried > 0)
  }

  // MARK: - Foreign eyes

  @Test(.enabled(if: Writer.tool("exiftool") != nil, "skipped: no exiftool"), arguments: containers)
  func exifToolSeesASoundFile(container: AdaptiveContainer) throws {
    var request = AdaptiveHEIF.request(container, 101, 67)
    request.exif = TinyExif.orientation(1, littleEndian: true)
    let text = try Writer.run(
      try #require(Writer.tool("exiftool")), ["-s", "-validate", "-all", "%"], on: encodeAdaptive(request).main,
      suffix: container.rawValue)
    func value(_ tag: String) -> String? {
      text.split(separator: "\n").first { $0.hasPrefix(tag + " ") }?
        .split(separator: ":", maxSplits: 1).last?.trimmingCharacters(in: .whitespaces)
    }
    #expect(value("FileType") == container.rawValue.uppercased())
    #expect(value("CompatibleBrands")?.contains("tmap") == true)
    #expect(value("PrimaryItemReference") == "1")
    #expect(value("ImageSpatialExtent") == "101x67" && value("ImageWidth") == "101")
    #expect(value("Orientation") == "Horizontal (normal)")
    #expect(value("Validate") == "OK", "\(text)")
  }

  @Test(.enabled(if: Writer.tool("heif-info") != nil, "skipped: no heif-info"), arguments: [(96, 80), (101, 67)])
  func libheifSeesTheBase(size: (Int, Int)) throws {
    let bytes = try encodeAdaptive(AdaptiveHEIF.request(.heic, size.0, size.1)).main
    let text = try Writer.run(try #require(Writer.tool("heif-info")), ["%"], on: bytes, suffix: "heic")
    #expect(text.contains("image: \(size.0)x\(size.1)") && text.contains("primary"))
    #expect(text.contains("tmap"))
  }
}
