import GPURender
import HDRCore
import Testing

/// Filters that read rows elsewhere, in the smallest bands: what rows a band needs is what `RowScale` says.
@Suite(.serialized, .enabled(if: Lavapipe.isPresent, "skipped: no llvmpipe"))
struct FilterBandTests {
  static let steps: [[FilterStep]] = [
    [FilterStep("rotate", ["angle": .number(33)])],
    [FilterStep("rotate", ["angle": .number(-140), "expand": .flag(false), "sampling": .word("nearest")])],
    [FilterStep("straighten", ["angle": .number(4)])],
    [FilterStep("affine", ["matrix": .numbers([0.4, 1.3, -60, -0.8, 0.3, 150]), "canvas": .word("same")])],
    [
      FilterStep(
        "perspectiveTransform",
        ["topLeft": .numbers([90, 100]), "topRight": .numbers([120, 100]), "bottomRight": .numbers([290, 230])])
    ],
    [
      FilterStep(
        "perspectiveCorrection",
        [
          "topLeft": .numbers([140, 20]), "topRight": .numbers([160, 21]), "bottomRight": .numbers([299, 200]),
          "bottomLeft": .numbers([0, 230]),
        ])
    ],
    [FilterStep("gaussianBlur", ["radius": .number(20)])],
    [FilterStep("gaussianBlur", ["radius": .number(9), "edges": .word("transparent")]), FilterStep("rotate")],
    [FilterStep("scale", ["factor": .number(0.37)]), FilterStep("scale", ["factor": .number(2.9)])],
    [FilterStep("scale", ["factor": .number(1.7), "method": .word("bicubic"), "space": .word("pq")])],
    [FilterStep("stretchCrop", ["size": .numbers([150, 300])])],
    [FilterStep("median"), FilterStep("flip", ["direction": .word("vertical")]), FilterStep("thumbnail")],
    [FilterStep("discBlur"), FilterStep("convolution7X7"), FilterStep("boxBlur", ["radius": .number(3.5)])],
    [FilterStep("unsharpMask"), FilterStep("bloom"), FilterStep("gloom"), FilterStep("sharpenLuminance")],
  ]

  @Test(arguments: [false, true]) func bandsHaveTheBitsOfTheCPU(hasAlpha: Bool) throws {
    let renderer = try RendererTests.renderer { $0.bandBytes = 1 << 16 }
    let picture = Recipes.interleaved(301, 233, channels: hasAlpha ? 4 : 3, bits: 8)
    for steps in Self.steps {
      var recipe = RenderRecipe(target: Recipes.target16f)
      recipe.edits = steps
      let plan = try Planner.plan(source(picture, transfer: 13), recipe)
      let difference = differingSamples(try renderer.render(plan), renderOnCPU(plan))
      #expect(difference == 0, "\(steps.map(\.name)): \(difference) samples")
      #expect(renderer.lastTimings.bands > 3, "\(steps.map(\.name))")
    }
  }
}
