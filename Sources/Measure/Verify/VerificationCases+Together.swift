import HDRCore
import HDRPlan

extension VerificationCases {
  /// Returns cases of pictures that several threads render on one device at the same time: of one recipe, which share
  /// kernels and tables, and of several.
  static func together(pixels: Int) -> [VerificationCase] {
    let lut = TestPictures.look(size: 9), w = width & ~1, h = rows(pixels) + 1 & ~1
    let sources = (0..<6).map { seed in
      source(
        TestPictures.photoP010(width: w, height: h, seed: UInt64(70 + seed)), primaries: CICP.Primaries.bt2020,
        transfer: CICP.Transfer.pq, matrix: CICP.Matrix.bt2020, full: false)
    }
    let alike = sources.compactMap { try? Planner.plan($0, Recipes.lutPQ(lut)) }
    let different = recipes(pixels: pixels).prefix(4).map(\.plan)
    let edited = (0..<4).compactMap { seed in
      editing([FilterStep("median"), FilterStep("unsharp-mask"), FilterStep("gaussian-blur")], seed: UInt64(80 + seed))
    }
    return [("one recipe", alike), ("other recipes", different), ("filters", edited)].compactMap { name, plans in
      plans.first.map { VerificationCase(name: "together, \(name)", plan: $0, beside: Array(plans.dropFirst())) }
    }
  }
}
