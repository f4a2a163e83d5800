import HDRCore
import HDRPlan
import TestPlans
import Testing

@Suite struct ExposureTests {
  @Test(arguments: [-2.5, 0, 0.5, 3]) func lightIsMultipliedByAPowerOfTwo(ev: Double) throws {
    let picture = FilterPicture.noise(hasAlpha: true)
    try picture.edited(FilterStep("exposure", ["ev": .number(ev)])).expect { x, y in
      var pixel = picture[x, y] * ExactMath.exp2(ev)
      pixel.w = picture[x, y].w
      return pixel
    }
  }

  @Test("exposure scales the content headroom, down to 1 at least")
  func headroomFollows() {
    var recipe = RenderRecipe(target: OutputSignal(encoding: .linear, sink: .rgba16f))
    recipe.edits = [FilterStep("exposure", ["ev": .number(1)])]
    #expect(recipe.headroom(afterEditing: Headroom(factor: 4))?.factor == 8)
    recipe.edits = [FilterStep("exposure", ["ev": .number(-5)])]
    #expect(recipe.headroom(afterEditing: Headroom(factor: 4))?.factor == 1)
  }
}
