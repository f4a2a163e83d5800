import HDRCore
import Testing

@Suite struct SourceOverTests {
  @Test(arguments: [[0.0, 0], [5, -3], [-4, 9], [100, 0]])
  func foregroundLiesOverTheBackground(offset: [Double]) throws {
    let back = FilterPicture.noise(hasAlpha: true),
      top = FilterPicture.noise(width: 9, height: 8, seed: 2, hasAlpha: true)
    let result = try back.edited(
      FilterStep("sourceOver", ["input": .word("top"), "offset": .numbers(offset)]), inputs: ["top": top])
    result.expect(1e-5) { x, y in
      let b = back[x, y], tx = x - Int(offset[0]), ty = y - Int(offset[1])
      guard (0..<top.width).contains(tx), (0..<top.height).contains(ty) else { return b }
      let s = top[tx, ty], alpha = s.w + b.w * (1 - s.w)
      var color = (s * s.w + b * b.w * (1 - s.w)) / max(alpha, 1e-9)
      color.w = alpha
      return color
    }
  }

  @Test func anInputThatIsNotThereIsNamed() {
    #expect(throws: PlanError.self) {
      try FilterPicture.noise().edited(FilterStep("sourceOver", ["input": .word("logo")]))
    }
  }
}
