import CPUReference
import HDRCore
import HDRPlan
import TestSupport
import Testing

/// A `.3dl` file with a shaper against OpenColorIO 2.6.0 (PyPI), which reads it with either interpolation.
@Suite struct LUTOracleTests {
  static let points = [
    [0.1, 0.2, 0.3], [0.9, 0.5, 0.1], [0.33, 0.34, 0.35], [0.77, 0.02, 0.6], [0.5, 0.99, 0.25], [0.05, 0.05, 0.9],
  ]
  static let tetrahedral = [
    [0.0573324, 0.113671, 0.1887382], [0.8062217, 0.3800114, 0.0948035], [0.2273114, 0.2383804, 0.2482568],
    [0.6416238, 0.0315099, 0.5085284], [0.4270366, 0.8940152, 0.1481306], [0.0276724, 0.0681248, 0.7925634],
  ]
  static let trilinear = [
    [0.0573324, 0.113671, 0.1887382], [0.8061098, 0.3800114, 0.0948035], [0.2273114, 0.2383804, 0.2482568],
    [0.6416239, 0.0315208, 0.5085284], [0.4270366, 0.8940405, 0.1482336], [0.0276724, 0.0681248, 0.792614],
  ]

  /// The file that OpenColorIO was given.
  static var text: String {
    func code(_ a: Int, _ c: Int) -> Int {
      Int((1023 * min(1, ExactMath.pow(Double(a) / 4, 0.7) * 0.9 + 0.05 * Double(c) / 4)).rounded(.toNearestOrEven))
    }
    var text = "0 100 300 600 1023\n"
    for r in 0..<5 {
      for g in 0..<5 {
        for b in 0..<5 { text += "\(code(r, g)) \(code(g, b)) \(code(b, r))\n" }
      }
    }
    return text
  }

  @Test(arguments: [LUTChoice.Interpolation.tetrahedral, .trilinear])
  func openColorIOAgreesOnBothInterpolations(_ interpolation: LUTChoice.Interpolation) throws {
    let lut = try CubeLUT(parsing3DL: Array(Self.text.utf8))
    let image = SampleImage.interleaved(width: 1, height: 1, channelCount: 4, format: .float16, bitDepth: 16)
    let source = SourceImage(
      format: .memory, image: image,
      color: SourceColor(matrix: 0, fullRange: true, encoding: .cicp(primaries: 9, transfer: 8)),
      geometry: Geometry(width: 1, height: 1))
    var recipe = RenderRecipe(target: OutputSignal(encoding: .linear, sink: .floatPlanes), tone: .none)
    recipe.luts = [LUTChoice(lut: lut, space: ColorSpace(.linear, .bt2020), interpolation: interpolation)]
    let plan = try Planner.plan(source, recipe)
    var got = Self.points.map { SIMD4<Float>(Float($0[0]), Float($0[1]), Float($0[2]), 1) }
    let stages = Array(plan.passes[0].stages.dropFirst())
    #expect(stages.count == 2)
    CPURenderer.apply(stages, constants: plan.constants, tables: plan.tables, to: &got)
    for (pixel, want) in zip(got, interpolation == .trilinear ? Self.trilinear : Self.tetrahedral) {
      expectClose([Double(pixel.x), Double(pixel.y), Double(pixel.z)], want, abs: 3e-7, rel: 0)
    }
  }
}
