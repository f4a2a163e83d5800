import HDRCore
import HDRPlan
import OCIOConfig
import TestSupport
import Testing

/// Operations of configs against OpenColorIO 2.6, through the stages that plans have.
@Suite(.enabled(if: LUTVectors.isHere, "skipped: no data")) struct ConfigTransformTests {
  static let place = ConfigPlace(config: "test.ocio", line: 7)

  static func chain(_ kind: ConfigOperation.Kind, isInverse: Bool = false) throws(ConfigError) -> LUTChain {
    try LUTChain([ConfigOperation(kind, isInverse: isInverse, place: place)]) { (file) throws(LUTError) -> LUTChain in
      throw LUTError(.format, reason: "no file")
    }
  }

  /// A transform of the vectors by a part of its text, and how near it must be: OpenColorIO's own powers of grades, of
  /// exposures and of PQ's codes (8e-5 from the formula) are not nearer.
  struct Row: Sendable {
    let part: String, kind: ConfigOperation.Kind, tolerance: Double

    init(_ part: String, _ kind: ConfigOperation.Kind, _ tolerance: Double = 1e-5) {
      (self.part, self.kind, self.tolerance) = (part, kind, tolerance)
    }
  }

  static let transforms: [Row] = cdls(clamps: true) + cdls(clamps: false) + curves + others + grades + functions

  private static func cdls(clamps: Bool) -> [Row] {
    let style = clamps ? "style: asc" : "style: noclamp"
    func cdl(
      _ slope: [Double], _ offset: [Double], _ power: [Double], _ saturation: Double
    ) -> ConfigOperation.Kind {
      .cdl(slope: slope, offset: offset, power: power, saturation: saturation, clamps: clamps)
    }
    return [
      Row("sat: 0.8, " + style, cdl([1.2, 0.9, 1.1], [0.05, -0.02, 0], [1.1, 0.9, 1.3], 0.8)),
      Row("power: [2.2, 2.2, 2.2], sat: 1, " + style, cdl([1, 1, 1], [0, 0, 0], [2.2, 2.2, 2.2], 1)),
      Row("sat: 1.6, " + style, cdl([0.5, 0.5, 0.5], [0.1, 0.1, 0.1], [1, 1, 1], 1.6)),
    ]
  }

  private static let curves: [Row] = {
    let sides = [0.3, 0.3, 0.25].map { LogSides(logSlope: $0, logOffset: 0.6, linSlope: 1.1, linOffset: 0.01) }
    let camera = LogSides(logSlope: 0.25, logOffset: 0.4, linSlope: 5.2, linOffset: 0.05)
    let powers = [2.2, 2.4, 1.8], gammas = [2.4, 2.2, 2.222222], offsets = [0.055, 0.1, 0.099]
    return [
      Row("1], style: clamp}", .exponent(powers, .clamp)), Row("1], style: mirror}", .exponent(powers, .mirror)),
      Row("style: pass_thru}", .exponent(powers, .passThrough)),
      Row("style: linear}", .exponentWithLinear(gamma: gammas, offset: offsets, .linear)),
      Row("0], style: mirror}", .exponentWithLinear(gamma: gammas, offset: offsets, .mirror)),
      Row("LogTransform> {base: 10}", .log(base: 10)), Row("LogAffine", .logAffine(base: 10, sides)),
      Row(
        "LogCamera", .logCamera(base: 10, [camera, camera, camera], breaks: [0.01, 0.01, 0.01], linearSlopes: nil)),
    ]
  }()

  private static let others: [Row] = {
    func exposure(_ style: ExposureContrast.Style) -> ConfigOperation.Kind {
      var numbers = ExposureContrast(style: style)
      (numbers.exposure, numbers.contrast, numbers.gamma) = (0.7, 1.3, 0.9)
      return .exposureContrast(numbers)
    }
    func range(_ low: ConfigRange.End, _ high: ConfigRange.End) -> ConfigOperation.Kind {
      .range(ConfigRange(low: low, high: high))
    }
    return [
      Row("min_in_value: 0,", range(.init(from: 0, to: 0), .init(from: 1, to: 1))),
      Row("min_in_value: 0.1,", range(.init(from: 0.1, to: 0.2), .init(from: 0.9, to: 0.7))),
      Row("{style: linear, exposure", exposure(.linear), 3e-5),
      Row("{style: video, exposure", exposure(.video), 3e-5), Row("{style: log, exposure", exposure(.log)),
    ]
  }()

  private static let grades: [Row] = {
    func grade(_ style: GradingPrimary.Style, _ change: (inout GradingPrimary) -> Void) -> ConfigOperation.Kind {
      var grade = GradingPrimary(style: style)
      grade.contrast = GradingPrimary.Values(1.1, 1.2, 1, master: 1.05)
      grade.saturation = 0.9
      change(&grade)
      return .gradingPrimary(grade)
    }
    let gamma = GradingPrimary.Values(1.1, 1, 0.9, master: 1.05)
    let log = grade(.log) { grade in
      grade.brightness = GradingPrimary.Values(0.1, 0, -0.1, master: 0.2)
      grade.gamma = gamma
    }
    let linear = grade(.linear) { grade in
      grade.offset = GradingPrimary.Values(0.01, 0, 0, master: 0.02)
      grade.exposure = GradingPrimary.Values(0.5, -0.2, 0, master: 0.1)
      grade.pivot = 0.4
    }
    let video = grade(.video) { grade in
      grade.gamma = gamma
      grade.lift = GradingPrimary.Values(0.01, 0, 0.02, master: 0)
      grade.gain = GradingPrimary.Values(1.1, 1, 1, master: 1.05)
    }
    return [
      Row("brightness=<r=0.1", log, 3e-5), Row("exposure=<r=0.5", linear, 3e-5), Row("lift=<r=0.01", video, 3e-5),
    ]
  }()

  private static let functions: [Row] = [
    Row("GLOW_03", .fixedFunction(.acesGlow03)), Row("GLOW_10", .fixedFunction(.acesGlow10)),
    Row("RED_MOD_03", .fixedFunction(.acesRedMod03)), Row("RED_MOD_10", .fixedFunction(.acesRedMod10)),
    Row("DARK_TO_DIM_10", .fixedFunction(.acesDarkToDim10)),
    Row("REC2100_SURROUND", .fixedFunction(.rec2100Surround(gamma: 0.78))),
    Row("RGB_TO_HSV", .fixedFunction(.rgbToHSV)), Row("XYZ_TO_LUV", .fixedFunction(.xyzToLUV)),
    Row("LIN_TO_PQ", .fixedFunction(.linearToPQ), 1e-4),
  ]

  /// Three functions of the vectors are refused by configs.
  @Test func everyTransformIsHereOnce() {
    for text in LUTVectors.transforms where !text.contains("RGB_TO_HSY") {
      #expect(Self.transforms.count { text.contains($0.part) } == 1, "\(text)")
    }
    #expect(LUTVectors.transforms.count { $0.contains("RGB_TO_HSY") } == 3)
    #expect(Self.transforms.count == LUTVectors.transforms.count - 3)
  }

  @Test(arguments: transforms.indices)
  func openColorIOAgreesOnTransforms(_ index: Int) throws {
    let row = Self.transforms[index], part = row.part, kind = row.kind, tolerance = row.tolerance
    let text = try #require(LUTVectors.transforms.first { $0.contains(part) }), vectors = LUTVectors.transform(text)
    let input = try #require(vectors["input"])
    LUTVectorTests.expect(
      try LUTVectorTests.run(Self.chain(kind), input), try #require(vectors["forward"]), tolerance, part)
    var want = try #require(vectors["inverse"])
    if part == "sat: 1.6, style: asc" {
      // OpenColorIO leaves the last clamp out where the power is 1, and keeps it elsewhere.
      want = want.map { $0.map { min(max($0, 0), 1) } }
    }
    if part == "RGB_TO_HSV" {
      // Saturation 2 is taken as 1.999, of which OpenColorIO's binary32 leaves four digits.
      want = zip(want, input).map { $1[1] > 1.9 ? [.nan, .nan, .nan] : $0 }
    }
    LUTVectorTests.expect(
      try LUTVectorTests.run(Self.chain(kind, isInverse: true), input), want, tolerance, part + " inverse")
  }

  /// The formulas of functions that have no vectors.
  @Test func logarithmsOfFunctionsFollowTheirFormulas() throws {
    let log = FixedFunction.linearToGammaLog(
      FixedFunction.GammaLog(
        mirror: 0, break: 0.25, power: 0.5, postScale: 1, preOffset: 0, base: 2.718281828459045,
        sides: LogSides(logSlope: 0.17883277, logOffset: 0.807825590164, linSlope: 1, linOffset: -0.07116723)))
    let double = FixedFunction.linearToDoubleLog(
      FixedFunction.DoubleLog(
        base: 10, low: 0.1, high: 0.5,
        lowSides: LogSides(
          logSlope: -0.23025850929940458, logOffset: -0.13025850929940458, linSlope: -1, linOffset: 0.2),
        highSides: LogSides(logSlope: 1.1512925464970228, logOffset: 0.8465735902799727, linSlope: 1, linOffset: 0),
        slope: 1, offset: 0))
    let light = (0..<60).map { i -> [Double] in
      let x = Double(Float(-0.4 + 0.037 * Double(i)))
      return [x, 0.5 * x, 2 * x]
    }
    func gamma(_ x: Double) -> Double {
      let e = abs(x), y = e < 0.25 ? e.squareRoot() : 0.17883277 * ExactMath.log(e - 0.07116723) + 0.807825590164
      return x < 0 ? -y : y
    }
    func two(_ x: Double) -> Double {
      if x <= 0.1 { return -0.23025850929940458 * ExactMath.log10(0.2 - x) - 0.13025850929940458 }
      return x < 0.5 ? x : 1.1512925464970228 * ExactMath.log10(x) + 0.8465735902799727
    }
    for (function, formula) in [(log, gamma), (double, two)] {
      let made = try LUTVectorTests.run(Self.chain(.fixedFunction(function)), light)
      // Where the second function has a bend the table smears it.
      for (a, x) in zip(made.joined(), light.joined()) where abs(x - 0.1) > 1e-3 && abs(x - 0.5) > 4e-3 {
        #expect(abs(a - formula(x)) < 2e-6, "\(x): \(a), \(formula(x))")
      }
      let back = try LUTVectorTests.run(Self.chain(.fixedFunction(function), isInverse: true), made)
      for (a, x) in zip(back.joined(), light.joined()) where abs(x - 0.1) > 2e-3 && abs(x - 0.5) > 4e-3 {
        #expect(abs(a - x) < 1e-5 * max(1, abs(x)), "\(x): \(a)")
      }
    }
  }

  @Test func numbersOutOfRangeAreRefusedWithTheirPlace() {
    let points = [0.64, 0.33, 0.3, 0.6, 0.15, 0.06, 0.31, 0.33], turned = [0.3, 0.6, 0.64, 0.33] + points[4...]
    func expect(_ kind: ConfigOperation.Kind, isInverse: Bool = false, _ code: ConfigError.Code) {
      let error = #expect(throws: ConfigError.self) { try Self.chain(kind, isInverse: isInverse) }
      #expect(error?.code == code && error?.place == Self.place, "\(String(describing: error))")
    }
    expect(.fixedFunction(.acesOutputTransform20(peak: 50, primaries: points)), .function)
    expect(.fixedFunction(.acesOutputTransform20(peak: 500, primaries: turned)), .function)
    expect(.fixedFunction(.acesGamutComp13(limits: [2, 2, 2], thresholds: [0, 0, 0], power: 500)), .function)
    expect(.exponent([2, 0, 2], .clamp), .singular)
    expect(
      .cdl(slope: [0, 1, 1], offset: [0, 0, 0], power: [1, 1, 1], saturation: 1, clamps: false), isInverse: true,
      .singular)
    expect(.file(ConfigFile(path: "a.cube")), .file)
  }

  @Test func cubicInterpolationIsNotedAndTakenAsBest() throws {
    func notes(_ interpolation: ConfigFile.Interpolation) throws -> [String] {
      let file = ConfigOperation(.file(ConfigFile(path: "a.cube", interpolation: interpolation)), place: Self.place)
      return try LUTChain([file]) { (_) throws(LUTError) in LUTChain([]) }.notes.map { "\($0)" }
    }
    #expect(try notes(.cubic).map { $0.contains("cubic") } == [true])
    #expect(try notes(.best).isEmpty)
  }

  /// Triangles drawn at random, most of them far from what displays have.
  @Test func oddPrimariesAreRefusedOrShowFiniteLight() throws {
    var random = SplitMix(state: 77), taken = 0, refused = 0
    let colors = [[0.18, 0.18, 0.18], [1, 0.2, 0.05], [0.02, 0.01, 4], [-0.1, 3, 0.2], [0, 0, 0], [60, 50, 40]]
    for _ in 0..<12 {
      let points = (0..<6).map { _ in 1.4 * random.unit() - 0.2 } + [0.3127, 0.329]
      let function = FixedFunction.acesOutputTransform20(peak: 100 + 2000 * random.unit(), primaries: points)
      guard let chain = try? Self.chain(.fixedFunction(function)) else {
        refused += 1
        continue
      }
      taken += 1
      for color in try LUTVectorTests.run(chain, colors) { #expect(color.allSatisfy { $0.isFinite }, "\(points)") }
    }
    let wide = FixedFunction.acesOutputTransform20(
      peak: 1000, primaries: [0.713, 0.293, 0.165, 0.83, 0.128, 0.044, 0.32168, 0.33767])
    for color in try LUTVectorTests.run(Self.chain(.fixedFunction(wide)), colors) {
      #expect(color.allSatisfy { $0.isFinite })
    }
    #expect(refused > 3 && taken + refused == 12)
  }

  /// A function of ACES 2.0 with the numbers of an output transform is that one, in R, G, B of its limit.
  @Test func outputTransformsTakePeakAndPrimaries() throws {
    let output = try #require(ACESOutput.all.first { $0.name == "HDR-1000nit-P3-D65" })
    let function = FixedFunction.acesOutputTransform20(
      peak: 1000, primaries: [0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.3127, 0.329])
    let colors = [[0.18, 0.18, 0.18], [1, 0.2, 0.05], [4, 6, 9], [0.02, 0.01, 0.04]]
    let made = try LUTVectorTests.run(Self.chain(.fixedFunction(function)), colors)
    let transform = ACESTransform(output)
    for (rgb, color) in zip(made, colors) {
      let xyz = output.toXYZ * rgb, want = transform(color)
      #expect(zip(xyz, want).allSatisfy { abs($0 - $1) < 3e-5 * max(1, want.max()!) }, "\(color): \(xyz), \(want)")
    }
  }
}
