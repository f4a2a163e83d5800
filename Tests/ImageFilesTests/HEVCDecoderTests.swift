import Foundation
import HDRCore
import ImageFiles
import TestSupport
import Testing

/// libavcodec against libde265: the same samples of every picture, and nothing made up by either.
@Suite struct HEVCDecoderTests {
  static let hasBoth = avcodecMissing() == nil

  static let files: [String] = {
    let examples = SharedData.repository.appendingPathComponent("Examples").path
    let own = ["citadel-pq.heic", "temple.heic"].map { examples + "/" + $0 }
    let shared = ["heic_hdr", "heic_gainmap"].flatMap { folder in
      HEIF.list("data/images/" + folder).map { SharedData.root.path + "/data/images/" + folder + "/" + $0 }
    }
    return own + shared
  }()

  private static func decode(_ bytes: [UInt8], _ decoder: HEVCDecoder) throws(DecodeError) -> SourceImage {
    try decodeImage(bytes, limits: DecodeLimits(hevcDecoder: decoder))
  }

  /// Base, alpha and gain map.
  private static func hashes(_ source: SourceImage) -> [UInt64] {
    var alpha: UInt64 = 0
    source.image.alpha?.hash(into: &alpha)
    return [source.image.hash, alpha, source.gainMap?.image.hash ?? 0]
  }

  private static func expectSame(_ bytes: [UInt8], _ name: String) throws {
    let one = try decode(bytes, .libavcodec), other = try decode(bytes, .libde265)
    #expect(hashes(one) == hashes(other), "\(name)")
    #expect(one.image.bitDepth == other.image.bitDepth && one.warnings == other.warnings, "\(name)")
    #expect(one.decoder?.hasPrefix("libavcodec ") == true && other.decoder?.hasPrefix("libde265 ") == true, "\(name)")
    #expect(try decode(bytes, .automatic).decoder == one.decoder, "\(name)")
  }

  @Test(.enabled(if: hasBoth, "skipped: no libavcodec"), arguments: files)
  func realPicturesAreTheSame(path: String) throws {
    try Self.expectSame([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))), path)
  }

  private static func file(_ image: SampleImage, _ settings: HEVCEncoder.Settings) throws -> [UInt8] {
    let coded = try HEVCEncoder.encode(image, cicp: CICP(9, 16, 9, full: true), settings: settings)
    var muxer = HEIFMuxer(brands: ["heix", "mif1"])
    let item = muxer.addItem("hvc1", data: coded.data)
    muxer.setProperty(HEIFBox.hvcC(coded.configuration), essential: true, of: item)
    muxer.setProperty(HEIFBox.ispe(width: coded.width, height: coded.height), essential: false, of: item)
    return try muxer.fileBytes()
  }

  @Test(
    .enabled(if: hasBoth, "skipped: no libavcodec"), arguments: [(2, 70), (63, 65), (130, 75), (257, 191)],
    [ChromaSubsampling.s420, .s444])
  func madePicturesAreTheSame(size: (Int, Int), chroma: ChromaSubsampling) throws {
    let image = Writer.planar(size.0, size.1, chroma)
    for settings in [
      HEVCEncoder.Settings(quality: 30), HEVCEncoder.Settings(quality: 97),
      HEVCEncoder.Settings(quality: 50, isLossless: true),
    ] {
      try Self.expectSame(try Self.file(image, settings), "\(size) \(chroma) \(settings)")
    }
  }

  /// The units of the primary picture's data, as ranges of the file that begin with their four bytes of length.
  private static func units(_ bytes: [UInt8]) throws -> [Range<Int>] {
    let file = try HEIFFile(bytes)
    let data = try file.data(of: file.targets("dimg", from: file.primaryID).first ?? file.primaryID)
    var units: [Range<Int>] = [], position = data.startIndex
    while position + 4 <= data.endIndex {
      let length = data[position..<(position + 4)].reduce(0) { $0 << 8 | Int($1) }
      units.append(position..<(position + 4 + length))
      position += 4 + length
    }
    return units
  }

  /// A file with tiles of two slices: without one of them half a tile is missing, and no decoder may fill it.
  @Test(.enabled(if: hasBoth && SharedData.hasImages, "skipped: no libavcodec or no data"), arguments: [true, false])
  func aMissingSliceIsAnError(isFirst: Bool) throws {
    var bytes = try HEIF.bytes("heic_hdr/cat.hif")
    let slices = try Self.units(bytes).filter { bytes[$0.lowerBound + 4] >> 1 & 63 < 32 }
    try #require(slices.count == 2)
    // Filler data (H.265 table 7-1, type 38) in its place.
    bytes[slices[isFirst ? 0 : 1].lowerBound + 4] = 38 << 1
    #expect(throws: DecodeError.self) { try Self.decode(bytes, .libavcodec) }
  }

  /// A 4:2:2 stream takes residuals of luma, which H.265 forbids: libavcodec leaves out half of its chroma.
  @Test(.enabled(if: hasBoth, "skipped: no libavcodec"))
  func chromaThatNobodyWroteIsAnError() throws {
    let path = SharedData.repository.appendingPathComponent("Fuzz/regressions/hevc/luma-into-422-chroma")
    var rest = try Data(contentsOf: path)[...], units: [[UInt8]] = []
    while rest.count > 2 {
      let count = Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
      units.append([UInt8](rest.dropFirst(2).prefix(count)))
      rest = rest.dropFirst(2 + count)
    }
    let sets = units.dropLast(), slice = try #require(units.last)
    func counted(_ unit: [UInt8]) -> [UInt8] { [UInt8(unit.count >> 8), UInt8(unit.count & 255)] + unit }
    // hvcC of ISO/IEC 14496-15 clause 8.3.3.1.2: 4:2:2, 10 bits, lengths of two bytes.
    var configuration: [UInt8] = [1, 4, 8, 0, 0, 0, 0x9d, 8, 0, 0, 0, 0, 30, 0xf0, 0, 0xfc, 0xfe, 0xfa, 0xfa]
    configuration += [0, 0, 0x0d, 3]
    for unit in sets { configuration += [0x80 | unit[0] >> 1, 0, 1] + counted(unit) }
    var muxer = HEIFMuxer(brands: ["heix", "mif1"])
    let item = muxer.addItem("hvc1", data: counted(slice))
    muxer.setProperty(HEIFBox.hvcC(configuration), essential: true, of: item)
    muxer.setProperty(HEIFBox.ispe(width: 50, height: 38), essential: false, of: item)
    let file = try muxer.fileBytes()
    #expect {
      try Self.decode(file, .libavcodec)
    } throws: {
      "\($0)".contains("cross-component")
    }
  }

  /// Damaged slices end with an error or a picture, of the same size, with either library, in bounded time.
  @Test(.enabled(if: hasBoth && SharedData.hasImages, "skipped: no libavcodec or no data"))
  func damagedSlicesEndWell() throws {
    let bytes = try HEIF.bytes("heic_hdr/made_pq_bt2020_10bit_420.heic")
    let slice = try #require(try Self.units(bytes).max { $0.count < $1.count })
    var state: UInt64 = 7
    var refused = (0, 0)
    for _ in 0..<60 {
      var changed = bytes
      for _ in 0..<3 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        changed[slice.lowerBound + 6 + Int(state >> 33) % (slice.count - 6)] = UInt8(truncatingIfNeeded: state >> 25)
      }
      let one = try? Self.decode(changed, .libavcodec), other = try? Self.decode(changed, .libde265)
      if one == nil { refused.0 += 1 }
      if other == nil { refused.1 += 1 }
      if let one { #expect(one.image.width == 320 && one.image.channels.count == 3) }
    }
    #expect(refused.0 > 0 && refused.1 > 0, "\(refused)")
  }

  @Test(.enabled(if: !hasBoth, "skipped: libavcodec is here"))
  func aDemandedLibraryThatIsMissingIsNamed() throws {
    let bytes = try Self.file(Writer.planar(64, 64, .s420), HEVCEncoder.Settings(quality: 50))
    #expect(throws: DecodeError.unsupported(feature: "HEVC decoder libavcodec", found: avcodecMissing() ?? "")) {
      try Self.decode(bytes, .libavcodec)
    }
    #expect(try Self.decode(bytes, .automatic).decoder?.hasPrefix("libde265 ") == true)
  }
}
