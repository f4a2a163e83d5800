import HDRCore
import HDRPlan
import TestPlans
import Testing

@Suite struct MotionBlurTests {
  func step(_ radius: Double, _ angle: Double) -> FilterStep {
    FilterStep("motion-blur", ["radius": .number(radius), "angle": .number(angle)])
  }

  /// Mean of bilinear samples along the line, beyond the border its pixels.
  @Test(arguments: [(3.0, 0.0), (2.5, 90), (4, 45), (6.25, -31), (40, 120)], [false, true])
  func motionBlurIsTheMeanAlongALine(values: (radius: Double, angle: Double), hasAlpha: Bool) throws {
    let p = FilterPicture.noise(width: 37, height: 29, hasAlpha: hasAlpha), r = values.radius
    let (c, s) = ExactMath.cosSin(degrees: values.angle)
    let result = try p.edited(step(r, values.angle))
    #expect(result.width == 37 && result.height == 29)
    result.expect(2e-5) { x, y in
      var sum = SIMD4<Double>.zero
      for i in -Int(r.rounded(.up))...Int(r.rounded(.up)) {
        let weight = min(1, r - Double(abs(i)) + 1)
        sum += weight * p.bilinear(Double(x) + Double(i) * c, Double(y) - Double(i) * s, p.clampedPremultiplied)
      }
      return (sum / (2 * r + 1)).unpremultiplied
    }
  }

  @Test func aLevelBlurIsABoxOfOneRow() throws {
    let p = FilterPicture.noise(width: 24, height: 1)
    let box = try p.edited(FilterStep("box-blur", ["radius": .number(3)]))
    try p.edited(step(3, 0)).expect(2e-6) { x, y in box[x, y] }
  }

  /// A blur to the upper right turns a spot into a line there and opposite.
  @Test func aBlurAtFortyFiveDegreesGoesUpAndRight() throws {
    let p = FilterPicture(width: 21, height: 21) { x, y in
      let light = x == 10 && y == 10 ? 16.0 : 0
      return SIMD4(light, light, light, 1)
    }
    let result = try p.edited(step(6, 45))
    #expect(result[14, 6].x > 0.5 && result[6, 14].x > 0.5)
    #expect(result[6, 6].x == 0 && result[14, 14].x == 0)
  }

  @Test func nothingMovesAtRadiusZero() throws {
    let p = FilterPicture.noise(hasAlpha: true)
    try p.edited(step(0, 30)).expect(0) { x, y in p[x, y] }
  }
}
