import HDRCore
import HDRPlan
import TestPlans
import Testing

@Suite struct RippleTransitionTests {
  static func bilinear(_ p: FilterPicture, _ x: Double, _ y: Double) -> SIMD4<Double> {
    let qx = min(max(x, 0), Double(p.width - 1)), qy = min(max(y, 0), Double(p.height - 1))
    let x0 = Int(qx), y0 = Int(qy), x1 = min(x0 + 1, p.width - 1), y1 = min(y0 + 1, p.height - 1)
    let fx = qx - Double(x0), fy = qy - Double(y0)
    func at(_ x: Int, _ y: Int) -> SIMD4<Double> { CompositingTests.premultiplied(p[x, y]) }
    return (at(x0, y0) * (1 - fx) + at(x1, y0) * fx) * (1 - fy) + (at(x0, y1) * (1 - fx) + at(x1, y1) * fx) * fy
  }

  /// docs/filter-formulas.md#transitions with R = time (D + w) - w / 2. `cos` and `sin` by their series.
  @Test(arguments: [0, 0.2, 0.5, 0.83, 1], [false, true])
  func aWaveRunsBetweenThePictures(time: Double, isOpaque: Bool) throws {
    let own = FilterPicture.noise(width: 61, height: 47, hasAlpha: !isOpaque)
    let target = FilterPicture.noise(width: 61, height: 47, seed: 2, hasAlpha: !isOpaque)
    let shade = FilterPicture.noise(width: 16, height: 12, seed: 3, hasAlpha: !isOpaque)
    let cx = 20.3, cy = 31.0, width = 25.0, scale = 7.0
    let result = try own.edited(
      FilterStep(
        "ripple-transition",
        [
          "input": .word("target"), "shading": .word("shade"), "time": .number(time), "center": .numbers([cx, cy]),
          "width": .number(width), "scale": .number(scale),
        ]), inputs: ["target": target, "shade": shade])
    let dx = max(cx, 61 - cx), dy = max(cy, 47 - cy), far = (dx * dx + dy * dy).squareRoot()
    let radius = time * (far + width) - width / 2
    func wave(_ u: Double) -> (sine: Double, cosine: Double) {
      let x = Double.pi * u
      var s = 0.0, c = 0.0, term = 1.0
      for k in 0..<40 {
        switch k & 3 {
        case 0: c += term
        case 1: s += term
        case 2: c -= term
        default: s -= term
        }
        term *= x / Double(k + 1)
      }
      return (s, c)
    }
    let got = FilterPicture(width: 61, height: 47) { CompositingTests.premultiplied(result[$0, $1]) }
    var inWave = 0
    // Light differs by up to 16 from pixel to pixel, and places are rounded to 2^-19 of one.
    got.expect(1e-4) { x, y in
      let dx = Double(x) + 0.5 - cx, dy = Double(y) + 0.5 - cy, d = (dx * dx + dy * dy).squareRoot()
      let u = (d - radius) / width + 0.5
      if u <= 0 { return CompositingTests.premultiplied(target[x, y]) }
      if u >= 1 { return CompositingTests.premultiplied(own[x, y]) }
      inWave += 1
      let (s, c) = wave(u), shift = scale * s * (2 * s * c), nx = d == 0 ? 0 : dx / d, ny = d == 0 ? 0 : dy / d
      let px = Double(x) + nx * shift, py = Double(y) + ny * shift, share = u * u * (3 - 2 * u)
      var base = Self.bilinear(target, px, py) * (1 - share) + Self.bilinear(own, px, py) * share
      let glint = Self.bilinear(shade, (0.5 + 0.5 * nx * c) * 16 - 0.5, (0.5 + 0.5 * ny * c) * 12 - 0.5)
      let alpha = base.w
      base += (2 * glint - glint.w) * alpha
      base.w = alpha
      return base
    }
    #expect((inWave > 0) == (time > 0 && time < 1))
  }

  /// A ball of glass stands in for a missing shading picture: its glint is brighter than both pictures, its rim adds
  /// nothing.
  @Test("a ripple without shading gets a glint from a glass ball")
  func ownShading() throws {
    let grey = FilterPicture(width: 200, height: 150) { _, _ in SIMD4(0.5, 0.5, 0.5, 1) }
    let step = FilterStep("ripple-transition", ["input": .word("other"), "time": .number(0.5)])
    let result = try grey.edited(step, inputs: ["other": grey])
    let light = result.pixels.map(\.x)
    var recipe = RenderRecipe(target: OutputSignal(encoding: .linear, sink: .rgba16f))
    recipe.edits = [step]
    recipe.inputs = ["other": FilterInput(.generated(FilterStep("constant-color"), width: nil, height: nil))]
    let bound = try #require(recipe.headroom(afterEditing: .sdr)).factor
    #expect(light.max()! > 1 && light.max()! <= bound)
    #expect(light.min()! < 0.45 && light.min()! >= 0)
    #expect(result.pixels.allSatisfy { $0.w == 1 })
  }
}
