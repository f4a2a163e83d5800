import HDRCore
import HDRPlan
import Kernels
import TestPlans
import Testing

@Suite struct CompositingTests {
  /// Premultiplied results of docs/filter-formulas.md#compositing.
  static func formula(_ name: String, _ s: SIMD4<Double>, _ b: SIMD4<Double>) -> SIMD4<Double> {
    switch name {
    case "source-over": s + b * (1 - s.w)
    case "source-in": s * b.w
    case "source-out": s * (1 - b.w)
    case "source-atop": s * b.w + b * (1 - s.w)
    case "addition": s + b
    case "multiply": s * b
    case "minimum": pointwiseMin(s, b)
    case "color-absolute-difference": absoluteDifference(s, b)
    default: pointwiseMax(s, b)
    }
  }

  static func premultiplied(_ p: SIMD4<Double>) -> SIMD4<Double> {
    var q = p * p.w
    q.w = p.w
    return q
  }

  static func absoluteDifference(_ s: SIMD4<Double>, _ b: SIMD4<Double>) -> SIMD4<Double> {
    let d = s * b.w - b * s.w
    return SIMD4(abs(d.x), abs(d.y), abs(d.z), s.w * b.w)
  }

  /// Divided by alpha; nothing where there is none.
  static func straight(_ p: SIMD4<Double>) -> SIMD4<Double> {
    let a = min(max(p.w, 0), 1)
    var q = a > 0x1p-17 ? p / a : .zero
    q.w = a
    return q
  }

  static let names = [
    "source-over", "source-in", "source-out", "source-atop", "addition", "multiply", "minimum", "maximum",
    "color-absolute-difference",
  ]

  @Test("a compositing filter follows Porter and Duff at every offset", arguments: names, [false, true])
  func formulaHolds(name: String, isOpaque: Bool) throws {
    for (x0, y0) in [(0, 0), (5, -3), (-4, 9), (100, 0)] {
      let back = FilterPicture.noise(hasAlpha: !isOpaque)
      let top = FilterPicture.noise(width: 9, height: 8, seed: 2, hasAlpha: !isOpaque)
      let result = try back.edited(
        FilterStep(name, ["input": .word("top"), "offset": .numbers([Double(x0), Double(y0)])]), inputs: ["top": top])
      // Division by a small alpha makes the most of a rounding: premultiplied they are compared.
      let got = FilterPicture(width: result.width, height: result.height) { Self.premultiplied(result[$0, $1]) }
      got.expect(3e-6) { x, y in
        let inside = (0..<top.width).contains(x - x0) && (0..<top.height).contains(y - y0)
        let s = inside ? Self.premultiplied(top[x - x0, y - y0]) : .zero
        return Self.premultiplied(Self.straight(Self.formula(name, s, Self.premultiplied(back[x, y]))))
      }
    }
  }

  @Test func anInputThatIsNotThereIsAnError() {
    #expect(throws: PlanError.self) {
      try FilterPicture.noise().edited(FilterStep("source-over", ["input": .word("logo")]))
    }
  }

  /// Alpha where it can be other than 1, none where it cannot.
  @Test func opaquePicturesStayOpaque() throws {
    let back = FilterPicture.noise(), top = FilterPicture.noise(width: 9, height: 8, seed: 2)
    func hasAlpha(_ name: String, _ fit: String) throws -> Bool {
      var recipe = RenderRecipe(
        target: OutputSignal(primaries: 9, encoding: .linear, sink: .floatPlanes), tone: .none, gamut: .none)
      recipe.edits = [FilterStep(name, ["input": .word("top"), "fit": .word(fit)])]
      recipe.inputs = ["top": FilterInput(.picture(top.source))]
      return try Planner.plan(back.source, recipe).report.hasAlpha
    }
    for name in Self.names {
      let inside = ["source-in", "multiply", "minimum", "color-absolute-difference"].contains(name)
      #expect(try hasAlpha(name, "none") == (inside || name == "source-out"), "\(name)")
      #expect(try hasAlpha(name, "stretch") == (name == "source-out"), "\(name)")
    }
    #expect(try hasAlpha("dissolve", "none") && !hasAlpha("dissolve", "stretch"))
  }

  @Test func headroomComesFromBothPictures() {
    var recipe = RenderRecipe(target: OutputSignal(encoding: .linear, sink: .rgba16f))
    let white = FilterStep("constant-color", ["color": .numbers([1, 1, 1]), "exposure": .number(3)])
    recipe.inputs = ["light": FilterInput(.generated(white, width: nil, height: nil))]
    func factor(_ name: String, _ content: Double) -> Double? {
      recipe.edits = [FilterStep(name, ["input": .word("light"), "mask": .word("light")])]
      if name != "blend-with-mask" { recipe.edits[0].values.values["mask"] = nil }
      return recipe.headroom(afterEditing: Headroom(factor: content)).map { ($0.factor * 1e6).rounded() / 1e6 }
    }
    for name in ["source-over", "source-in", "source-atop", "minimum", "maximum", "dissolve", "blend-with-mask"] {
      #expect(factor(name, 2) == 8 && factor(name, 12) == 12, "\(name)")
    }
    #expect(factor("multiply", 2) == 16)
    #expect(factor("addition", 2) == nil && factor("color-absolute-difference", 2) == nil)
  }
}

@Suite struct MixTests {
  typealias C = CompositingTests

  @Test(arguments: [0, 0.3, 1]) func dissolveMixesByTime(time: Double) throws {
    let back = FilterPicture.noise(hasAlpha: true), top = FilterPicture.noise(seed: 2, hasAlpha: true)
    let result = try back.edited(
      FilterStep("dissolve", ["input": .word("top"), "time": .number(time)]), inputs: ["top": top])
    FilterPicture(width: result.width, height: result.height) { C.premultiplied(result[$0, $1]) }.expect(3e-6) { x, y in
      C.premultiplied(back[x, y]) * (1 - time) + C.premultiplied(top[x, y]) * time
    }
  }

  /// A mask of its own size: nothing of the input beyond it.
  @Test("a mask's channel decides how much of the input is shown", arguments: ["", "alpha-", "red-", "blue-"])
  func maskSaysHowMuch(channel: String) throws {
    let back = FilterPicture.noise(hasAlpha: true), top = FilterPicture.noise(seed: 2, hasAlpha: true)
    var mask = FilterPicture.noise(width: 15, height: 12, seed: 3, hasAlpha: true)
    for i in mask.pixels.indices {
      mask.pixels[i] /= 8
      mask.pixels[i].w = Double(i % 3) / 2
    }
    let result = try back.edited(
      FilterStep("blend-with-\(channel)mask", ["input": .word("top"), "mask": .word("mask"), "fit": .word("none")]),
      inputs: ["top": top, "mask": mask])
    FilterPicture(width: result.width, height: result.height) { C.premultiplied(result[$0, $1]) }.expect(4e-6) { x, y in
      var m = 0.0
      if x < mask.width && y < mask.height {
        let p = mask[x, y]
        func half(_ v: Double) -> Double { Double(E32.float(half: E32.half(Float(v)))) }
        let light =
          switch channel {
          case "alpha-": 1.0
          case "red-": half(p.x)
          case "blue-": half(p.z)
          default: 0.2627 * half(p.x) + 0.678 * half(p.y) + 0.0593 * half(p.z)
          }
        m = min(max(light, 0), 1) * p.w
      }
      return C.premultiplied(back[x, y]) * (1 - m) + C.premultiplied(top[x, y]) * m
    }
  }

  @Test func aStretchedMaskCoversThePicture() throws {
    let back = FilterPicture.noise(), top = FilterPicture.noise(seed: 2)
    let white = FilterPicture(width: 3, height: 2) { _, _ in SIMD4(4, 4, 4, 1) }
    try back.edited(
      FilterStep("blend-with-mask", ["input": .word("top"), "mask": .word("mask")]),
      inputs: ["top": top, "mask": white]
    ).expect(0) { x, y in top[x, y] }
  }
}
