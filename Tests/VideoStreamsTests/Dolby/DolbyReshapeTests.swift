import HDRCore
import TestSupport
import Testing
import VideoStreams

/// Reshaping against points in double precision, which are within 1 code of libplacebo.
@Suite(.enabled(if: DolbySamples.areHere, "skipped: no ../shared/data/video")) struct DolbyReshapeTests {
  private typealias Fields = [String: Any]

  private static func reshape(_ name: String) throws -> DolbyReshape {
    let vector = try #require((DolbySamples.vectors?["dolby"] as? Fields)?[name] as? Fields)
    var state = DolbyState()
    return try state.read(
      DolbySamples.bytes(hex: try #require(vector["rpu_hex"] as? String))[...], startsOver: true
    ).reshape
  }

  private static func codes(_ point: Fields) throws -> SIMD3<Float> {
    let codes = try #require(point["code"] as? [Int])
    return SIMD3(Float(codes[0]), Float(codes[1]), Float(codes[2]))
  }

  /// Returns the largest difference of PQ signals in ten-bit codes.
  private static func difference(_ reshape: DolbyReshape, _ point: Fields) throws -> Double {
    let light = reshape.light(try codes(point)), expected = try #require(point["pq"] as? [Double])
    return (0..<3).map { abs(Transfer.pqInverseEOTF(10_000 * max(Double(light[$0]), 0)) - expected[$0]) * 1023 }.max()!
  }

  @Test("reshaped light is within half a code of double precision", arguments: ["p5-real", "p5-mmr", "p84", "p81"])
  func reshapedLightIsThatOfDoublePrecision(name: String) throws {
    let reshape = try Self.reshape(name)
    let vector = try #require((DolbySamples.vectors?["dolby"] as? Fields)?[name] as? Fields)
    let points = try #require(vector["points"] as? [Fields])
    #expect(points.count >= 14)
    for point in points {
      let reshaped = reshape.reshaped(try Self.codes(point)), expected = try #require(point["reshaped"] as? [Double])
      for index in 0..<3 { #expect(abs(Double(reshaped[index]) - expected[index]) < 2e-6) }
      #expect(try Self.difference(reshape, point) < 0.05)
    }
  }

  @Test(
    "pixels of clips are within half a code of double precision",
    arguments: [("dv-p5.mp4", "p5-real"), ("dv-p5-mmr.mp4", "p5-mmr"), ("dv-p84.mov", "p84"), ("dv-p81.mp4", "p81")])
  func pixelsOfClipsAreThoseOfDoublePrecision(clip: String, rpu: String) throws {
    let reshape = try Self.reshape(rpu)
    let pixels = try #require((DolbySamples.vectors?["clip_pixels"] as? Fields)?[clip] as? Fields)
    for point in try #require(pixels["points"] as? [Fields]) { #expect(try Self.difference(reshape, point) < 0.1) }
  }

  @Test("a code that is a pivot belongs to the piece above")
  func pivotsBelongToThePieceAbove() throws {
    // Pieces 1.1 c - 0.2 c² below 256, 0.0125 + c from there.
    let reshape = try Self.reshape("p5-mmr")
    func luma(_ code: Float) -> Double { Double(reshape.reshaped(SIMD3(code, 512, 512))[0]) }
    let below = 255.0 / 1023, pivot = 256.0 / 1023, between = 255.5 / 1023
    #expect(abs(luma(255) - (1.1 * below - 0.2 * below * below)) < 1e-6)
    #expect(abs(luma(256) - (0.0125 + pivot)) < 1e-6)
    #expect(abs(luma(255.5) - (1.1 * between - 0.2 * between * between)) < 1e-6)
  }

  @Test("tables hold no subnormal numbers and results stay within 0 and 1")
  func tablesAndResultsAreBounded() throws {
    for name in ["full", "float", "no-residual"] {
      var state = DolbyState()
      let reshape = try state.read(MadeRPU.bytes(name)[...], startsOver: true).reshape
      #expect(reshape.table.count == DolbyReshape.Layout.count)
      #expect(reshape.table.allSatisfy { $0 == 0 || $0.isNormal })
      for code in [0, 0.25, 1, 511, 700, 1023, 4095] as [Float] {
        for signal in [reshape.signal(SIMD3(code, 1, 1023)), reshape.signal(SIMD3(3, code, code))] {
          #expect((0..<3).allSatisfy { (0...1).contains(signal[$0]) })
        }
      }
    }
  }
}
