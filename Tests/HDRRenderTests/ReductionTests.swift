import CPURender
import HDRCore
import HDRPlan
import ImageFiles
import Kernels
import TestPlans
import Testing

@Suite struct ReductionTests {
  /// Results of one and two pixels and of one row go into files.
  @Test(arguments: ["area-average", "area-min-max", "area-logarithmic-histogram"]) func tinyPicturesAreFiles(
    name: String
  ) throws {
    let layouts: [(OutputKind, OutputSignal.Encoding, SinkKind)] = [
      (.pqPNG, .pq, .rgba16), (.sdrPNG, .sdr, .rgba8), (.rgba16f, .linear, .rgba16f), (.sdrJPEG, .sdr, .rgba8),
    ]
    let picture = FilterPicture.noise(width: 300, height: 130, hasAlpha: true)
    for (kind, encoding, sink) in layouts {
      var recipe = RenderRecipe(target: OutputSignal(encoding: encoding, sink: sink))
      recipe.edits = [FilterStep(name)]
      let plan = try Planner.plan(picture.source, recipe)
      let image = CPUBackend.best.render(plan, threads: 2)
      let files = try encodeImage(
        EncodeRequest(
          kind: kind, image: image, hasAlpha: plan.report.hasAlpha, cicp: plan.report.outputCICP, contentHeadroom: 4,
          displayHeadroom: 4))
      #expect(files.main.count > (kind == .rgba16f ? 7 : 60), "\(name) \(kind)")
    }
  }
}
