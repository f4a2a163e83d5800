import BatchEngine
import Foundation
import HDRCore
import HDRPlan
import HDRRender
import ImageFiles
import TestSupport
import Testing

/// Ranges of computed gain maps, from a picture file to the adaptive file and back.
@Suite struct AdaptiveRangeTests {
  static let width = 128, height = 96

  /// Light of a PQ picture in BT.2020: soft greys, a window of 800 cd/m², and a lamp of a few pixels whose green no base
  /// in Display P3 holds.
  static func light(_ x: Int, _ y: Int) -> [Double] {
    if x == 20, (10..<14).contains(y) { return [0.01, 2, 0.01] }
    if (90..<110).contains(x), (20..<50).contains(y) { return [4, 3.9, 3.7] }
    let grey = 0.02 + 0.6 * Double(x + y) / Double(width + height)
    return [grey, 0.98 * grey, 0.95 * grey]
  }

  /// - Parameter coverage: the alpha of a column, if the file is to have alpha.
  static func photo(coverage: ((_ x: Int) -> Double)? = nil) throws -> [UInt8] {
    let image = SampleImage.interleaved(width: width, height: height, channelCount: 4, format: .uint16, bitDepth: 16)
    let plane = image.channels[0]
    for y in 0..<height {
      for x in 0..<width {
        for (channel, value) in (light(x, y) + [1]).enumerated() {
          let code = channel == 3 ? coverage?(x) ?? 1 : TransferCurve.pq.encode(value)
          plane.buffer.base.storeBytes(
            of: UInt16((code * 65_535).rounded()), toByteOffset: y * plane.rowBytes + 8 * x + 2 * channel,
            as: UInt16.self)
        }
      }
    }
    let cicp = CICP(CICP.Primaries.bt2020, CICP.Transfer.pq, CICP.Matrix.identity, full: true)
    return try encodeImage(
      EncodeRequest(
        kind: .pqPNG, image: image, hasAlpha: coverage != nil, cicp: cicp, contentHeadroom: 4, displayHeadroom: 4)
    ).main
  }

  @Test(
    "transparent pixels lie on black, for a file with a map holds no alpha",
    arguments: AdaptiveContainer.allCases.filter { $0.missing == nil })
  func transparent(container: AdaptiveContainer) throws {
    let folder = try TemporaryFolder(), path = folder.path("photo.png")
    let bytes = try Self.photo { $0 < 32 ? 0 : $0 < 64 ? 0.5 : 1 }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let output = try AdaptiveBatchTests.make(path, product: AdaptiveBatchTests.adaptive(container))
    #expect(output.record.status != .failed, "\(output.record.message ?? "")")
    let after = try decodeImage(output.bytes)
    #expect(after.image.alpha == nil && after.gainMap != nil)
    func green(_ x: Int, _ y: Int, _ headroom: Headroom) throws -> Double {
      let image = try AdaptiveBatchTests.light(after, headroom)
      let halves = image.channels[0].buffer.base.assumingMemoryBound(to: Float16.self)
      return Double(halves[4 * (y * Self.width + x) + 1])
    }
    let full = Headroom(stops: 16)
    // The lamp is not covered, in either rendition.
    #expect(abs(try green(20, 12, .sdr)) < 0.02)
    #expect(abs(try green(20, 12, full)) < 0.02)
    #expect(abs(try green(48, 70, full) - 0.5 * Self.light(48, 70)[1]) < 0.03)
    #expect(abs(try green(80, 70, full) - Self.light(80, 70)[1]) < 0.03)
  }

  @Test("a colour outside the base's primaries does not make the codes of all gains coarse")
  func outliers() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("photo.png"), bytes = try Self.photo()
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    func make(_ range: GainRange) throws -> (metadata: GainMapMetadata, decibels: Double) {
      let output = try AdaptiveBatchTests.make(
        path,
        product: AdaptiveBatchTests.adaptive(.jpeg) {
          $0.map.range = range
          $0.mapQuality = 90
        }
      ) { $0.rendition.coding.quality = 95 }
      #expect(output.record.status != .failed, "\(output.record.message ?? "")")
      let after = try decodeImage(output.bytes), full = Headroom(stops: 16)
      let light = AdaptiveBatchTests.psnr(
        try AdaptiveBatchTests.light(try decodeImage(bytes), full), try AdaptiveBatchTests.light(after, full))
      return (try #require(after.gainMap).metadata, light)
    }
    let full = try make(.full), robust = try make(GainMapOptions().range)
    func width(_ map: GainMapMetadata) -> Double { zip(map.max, map.min).map { $0 - $1 }.max() ?? 0 }
    let headroom = robust.metadata.alternateHeadroom
    #expect(headroom > 1.5 && width(full.metadata) > headroom + 4)
    #expect(width(robust.metadata) <= headroom + 1)
    #expect(robust.metadata.max.allSatisfy { $0 > headroom - 0.3 })
    #expect(robust.decibels > full.decibels)
  }
}
