import HDRCore
import HDRPlan
import TestPlans
import Testing

@Suite struct MorphologyTests {
  static let sizes = [(23, 17), (1, 1), (1, 13), (13, 1), (530, 3)]

  /// Extremes over pixels around each pixel, premultiplied.
  static func extreme(
    _ p: FilterPicture, _ x: Int, _ y: Int, isLargest: Bool, _ reach: Int, _ isInside: (Int, Int) -> Bool
  ) -> SIMD4<Double> {
    var all: [SIMD4<Double>] = []
    for dy in -reach...reach {
      for dx in -reach...reach where isInside(dx, dy) { all.append(p.clampedPremultiplied(x + dx, y + dy)) }
    }
    return all.dropFirst().reduce(all[0]) { isLargest ? pointwiseMax($0, $1) : pointwiseMin($0, $1) }
  }

  @Test("morphology takes the largest, the smallest or their difference over a disc", arguments: sizes, [false, true])
  func disc(size: (Int, Int), hasAlpha: Bool) throws {
    let p = FilterPicture.noise(width: size.0, height: size.1, hasAlpha: hasAlpha)
    for radius in [1, 2.3, 5] {
      func edited(_ name: String) throws -> FilterPicture {
        try p.edited(FilterStep("morphology-" + name, ["radius": .number(radius)]))
      }
      func extreme(_ x: Int, _ y: Int, _ isLargest: Bool) -> SIMD4<Double> {
        Self.extreme(p, x, y, isLargest: isLargest, 5) { Double($0 * $0 + $1 * $1) <= radius * radius }
      }
      let tolerance = hasAlpha ? 1e-5 : 0
      try edited("maximum").expect(tolerance) { x, y in extreme(x, y, true).unpremultiplied }
      try edited("minimum").expect(tolerance) { x, y in extreme(x, y, false).unpremultiplied }
      try edited("gradient").expect(1e-5) { x, y in
        let most = extreme(x, y, true)
        var d = most - extreme(x, y, false)
        d.w = most.w
        return d.unpremultiplied
      }
    }
  }

  @Test(
    "morphology over a rectangle takes the nearest odd size", arguments: sizes,
    [(5.0, 5.0, 2, 2), (1, 7.6, 0, 3), (12, 1.4, 6, 0)])
  func rectangle(size: (Int, Int), shape: (Double, Double, Int, Int)) throws {
    let p = FilterPicture.noise(width: size.0, height: size.1)
    for (name, isLargest) in [("maximum", true), ("minimum", false)] {
      let step = FilterStep(
        "morphology-rectangle-" + name, ["width": .number(shape.0), "height": .number(shape.1)])
      try p.edited(step).expect(0) { x, y in
        Self.extreme(p, x, y, isLargest: isLargest, 6) { abs($0) <= shape.2 && abs($1) <= shape.3 }
      }
    }
  }

  /// Rows longer than a plane of scratch, and runs of every length.
  @Test func theWidestRectanglesReachAlongLongRows() throws {
    let p = FilterPicture.noise(width: 1100, height: 2)
    for w in [501, 255, 257] {
      let step = FilterStep("morphology-rectangle-maximum", ["width": .number(Double(w)), "height": .number(1)])
      let rows = (0..<2).map { y in (0..<1100).map { p[$0, y].x } }
      let result = try p.edited(step)
      for y in 0..<2 {
        for x in 0..<1100 {
          #expect(result[x, y].x == rows[y][max(0, x - w / 2)...min(1099, x + w / 2)].max())
        }
      }
    }
  }

  @Test func smallestShapesChangeNothing() {
    #expect(FilterStep("morphology-maximum", ["radius": .number(0.9)]).changesNothing)
    #expect(FilterStep("morphology-rectangle-minimum", ["width": .number(1), "height": .number(1.5)]).changesNothing)
  }
}
