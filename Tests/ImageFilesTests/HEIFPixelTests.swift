import HDRCore
import ImageFiles
import TestSupport
import Testing

/// Planes against other decoders.
@Suite(.enabled(if: SharedData.hasImages, "skipped: no data"))
struct HEIFPixelTests {
  /// Hashes of all samples of base and map (0: no map). They were taken when every plane had been compared, sample by
  /// sample, with FFmpeg's HEVC decoder (PyAV 18.1, tiles joined by hand) or with avifdec 0.11.1 (base of AVIF files):
  /// 209 022 694 samples, none different; Apple's auxiliary maps with libheif (pillow-heif, turned back). Maps in AVIF and kimono (avifdec refuses its crop) stand on dav1d alone.
  @Test(
    arguments: [
      ("heic_hdr/Canon.HIF", 0xDC43603E7352C729, 0),
      ("heic_hdr/RGB_10__29x100.heif", 0x15FE99386ACAB522, 0),
      ("heic_hdr/cat.hif", 0x82D01D242371B65F, 0),
      ("heic_hdr/galaxy_s24fe_hdrgm_xmp_no_map.heic", 0x31AA1BD6EC475B3A, 0),
      ("heic_hdr/img_751.heic", 0x5A8FCDE07FF124EF, 0),
      ("heic_hdr/made_hlg_bt2020_10bit_420.heic", 0x81A75F9C8022DAB7, 0),
      ("heic_hdr/made_hlg_bt2020_10bit_444_lossless.heic", 0x9E47749D65D2099, 0),
      ("heic_hdr/made_pq_bt2020_10bit_420.heic", 0x2562FC96975FC1A8, 0),
      ("heic_gainmap/DJI_1_0226_D.heic", 0x8A8A6A71317FE720, 0x40C6C18D18962E6),
      ("heic_gainmap/aux_YCbCr.heic", 0x37A6B054A398C6B9, 0xE3DF163915DD6DC0),
      ("heic_gainmap/greyhounds-looking-for-a-table.heic", 0xFF1F0E1A41120A56, 0xD428E654D377FFE8),
      ("heic_gainmap/ios18_tmap_crop_1280x1792.heic", 0x467887E35354AAE0, 0x114586D93F26A668),
      ("heic_gainmap/made_libultrahdr_pq.heic", 0x3411190268AF6118, 0x6EC24B7E80A604C3),
      ("heic_gainmap/made_tmap_sdrbase_rgbmap.heic", 0xE4CD719EA246B871, 0x751F5A88092D42E9),
      ("heic_gainmap/pug.heic", 0xAFEF99151570C57, 0x9B969D962D6FE8EA),
      ("avif_hdr/10bit-HDR-P3-nclx.avif", 0xD1B495B7D67CB0A, 0),
      ("avif_hdr/cosmos1650_yuv444_10bpc_p3pq.avif", 0xD9BF183256FBFDD1, 0),
      ("avif_hdr/fox.profile2.12bpc.yuv444.avif", 0x8A4336CA0BD404F3, 0),
      ("avif_hdr/kimono.mirror-vertical.rotate270.crop.avif", 0xC1B6A320A0B2E1F, 0),
      ("avif_hdr/made_hlg_bt2020_12bit_444.avif", 0x3B9994953F02B72A, 0),
      ("avif_hdr/made_pq_bt2020_10bit_420_lim_clli.avif", 0xD448AF0C6036452F, 0),
      ("avif_hdr/red-at-12-oclock-with-color-profile-10bpc.avif", 0x4F140742AF20B003, 0),
      ("avif_hdr/seine_hdr_rec2020.avif", 0x265D4F691069C36B, 0),
      ("avif_hdr/sofa_grid1x5_420.avif", 0xAA7C0BDEDF9CBB08, 0),
      ("avif_gainmap/color_grid_gainmap_different_grid.avif", 0x278E6B74D50887D5, 0x930C14DE3534470D),
      ("avif_gainmap/colors_hdr_p3.avif", 0xD01AD1F1EB49056B, 0xED95DD482D1024B3),
      ("avif_gainmap/made_gm_sdrbase_gm400_half.avif", 0x55C068C5577354C6, 0xBBB8AE78D0060624),
      ("avif_gainmap/seine_hdr_gainmap_small_srgb.avif", 0xBD5A935AD0E622E9, 0x515166D3ADB265C2),
      ("avif_gainmap/seine_sdr_gainmap_srgb.avif", 0xD4209F764AD750CF, 0x1A033A69FC651D0B),
      ("avif_gainmap/seine_sdr_gainmap_srgb_icc.avif", 0xA35DE4A8AA270360, 0x17ED0D6AB13931A5),
      ("avif_gainmap/supported_gainmap_writer_version_with_extra_bytes.avif", 0x8AF10AFED6BC0E96, 0),
      ("avif_gainmap/unsupported_gainmap_version.avif", 0x8AF10AFED6BC0E96, 0),
    ] as [(String, UInt64, UInt64)])
  func planesAreThoseOfAnotherDecoder(path: String, base: UInt64, map: UInt64) throws {
    let source = try HEIF.read(path)
    #expect(source.image.hash == base)
    #expect((source.gainMap?.image.hash ?? 0) == map)
  }

  /// R'G'B' codes of libheif 1.23.6, which takes the nearest chroma sample. Bound: 1 code everywhere (rounding); 0 where
  /// no matrix is involved.
  @Test(arguments: [
    ("heic_hdr/Canon.HIF", "codes", 1.0), ("heic_hdr/RGB_10__29x100.heif", "codes", 1),
    ("heic_hdr/cat.hif", "codes", 1), ("heic_hdr/galaxy_s24fe_hdrgm_xmp_no_map.heic", "codes", 1),
    ("heic_hdr/img_751.heic", "codes", 1), ("heic_hdr/made_hlg_bt2020_10bit_420.heic", "codes", 1),
    ("heic_hdr/made_hlg_bt2020_10bit_444_lossless.heic", "codes", 0),
    ("heic_hdr/made_pq_bt2020_10bit_420.heic", "codes", 1), ("heic_gainmap/DJI_1_0226_D.heic", "base-codes", 1),
    ("heic_gainmap/aux_YCbCr.heic", "base-codes", 1),
    ("heic_gainmap/greyhounds-looking-for-a-table.heic", "base-codes", 1),
    ("heic_gainmap/ios18_tmap_crop_1280x1792.heic", "base-codes", 1),
    ("heic_gainmap/made_libultrahdr_pq.heic", "base-codes", 1),
    ("heic_gainmap/made_tmap_sdrbase_rgbmap.heic", "base-codes", 1), ("heic_gainmap/pug.heic", "base-codes", 1),
  ])
  func heicAgreesWithLibheif(path: String, kind: String, bound: Double) throws {
    let source = try HEIF.read(path)
    let map = source.geometry.mapping
    let errors = try compare(path, "libheif-1.23.6.\(kind)", source.image, source.color, nearest: true) { x, y in
      (map.x0 + x * map.columnX + y * map.rowX, map.y0 + x * map.columnY + y * map.rowY)
    }
    #expect(percentile(errors, 1) <= bound)
  }

  @Test(arguments: ["heic_gainmap/aux_YCbCr.heic", "heic_gainmap/ios18_tmap_crop_1280x1792.heic"])
  func mapsAgreeWithLibheif(path: String) throws {
    let map = try #require(try HEIF.read(path).gainMap)
    let color = SourceColor(
      matrix: map.matrix, fullRange: map.fullRange, encoding: .cicp(primaries: 1, transfer: 8))
    let errors = try compare(path, "libheif-1.23.6.map-codes", map.image, color, nearest: true) { ($0, $1) }
    #expect(percentile(errors, 1) == 0)
  }

  /// R'G'B' codes of libavif 1.4.0 in stored orientation. 4:4:4: equal. 4:2:0: its chroma filter (libyuv, centred) is not
  /// ours, so the bounds are a median of 0 and a 95th percentile of 4 codes.
  @Test(arguments: [
    ("10bit-HDR-P3-nclx", 0.0), ("cosmos1650_yuv444_10bpc_p3pq", 0), ("fox.profile2.12bpc.yuv444", 0),
    ("made_hlg_bt2020_12bit_444", 0), ("seine_hdr_rec2020", 0), ("kimono.mirror-vertical.rotate270.crop", 4),
    ("made_pq_bt2020_10bit_420_lim_clli", 4), ("red-at-12-oclock-with-color-profile-10bpc", 4), ("sofa_grid1x5_420", 4),
  ])
  func avifAgreesWithLibavif(name: String, bound: Double) throws {
    let path = "avif_hdr/\(name).avif"
    let source = try HEIF.read(path)
    let errors = try compare(path, "libavif-1.4.0.codes", source.image, source.color, nearest: false) { ($0, $1) }
    #expect(percentile(errors, 0.5) == 0)
    #expect(percentile(errors, 0.95) <= bound)
    if bound == 0 { #expect(percentile(errors, 1) == 0) }
  }

  private func compare(
    _ path: String, _ tool: String, _ image: SampleImage, _ color: SourceColor, nearest: Bool,
    stored: (Int, Int) -> (Int, Int)
  ) throws -> [Double] {
    let name = String(path.split(separator: "/").last ?? "")
    let table = try #require(OracleTable("\(name).\(tool).tsv"))
    let peak = Double(1 << image.bitDepth - 1)
    return table.rows.flatMap { row -> [Double] in
      let (x, y) = stored(row.x, row.y)
      let codes = image.rgbCodes(x, y, matrix: color.matrix, fullRange: color.fullRange, nearest: nearest)
      return row.values.prefix(3).enumerated().map { channel, expected in
        abs(min(max(codes[min(channel, codes.count - 1)], 0), peak).rounded() - expected)
      }
    }
  }
}
