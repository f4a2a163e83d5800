import HDRCore
import HDRPlan
import TestPlans
import Testing

@Suite struct ZoomBlurTests {
  /// Means of eight magnifications each, by the definition: ratios in equal steps from 1 to 1 + amount / 100.
  static func zoomed(_ p: FilterPicture, _ cx: Double, _ cy: Double, zoom: Double, passes: Int) -> FilterPicture {
    var result = FilterPicture(width: p.width, height: p.height) { p.premultiplied($0, $1) }
    var count = 1.0
    for _ in 0..<passes { count *= 8 }
    var ratio = ExactMath.pow(zoom, -1 / (count - 1))
    for _ in 0..<passes {
      let from = result
      result = FilterPicture(width: p.width, height: p.height) { x, y in
        var sum = SIMD4<Double>.zero, scale = 1.0
        for _ in 0..<8 {
          let px = cx + (Double(x) + 0.5 - cx) * scale - 0.5, py = cy + (Double(y) + 0.5 - cy) * scale - 0.5
          sum += from.bilinear(px, py) { from.clamped($0, $1) }
          scale *= ratio
        }
        return sum / 8
      }
      for _ in 0..<3 { ratio *= ratio }
    }
    return result
  }

  @Test("a zoom blur is the mean over magnifications", arguments: [20, 150, 3], [false, true])
  func mean(amount: Double, hasAlpha: Bool) throws {
    let p = FilterPicture.noise(width: 61, height: 37, hasAlpha: hasAlpha)
    for (cx, cy) in [(20.25, 30.0), (-15, 50)] {
      let dx = max(abs(cx), abs(61 - cx)), dy = max(abs(cy), abs(37 - cy)), zoom = 1 + amount / 100
      let moves = (dx * dx + dy * dy).squareRoot() * (1 - 1 / zoom), passes = moves <= 8 ? 1 : 2
      #expect(moves <= 64)
      let want = Self.zoomed(p, cx, cy, zoom: zoom, passes: passes)
      let result = try p.edited(
        FilterStep("zoom-blur", ["center": .numbers([cx, cy]), "amount": .number(amount)]))
      // Light differs by up to 16 from pixel to pixel, and places are rounded to 2^-18 of one.
      FilterPicture(width: 61, height: 37) { CompositingTests.premultiplied(result[$0, $1]) }.expect(2e-4) {
        want[$0, $1]
      }
    }
  }

  @Test("light keeps its place in the centre and goes outwards")
  func lamp() throws {
    let p = FilterPicture(width: 101, height: 101) { x, y in
      let v = (x == 50 && y == 50) || (x == 80 && y == 50) ? 100.0 : 0
      return SIMD4(v, v, v, 1)
    }
    let result = try p.edited(FilterStep("zoom-blur", ["amount": .number(50)]))
    #expect(abs(result[50, 50].x - 100) < 1e-3)
    #expect(result[90, 50].x > 1 && result[77, 50].x == 0 && result[90, 54].x == 0)
    #expect(FilterStep("zoom-blur", ["amount": .number(0)]).changesNothing)
  }
}
