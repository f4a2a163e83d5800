import FileParts
import HDRCore
import HDRPlan
import ImageFiles
import TestSupport
import Testing

/// Facts of real files: data/images/MANIFEST.tsv, libavif, libheif and ExifTool.
@Suite(.enabled(if: SharedData.hasImages, "skipped: no data"))
struct HEIFFileTests {
  struct Facts: Sendable, CustomTestStringConvertible {
    var path: String
    var width: Int
    var height: Int
    var depth: Int
    var chroma: ChromaSubsampling
    /// Code points the file states; `nil` for none.
    var cicp: CICP?
    var matrix: Int
    var fullRange: Bool
    var icc: String?
    var orientation = Orientation.up
    var hasMap = false
    /// Part of the one warning that is expected.
    var warning: String?
    var testDescription: String { path }
  }

  static let p3 = "Display P3"
  static let samsung = "DCI-P3 D65 Gamut with sRGB Transfer"

  static let files: [Facts] = [
    Facts(
      path: "heic_hdr/Canon.HIF", width: 2400, height: 1600, depth: 10, chroma: .s422, cicp: CICP(9, 16, 9, full: true),
      matrix: 9, fullRange: true),
    Facts(
      path: "heic_hdr/RGB_10__29x100.heif", width: 29, height: 100, depth: 10, chroma: .s420,
      cicp: CICP(2, 2, 6, full: true), matrix: 6, fullRange: true),
    Facts(
      path: "heic_hdr/cat.hif", width: 4240, height: 2832, depth: 10, chroma: .s422, cicp: CICP(1, 13, 5, full: true),
      matrix: 5, fullRange: true),
    Facts(
      path: "heic_hdr/galaxy_s24fe_hdrgm_xmp_no_map.heic", width: 4000, height: 1848, depth: 8, chroma: .s420,
      cicp: CICP(5, 1, 5, full: true), matrix: 5, fullRange: true, icc: samsung),
    Facts(
      path: "heic_hdr/img_751.heic", width: 1008, height: 756, depth: 8, chroma: .s420,
      cicp: CICP(2, 2, 6, full: true), matrix: 6, fullRange: true, icc: p3),
    Facts(
      path: "heic_hdr/made_hlg_bt2020_10bit_420.heic", width: 320, height: 240, depth: 10, chroma: .s420,
      cicp: CICP(9, 18, 9, full: true), matrix: 9, fullRange: true),
    Facts(
      path: "heic_hdr/made_hlg_bt2020_10bit_444_lossless.heic", width: 320, height: 240, depth: 10, chroma: .s444,
      cicp: CICP(9, 18, 0, full: true), matrix: 0, fullRange: true),
    Facts(
      path: "heic_hdr/made_pq_bt2020_10bit_420.heic", width: 320, height: 240, depth: 10, chroma: .s420,
      cicp: CICP(9, 16, 9, full: true), matrix: 9, fullRange: true),
    Facts(
      path: "heic_gainmap/DJI_1_0226_D.heic", width: 6000, height: 4500, depth: 8, chroma: .s420,
      cicp: CICP(2, 2, 6, full: true), matrix: 6, fullRange: true, icc: p3, hasMap: true),
    Facts(
      path: "heic_gainmap/aux_YCbCr.heic", width: 4000, height: 1848, depth: 8, chroma: .s420,
      cicp: CICP(5, 6, 5, full: true), matrix: 5, fullRange: true, icc: samsung, hasMap: true),
    Facts(
      path: "heic_gainmap/greyhounds-looking-for-a-table.heic", width: 4032, height: 3024, depth: 8, chroma: .s420,
      cicp: CICP(12, 1, 6, full: true), matrix: 6, fullRange: true, icc: p3, orientation: .left,
      hasMap: true),
    Facts(
      path: "heic_gainmap/ios18_tmap_crop_1280x1792.heic", width: 1280, height: 1792, depth: 8, chroma: .s420,
      cicp: CICP(12, 1, 6, full: true), matrix: 6, fullRange: true, icc: p3, hasMap: true),
    Facts(
      path: "heic_gainmap/made_libultrahdr_pq.heic", width: 320, height: 240, depth: 8, chroma: .s444,
      cicp: CICP(12, 1, 6, full: true), matrix: 6, fullRange: true, icc: "Display P3 Gamut with sRGB Transfer",
      hasMap: true),
    Facts(
      path: "heic_gainmap/made_tmap_sdrbase_rgbmap.heic", width: 320, height: 240, depth: 8, chroma: .s420,
      cicp: CICP(12, 13, 6, full: true), matrix: 6, fullRange: true, hasMap: true),
    Facts(
      path: "heic_gainmap/pug.heic", width: 4032, height: 3024, depth: 8, chroma: .s420,
      cicp: CICP(2, 2, 6, full: true), matrix: 6, fullRange: true, icc: p3, hasMap: true),
    Facts(
      path: "avif_hdr/10bit-HDR-P3-nclx.avif", width: 3681, height: 5594, depth: 10, chroma: .s444,
      cicp: CICP(12, 16, 6, full: true), matrix: 6, fullRange: true),
    Facts(
      path: "avif_hdr/cosmos1650_yuv444_10bpc_p3pq.avif", width: 1024, height: 428, depth: 10, chroma: .s444,
      cicp: CICP(12, 16, 12, full: true), matrix: 12, fullRange: true),
    Facts(
      path: "avif_hdr/fox.profile2.12bpc.yuv444.avif", width: 1204, height: 800, depth: 12, chroma: .s444,
      cicp: CICP(1, 13, 9, full: false), matrix: 9, fullRange: false),
    Facts(
      path: "avif_hdr/kimono.mirror-vertical.rotate270.crop.avif", width: 1024, height: 722, depth: 8, chroma: .s420,
      cicp: CICP(1, 13, 9, full: false), matrix: 9, fullRange: false, orientation: .leftMirrored),
    Facts(
      path: "avif_hdr/made_hlg_bt2020_12bit_444.avif", width: 320, height: 240, depth: 12, chroma: .s444,
      cicp: CICP(9, 18, 9, full: true), matrix: 9, fullRange: true),
    Facts(
      path: "avif_hdr/made_pq_bt2020_10bit_420_lim_clli.avif", width: 320, height: 240, depth: 10, chroma: .s420,
      cicp: CICP(9, 16, 9, full: false), matrix: 9, fullRange: false),
    Facts(
      path: "avif_hdr/red-at-12-oclock-with-color-profile-10bpc.avif", width: 800, height: 800, depth: 10,
      chroma: .s420,
      cicp: CICP(1, 13, 1, full: false), matrix: 1, fullRange: false, icc: "ColorSpin"),
    Facts(
      path: "avif_hdr/seine_hdr_rec2020.avif", width: 400, height: 300, depth: 10, chroma: .s444,
      cicp: CICP(9, 16, 9, full: true), matrix: 9, fullRange: true),
    Facts(
      path: "avif_hdr/sofa_grid1x5_420.avif", width: 1024, height: 770, depth: 8, chroma: .s420,
      cicp: CICP(1, 13, 6, full: true), matrix: 6, fullRange: true),
    Facts(
      path: "avif_gainmap/color_grid_gainmap_different_grid.avif", width: 512, height: 600, depth: 10, chroma: .s444,
      cicp: CICP(2, 16, 2, full: true), matrix: 6, fullRange: true, hasMap: true, warning: "gainmap.aspect"),
    Facts(
      path: "avif_gainmap/colors_hdr_p3.avif", width: 200, height: 200, depth: 10, chroma: .s444,
      cicp: CICP(12, 16, 6, full: true), matrix: 6, fullRange: true, hasMap: true),
    Facts(
      path: "avif_gainmap/made_gm_sdrbase_gm400_half.avif", width: 320, height: 240, depth: 8, chroma: .s444,
      cicp: CICP(12, 13, 6, full: true), matrix: 6, fullRange: true, hasMap: true),
    Facts(
      path: "avif_gainmap/seine_hdr_gainmap_small_srgb.avif", width: 400, height: 300, depth: 10, chroma: .s444,
      cicp: CICP(1, 16, 6, full: true), matrix: 6, fullRange: true, hasMap: true),
    Facts(
      path: "avif_gainmap/seine_sdr_gainmap_srgb.avif", width: 400, height: 300, depth: 8, chroma: .s444,
      cicp: CICP(1, 13, 6, full: true), matrix: 6, fullRange: true, hasMap: true),
    Facts(
      path: "avif_gainmap/seine_sdr_gainmap_srgb_icc.avif", width: 400, height: 300, depth: 8, chroma: .s444,
      cicp: CICP(2, 2, 6, full: true), matrix: 6, fullRange: true, icc: "sRGB IEC61966-2.1", hasMap: true),
    Facts(
      path: "avif_gainmap/supported_gainmap_writer_version_with_extra_bytes.avif", width: 100, height: 100, depth: 10,
      chroma: .s444, cicp: CICP(2, 16, 2, full: true), matrix: 6, fullRange: true, warning: "gainmap.invalid"),
    Facts(
      path: "avif_gainmap/unsupported_gainmap_version.avif", width: 100, height: 100, depth: 10, chroma: .s444,
      cicp: CICP(2, 16, 2, full: true), matrix: 6, fullRange: true, warning: "gainmap.version"),
  ]

  @Test(arguments: files)
  func headersSayWhatTheManifestSays(_ facts: Facts) throws {
    let source = try HEIF.read(facts.path, .metadata)
    #expect(source.format == (facts.path.hasSuffix(".avif") ? .avif : .heic))
    #expect(source.image.width == facts.width && source.image.height == facts.height)
    #expect(source.image.bitDepth == facts.depth)
    #expect(source.image.format == (facts.depth == 8 ? .uint8 : .uint16))
    #expect(source.image.chroma == facts.chroma)
    #expect(source.image.model == .ycc)
    #expect(source.image.channels.isEmpty)
    #expect(source.color.cicp == facts.cicp)
    #expect(source.color.matrix == facts.matrix && source.color.fullRange == facts.fullRange)
    #expect(source.color.iccDescription == facts.icc)
    #expect((source.color.icc != nil) == (facts.icc != nil))
    #expect(source.geometry.orientation == facts.orientation)
    #expect((source.gainMap != nil) == facts.hasMap)
    #expect(source.warnings.map(\.code) == (facts.warning.map { [$0] } ?? []))
  }

  @Test func everyValidFileIsListed() throws {
    let listed = Set(Self.files.map(\.path))
    for folder in HEIF.folders {
      for name in try HEIF.names(in: folder) where name != "hdr-clli-mdcv.avif" {
        #expect(listed.contains("\(folder)/\(name)"))
      }
    }
  }

  @Test func pqAndHLGWinOverEverything() throws {
    #expect(try encoding("heic_hdr/Canon.HIF") == .cicp(primaries: 9, transfer: 16))
    #expect(try encoding("avif_hdr/made_hlg_bt2020_12bit_444.avif") == .cicp(primaries: 9, transfer: 18))
    // Unspecified primaries beside PQ.
    #expect(
      try encoding("avif_gainmap/color_grid_gainmap_different_grid.avif") == .cicp(primaries: 9, transfer: 16))
    // An ICC profile beside an nclx that says 12/1.
    if case .cicp = try encoding("heic_gainmap/made_libultrahdr_pq.heic") {
      Issue.record("the ICC profile was not used")
    }
  }

  private func encoding(_ path: String) throws -> ColorEncoding { try HEIF.read(path, .metadata).color.encoding }

  @Test func cropAndTurnApplyTogether() throws {
    let geometry = try HEIF.read("avif_hdr/kimono.mirror-vertical.rotate270.crop.avif", .metadata).geometry
    // clap 330x385 with centre offsets -308 and 103: left 512 - 165 - 308 = 39, top (722 - 385) / 2 + 103 = 271.5.
    #expect(geometry.crop == PixelRect(x: 39, y: 272, width: 330, height: 385))
    #expect(geometry.outputWidth == 385 && geometry.outputHeight == 330)
  }

  @Test func lightMetadataIsRead() throws {
    let light = try HEIF.read("avif_hdr/hdr-clli-mdcv.avif", .metadata).light
    #expect(light.clli == ContentLightLevel(maxCLL: 4000, maxFALL: 1000))
    let mdcv = try #require(light.mdcv)
    let bt2020 = [
      Chromaticity(0.708, 0.292), Chromaticity(0.17, 0.797), Chromaticity(0.131, 0.046), Chromaticity(0.3127, 0.329),
    ]
    #expect(mdcv.primaries == bt2020)
    #expect(mdcv.maxLuminance == 4000 && mdcv.minLuminance == 0.005)
    #expect(
      try HEIF.read("avif_hdr/seine_hdr_rec2020.avif", .metadata).light.clli
        == ContentLightLevel(maxCLL: 703, maxFALL: 165))
    #expect(
      try HEIF.read("heic_gainmap/DJI_1_0226_D.heic", .metadata).light.clli
        == ContentLightLevel(maxCLL: 203, maxFALL: 64))
    // Its AV1 payload is broken: the headers can be read, the picture cannot.
    #expect(throws: DecodeError.self) { try HEIF.read("avif_hdr/hdr-clli-mdcv.avif") }
  }

  @Test("Exif and XMP items are found")
  func findsExifAndXMP() throws {
    let seine = try HEIF.read("avif_gainmap/seine_sdr_gainmap_srgb.avif", .metadata)
    // 15695 bytes with the offset field.
    #expect(seine.exif?.count == 15_691)
    #expect(seine.xmp?.count == 42_292)
    for path in ["heic_hdr/Canon.HIF", "heic_hdr/cat.hif", "heic_gainmap/pug.heic", "heic_gainmap/aux_YCbCr.heic"] {
      let exif = try #require(try HEIF.read(path, .metadata).exif)
      #expect([[0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A]].contains(Array(exif.prefix(4))))
    }
  }

  // MARK: - Gain maps

  @Test(arguments: [
    ("avif_gainmap/seine_sdr_gainmap_srgb.avif", 400, 300, ChromaSubsampling.s444, 0.0, 1.3),
    ("avif_gainmap/seine_hdr_gainmap_small_srgb.avif", 200, 150, .s444, 1.3, 0),
    ("avif_gainmap/color_grid_gainmap_different_grid.avif", 128, 160, .s420, 3, 0),
    ("avif_gainmap/made_gm_sdrbase_gm400_half.avif", 160, 120, .none, 0, 2.99885),
    ("heic_gainmap/ios18_tmap_crop_1280x1792.heic", 640, 896, .none, 0, 2.787109),
    ("heic_gainmap/aux_YCbCr.heic", 1000, 462, .s420, 0, 2.3),
    ("heic_gainmap/made_libultrahdr_pq.heic", 320, 240, .s420, 0, 5.622376),
    ("heic_gainmap/made_tmap_sdrbase_rgbmap.heic", 160, 120, .s444, 0, 3),
  ])
  func gainMapsOfRealFilesHaveTheirSizesAndHeadrooms(
    path: String, width: Int, height: Int, chroma: ChromaSubsampling, base: Double, alternate: Double
  )
    throws
  {
    let map = try #require(try HEIF.read(path).gainMap)
    #expect(map.image.width == width && map.image.height == height && map.image.chroma == chroma)
    #expect(map.image.channels.count == (chroma == .none ? 1 : 3))
    #expect(map.image.bitDepth == 8)
    #expect(map.matrix == 6 && map.fullRange)
    #expect(abs(map.metadata.baseHeadroom - base) < 1e-5)
    #expect(abs(map.metadata.alternateHeadroom - alternate) < 1e-5)
    let hasBoth = path.contains("ios18") || path.contains("aux_YCbCr")
    #expect(map.bindings == (hasBoth ? ["tmap", "aux"] : ["tmap"]))
    #expect(map.metadata.kind == .iso && map.metadata.apple == nil)
  }

  /// Headroom, rule, size of the map, tags, version, by ExifTool.
  struct AppleFacts: Sendable {
    var path: String
    var headroom: Double
    var rule: AppleGainMap.Rule
    var width: Int
    var height: Int
    var tag33: Double
    var tag48: Double?
    var version: Int
  }

  @Test(arguments: [
    AppleFacts(
      path: "heic_gainmap/DJI_1_0226_D.heic", headroom: 3.482202, rule: .xmp, width: 6000, height: 4500, tag33: 0,
      tag48: 0, version: 131_072),
    AppleFacts(
      path: "heic_gainmap/greyhounds-looking-for-a-table.heic", headroom: 3.4822022531844965, rule: .makerNote,
      width: 2016, height: 1512, tag33: 0.8432090282, tag48: 0, version: 65_536),
    AppleFacts(
      path: "heic_gainmap/pug.heic", headroom: 3.4822022531844965, rule: .makerNoteTag33, width: 2016, height: 1512,
      tag33: 22_307.0 / 25_388, tag48: nil, version: 65_536),
  ])
  func appleMapsOfRealFilesHaveTheirTagsAndHeadrooms(_ facts: AppleFacts) throws {
    let map = try #require(try HEIF.read(facts.path).gainMap)
    #expect(map.image.width == facts.width && map.image.height == facts.height)
    #expect(map.image.model == .grey && map.image.bitDepth == 8 && map.fullRange)
    #expect(map.metadata.kind == .apple && map.bindings == ["aux"])
    #expect(map.metadata.usesBaseColorSpace && map.metadata.baseHeadroom == 0)
    let apple = try #require(map.metadata.apple)
    #expect(apple.headroom == facts.headroom && apple.rule == facts.rule && apple.version == facts.version)
    #expect(abs((apple.tag33 ?? .nan) - facts.tag33) < 1e-9 && apple.tag48 == facts.tag48)
    #expect(try HEIF.read(facts.path, .metadata).gainMap?.metadata == map.metadata)
  }

  /// Base turned, map turned alike: one geometry, that of the base.
  @Test func aTurnedMapIsStoredAsItsBase() throws {
    let source = try HEIF.read("heic_gainmap/greyhounds-looking-for-a-table.heic", .metadata)
    let map = try #require(source.gainMap)
    #expect(source.image.width == 2 * map.image.width && source.geometry.orientation == .left)
    #expect(source.geometry.outputWidth == 3024 && source.warnings.isEmpty)
  }

  /// Codes of the darkest and lightest sample of pug.heic's map: 0 and 102, by libheif.
  @Test("codes of pug.heic's map reach from 0 to 102")
  func rangeOfPugsMap() throws {
    let plane = try #require(try HEIF.read("heic_gainmap/pug.heic").gainMap?.image.channels.first)
    var low = 255, high = 0
    for y in stride(from: 0, to: plane.height, by: 1) {
      for x in stride(from: 0, to: plane.width, by: 1) {
        let code = plane.value(x, y)
        (low, high) = (min(low, code), max(high, code))
      }
    }
    #expect(low == 0 && high == 102)
  }

  /// Early Adobe: HDR base, SDR alternate, `hdrgm` in the XMP of the auxiliary picture.
  @Test func adobesAuxiliaryMapHasAnHDRBase() throws {
    let source = try HEIF.read("avif_gainmap/colors_hdr_p3.avif")
    let map = try #require(source.gainMap)
    #expect(map.metadata.kind == .hdrgm && map.bindings == ["aux", "xmp"])
    #expect(map.metadata.baseIsHDR && map.metadata.baseHeadroom == 1.2 && map.metadata.alternateHeadroom == 0)
    #expect(map.image.channels.count == 3 && map.image.bitDepth == 10 && source.warnings.isEmpty)
    #expect(source.isHDRTransfer)
  }

  @Test func mapsOfSeineHaveTheirRowsAndColours() throws {
    let sdr = try #require(try HEIF.read("avif_gainmap/seine_sdr_gainmap_srgb.avif", .metadata).gainMap)
    let min: [Double] = [-256_907 / 1_000_000, -52_273 / 200_000, -70_071 / 250_000]
    let gamma: [Double] = [119_223 / 125_000, 188_219 / 200_000, 459_711 / 500_000]
    #expect(sdr.metadata.min == min)
    #expect(sdr.metadata.gamma == gamma)
    #expect(sdr.metadata.usesBaseColorSpace && !sdr.metadata.baseIsHDR)
    #expect(sdr.alternateColor?.cicp == CICP(1, 16, 6, full: true))
    let hdr = try #require(try HEIF.read("avif_gainmap/seine_hdr_gainmap_small_srgb.avif", .metadata).gainMap)
    #expect(!hdr.metadata.usesBaseColorSpace && hdr.metadata.baseIsHDR)
    #expect(hdr.alternateColor?.encoding == .cicp(primaries: 1, transfer: 13))
  }

  /// Native codes of base and map at four pixels by libavif, one code of rounding either way.
  @Test(arguments: [
    (10, 10, [217.0, 218, 223], [206.0, 207, 212]), (200, 150, [40, 41, 45], [155, 159, 168]),
    (390, 290, [184, 170, 159], [0, 0, 2]), (120, 60, [216, 220, 223], [208, 213, 217]),
  ])
  func codesOfSeineAreThoseOfLibavif(x: Int, y: Int, base: [Double], map: [Double]) throws {
    let source = try HEIF.read("avif_gainmap/seine_sdr_gainmap_srgb.avif")
    let gainMap = try #require(source.gainMap)
    let baseCodes = source.image.rgbCodes(x, y, matrix: 6, fullRange: true, nearest: true)
    let mapCodes = gainMap.image.rgbCodes(x, y, matrix: 6, fullRange: true, nearest: true)
    for channel in 0..<3 {
      #expect(abs(baseCodes[channel].rounded() - base[channel]) <= 1)
      #expect(abs(max(mapCodes[channel].rounded(), 0) - map[channel]) <= 1)
    }
  }

  @Test("an alpha auxiliary is read in its own depth")
  func readsAlpha() throws {
    let source = try HEIF.read("avif_gainmap/color_grid_gainmap_different_grid.avif")
    let alpha = try #require(source.image.alpha)
    #expect(alpha.width == 512 && alpha.height == 600)
    #expect(source.image.alphaBitDepth == 10 && source.image.alphaFormat == .uint16)
    #expect(!source.image.alphaIsPremultiplied)
    // Facts and samples come from headers and codec apart; they must agree.
    #expect(alpha.value(0, 0) <= 1023)
  }
}
