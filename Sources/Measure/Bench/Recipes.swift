import HDRCore
import HDRPlan

/// The named recipes of `bench kernel`.
package enum Recipes {
  /// P010 → PQ → gain map → 33³ LUT in PQ → Reference White → half.
  package static func reference(_ lut: CubeLUT) -> RenderRecipe {
    RenderRecipe(
      target: OutputSignal(encoding: .linear, sink: .rgba16f), display: .headroom(Headroom(factor: 2)),
      tone: .named("reference-white"), lut: LUTChoice(lut: lut, space: .pq))
  }

  /// A PQ-space LUT on PQ input: unpack, matrix, LUT, nothing else.
  package static func lutPQ(_ lut: CubeLUT) -> RenderRecipe {
    RenderRecipe(target: OutputSignal(encoding: .pq, sink: .rgba16), lut: LUTChoice(lut: lut, space: .pq))
  }

  package static let hlgToPQ = RenderRecipe(target: OutputSignal(encoding: .pq, sink: .rgba16))

  /// Light of a scene through a view to 16-bit codes.
  package static func view(_ name: String, _ encoding: OutputSignal.Encoding) -> RenderRecipe {
    var recipe = RenderRecipe(target: OutputSignal(encoding: encoding, sink: .rgba16))
    recipe.view = ACESView.named(name).map { ViewChoice($0) }
    return recipe
  }
}
