import HDRCore
import HDRPlan
import Testing

/// Names of spaces, and the light of colours with a space.
@Suite struct ColorSpaceTests {
  /// Linear P3 (D65) and BT.709 to linear BT.2020, as CSS Color 4 and BT.2087 have them.
  static let p3ToBT2020 = [
    0.753833034361722, 0.198597369052617, 0.047569596585662, 0.045743848965358, 0.941777219811693, 0.012478931222948,
    -0.001210340354518, 0.017601717301090, 0.983608623053428,
  ]
  static let bt709ToBT2020 = [
    0.627403895934699, 0.329283038377884, 0.043313065687417, 0.069097289358232, 0.919540395075459, 0.011362315566309,
    0.016391438875150, 0.088013307877226, 0.895595253247624,
  ]

  @Test func everySpaceHasOneName() throws {
    #expect(Set(ColorSpace.all.map(\.name)).count == 18)
    for space in ColorSpace.all { #expect(ColorSpace(space.name) == space) }
    for (name, canonical) in [
      ("srgb-srgb", "srgb"), ("srgb-p3", "p3"), ("bt2020-linear", "linear-bt2020"), ("pq-bt2020", "pq"),
      ("p3-hlg", "hlg-p3"), ("gamma22", "gamma22"),
    ] {
      #expect(ColorSpace(name)?.name == canonical)
    }
    for name in ["", "-", "pq-", "-p3", "bt2020", "p3-p3", "pq-p3-p3", "SRGB", "srgb ", "linear-xyz"] {
      #expect(ColorSpace(name) == nil, "\(name)")
    }
    #expect(ColorSpace.pq.primaries == .bt2020 && ColorSpace.hlg.primaries == .bt2020)
    #expect(ColorSpace("gamma24")?.primaries == .srgb && ColorSpace.linear.primaries == .srgb)
  }

  /// Texts, and linear BT.2020 with alpha.
  static let colours: [(text: String, light: [Double])] = [
    ("p3(1, 0, 0)", [0.753833034361722, 0.045743848965358, -0.001210340354518, 1]),
    ("p3(0/1/0/0.25)", [0.198597369052617, 0.941777219811693, 0.017601717301090, 0.25]),
    ("linear-p3(0,0,2)", [0.095139193171324, 0.024957862445896, 1.967217246106856, 1]),
    ("srgb(1,0,0)", [0.627403895934699, 0.069097289358232, 0.016391438875150, 1]),
    ("linear-srgb(0, 0, -4)", [-0.173252262749668, -0.045449262239268, -3.582381012990496, 1]),
    ("linear(0, 1, 0)", [0.329283038377884, 0.919540395075459, 0.088013307877226, 1]),
    ("linear-bt2020(4, 0.5, -0.25, 0)", [4, 0.5, -0.25, 0]), ("bt2020-linear(1e1, 2, 3)", [10, 2, 3, 1]),
    // 203 cd/m² in PQ, and 75 % of HLG: 203.15.
    ("pq(0.5806888810416109, 0.5806888810416109, 0)", [1, 1, 0, 1]),
    ("hlg(0.75, 0.75, 0.75)", [1.000749487377, 1.000749487377, 1.000749487377, 1]),
    ("gamma22-bt2020(0.5, 1, 2)", [0.217637640824031, 1, 4.59479341998814, 1]),
    ("#ff0000", [0.627403895934699, 0.069097289358232, 0.016391438875150, 1]),
    ("#80808080", [0.215860500114, 0.215860500114, 0.215860500114, 0.501960784313725]),
  ]

  @Test(arguments: colours)
  func coloursHaveTheLightOfTheirSpace(text: String, light: [Double]) throws {
    let color = try FilterColor(parsing: text)
    for (got, want) in zip(color.light, light) { #expect(abs(got - want) < 2e-7, "\(text): \(color.light)") }
    // Exactly the same by the one text.
    if case .word(let one) = color.value { #expect(try FilterColor(parsing: one) == color) }
  }

  /// Light of random signals by the textbook.
  @Test(arguments: [("p3", p3ToBT2020), ("srgb", bt709ToBT2020)])
  func encodedColoursFollowTheFormula(name: String, matrix: [Double]) throws {
    for step in 0..<50 {
      let signal = [0.02 * Double(step), 1.7 - 0.05 * Double(step), 0.001 * Double(step) - 0.02]
      let text = "\(name)(\(signal[0]), \(signal[1]), \(signal[2]))"
      let linear = signal.map { v -> Double in
        let x = abs(v), l = x <= 0.04045 ? x / 12.92 : ExactMath.pow((x + 0.055) / 1.055, 2.4)
        return v < 0 ? -l : l
      }
      let got = try FilterColor(parsing: text).light
      for row in 0..<3 {
        let want = (0..<3).reduce(0) { $0 + matrix[3 * row + $1] * linear[$1] }
        #expect(abs(got[row] - want) < 1e-12 * max(1, abs(want)) + 1e-13, "\(text)")
      }
    }
  }

  @Test(arguments: [
    ("p3(1,0,0", "is 3 or 4 numbers"), ("(1,0,0)", "no space \"\""), ("pq(1,0,0,0,0)", "not 5"),
    ("p3(1,,0)", "no number \"\""), ("p3(1,nan,0)", "no number \"nan\""), ("p3(1,0x1,0)", "no number \"0x1\""),
    ("p3(1,0,0,2)", "alpha of 0...1"), ("pq(1.995,0,0)", "65504"), ("pq(3,0,0)", "65504"),
    ("linear(1e6,0,0)", "65504"), ("#", "#rrggbb"), ("#+12345", "#rrggbb"), ("#gg0000", "#rrggbb"),
    ("#fff", "#rrggbb"), ("prophoto(1,0,0)", "a space is p3 or a curve"),
  ])
  func textThatIsNoColourIsRefusedWithTheReason(text: String, reason: String) {
    let complaint = FilterStep("constant-color", ["color": .word(text)]).complaint
    #expect(complaint?.parameter == "color")
    #expect(complaint?.message.contains(reason) == true, "\(complaint?.message ?? "")")
  }

  @Test("each tone curve's inverse gives back what it was given")
  func inverses() {
    let curves: [ToneCurve] = [
      .identity, .sRGB, .gamma(2.2), .table([0, 0.1, 0.1, 0.4, 1]), .table([0.05, 0.5, 0.9]),
      .parametric(g: 2.4, a: 1 / 1.055, b: 0.055 / 1.055, c: 1 / 12.92, d: 0.04045, e: 0, f: 0),
      .parametric(g: 2, a: 0.5, b: 0.25, c: 0.125, d: 0.2, e: 0.0625, f: 0.03125),
      .parametric(g: 2.2, a: 1, b: 0, c: 0, d: 0.1, e: 0, f: 0),
    ]
    for curve in curves {
      #expect(curve.isIncreasing, "\(curve)")
      for step in 0...100 {
        let light = curve.value(0) + (curve.value(1) - curve.value(0)) * Double(step) / 100
        let code = curve.inverse(light)
        #expect((0...1).contains(code))
        // A curve may jump; the code is the one where it does.
        let near = min(abs(curve.value(code) - light), abs(curve.value(max(0, code - 1e-9)) - light))
        let jump = curve.value(min(1, code + 1e-9)) >= light - 1e-9 && curve.value(max(0, code - 1e-9)) <= light + 1e-9
        #expect(near < 1e-9 || jump, "\(curve) at \(light): \(code)")
      }
    }
    #expect(!ToneCurve.table([0, 0.5, 0.4, 1]).isIncreasing && !ToneCurve.table([1, 1]).isIncreasing)
    #expect(!ToneCurve.parametric(g: 2, a: -1, b: 1, c: 0, d: -1, e: 0, f: 0).isIncreasing)
  }
}
