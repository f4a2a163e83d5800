import HDRCore
import Testing

@Suite struct GaussianBlurTests {
  @Test(arguments: [0.5, 1.5, 4.0], ["clamp", "transparent"])
  func weightedMeanOfTheNeighbourhood(sigma: Double, edges: String) throws {
    let picture = FilterPicture.noise(hasAlpha: true)
    let reach = Int((3 * sigma).rounded(.up))
    func weight(_ d: Int) -> Double { ExactMath.exp2(-0.5 * Double(d * d) / (sigma * sigma) / 0.693_147_180_559_945_3) }
    let sum = (-reach...reach).map(weight).reduce(0, +)
    let result = try picture.edited(
      FilterStep("gaussianBlur", ["radius": .number(sigma), "edges": .word(edges)]))
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
}
