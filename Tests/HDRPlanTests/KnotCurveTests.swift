import HDRPlan
import Testing

@Suite struct KnotCurveTests {
  @Test func linesGoThroughTheirPointsAndStopAtTheEnds() throws {
    let curve = try #require(KnotCurve.lines([(-1, 2), (0, 3), (4, -1)]))
    for (x, y) in [(-9, 2), (-1, 2), (-0.5, 2.5), (0, 3), (1, 2), (4, -1), (9, -1)] as [(Double, Double)] {
      #expect(abs(curve.value(x) - y) < 1e-12)
    }
  }

  @Test("a smooth curve of a parabola's points is the parabola")
  func smoothCurvesKeepParabolas() throws {
    let points = [0.0, 1, 2, 3, 4].map { (x: $0, y: $0 * $0 - 2) }
    let curve = try #require(KnotCurve.smooth(points))
    for x in [0, 0.3, 1, 1.7, 2.5, 3.9, 4] { #expect(abs(curve.value(x) - (x * x - 2)) < 1e-12) }
  }

  @Test("the inverse of a curve that stays takes the lower end of the run")
  func inverseTakesTheLowerEnd() throws {
    let rising = try KnotCurve.inverse(of: [(0, 0), (1, 1), (2, 1), (3, 2)])
    #expect(rising.value(1) == 1 && rising.value(1.5) == 2.5 && rising.value(0.5) == 0.5 && rising.value(9) == 3)
    let falling = try KnotCurve.inverse(of: [(0, 4), (1, 2), (2, 0)])
    #expect(falling.value(3) == 0.5 && falling.value(-1) == 2)
    let constant = try KnotCurve.inverse(of: [(-1, 5), (1, 5)])
    #expect(constant.value(0) == -1 && constant.value(9) == -1)
    let error = #expect(throws: LUTError.self) { try KnotCurve.inverse(of: [(0, 0), (1, 2), (2, 1)]) }
    #expect(error?.code == .inverse)
  }
}
