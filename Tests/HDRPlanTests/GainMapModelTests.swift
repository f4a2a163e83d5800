import Foundation
import HDRCore
import HDRPlan
import TestSupport
import Testing

/// The `jhgm` payload, the list of warning codes, and the map as a picture of its own.
@Suite struct GainMapModelTests {
  // MARK: jhgm

  static let box = JHGM(
    metadata: [UInt8](1...61), colorEncoding: [9, 8], compressedICC: [7, 6, 5], codestream: [0xFF, 0x0A, 1, 2])

  @Test func jhgmBoxesReadBackAsWritten() throws {
    let bytes = try #require(Self.box.serialized)
    #expect(Array(bytes.prefix(4)) == [0, 0, 61, 1] && bytes.count == 1 + 2 + 61 + 1 + 2 + 4 + 3 + 4)
    #expect(try JHGM(parsing: bytes[...]) == Self.box)
    // A slice does not begin at 0.
    #expect(try JHGM(parsing: ([9, 9] + bytes)[2...]) == Self.box)
    let bare = JHGM(metadata: [], codestream: [])
    #expect(bare.serialized?.count == 8)
    #expect(JHGM(metadata: [UInt8](repeating: 0, count: 65_536), codestream: []).serialized == nil)
    #expect(JHGM(metadata: [], colorEncoding: [UInt8](repeating: 0, count: 256), codestream: []).serialized == nil)
  }

  @Test func cutJHGMBoxesAndOtherVersionsAreRefused() throws {
    let bytes = try #require(Self.box.serialized)
    // Everything before the codestream is needed.
    for count in 0..<bytes.count - 4 {
      #expect(throws: JHGM.ParseError.truncated) { try JHGM(parsing: bytes[..<count]) }
    }
    #expect(throws: JHGM.ParseError.unsupportedVersion(1)) { try JHGM(parsing: [1] + bytes.dropFirst()) }
    var long = bytes
    long[67] = 0xFF
    #expect(throws: JHGM.ParseError.truncated) { try JHGM(parsing: long[...]) }
  }

  /// The box of a file that cjxl made, found by its name.
  @Test(.enabled(if: SharedData.hasImages, "skipped: no data"))
  func jhgmOfAFileIsReadAndWrittenAsItIs() throws {
    let file = try #require(SharedData.bytes("data/images/jxl/made_sdrbase_jhgm.jxl"))
    var at = 0, payload: ArraySlice<UInt8>?
    while at + 8 <= file.count {
      let size = file[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      let end = size == 0 ? file.count : min(at + max(size, 8), file.count)
      if file[at + 4..<at + 8].elementsEqual("jhgm".utf8) { payload = file[at + 8..<end] }
      at = end
    }
    let bytes = try #require(payload)
    let box = try JHGM(parsing: bytes)
    #expect(box.codestream.prefix(2) == [0xFF, 0x0A])
    var warnings: [Warning] = []
    let metadata = try #require(parseISO21496(jpegPayload: box.metadata[...], warnings: &warnings))
    #expect(metadata.baseHeadroom == 0 && metadata.alternateHeadroom > 0 && warnings.isEmpty)
    #expect(box.serialized == Array(bytes))
  }

  // MARK: Codes

  @Test func everyWarningCodeIsListed() throws {
    let root = SharedData.repository.appendingPathComponent("Sources")
    let paths = try #require(FileManager.default.enumerator(atPath: root.path)).compactMap { $0 as? String }
    var used: Set<String> = []
    for path in paths where path.hasSuffix(".swift") && !path.hasSuffix("GainMapWarnings.swift") {
      let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
      for match in text.matches(of: /Warning\(\s*"(gainmap\.[a-z-]+)"/) { used.insert(String(match.1)) }
    }
    let listed = GainMapWarnings.all.map(\.code)
    #expect(Set(listed) == used)
    #expect(listed == Array(Set(listed)).sorted())
    #expect(GainMapWarnings.all.allSatisfy { !$0.meaning.isEmpty })
  }

  // MARK: Options and parts

  private func picture(turned: Orientation = .up, crop: PixelRect? = nil) -> SourceImage {
    var source = SourceImage(
      format: .memory, image: .interleaved(width: 8, height: 6, channelCount: 3, format: .uint8, bitDepth: 8),
      color: SourceColor(matrix: 0, fullRange: true, encoding: .cicp(primaries: 12, transfer: 13)),
      geometry: Geometry(crop: crop ?? PixelRect(x: 0, y: 0, width: 8, height: 6), orientation: turned))
    source.gainMap = GainMap(
      metadata: GainMapMetadata(AppleGainMap(xmpHeadroom: 4)),
      image: .interleaved(width: 4, height: 3, channelCount: 1, format: .uint8, bitDepth: 8), matrix: 6,
      fullRange: true, alternateColor: nil, bindings: ["aux"])
    return source
  }

  @Test func theMapIsAPictureOfItsOwn() throws {
    var source = picture(turned: .left)
    let map = try #require(source.auxiliaryGainMap)
    #expect(map.image.width == 4 && map.geometry == Geometry(width: 4, height: 3, orientation: .left))
    #expect(map.gainMap == nil && map.exif == nil && !map.isHDR)
    // An sRGB rendition has the map's codes: decoding and encoding cancel.
    let plan = try Planner.plan(
      map, RenderRecipe(target: OutputSignal(primaries: 1, encoding: .sdr, sink: .rgba8), gamut: .none))
    #expect(!plan.report.stageNames.contains("curve") && plan.passes[0].height == 4)
    source.gainMap = nil
    #expect(source.auxiliaryGainMap == nil)
  }

  @Test func theMapIsCroppedWithItsPicture() throws {
    let half = try #require(picture(crop: PixelRect(x: 2, y: 2, width: 4, height: 4)).auxiliaryGainMap)
    #expect(half.geometry.crop == PixelRect(x: 1, y: 1, width: 2, height: 2))
    let corner = try #require(picture(crop: PixelRect(x: 7, y: 5, width: 1, height: 1)).auxiliaryGainMap)
    #expect(corner.geometry.crop == PixelRect(x: 3, y: 2, width: 1, height: 1))
  }

  @Test func displayOptionsExcludeEachOther() {
    var recipe = RenderRecipe(target: OutputSignal(encoding: .linear, sink: .rgba16f))
    recipe.expandToHDR = true
    #expect(recipe.display == .high && recipe.expandToHDR && !recipe.toneMapHDRToSDR)
    recipe.toneMapHDRToSDR = true
    #expect(recipe.display == .standard && !recipe.expandToHDR)
    recipe.expandToHDR = false
    #expect(recipe.display == .standard)
    recipe.toneMapHDRToSDR = false
    #expect(recipe.display == .automatic)
  }

  @Test func applyingAMapFollowsTheHeadroom() throws {
    let source = picture()
    let full = try source.applyingGainMap(headroom: Headroom(stops: 5))
    #expect(full.report.gainMapWeight == 1 && abs(full.report.outputHeadroom - 4) < 1e-12)
    #expect(full.report.gainMapFormula == "apple bt709 capped" && full.report.operatorName == "gain-map")
    let none = try source.applyingGainMap(headroom: .sdr)
    #expect(none.report.gainMapWeight == 0 && none.passes.count == 1)
    // Another map, of another kind, in place of the picture's.
    var other = try #require(source.gainMap)
    other.metadata = GainMapMetadata(
      kind: .iso, baseHeadroom: 0, alternateHeadroom: 1, min: [0, 0, 0], max: [1, 1, 1])
    #expect(try source.applyingGainMap(other, headroom: Headroom(stops: 0.5)).report.gainMapWeight == 0.5)
    var plain = source
    plain.gainMap = nil
    #expect(throws: PlanError.self) { try plain.applyingGainMap(headroom: .sdr) }
  }

  /// A map without a headroom changes nothing, unless somebody states one.
  @Test func aMapWithoutHeadroomIsNotApplied() throws {
    var source = picture()
    source.gainMap?.metadata = GainMapMetadata(AppleGainMap(version: 65_536))
    var recipe = RenderRecipe(target: OutputSignal(encoding: .linear, sink: .rgba16f), display: .high)
    let plain = try Planner.plan(source, recipe)
    #expect(plain.passes.count == 1 && plain.report.gainMapWeight == nil && plain.report.operatorName == "none")
    #expect(plain.report.contentHeadroom == 1 && !source.isHDR)
    recipe.contentHeadroom = Headroom(stops: 2)
    let stated = try Planner.plan(source, recipe)
    #expect(stated.report.gainMapWeight == 1 && abs(stated.report.outputHeadroom - 4) < 1e-12)
    #expect(stated.report.contentHeadroomSource == "content-headroom")
    recipe.display = .headroom(Headroom(stops: 1))
    let half = try Planner.plan(source, recipe).report
    #expect(half.gainMapWeight == 0.5 && half.operatorName == "gain-map" && abs(half.outputHeadroom - 2) < 1e-12)
  }
}
