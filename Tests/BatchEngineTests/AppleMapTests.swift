import CPURender
import Foundation
import HDRCore
import HDRPlan
import HDRRender
import ImageFiles
import TestSupport
import Testing

/// Apple's auxiliary gain map beside `tmap`.
@Suite(.enabled(if: OutputKind.pqHEIC.isAvailable))
struct AppleMapTests {
  static let temple = SharedData.repository.appendingPathComponent("Examples/temple.heic").path

  /// A map of three channels, made anew: the file's own Apple map is of other pixels.
  static let product = AdaptiveBatchTests.adaptive(.heic) { ($0.writesAppleMap, $0.recomputes) = (true, true) }

  /// Decodes a file as a reader does that does not know ISO 21496-1.
  static func asSeenByOldReaders(_ bytes: [UInt8]) throws -> SourceImage {
    var bytes = bytes
    let name = Array("tmap".utf8)
    for at in bytes.indices.dropLast(3) where Array(bytes[at..<at + 4]) == name { bytes[at] = UInt8(ascii: "m") }
    return try decodeImage(bytes)
  }

  /// Logarithms of the light at full headroom, every 29th pixel.
  static func light(_ source: SourceImage) throws -> [Double] {
    let image = try AdaptiveBatchTests.light(source, source.gainMap!.metadata.maxHeadroom)
    let halves = image.channels[0].buffer.base.assumingMemoryBound(to: Float16.self)
    return stride(from: 0, to: image.width * image.height, by: 29).map { log2(max(Double(halves[4 * $0 + 1]), 1e-3)) }
  }

  @Test func oldReadersSeeTheSameLight() throws {
    let output = try AdaptiveBatchTests.make(
      Self.temple, product: Self.product)
    #expect(output.record.status != .failed, "\(output.record.message ?? "")")
    let new = try decodeImage(output.bytes), old = try Self.asSeenByOldReaders(output.bytes)
    #expect(new.gainMap?.metadata.kind == .iso && new.gainMap?.bindings == ["tmap", "aux"])
    let apple = try #require(old.gainMap?.metadata.apple)
    #expect(apple.version == 131_072 && apple.rule == .xmp)
    let headroom = try #require(new.gainMap).metadata.alternateHeadroom
    #expect(abs(log2(try #require(apple.headroom)) - headroom) < 1e-6)
    // One gain for three in 8 bits of another formula, and without the offsets of ours: dark light differs most.
    let differences = zip(try Self.light(new), try Self.light(old)).map { abs($0 - $1) }.sorted()
    let (middle, most) = (differences[differences.count / 2], differences[differences.count * 95 / 100])
    #expect(differences.count > 1000 && middle < 0.2 && most < 0.7, "\(middle) \(most)")
  }

  @Test func anExistingMapIsKeptWithItsPixels() throws {
    let first = try AdaptiveBatchTests.make(
      Self.temple, product: Self.product)
    let folder = try TemporaryFolder()
    let path = folder.path("first.heic")
    try Data(first.bytes).write(to: URL(fileURLWithPath: path))
    func apple(_ bytes: [UInt8]) throws -> AppleMapItem? {
      guard case .heif = try codedRenditions(bytes).base else { return nil }
      return try codedRenditions(bytes).appleMap
    }
    let again = try AdaptiveBatchTests.make(path, product: AdaptiveBatchTests.adaptive(.heic))
    let kept = try #require(try apple(again.bytes)), made = try #require(try apple(first.bytes))
    guard case .heif(let a) = kept.picture, case .heif(let b) = made.picture else {
      Issue.record("not coded")
      return
    }
    #expect(a.items == b.items && kept.xmp == made.xmp && made.xmp != nil)
    // Where the pixels are new, the map would be of others.
    let edited = try AdaptiveBatchTests.make(path, product: AdaptiveBatchTests.adaptive(.heic)) {
      $0.rendition.recipe.edits = [FilterStep("exposure", ["ev": .number(-1)])]
    }
    let lost = try apple(edited.bytes)
    #expect(edited.record.status != .failed && lost == nil)
  }

  /// Codes against the formulas in binary64, one and three channels.
  @Test func codesFollowTheFormula() {
    var metadata = GainMapMetadata(kind: .iso, baseHeadroom: 0, alternateHeadroom: 3, min: [0, 0, 0], max: [3, 3, 3])
    metadata.gamma = [2, 2, 2]
    let grey = SampleImage.planar(width: 256, height: 1, model: .grey, format: .uint8, bitDepth: 8)
    for x in 0..<256 { grey.channels[0].buffer.base.storeBytes(of: UInt8(x), toByteOffset: x, as: UInt8.self) }
    let maker = AppleMapMaker(metadata: metadata, color: .gainMap()), made = maker.picture(grey)
    for x in 0..<256 {
      let gain = pow(2, 3 * (Double(x) / 255).squareRoot()), wanted = Transfer.bt709OETF((gain - 1) / 7) * 255
      let code = (made.channels[0].buffer.base + made.channels[0].offset + x).load(as: UInt8.self)
      #expect(abs(Double(code) - wanted) <= 1, "\(x)")
    }
    // Planes of matrix 0 are G, B, R: a gain of green counts most.
    metadata.gamma = [1, 1, 1]
    let planes = SampleImage.planar(width: 3, height: 1, model: .ycc, format: .uint8, bitDepth: 8, chroma: .s444)
    for (x, channel) in [(0, 2), (1, 0), (2, 1)] {
      planes.channels[channel].buffer.base.storeBytes(
        of: 255, toByteOffset: planes.channels[channel].offset + x, as: UInt8.self)
    }
    let row = AppleMapMaker(metadata: metadata, color: CICP(2, 2, 0, full: true)).picture(planes).channels[0]
    let codes = (0..<3).map { Double((row.buffer.base + row.offset + $0).load(as: UInt8.self)) / 255 }
    for (code, weight) in zip(codes, Primaries.bt709.luminance) {
      expectClose(AppleMapTransfer.bt709.decode(code), weight, abs: 6e-3, rel: 0)
    }
  }
}
