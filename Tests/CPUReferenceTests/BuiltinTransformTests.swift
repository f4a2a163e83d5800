import HDRCore
import HDRPlan
import TestSupport
import Testing

/// Transforms that OpenColorIO has built in, against its values, through the stages that plans have.
@Suite(.enabled(if: ACESVectors.isHere, "skipped: no data")) struct BuiltinTransformTests {
  static let displays = ACESVectors.spaces("display_styles", given: "xyz_d65", made: "codes")
  static let inputs = ACESVectors.spaces("input_styles", given: "code_values", made: "aces")
  static let outputs = ACESVectors.spaces("input_styles_inverse", given: "aces", made: "code_values")
  static let prefix = "ACES-OUTPUT - ACES2065-1_to_CIE-XYZ-D65 - "

  static func run(_ name: String, isInverse: Bool = false, _ colors: [[Double]]) throws -> [[Double]] {
    let chain = try #require(LUTChain(builtin: name), "\(name)")
    return try LUTVectorTests.run(isInverse ? chain.inverse() : chain, colors)
  }

  /// Compares colours within a part of the largest channel and a difference.
  static func expect(
    _ got: [[Double]], _ want: [[Double]], _ tolerance: Double, abs least: Double, _ what: String,
    leavingOut: (Int) -> Bool = { _ in false }
  ) {
    #expect(got.count == want.count && got.count > 10, "\(what)")
    for (row, (a, b)) in zip(got, want).enumerated() where !leavingOut(row) {
      let bound = tolerance * (b.map(abs).max() ?? 0) + least
      // Stages keep numbers within 2^20.
      #expect(
        zip(a, b).allSatisfy { abs($0 - $1) <= bound || abs($1) > 0x1p20 }, "\(what) row \(row): \(a), wanted \(b)")
    }
  }

  @Test(arguments: displays.1.keys.sorted()) func displaysHaveTheirCodes(name: String) throws {
    let want = try #require(Self.displays.1[name]), isLight = Self.isTableOfLight(name)
    Self.expect(
      try Self.run(name, Self.displays.0), want, isLight ? 5e-5 : 2e-6, abs: 2e-6, name
    ) { row in
      // Codes beyond the formula's are cut; between halves of 4 and more OpenColorIO's lines mean nothing.
      isLight && Self.displays.0[row].contains { abs($0) > 1.4 }
    }
  }

  /// True for curves that OpenColorIO has as tables with lines between halves, which bend between codes.
  private static func isTableOfLight(_ name: String) -> Bool {
    name == "CURVE - ST-2084_to_LINEAR" || name == "CURVE - HLG-OETF-INVERSE"
  }

  @Test(arguments: displays.1.keys.sorted().filter { $0.hasPrefix("DISPLAY") })
  func displaysComeBackFromTheirCodes(name: String) throws {
    let light = [[0.9505, 1, 1.089], [0.3, 0.25, 0.2], [0.02, 0.018, 0.01], [0.5, 0.7, 0.4]]
    for (made, color) in zip(try Self.run(name, isInverse: true, Self.run(name, light)), light) {
      #expect(zip(made, color).allSatisfy { abs($0 - $1) < 1e-5 }, "\(name) \(color): \(made)")
    }
  }

  @Test(arguments: inputs.1.keys.sorted()) func codesAreTheirLight(name: String) throws {
    Self.expect(
      try Self.run(name, Self.inputs.0), try #require(Self.inputs.1[name]), Self.isTableOfLight(name) ? 5e-5 : 1e-5,
      abs: 1e-6, name
    ) { row in
      // Canon's curves go on outside of 0...1, where OpenColorIO's tables end.
      name.contains("CANON") && Self.inputs.0[row].contains { !(0...1).contains($0) }
    }
  }

  @Test(arguments: outputs.1.keys.sorted()) func lightHasItsCodes(name: String) throws {
    let want = try #require(Self.outputs.1[name])
    // The table of ADX is rounded there where light is 0 or less.
    Self.expect(
      try Self.run(name, isInverse: true, Self.outputs.0), want, 1e-5, abs: name.hasPrefix("ADX") ? 3e-5 : 1e-6, name
    ) { row in
      name.contains("CANON") && want[row].contains { $0 <= 0 || $0 >= 1 }
    }
  }

  @Test(arguments: ACES1Output.all.map(\.name) + ["SDR-100nit-REC709_2.0", "HDR-1000nit-P3-D65_2.0"])
  func scenesAreShownAsOpenColorIOShowsThem(name: String) throws {
    let isNew = name.hasSuffix("_2.0")
    let want = isNew ? ACESVectors.shown(String(name.dropLast(4)), "ocio") : ACESVectors.shown(aces1: name)
    let made = try Self.run(Self.prefix + name, ACESVectors.scene)
    #expect(made.count == want.count && made.count == 58)
    for (a, b) in zip(made, want) {
      let most = max(1, b.map(abs).max() ?? 0)
      #expect(zip(a, b).allSatisfy { abs($0 - $1) < (isNew ? 1e-4 : 1e-5) * most }, "\(name): \(a), \(b)")
    }
  }

  @Test func shownLightBecomesTheSceneAgain() throws {
    let name = "HDR-1000nit-P3-D65", (shown, scene) = ACESVectors.inverse(name)
    for (a, b) in zip(try Self.run(Self.prefix + name + "_2.0", isInverse: true, shown), scene) {
      #expect(zip(a, b).allSatisfy { abs($0 - $1) < 3e-4 * max(1, b.map(abs).max()!) }, "\(a), \(b)")
    }
  }

  @Test func looksAndMatricesFollowOpenColorIO() throws {
    for name in ["BLUE_LIGHT_ARTIFACT_FIX", "ACES 1.3 Reference Gamut Compression"] {
      let there = ACESTransform.acesToWorking
      Self.expect(
        try Self.run("ACES-LMT - " + name, ACESVectors.scene), ACESVectors.looked(name), 1e-5, abs: 1e-6, name
      ) { ACESVectors.isNoise(there * ACESVectors.scene[$0]) }
    }
    let utilities = ACESVectors.group("utility")
    #expect(utilities.count == 3)
    for (name, want) in utilities {
      Self.expect(try Self.run(name, Self.displays.0), want, 1e-6, abs: 1e-6, name)
    }
    #expect(LUTChain(builtin: "IDENTITY")?.operations.isEmpty == true && LUTChain(builtin: "ACEScct") == nil)
  }
}
