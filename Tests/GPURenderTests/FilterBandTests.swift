import GPURender
import HDRCore
import HDRPlan
import TestPlans
import Testing

/// Filters that read rows elsewhere, in the smallest bands: what rows a band needs is what `RowScale` says.
@Suite(.serialized, .enabled(if: Lavapipe.isPresent, "skipped: no llvmpipe"))
struct FilterBandTests {
  static let steps: [[FilterStep]] = [
    [FilterStep("rotate", ["angle": .number(33)])],
    [FilterStep("rotate", ["angle": .number(-140), "expand": .flag(false), "sampling": .word("nearest")])],
    [FilterStep("straighten", ["angle": .number(4)])],
    [FilterStep("affine", ["matrix": .numbers([0.4, 1.3, -30, -0.8, 0.3, 70]), "canvas": .word("same")])],
    [
      FilterStep(
        "perspective-transform",
        ["top-left": .numbers([40, 40]), "top-right": .numbers([50, 40]), "bottom-right": .numbers([112, 92])])
    ],
    [
      FilterStep(
        "perspective-correction",
        [
          "top-left": .numbers([55, 8]), "top-right": .numbers([62, 9]), "bottom-right": .numbers([116, 80]),
          "bottom-left": .numbers([0, 92]),
        ])
    ],
    [FilterStep("gaussian-blur", ["radius": .number(20)])],
    [FilterStep("gaussian-blur", ["radius": .number(9), "edges": .word("transparent")]), FilterStep("rotate")],
    [FilterStep("scale", ["factor": .number(0.37)]), FilterStep("scale", ["factor": .number(2.9)])],
    [FilterStep("scale", ["factor": .number(1.7), "method": .word("bicubic"), "space": .word("pq")])],
    [FilterStep("stretch-crop", ["size": .numbers([70, 120])])],
    [FilterStep("median"), FilterStep("flip", ["direction": .word("vertical")]), FilterStep("thumbnail")],
    [
      FilterStep("disc-blur", ["radius": .number(3)]), FilterStep("convolution-7x7"),
      FilterStep("box-blur", ["radius": .number(3.5)]),
    ],
    [FilterStep("unsharp-mask"), FilterStep("bloom"), FilterStep("gloom"), FilterStep("sharpen-luminance")],
  ]

  /// One device for all tests: many kernels are the same in each, and compiling takes longer than rendering.
  static let renderer = Result { try RendererTests.renderer { $0.bandBytes = 1 << 15 } }

  @Test(arguments: [false, true], WorkingFormat.allCases)
  func bandsHaveTheBitsOfTheCPU(hasAlpha: Bool, format: WorkingFormat) throws {
    let renderer = try Self.renderer.get()
    let picture = Recipes.interleaved(117, 93, channels: hasAlpha ? 4 : 3, bits: 8)
    for steps in Self.steps {
      var recipe = RenderRecipe(target: Recipes.target16f)
      recipe.edits = steps
      recipe.workingFormat = format
      let plan = try Planner.plan(source(picture, transfer: 13), recipe)
      let difference = differingSamples(try renderer.render(plan), renderOnCPU(plan))
      #expect(difference == 0, "\(steps.map(\.name)): \(difference) samples")
      #expect(renderer.lastTimings.bands > 3, "\(steps.map(\.name))")
    }
  }
}
