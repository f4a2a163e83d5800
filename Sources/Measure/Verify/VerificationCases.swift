import HDRCore
import HDRPlan

/// The cases of `verify`: every stage and sink on random bits and ramps, whole recipes on every layout, small odd sizes,
/// and several pictures at once.
package enum VerificationCases {
  /// Returns all cases, `pixels` a case (rounded to whole rows).
  package static func all(pixels: Int) -> [VerificationCase] {
    VerificationGroup.allCases.flatMap { cases(of: $0, pixels: pixels) }
  }

  /// Returns the cases of a group, `pixels` each; none of `random`, see `random(_:seed:each:)`.
  package static func cases(of group: VerificationGroup, pixels: Int) -> [VerificationCase] {
    switch group {
    case .decoding: layouts(pixels: pixels)
    case .cameras: cameras(pixels: pixels)
    case .stages:
      stages(pixels: pixels).filter { !$0.hasLUT } + sinks(pixels: pixels) + [
        halvesBeside(pixels: pixels), equalLooks(pixels: pixels),
      ]
    case .numbers: distinctNumbers()
    case .operators: operators(pixels: pixels / 4)
    case .filters: filters()
    case .gainMaps: gainMaps(pixels: pixels)
    case .luts: (stages(pixels: pixels) + recipes(pixels: pixels)).filter(\.hasLUT)
    case .recipes: recipes(pixels: pixels).filter { !$0.hasLUT } + comparisons(pixels: pixels)
    case .sizes: edges()
    case .together: together(pixels: pixels / 4)
    case .codecs: codecs(pixels: pixels / 8)
    case .sums: sums(pixels: pixels / 8)
    case .random: []
    }
  }

  /// Draws random recipes of up to 12 filters on small pictures, the same for every run with one seed.
  package static func random(_ count: Int, seed: UInt64, each: (VerificationCase, _ filters: Int) -> Void) {
    var recipes = RandomRecipes(seed: seed), made = 0, attempt: UInt64 = 0
    // Values that a filter refuses are drawn again; most are taken.
    while made < count && attempt < 10 * UInt64(count) + 100 {
      let steps = recipes.steps(upTo: 12)
      if let plan = editing(steps, seed: attempt) {
        made += 1
        each(
          VerificationCase(name: "random \(made) " + steps.map(\.name).joined(separator: " "), plan: plan), steps.count)
      }
      attempt += 1
    }
  }

  static let width = 1021

  static func rows(_ pixels: Int) -> Int { max(1, (pixels + width - 1) / width) }

  static func source(
    _ image: SampleImage, primaries: Int, transfer: Int, matrix: Int, full: Bool, orientation: Orientation = .up
  ) -> SourceImage {
    SourceImage(
      format: .memory, image: image,
      color: SourceColor(
        matrix: matrix, fullRange: full, encoding: .cicp(primaries: primaries, transfer: transfer),
        cicp: CICP(primaries, transfer, matrix, full: full)),
      geometry: Geometry(width: image.width, height: image.height, orientation: orientation))
  }

  static let linearHalf = RenderRecipe(target: OutputSignal(encoding: .linear, sink: .rgba16f))

  static func recipe(_ name: String, _ source: SourceImage, _ recipe: RenderRecipe) -> VerificationCase? {
    (try? Planner.plan(source, recipe)).map { VerificationCase(name: name, plan: $0) }
  }
}
