import GPURender
import HDRCore
import HDRPlan
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
        "perspectiveTransform",
        ["topLeft": .numbers([40, 40]), "topRight": .numbers([50, 40]), "bottomRight": .numbers([112, 92])])
    ],
    [
      FilterStep(
        "perspectiveCorrection",
        [
          "topLeft": .numbers([55, 8]), "topRight": .numbers([62, 9]), "bottomRight": .numbers([116, 80]),
          "bottomLeft": .numbers([0, 92]),
        ])
    ],
    [FilterStep("gaussianBlur", ["radius": .number(20)])],
    [FilterStep("gaussianBlur", ["radius": .number(9), "edges": .word("transparent")]), FilterStep("rotate")],
    [FilterStep("scale", ["factor": .number(0.37)]), FilterStep("scale", ["factor": .number(2.9)])],
    [FilterStep("scale", ["factor": .number(1.7), "method": .word("bicubic"), "space": .word("pq")])],
    [FilterStep("stretchCrop", ["size": .numbers([70, 120])])],
    [FilterStep("median"), FilterStep("flip", ["direction": .word("vertical")]), FilterStep("thumbnail")],
    [
      FilterStep("discBlur", ["radius": .number(3)]), FilterStep("convolution7X7"),
      FilterStep("boxBlur", ["radius": .number(3.5)]),
    ],
    [FilterStep("unsharpMask"), FilterStep("bloom"), FilterStep("gloom"), FilterStep("sharpenLuminance")],
  ]

  @Test(arguments: [false, true], WorkingFormat.allCases)
  func bandsHaveTheBitsOfTheCPU(hasAlpha: Bool, format: WorkingFormat) throws {
    let renderer = try RendererTests.renderer { $0.bandBytes = 1 << 15 }
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
