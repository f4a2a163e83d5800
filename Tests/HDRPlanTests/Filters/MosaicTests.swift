import HDRCore
import HDRPlan
import Kernels
import TestPlans
import Testing

/// Pixellate, crystallize and their kin.
@Suite struct MosaicTests {
  @Test("a square is the mean of what lies in it", arguments: [(23, 17), (1, 1), (1, 13), (530, 3)], [false, true])
  func squares(size: (Int, Int), hasAlpha: Bool) throws {
    let p = FilterPicture.noise(width: size.0, height: size.1, hasAlpha: hasAlpha)
    for (side, cx, cy) in [(4.0, 0.0, 0.0), (5.5, 3.25, 40), (1, 0, 0), (300, 150, 150)] {
      let result = try p.edited(
        FilterStep("pixellate", ["scale": .number(side), "center": .numbers([cx, cy])]))
      func cell(_ i: Int, _ center: Double, _ size: Int) -> (Double, Double) {
        let start = center + ((Double(i) + 0.5 - center) / side).rounded(.down) * side
        return (max(start, 0), min(start + side, Double(size)))
      }
      result.expect(6e-5) { x, y in
        let (x0, x1) = cell(x, cx, p.width), (y0, y1) = cell(y, cy, p.height)
        var sum = SIMD4<Double>.zero, area = 0.0
        for j in Int(y0)..<Int(y1.rounded(.up)) {
          for i in Int(x0)..<Int(x1.rounded(.up)) {
            let share =
              (min(x1, Double(i + 1)) - max(x0, Double(i))) * (min(y1, Double(j + 1)) - max(y0, Double(j)))
            sum += p.premultiplied(i, j) * share
            area += share
          }
        }
        return (sum / area).unpremultiplied
      }
    }
  }

  /// The nearest point of nine cells, and the mean around the pixel that it lies in.
  static func nearest(
    _ x: Int, _ y: Int, _ side: (Double, Double), _ center: (Double, Double), _ point: (Int, Int) -> (Double, Double)
  ) -> (x: Double, y: Double, distance: Double) {
    let px = Double(x) + 0.5 - center.0, py = Double(y) + 0.5 - center.1
    let cx = Int((px / side.0).rounded(.down)), cy = Int((py / side.1).rounded(.down))
    var best = (x: 0.0, y: 0.0, distance: Double.infinity)
    for dy in -1...1 {
      for dx in -1...1 {
        let own = point(cx + dx, cy + dy)
        let qx = (Double(cx + dx) + own.0) * side.0, qy = (Double(cy + dy) + own.1) * side.1
        let d = ((qx - px) * (qx - px) + (qy - py) * (qy - py)).squareRoot()
        if d < best.distance { best = (qx + center.0, qy + center.1, d) }
      }
    }
    return best
  }

  @Test(
    "every pixel gets the mean around the nearest point",
    arguments: ["crystallize", "pointillize", "hexagonal-pixellate"], [false, true])
  func points(name: String, hasAlpha: Bool) throws {
    let p = FilterPicture.noise(width: 61, height: 47, hasAlpha: hasAlpha)
    for (size, cx, cy) in [(6.0, 30.0, 20.0), (3.25, -4.3, 8), (40, 0, 0)] {
      let isHexagon = name == "hexagonal-pixellate", key = isHexagon ? "scale" : "radius"
      let side = isHexagon ? (size, size * 0.75.squareRoot()) : (2 * size, 2 * size)
      let mean = Int(isHexagon ? size / 4 : size / 2)
      let result = try p.edited(FilterStep(name, [key: .number(size), "center": .numbers([cx, cy])]))
      let got = FilterPicture(width: 61, height: 47) { CompositingTests.premultiplied(result[$0, $1]) }
      var same = 0
      for y in 0..<47 {
        for x in 0..<61 {
          let at = Self.nearest(x, y, side, (cx, cy)) { i, j in
            if isHexagon { return (j & 1 == 0 ? 0 : 0.5, 0) }
            let column = UInt32(truncatingIfNeeded: i), row = UInt32(truncatingIfNeeded: j)
            return (Double(Dither.noise(column, row, 0)) + 0.5, Double(Dither.noise(column, row, 1)) + 0.5)
          }
          let qx = min(max(Int(at.x.rounded(.down)), 0), 60), qy = min(max(Int(at.y.rounded(.down)), 0), 46)
          var want = SIMD4<Double>.zero
          for dy in -mean...mean { for dx in -mean...mean { want += p.clampedPremultiplied(qx + dx, qy + dy) } }
          want /= Double((2 * mean + 1) * (2 * mean + 1))
          if name == "pointillize" && at.distance > size { want = .zero }
          let d = got[x, y] - want
          if (0..<4).allSatisfy({ abs(d[$0]) < 1e-4 }) { same += 1 }
        }
      }
      // Of pixels as far from two points, and of points between two pixels, roundings decide.
      #expect(same > 61 * 47 * 98 / 100, "\(name) \(size): \(same)")
    }
  }

  @Test("a crystal is one colour, and light above white stays") func lamp() throws {
    let p = FilterPicture(width: 200, height: 150) { x, y in
      let v = x / 10 == 10 && y / 10 == 7 ? 100.0 : 0.25
      return SIMD4(v, v, v, 1)
    }
    let result = try p.edited(FilterStep("crystallize"))
    #expect(Set(result.pixels.map(\.x)).count <= 4 * 5)
    #expect(result.pixels.map(\.x).max()! > 2)
  }
}
