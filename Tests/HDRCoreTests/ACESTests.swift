import HDRCore
import TestSupport
import Testing

/// The output transforms of ACES 2.0 in binary64, against OpenColorIO 2.6 and values of another author.
@Suite(.enabled(if: ACESVectors.isHere, "skipped: no data")) struct ACESTests {
  /// Returns the largest difference of two lists of colours, relative to the wanted one's largest component or 1.
  static func error(_ got: [[Double]], _ want: [[Double]]) -> Double {
    guard got.count == want.count, got.count > 20 else { return .infinity }
    return zip(got, want).map { a, b in
      zip(a, b).map { abs($0 - $1) }.max()! / max(1, b.map(abs).max()!)
    }.reduce(0) { $1 <= $0 ? $0 : $1 }
  }

  /// The vectors print eight digits.
  @Test(arguments: ACESOutput.all.map(\.name)) func colorsFollowTheVectors(name: String) throws {
    let transform = ACESTransform(try #require(ACESOutput.all.first { $0.name == name }))
    let shown = ACESVectors.scene.map { transform($0) }
    #expect(Self.error(shown, ACESVectors.shown(name, "ref")) < 1e-7)
    #expect(Self.error(shown, ACESVectors.shown(name, "ocio")) < 2e-5)
    let inverse = ACESVectors.inverse(name)
    #expect(Self.error(inverse.shown.map(transform.inverse), inverse.scene) < 3e-4)
  }

  @Test(arguments: ACESOutput.all.map(\.name)) func numbersFollowTheVectors(name: String) throws {
    let output = try #require(ACESOutput.all.first { $0.name == name })
    let tones = ACESTransform(output).tones, known = ACESVectors.parameters(name)
    for (key, value) in [
      ("scale_white", output.whiteScale), ("linear_scale", output.linearScale), ("J_max", tones.jMax),
      ("mid_J", tones.jMiddle), ("s_2", tones.s2), ("m_2", tones.m2), ("u_2", tones.u2), ("sat", tones.saturation),
      ("sat_thr", tones.saturationThreshold), ("compr", tones.compression), ("chroma_scale", tones.chromaScale),
      ("focus_dist", tones.focus), ("lower_gamma_inv", tones.lowerExponent), ("ap1_upper", tones.largest),
    ] {
      expectClose(value, known.number(key), abs: 0, rel: 1e-11, key)
    }
  }

  /// Searches end within a step of OpenColorIO's, which has tables for each peak and gamut.
  @Test(.enabled(if: ACESVectors.hasTables, "skipped: no data"), arguments: ACESOutput.all.map(\.name))
  func tablesFollowOpenColorIO(name: String) throws {
    let output = try #require(ACESOutput.all.first { $0.name == name })
    let first = try #require(ACESOutput.all.first { $0.peak == output.peak && $0.limit == output.limit })
    let tables = ACESTransform(output).tables, known = try #require(ACESVectors.tables(first.name))
    expectClose(tables.hues, known.numbers("hue"), abs: 1e-4, rel: 0)
    expectClose(tables.cusps.map(\.j), known.numbers("cusp_J"), abs: 5e-4, rel: 0)
    expectClose(tables.cusps.map(\.m), known.numbers("cusp_M"), abs: 6e-4, rel: 0)
    expectClose(tables.cusps.map(\.exponent), known.numbers("gamma_top_inv"), abs: 2e-4, rel: 0)
    expectClose(tables.reach, known.numbers("reach_M"), abs: 0.007, rel: 0)
  }
}

@Suite struct ACESOutputTests {
  @Test func outputsAreThirtyOneWithNamesOfTheirOwn() {
    #expect(ACESOutput.all.count == 31)
    #expect(Set(ACESOutput.all.map(\.name)).count == 31 && Set(ACESOutput.all.map(\.view)).count == 31)
    #expect(ACESOutput.named(view: "hdr1000-p3")?.name == "HDR-1000nit-P3-D65")
    #expect(ACESOutput.named(view: "sdr-p3-d60-in-xyz-e")?.encoding == nil)
  }

  /// Luminances in cd/m² of middle grey and of a perfect diffuser, and the D65 grey that both have.
  @Test(arguments: [("sdr-709", 10.0, 45.8), ("hdr500-p3", 13.2, 89.1), ("hdr1000-p3", 14.5, 106.6)])
  func greysHaveTheLuminancesOfTheRelease(view: String, middle: Double, diffuser: Double) throws {
    let transform = ACESTransform(try #require(ACESOutput.named(view: view)))
    for (light, nits) in [(0.18, middle), (1, diffuser)] {
      let shown = transform([light, light, light])
      #expect(abs(shown[1] * 100 - nits) < 0.06)
      let white = Primaries.xyz(Primaries.d65)
      for channel in 0..<3 { expectClose(shown[channel], white[channel] * shown[1], abs: 0, rel: 1e-5) }
    }
    #expect(transform([0, 0, 0]) == [0, 0, 0] && transform([-1, -1, -1]) == [0, 0, 0])
  }

  @Test func inverseReturnsColorsInsideTheGamut() throws {
    let transform = ACESTransform(try #require(ACESOutput.named(view: "hdr1000-p3")))
    for color in [[0.18, 0.18, 0.18], [0.4, 0.2, 0.1], [0.15, 0.2, 0.25], [2, 1.5, 1]] {
      expectClose(transform.inverse(transform(color)), color, abs: 1e-9, rel: 1e-4)
    }
  }
}
