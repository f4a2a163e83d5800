import HDRCore
import HDRPlan
import TestPlans
import Testing

@Suite struct BlendModeTests {
  typealias RGB = SIMD3<Double>

  static func unit(_ x: Double) -> Double { min(max(x, 0), 1) }

  /// W3C Compositing and Blending Level 1 §9.1, and the modes it lacks.
  static func separable(_ name: String) -> ((Double, Double) -> Double)? {
    func hardLight(_ b: Double, _ s: Double) -> Double { s <= 0.5 ? b * 2 * s : b + (2 * s - 1) - b * (2 * s - 1) }
    func dodge(_ b: Double, _ s: Double) -> Double { b == 0 ? 0 : (s == 1 ? 1 : min(1, b / (1 - s))) }
    func burn(_ b: Double, _ s: Double) -> Double { b == 1 ? 1 : (s == 0 ? 0 : 1 - min(1, (1 - b) / s)) }
    switch name {
    case "multiply-blend": return { $0 * $1 }
    case "screen": return { $0 + $1 - $0 * $1 }
    case "overlay": return { hardLight($1, $0) }
    case "soft-light":
      return { b, s in
        let d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : b.squareRoot()
        return s <= 0.5 ? b - (1 - 2 * s) * b * (1 - b) : b + (2 * s - 1) * (d - b)
      }
    case "hard-light": return hardLight
    case "color-dodge": return dodge
    case "color-burn": return burn
    case "darken": return { min($0, $1) }
    case "lighten": return { max($0, $1) }
    case "difference": return { abs($0 - $1) }
    case "exclusion": return { $0 + $1 - 2 * $0 * $1 }
    case "divide": return { $0 == 0 ? 0 : ($1 == 0 ? 1 : min(1, $0 / $1)) }
    case "subtract": return { unit($0 - $1) }
    case "linear-dodge": return { unit($0 + $1) }
    case "linear-burn": return { unit($0 + $1 - 1) }
    case "linear-light": return { unit($0 + 2 * $1 - 1) }
    case "vivid-light": return { $1 <= 0.5 ? burn($0, 2 * $1) : dodge($0, 2 * $1 - 1) }
    case "pin-light": return { $1 <= 0.5 ? min($0, 2 * $1) : max($0, 2 * $1 - 1) }
    default: return nil
    }
  }

  static func luminosity(_ c: RGB) -> Double { 0.3 * c.x + 0.59 * c.y + 0.11 * c.z }

  static func clipped(_ color: RGB) -> RGB {
    let l = luminosity(color), n = color.min(), x = color.max()
    var c = color
    if n < 0 { c = l + (c - l) * l / (l - n) }
    if x > 1 { c = l + (c - l) * (1 - l) / (x - l) }
    return c
  }

  static func with(_ c: RGB, luminosity l: Double) -> RGB { clipped(c + (l - luminosity(c))) }

  static func with(_ c: RGB, saturation s: Double) -> RGB {
    let low = c.min(), high = c.max()
    return high > low ? (c - low) * s / (high - low) : .zero
  }

  /// Blends two colours by §9.2.
  static func blend(_ name: String, _ b: RGB, _ s: RGB) -> RGB {
    if let f = separable(name) { return RGB(f(b.x, s.x), f(b.y, s.y), f(b.z, s.z)) }
    switch name {
    case "hue": return with(with(s, saturation: b.max() - b.min()), luminosity: luminosity(b))
    case "saturation": return with(with(b, saturation: s.max() - s.min()), luminosity: luminosity(b))
    case "color": return with(s, luminosity: luminosity(b))
    default: return with(b, luminosity: luminosity(s))
    }
  }

  static let names = Filters.all.filter { $0.category == .composite && !$0.isHDRSafe }.map { $0.name }

  @Test func twentyTwoBlendModesAreListed() { #expect(Self.names.count == 22) }

  /// The layers are scaled by a headroom that covers the content and are cut there, and only there.
  @Test("a blend mode follows its W3C formula", arguments: names, [false, true])
  func formulaHolds(name: String, isOpaque: Bool) throws {
    let back = FilterPicture.noise(hasAlpha: !isOpaque), top = FilterPicture.noise(seed: 2, hasAlpha: !isOpaque)
    let peak = 8.0
    let result = try back.edited(
      FilterStep(name, ["input": .word("top"), "headroom": .number(peak)]), inputs: ["top": top])
    let got = FilterPicture(width: result.width, height: result.height) {
      CompositingTests.premultiplied(result[$0, $1])
    }
    // A quotient next to a pole takes the rounding of its divisor with it.
    got.expect(2e-5) { x, y in
      func cut(_ p: SIMD4<Double>) -> RGB { RGB(Self.unit(p.x / peak), Self.unit(p.y / peak), Self.unit(p.z / peak)) }
      let b = back[x, y], s = top[x, y], cb = cut(b), cs = cut(s)
      let mixed = (1 - b.w) * cs + b.w * Self.blend(name, cb, cs)
      let color = (s.w * mixed + (1 - s.w) * b.w * cb) * peak
      return SIMD4(color, s.w + b.w * (1 - s.w))
    }
  }

  @Test("a blend mode is right at 0, 0.5 and 1, where formulas divide by zero")
  func poles() throws {
    let values: [Double] = [0, 0.25, 0.5, 1], n = values.count
    let back = FilterPicture(width: n * n, height: 1) { x, _ in SIMD4(SIMD3(repeating: 8 * values[x / n]), 1) }
    let top = FilterPicture(width: n * n, height: 1) { x, _ in SIMD4(SIMD3(repeating: 4 * values[x % n]), 1) }
    for name in Self.names {
      // The test picture's headroom, which its file does not say, is taken to be below 5.
      let darker = FilterStep("exposure", ["ev": .number(-1)])
      try back.edited(
        darker, FilterStep(name, ["input": .word("top"), "headroom": .number(4)]), inputs: ["top": top]
      ).expect(2e-6) { x, _ in
        let b = RGB(repeating: values[x / n]), s = RGB(repeating: values[x % n])
        return SIMD4(4 * Self.blend(name, b, s), 1)
      }
    }
  }

  // MARK: HDR

  static func plan(_ steps: [FilterStep], allows: Bool) throws -> Plan {
    var recipe = RenderRecipe(
      target: OutputSignal(primaries: 9, encoding: .linear, sink: .floatPlanes), tone: .none, gamut: .none)
    recipe.edits = steps
    recipe.inputs = ["top": FilterInput(.picture(FilterPicture.noise(seed: 2).source))]
    recipe.allowsSDRFilters = allows
    return try Planner.plan(FilterPicture.noise().source, recipe)
  }

  @Test func hdrIsRefusedUnlessAllowed() throws {
    let screen = FilterStep("screen", ["input": .word("top")])
    do {
      _ = try Self.plan([screen], allows: false)
      Issue.record("screen took HDR")
    } catch let error as PlanError {
      let text = "\(error)"
      #expect(text.contains("screen") && text.contains("4.93") && text.contains("allow-sdr-filter"), "\(text)")
    }
    // Dark enough, scaled, or allowed.
    _ = try Self.plan([FilterStep("exposure", ["ev": .number(-3)]), screen], allows: false)
    _ = try Self.plan([FilterStep("screen", ["input": .word("top"), "headroom": .number(5)])], allows: false)
    // What leaves the headroom unknown leaves the one before it.
    let add = FilterStep("addition", ["input": .word("top")])
    #expect(throws: PlanError.self) { try Self.plan([add, screen], allows: false) }
  }

  @Test func allowedHDRIsToneMappedOnce() throws {
    let screen = FilterStep("screen", ["input": .word("top")])
    let plan = try Self.plan([screen, screen], allows: true)
    #expect(plan.report.edits.map(\.name) == ["reference-white", "screen", "screen"])
    #expect(plan.report.edits.map(\.headroom) == [1, 1, 1])
    #expect(plan.report.warnings.map(\.code).contains("filter.sdr"))
    #expect(plan.report.stageNames.filter { $0 == "scale_by_max" }.count == 1)
    #expect(plan.report.outputHeadroom == 1)
    let unasked = try Self.plan([FilterStep("exposure", ["ev": .number(-3)]), screen], allows: true)
    #expect(!unasked.report.stageNames.contains("scale_by_max"))
  }

  /// An input that is known to be HDR is refused, or tone mapped where that is allowed; `headroom` that covers it will do.
  @Test func aBrightInputIsNotCutUnasked() throws {
    func plan(_ values: [String: FilterValue], allows: Bool) throws -> Plan {
      var recipe = RenderRecipe(
        target: OutputSignal(primaries: 9, encoding: .linear, sink: .floatPlanes), tone: .none, gamut: .none)
      // The picture itself is dark enough.
      recipe.edits = [
        FilterStep("exposure", ["ev": .number(-3)]),
        FilterStep("screen", values.merging(["input": .word("top")]) { a, _ in a }),
      ]
      let lamp = FilterStep("constant-color", ["color": .numbers([1, 1, 1]), "exposure": .number(3)])
      recipe.inputs = ["top": FilterInput(.generated(lamp, width: nil, height: nil))]
      recipe.allowsSDRFilters = allows
      return try Planner.plan(FilterPicture.noise().source, recipe)
    }
    do {
      _ = try plan([:], allows: false)
      Issue.record("screen took an HDR input")
    } catch let error as PlanError {
      let text = "\(error)"
      #expect(text.contains("input \"top\"") && text.contains("is 8") && text.contains("allow-sdr-filter"), "\(text)")
    }
    let covered = try plan(["headroom": .number(8)], allows: false).report
    #expect(!covered.warnings.map(\.code).contains("filter.sdr"))
    let mapped = try plan([:], allows: true).report
    #expect(mapped.warnings.map(\.code).filter { $0 == "filter.sdr" }.count == 1)
    #expect(mapped.stageNames.filter { $0 == "scale_by_max" }.count == 1)
  }
}
