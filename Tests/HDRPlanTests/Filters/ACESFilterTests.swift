import HDRCore
import HDRPlan
import TestPlans
import TestSupport
import Testing

@Suite struct ACESFilterTests {
  @Test(
    arguments: [("sdr-709", nil, 100.0), ("hdr1000-p3", nil, 203), ("hdr500-2020", 100, 100)]
      as [(String, Double?, Double)])
  func lightFollowsTheViewOverItsWhite(view: String, white: Double?, level: Double) throws {
    var values: [String: FilterValue] = ["view": .word(view)]
    values["white"] = white.map { .number($0) }
    let transform = ACESTransform(try #require(ACESOutput.named(view: view)))
    // Colours inside BT.2020, where ACES has no step.
    let picture = FilterPicture(width: 40, height: 20) { x, y in
      let light = ExactMath.exp2(Double(x) / 4 - 6), turn = Double(y) / 20
      return SIMD4(light, light * (0.3 + 0.7 * turn), light * (1 - 0.7 * turn), 1)
    }
    let there = try #require(Primaries.bt2020.matrix(to: .aces))
    let back = try #require(Primaries.bt2020.rgbToXYZ?.inverse)
    let halves = try picture.edited(FilterStep("exposure"))
    let result = try picture.edited(FilterStep("aces-output", values))
    result.expectColors(of: halves, 1e-4) { color in (back * (100 / level)) * transform(there * color) }
  }

  @Test func theViewsPeakIsTheHeadroom() throws {
    let picture = FilterPicture(width: 1, height: 1) { _, _ in SIMD4(60_000, 60_000, 60_000, 1) }
    let bright = try picture.edited(FilterStep("aces-output", ["view": .word("hdr1000-p3")]))
    #expect(abs(bright[0, 0].x - 1000 / 203) < 0.05)
    #expect(abs(try picture.edited(FilterStep("aces-output"))[0, 0].x - 0.9976) < 0.003)
  }

  /// Colours of ACES2065-1 in binary32, from their own primaries through the filter to binary32.
  @Test(.enabled(if: ACESVectors.isHere, "skipped: no data"), arguments: ACES1Output.all.map(\.name))
  func viewsOfACES1FollowTheVectors(name: String) throws {
    let output = try #require(ACES1Output.all.first { $0.name == name })
    let picture = LinearPicture(colors: ACESVectors.scene, primaries: .aces)
    let shown = try picture.edited(
      FilterStep("aces-output", ["view": .word(output.view), "white": .number(100)]))
    let toXYZ = try #require(Primaries.bt2020.rgbToXYZ), known = ACESVectors.shown(aces1: name)
    #expect(shown.count == 58 && known.count == 58)
    for (color, wanted) in zip(shown, known) {
      let made = toXYZ * color, most = max(1, wanted.map(abs).max()!)
      #expect(zip(made, wanted).allSatisfy { abs($0 - $1) < 5e-6 * most }, "\(made), \(wanted)")
    }
  }

  /// Light of a display becomes a scene that the view shows like it.
  @Test(arguments: ACES1Output.all.map(\.view)) func viewsOfACES1ComeBack(name: String) throws {
    let view = try #require(ACESView.named(name)), output = try #require(ACES1Output.all.first { $0.view == name })
    let toXYZ = try #require(view.limit.rgbToXYZ), toBT2020 = try #require(view.limit.matrix(to: .bt2020))
    let fromACES = try #require(Primaries.aces.matrix(to: .bt2020))
    var random = SplitMix(state: 3)
    let shown = (0..<200).map { _ -> [Double] in
      let light = view.peak / 100 * ExactMath.exp2(-9 * random.unit())
      return (0..<3).map { _ in Double(Float(light * (0.4 + 0.55 * random.unit()))) }
    }
    let values: [String: FilterValue] = ["view": .word(name), "white": .number(100)]
    let picture = LinearPicture(colors: shown, primaries: view.limit)
    let scene = try picture.edited(FilterStep("aces-inverse", values))
    let again = try picture.edited(FilterStep("aces-inverse", values), FilterStep("aces-output", values))
    var compared = 0
    for (index, color) in shown.enumerated() {
      let known = output.inverse(toXYZ * color), back = output(known)
      // Few are more saturated than projectors of DCI white show anything.
      guard zip(back, toXYZ * color).allSatisfy({ abs($0 - $1) < 1e-6 }) else { continue }
      let wanted = fromACES * known, most = max(1e-2, wanted.map(abs).max()!)
      #expect(zip(scene[index], wanted).allSatisfy { abs($0 - $1) < 5e-5 * most }, "\(scene[index]), \(wanted)")
      expectClose(again[index], toBT2020 * color, abs: 6e-6 * view.peak / 100, rel: 0)
      compared += 1
    }
    #expect(compared > 190)
  }

  @Test(.enabled(if: ACESVectors.isHere, "skipped: no data"))
  func looksFollowTheVectorsAndComeBack() throws {
    let picture = LinearPicture(colors: ACESVectors.scene, primaries: .aces)
    let back = try #require(Primaries.bt2020.matrix(to: .aces))
    for (filter, name) in [
      ("aces-gamut-compress", "ACES 1.3 Reference Gamut Compression"),
      ("aces-blue-light-fix", "BLUE_LIGHT_ARTIFACT_FIX"),
    ] {
      let inverse = FilterStep(filter, ["inverse": .flag(true)])
      let made = try picture.edited(FilterStep(filter)), again = try picture.edited(FilterStep(filter), inverse)
      let known = ACESVectors.looked(name)
      #expect(made.count == 58 && known.count == 58)
      for (index, wanted) in known.enumerated()
      where !ACESVectors.isNoise(ACESTransform.acesToWorking * ACESVectors.scene[index]) {
        let most = max(1, wanted.map(abs).max()!), scene = ACESVectors.scene[index]
        #expect(zip(back * made[index], wanted).allSatisfy { abs($0 - $1) < 1e-5 * most }, "\(name): \(wanted)")
        // All distances far beyond the limit are 1, nearly.
        if scene.max()! > 0 && scene.min()! > -scene.max()! {
          let returned = back * again[index]
          #expect(zip(returned, scene).allSatisfy { abs($0 - $1) < 1e-4 * most }, "\(name): \(returned), \(scene)")
        }
      }
    }
  }

  @Test func inverseGivesTheSceneBack() throws {
    let picture = FilterPicture(width: 12, height: 10) { x, y in
      let light = ExactMath.exp2(Double(x) / 3 - 5)
      return SIMD4(light, light * (0.5 + Double(y) / 20), light * (1 - Double(y) / 20), 1)
    }
    let halves = try picture.edited(FilterStep("exposure")), view: [String: FilterValue] = ["view": .word("hdr1000-p3")]
    let back = try picture.edited(FilterStep("aces-output", view), FilterStep("aces-inverse", view))
    back.expectColors(of: halves, 1e-3) { $0 }
  }
}
