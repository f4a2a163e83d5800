import HDRCore
import TestSupport
import Testing

/// The output transforms of ACES 2.0 in binary64, against OpenColorIO 2.6 and values of another author.
@Suite(.enabled(if: ACESVectors.isHere, "skipped: no data")) struct ACESTests {
  /// Returns the largest difference of two lists of colours, relative to the wanted one's largest component or 1.
  static func error(_ got: [[Double]], _ want: [[Double]], least: Int = 20) -> Double {
    guard got.count == want.count, got.count >= least else { return .infinity }
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

  @Test func theModelFollowsTheVectors() throws {
    let known = ACESVectors.model, model = ACESAppearance(.aces)
    for (matrix, key) in [(model.toCones, "toLMS"), (model.toOpponents, "toAab")] {
      expectClose(matrix.rows, (known[key] as? [[Double]] ?? []).flatMap(\.self), abs: 1e-12, rel: 1e-12, key)
    }
    expectClose(ACESAppearance.cz, known.number("cz"), abs: 0, rel: 1e-12)
    // 1.0 = 100 cd/m² has the white's signal.
    let white = ACESAppearance.compressed(100 * known.number("FLn"))
    expectClose(white, known.number("AwJ"), abs: 0, rel: 1e-12)
    expectClose(ACESAppearance.luminance(ofAchromatic: 1), 100, abs: 0, rel: 1e-9)
  }

  /// Lightness, colourfulness and hue of the scene; after tones and chroma compression; after gamut compression; and
  /// R, G, B of the limit.
  @Test(arguments: ["SDR-100nit-REC709", "HDR-1000nit-P3-D65", "HDR-4000nit-REC2020"])
  func stepsFollowTheVectors(name: String) throws {
    let transform = ACESTransform(try #require(ACESOutput.all.first { $0.name == name }))
    let known = ACESVectors.stages(name), limited = try #require(known["rgb_limiting_before_clamp"] as? [[Double]])
    let scene = ACESVectors.scene, toWorking = ACESTransform.acesToWorking, back = try #require(toWorking.inverse)
    try #require(scene.count == 58 && limited.count == 58)
    for (index, aces) in scene.enumerated() {
      func expect(_ value: Double, _ key: String) {
        expectClose(value, known.numbers(key)[index], abs: 1e-5, rel: 1e-6, "\(key) of \(aces)")
      }
      let inside = (toWorking * aces).map { min(max($0, 0), transform.tones.largest) }
      let seen = transform.scene.color(back * inside), toned = transform.toned(seen)
      expect(seen.j, "J")
      expect(seen.m, "M")
      expect(toned.j, "Jts")
      expect(toned.m, "M_cp")
      // Greys have no hue.
      if seen.m > 1e-6 {
        expect(seen.hue, "h")
        expect(transform.tones.chromaNorm(cosine: seen.cosine, sine: seen.sine), "Mnorm")
      }
      let shown = transform.gamutCompressed(toned, hue: seen.hue)
      expect(shown.j, "Jc")
      expect(shown.m, "Mc")
      let rgb = transform.display.rgb(j: shown.j, m: shown.m, cosine: seen.cosine, sine: seen.sine)
      expectClose(rgb, limited[index], abs: 3e-6 * max(1, limited[index].map(abs).max() ?? 1), rel: 0, "\(aces)")
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

/// The output transforms of ACES 1 and the looks in binary64, against OpenColorIO 2.6.
@Suite(.enabled(if: ACESVectors.isHere, "skipped: no data")) struct ACES1Tests {
  @Test(arguments: ACES1Output.all.map(\.name)) func colorsFollowTheVectors(name: String) throws {
    let output = try #require(ACES1Output.all.first { $0.name == name })
    #expect(ACESTests.error(ACESVectors.scene.map { output($0) }, ACESVectors.shown(aces1: name)) < 1e-6)
  }

  @Test func looksFollowTheVectors() throws {
    let fixed = ACESVectors.scene.map { acesBlueLightFix * $0 }
    #expect(ACESTests.error(fixed, ACESVectors.looked("BLUE_LIGHT_ARTIFACT_FIX")) < 1e-6)
    let there = ACESTransform.acesToWorking, back = try #require(there.inverse)
    let compressed = ACESVectors.scene.map { back * ACESGamutCompression.reference.apply(there * $0) }
    let known = ACESVectors.looked("ACES 1.3 Reference Gamut Compression")
    #expect(ACESTests.error(compressed, known) < 1e-6)
    // Far beyond the limit all distances are nearly 1, and cannot be told apart in eight digits.
    for (scene, color) in zip(ACESVectors.scene, known) {
      let rgb = there * scene, largest = rgb.max()!
      guard rgb.allSatisfy({ largest - $0 <= 3 * abs(largest) }) else { continue }
      let open = back * ACESGamutCompression.reference.apply(there * color, isInverse: true)
      #expect(ACESTests.error([open], [scene], least: 1) < 1e-5, "\(scene): \(open)")
    }
  }
}

@Suite struct ACESViewTests {
  @Test func viewsHaveNamesOfTheirOwn() {
    #expect(ACESView.all.count == 47)
    for names in [ACESView.all.map(\.name), ACESView.all.map(\.style), ACESView.all.map(\.title)] {
      #expect(Set(names.map { $0.lowercased() }).count == 47)
    }
    for text in ["hdr1000-p3", "HDR-1000nit-P3-D65_2.0", "aces 2.0 - HDR 1000 nits (P3 D65)"] {
      #expect(ACESView.named(text)?.name == "hdr1000-p3")
    }
    #expect(ACESView.named("aces1-hdr1000")?.title == "ACES 1.1 - HDR Video (1000 nits & Rec.2020 lim)")
    #expect(ACESView.named("hdr1000") == nil)
  }

  /// Every view's title and style of the built-in configurations is one of the list's.
  @Test(.enabled(if: ACESVectors.isHere, "skipped: no data")) func titlesAreThoseOfOpenColorIO() throws {
    var found = 0
    for version in ["2.2.0_aces-v1.3_ocio-v2.4", "4.0.0_aces-v2.0_ocio-v2.5"] {
      let bytes = try #require(SharedData.bytes("data/ocio/builtin/studio-config-v\(version).ocio"))
      var title = ""
      for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
        if let name = line.firstRange(of: "    name: ") { title = String(line[name.upperBound...]) }
        guard let style = line.firstRange(of: "from_scene_reference: !<BuiltinTransform> {style: ACES-OUTPUT - ") else {
          continue
        }
        let view = try #require(ACESView.named(title), "\(title)")
        #expect(line[style.upperBound...] == "ACES2065-1_to_CIE-XYZ-D65 - \(view.style)}")
        found += 1
      }
    }
    #expect(found > 25)
  }

  @Test func peaksAndPrimariesFollowTheNames() throws {
    for (name, peak, primaries) in [
      ("sdr-709", 100.0, 1), ("sdr-p3", 100, 12), ("hdr300-p3", 300, 12), ("hdr4000-2020", 4000, 9),
      ("sdr-p3-d60-in-xyz-e", 100, 12), ("sdr-709-d60-in-2020", 100, 9), ("aces1-sdr", 100, 1),
      ("aces1-cinema", 100, 12), ("aces1-hdr2000", 2000, 9), ("aces1-hdr108-cinema", 108, 12),
    ] {
      let view = try #require(ACESView.named(name))
      #expect(abs(view.peak - peak) < 1e-9 && view.primaries == primaries, "\(name): \(view.peak), \(view.primaries)")
      #expect(view.isSDR == (peak == 100))
    }
    // Middle grey, which pairs of views are matched by.
    for (name, nits) in [("sdr-709", 10.0), ("hdr1000-p3", 14.5), ("hdr4000-p3", 16.8), ("aces1-sdr", 10.4)] {
      let view = try #require(ACESView.named(name))
      #expect(abs(100 * view.luminance(ofGrey: 0.18) - nits) < 0.1, "\(name)")
    }
    let view = try #require(ACESOutput.named(view: "sdr-709-d60-in-p3")), transform = ACESTransform(view)
    expectClose(ACESView.aces2(view).luminance(ofGrey: 0.18), transform([0.18, 0.18, 0.18])[1], abs: 0, rel: 1e-5)
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

@Suite struct ACES1InverseTests {
  /// Colours of half the saturation of their display's, from 1/500 of the peak to 95 % of it.
  @Test(arguments: ACES1Output.all) func inverseIsShownAgain(_ output: ACES1Output) throws {
    let toXYZ = try #require(ACESView.aces1(output).limit.rgbToXYZ)
    var random = SplitMix(state: 5), back = 0
    for _ in 0..<400 {
      let light = output.peak / 100 * ExactMath.exp2(-9 * random.unit())
      let shown = toXYZ * (0..<3).map { _ in light * (0.4 + 0.55 * random.unit()) }
      let scene = output.inverse(shown), again = output(scene)
      #expect(scene.allSatisfy { $0 >= 0 && $0 < 0x1p16 })
      back += zip(again, shown).allSatisfy { abs($0 - $1) < 1e-9 * output.peak } ? 1 : 0
    }
    // Beyond what projectors of DCI white show, few.
    #expect(back >= 396, "\(back) of 400")
  }

  /// White, and what is brighter, is the least light that is shown so; black is black.
  @Test func endsOfTonesAreTheirLeastLight() {
    for output in ACES1Output.all {
      #expect(output.inverse([0, 0, 0]) == [0, 0, 0])
      let white = output([1e6, 1e6, 1e6]), scene = output.inverse(white)
      let brighter = output.inverse(white.map { 2 * $0 })
      #expect(scene[1] > 10 && scene[1] < 5e4, "\(output.view)")
      #expect(zip(scene, brighter).allSatisfy { $0 <= $1 * (1 + 1e-6) }, "\(output.view)")
      for (a, b) in zip(output(scene), white) { #expect(abs(a - b) < 1e-3 * output.peak / 100, "\(output.view)") }
    }
  }
}
