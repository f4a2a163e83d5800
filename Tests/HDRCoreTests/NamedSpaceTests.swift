import HDRCore
import TestSupport
import Testing

/// Spaces of the list in binary64, against OpenColorIO 2.6 and formulas of makers.
@Suite(.enabled(if: ACESVectors.isHere, "skipped: no data")) struct NamedSpaceVectorTests {
  /// Built-in styles of OpenColorIO, and our names where the style's own is no alias.
  static let styles = [
    "ACEScct": "ACEScct", "ACEScc": "ACEScc", "ACEScg": "ACEScg", "ACESproxy10i": "ACESproxy", "ADX10": "ADX10",
    "ADX16": "ADX16", "APPLE_LOG": "Apple Log", "APPLE_LOG-APPLEWG": "Apple Log 2",
    "ARRI_ALEXA-LOGC-EI800-AWG": "ARRI LogC3 (EI800)", "ARRI_LOGC4": "ARRI LogC4",
    "CANON_CLOG2-CGAMUT": "CanonLog2 CinemaGamut D55", "CANON_CLOG3-CGAMUT": "CanonLog3 CinemaGamut D55",
    "PANASONIC_VLOG-VGAMUT": "V-Log V-Gamut", "RED_REDLOGFILM-RWG": "REDLogFilm REDWideGamutRGB",
    "RED_LOG3G10-RWG": "Log3G10 REDWideGamutRGB", "SONY_SLOG3-SGAMUT3": "S-Log3 S-Gamut3",
    "SONY_SLOG3-SGAMUT3.CINE": "S-Log3 S-Gamut3.Cine", "SONY_SLOG3-SGAMUT3-VENICE": "S-Log3 Venice S-Gamut3",
    "SONY_SLOG3-SGAMUT3.CINE-VENICE": "S-Log3 Venice S-Gamut3.Cine",
  ]

  /// Compares colours within 1e-5 of the largest channel and 1e-6, or a larger difference where it is given.
  private func compare(
    _ name: String, _ got: [[Double]], _ want: [[Double]], abs tolerance: Double = 1e-6, leavingOut: (Int) -> Bool
  ) {
    #expect(got.count == want.count && got.count > 10, "\(name)")
    for (row, (a, b)) in zip(got, want).enumerated() where !leavingOut(row) {
      let bound = 1e-5 * (b.map(abs).max() ?? 0) + tolerance
      #expect(zip(a, b).allSatisfy { abs($0 - $1) <= bound }, "\(name) row \(row): \(a), wanted \(b)")
    }
  }

  /// Canon's curves go on outside 0...1, where OpenColorIO's tables end.
  private func isBeyondTable(_ name: String, _ codes: [Double]) -> Bool {
    name.hasPrefix("Canon") && codes.contains { !(0...1).contains($0) }
  }

  private func compareLight(_ spaces: [String: [[Double]]], _ codes: [[Double]], _ space: (String) -> NamedSpace?) {
    for (name, want) in spaces {
      guard let space = space(name) else { continue }
      // OpenColorIO's displays have 1.0 = 100 cd/m², and its HLG ends near black.
      let scale = name.contains("2100") || name.contains("ST2084") ? ReferenceWhite.nits / 100 : 1
      compare(name, codes.map { space.aces($0).map { $0 * scale } }, want, abs: name.contains("HLG") ? 2e-5 : 1e-6) {
        isBeyondTable(space.name, codes[$0])
      }
    }
  }

  @Test func codesAreTheLightThatOpenColorIOMakesOfThem() throws {
    let styles = ACESVectors.spaces("input_styles", given: "code_values", made: "aces")
    let known = Self.styles.map { ("\($0.key)_to_ACES2065-1", $0.value) }
    #expect(known.allSatisfy { styles.1[$0.0] != nil })
    compareLight(styles.1, styles.given) { name in known.first { $0.0 == name }.flatMap { NamedSpace.named($0.1) } }
    let studio = ACESVectors.spaces("studio_spaces_to_aces", given: "code_values", made: "aces")
    for name in studio.1.keys { #expect(NamedSpace.named(name) != nil, "\(name)") }
    compareLight(studio.1, studio.given) { NamedSpace.named($0) }
  }

  @Test func lightHasTheCodesThatOpenColorIOMakesOfIt() throws {
    let (light, styles) = ACESVectors.spaces("input_styles_inverse", given: "aces", made: "code_values")
    #expect(styles.count == Self.styles.count)
    for (name, ours) in Self.styles {
      let space = try #require(NamedSpace.named(ours)), want = try #require(styles["\(name)_to_ACES2065-1"])
      // The table of ADX is rounded there where light is 0 or less.
      compare(name, light.map(space.codes), want, abs: ours.hasPrefix("ADX") ? 3e-5 : 1e-6) { row in
        ours.hasPrefix("Canon") && want[row].contains { $0 <= 0 || $0 >= 1 }
      }
    }
  }

  @Test func curvesAreTheFormulasOfTheirMakers() throws {
    let (codes, curves) = ACESVectors.curves()
    let names = [
      "F-Log2": "F-Log2 F-Gamut", "F-Log": "F-Log F-Gamut", "N-Log": "N-Log Rec.2020", "Protune": "Protune GoPro",
      "Cineon-95-685-0.6": "Cineon Rec.709",
    ]
    for (name, want) in curves where name != "D-Log-vendor" {
      let ei = name.split(separator: "EI").last.map(String.init) ?? ""
      let ours = name.hasPrefix("LogC3") ? "ARRI LogC3 (EI\(ei))" : try #require(names[name])
      let space = try #require(NamedSpace.named(ours))
      guard case .curve(let curve)? = space.steps.first else { return #expect(Bool(false), "\(name)") }
      // Six digits are published for EI 800, where the list has OpenColorIO's fifteen.
      expectClose(codes.map(curve.decode), want, abs: 1e-9, rel: ei == "800" ? 2e-5 : 1e-7, name)
    }
    // DJI writes the curve with other constants.
    let dLog = try #require(NamedSpace.named("dlog_dgamut"))
    guard case .curve(let curve)? = dLog.steps.first else { return #expect(Bool(false)) }
    expectClose(codes.map(curve.decode), try #require(curves["D-Log-vendor"]), abs: 5e-6, rel: 0)
  }
}

@Suite struct NamedSpaceTests {
  @Test func namesMeanOneSpaceEach() {
    #expect(NamedSpace.all.count > 60)
    let names = NamedSpace.allNames.map { $0.lowercased() }
    #expect(Set(names).count == names.count, "names without regard to case")
    for space in NamedSpace.all {
      for name in space.names { #expect(NamedSpace.named(name.uppercased()) == space, "\(name)") }
      #expect(NamedSpace(rawValue: space.rawValue) == space)
    }
    #expect(NamedSpace.named("no space") == nil && NamedSpace(rawValue: "acescg") == nil)
  }

  @Test func whiteOfASpaceIsWhite() {
    for space in NamedSpace.all {
      guard let matrix = space.toACES, space.interopID != "lin_ciexyzd65_scene" else { continue }
      expectClose(matrix * [1, 1, 1], [1, 1, 1], abs: 1e-9, rel: 0, space.name)
    }
  }

  @Test func codesComeBackFromTheirLight() {
    for space in NamedSpace.all where !["ACESproxy", "ADX16"].contains(space.name) {
      for i in 1...40 {
        let code = Double(i) / 40, codes = [code, code, code]
        // PQ's constants are rounded.
        expectClose(space.codes(space.aces(codes)), codes, abs: 1e-6, rel: 0, space.name)
      }
    }
  }

  @Test func linearSpacesAreFoundByTheirPrimaries() throws {
    let linear = NamedSpace.all.filter { $0.kind == .linear }
    for space in linear {
      guard let primaries = space.primaries else { continue }
      #expect(NamedSpace.linear(near: primaries) == space, "\(space.name)")
    }
    #expect(NamedSpace.linear(code: 9)?.interopID == "lin_rec2020_scene")
    // Bradford there and back is nothing.
    let p3 = try #require(NamedSpace.named("lin_p3d65"))
    #expect(p3.toBT2020 == Primaries.displayP3.matrix(to: .bt2020))
  }

  @Test func displaysAreWhatTheProgramKnows() {
    let known: [String: ColorEncoding] = [
      "sRGB - Display": .cicp(primaries: 1, transfer: 13), "Rec.2100-HLG - Display": .cicp(primaries: 9, transfer: 18),
      "ST2084-P3-D65 - Display": .cicp(primaries: 12, transfer: 16),
      "Rec.1886 Rec.709 - Display": .cicp(primaries: 1, transfer: 1),
      "Gamma 2.2 Rec.709 - Display": .cicp(primaries: 1, transfer: 4),
    ]
    for (name, encoding) in known { #expect(NamedSpace.named(name)?.encoding == encoding, "\(name)") }
    for space in NamedSpace.all where space.kind != .display { #expect(space.encoding == .space(space)) }
  }
}
