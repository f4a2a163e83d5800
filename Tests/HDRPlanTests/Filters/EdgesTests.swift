import HDRCore
import HDRPlan
import TestPlans
import Testing

@Suite struct EdgesTests {
  static let sizes = [(23, 17), (1, 1), (1, 13), (13, 1), (530, 3)]

  static func sobel(_ p: FilterPicture, _ x: Int, _ y: Int) -> (x: SIMD4<Double>, y: SIMD4<Double>) {
    func at(_ dx: Int, _ dy: Int) -> SIMD4<Double> { p.clampedPremultiplied(x + dx, y + dy) }
    var gx = SIMD4<Double>.zero, gy = SIMD4<Double>.zero
    for (i, weight) in [(-1, 1.0), (0, 2), (1, 1)] {
      gx += (at(1, i) - at(-1, i)) * weight
      gy += (at(i, 1) - at(i, -1)) * weight
    }
    return (gx, gy)
  }

  @Test("edges are lengths of Sobel's gradients", arguments: sizes, [false, true])
  func lengths(size: (Int, Int), hasAlpha: Bool) throws {
    let p = FilterPicture.noise(width: size.0, height: size.1, hasAlpha: hasAlpha)
    let result = try p.edited(FilterStep("edges", ["intensity": .number(1.5)]))
    FilterPicture(width: p.width, height: p.height) { CompositingTests.premultiplied(result[$0, $1]) }.expect(5e-6) {
      x, y in
      let (gx, gy) = Self.sobel(p, x, y)
      var length = (gx * gx + gy * gy).squareRoot() * (1.5 / 4)
      if p[x, y].w <= 0x1p-17 { length = .zero }
      length.w = p[x, y].w
      return length
    }
  }

  @Test("a step of a height gives that height beside it") func step() throws {
    let p = FilterPicture(width: 9, height: 5) { x, _ in x < 4 ? SIMD4(0, 0, 0, 1) : SIMD4(12, 1, 0.5, 1) }
    try p.edited(FilterStep("edges")).expect(3e-6) { x, _ in
      x == 3 || x == 4 ? SIMD4(12, 1, 0.5, 1) : SIMD4(0, 0, 0, 1)
    }
  }

  @Test("gradients are those furthest from 0", arguments: sizes) func gradients(size: (Int, Int)) throws {
    let p = FilterPicture.noise(width: size.0, height: size.1)
    func most(_ g: SIMD4<Double>) -> Double { [g.x, g.y, g.z].max { abs($0) < abs($1) }! / 8 }
    try p.edited(FilterStep("sobel-gradients")).expect(3e-6) { x, y in
      let (gx, gy) = Self.sobel(p, x, y)
      return SIMD4(most(gx), most(gy), 0, 1)
    }
  }
}
