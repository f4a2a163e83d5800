import HDRCore
import Kernels

extension Plan {
  /// Returns a plan that makes a picture of its own R, G, B codes of 8 bits (`SinkKind.rgba8`), opaque.
  package static func copying(_ image: SampleImage) -> Plan {
    var words = PlanDataBuilder()
    let stages = [
      words.stage(.loadSamples, LoadSamples.words(image, lumaOffset: 0, chromaOffset: 0)),
      words.stage(.affine, Affine.words(scale: [1 / 255, 1 / 255, 1 / 255], offset: [0, 0, 0])),
    ]
    let pass = Pass(
      name: "copy", sources: [.image(image)], width: image.width, height: image.height, mapping: .identity,
      stages: stages, sink: words.sink(.rgba8, StoreRGBA8.words(dither: 0)))
    return Plan(passes: [pass], constants: words.constants, tables: words.tables, report: PlanReport())
  }
}
