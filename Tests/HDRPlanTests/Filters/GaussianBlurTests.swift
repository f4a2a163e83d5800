import HDRCore
import HDRPlan
import TestPlans
import Testing

@Suite struct GaussianBlurTests {
  @Test(arguments: [0.5, 1.5, 4.0], ["clamp", "transparent"])
  func blurIsTheWeightedMeanOfTheNeighbourhood(sigma: Double, edges: String) throws {
    let picture = FilterPicture.noise(hasAlpha: true)
    let reach = Int((3 * sigma).rounded(.up))
    func weight(_ d: Int) -> Double { ExactMath.exp2(-0.5 * Double(d * d) / (sigma * sigma) / 0.693_147_180_559_945_3) }
    let sum = (-reach...reach).map(weight).reduce(0, +)
    let result = try picture.edited(
      FilterStep("gaussian-blur", ["radius": .number(sigma), "edges": .word(edges)]))
    result.expect(2e-5) { x, y in
      var total = SIMD4<Double>.zero
      for dy in -reach...reach {
        for dx in -reach...reach {
          var px = x + dx, py = y + dy
          if edges == "clamp" {
            px = min(max(px, 0), picture.width - 1)
            py = min(max(py, 0), picture.height - 1)
          } else if px < 0 || py < 0 || px >= picture.width || py >= picture.height {
            continue
          }
          var p = picture[px, py] * picture[px, py].w
          p.w = picture[px, py].w
          total += p * weight(dx) * weight(dy) / (sum * sum)
        }
      }
      var color = total / total.w
      color.w = total.w
      return color
    }
  }

  /// The response to single bright rows and columns, and to edges, sums to the Gaussian itself.
  ///
  /// Blurs of one row are kernels of one direction, read off an impulse at every place of a coarse cell: half the sum of
  /// their differences from the Gaussian bounds the error of any picture of range 1.
  @Test(arguments: [8.0, 9.7, 12, 20, 33]) func wideBlursFollowTheGaussian(sigma: Double) throws {
    let reach = Int(6 * sigma), size = 2 * reach + 40
    var worst = 0.0
    for place in 0..<(2 * Int(sigma / 6)) {
      let at = reach + place
      // Rows are independent where all are alike.
      let picture = FilterPicture(width: size, height: 1) { x, _ in SIMD4(repeating: x == at ? 1024 : 0) }.opaque
      let result = try picture.edited(FilterStep("gaussian-blur", ["radius": .number(sigma)]))
      let exact = (0..<size).map {
        ExactMath.exp(-0.5 * Double(($0 - at) * ($0 - at)) / (sigma * sigma)) / (sigma * 2.506_628_274_631_000_5)
      }
      worst = max(worst, (0..<size).map { abs(result[$0, 0].x / 1024 - exact[$0]) }.reduce(0, +) / 2)
    }
    print("gaussian-blur \(sigma): at most \(worst) of the range in one direction")
    #expect(worst < 3.5e-5)
  }

  @Test(arguments: ["clamp", "transparent"]) func wideBlursKnowTheBorder(edges: String) throws {
    let sigma = 8.0, reach = 48
    let picture = FilterPicture.noise(width: 41, height: 3, hasAlpha: true)
    let g = (0...reach).map { ExactMath.exp(-0.5 * Double($0 * $0) / (sigma * sigma)) }
    let sum = g[0] + 2 * g.dropFirst().reduce(0, +)
    let result = try picture.edited(
      FilterStep("gaussian-blur", ["radius": .number(sigma), "edges": .word(edges)]))
    // Weights are separable: along x first.
    func row(_ x: Int, _ y: Int) -> SIMD4<Double> {
      (-reach...reach).reduce(SIMD4<Double>.zero) { total, d in
        let inside = min(max(x + d, 0), picture.width - 1)
        if edges == "transparent" && inside != x + d { return total }
        return total + picture.premultiplied(inside, y) * (g[abs(d)] / sum)
      }
    }
    result.expect(16.5 * 1e-4) { x, y in
      var total = SIMD4<Double>.zero
      for d in -reach...reach {
        let inside = min(max(y + d, 0), picture.height - 1)
        if edges == "transparent" && inside != y + d { continue }
        total += row(x, inside) * (g[abs(d)] / sum)
      }
      return total.unpremultiplied
    }
  }

  @Test(arguments: [(1, 1), (1, 37), (29, 1)]) func flatPicturesStayFlat(width: Int, height: Int) throws {
    let picture = FilterPicture(width: width, height: height) { _, _ in SIMD4(-0.5, 1, 16, 1) }
    for sigma in [1.0, 20, 300] {
      try picture.edited(FilterStep("gaussian-blur", ["radius": .number(sigma)])).expect(1e-5) { _, _ in
        SIMD4(-0.5, 1, 16, 1)
      }
    }
  }
}
