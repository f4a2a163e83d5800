import BatchEngine
import CPURender
import HDRCore
import HDRPlan
import Measure
import TestPlans
import Testing

/// Properties of every filter of the list, whatever its formula.
@Suite struct FilterPropertyTests {
  /// The extremes of R, G, B and alpha of light -0.5...16 with alpha through some filters, on the best CPU build.
  static func extremes(_ steps: [FilterStep], seed: UInt64) -> [SampleExtremes]? {
    guard let plan = VerificationCases.editing(steps, seed: seed) else { return nil }
    let image = CPUBackend.best.render(plan, threads: 2)
    return (image.channels + [image.alpha].compactMap(\.self)).map { SampleExtremes(halves: $0) }
  }

  @Test(arguments: Filters.all.map { $0.name })
  func drawnValuesGiveSoundPictures(name: String) throws {
    let filter = try #require(Filters.named(name))
    var recipes = RandomRecipes(seed: 7), rendered = 0
    for seed in 0..<60 where rendered < 8 {
      guard let extremes = Self.extremes([recipes.step(filter)], seed: UInt64(seed)) else { continue }
      rendered += 1
      #expect(extremes[3].least >= 0 && extremes[3].most <= 1, "alpha of \(name)")
      #expect(extremes.allSatisfy { $0.areFinite })
    }
    #expect(rendered >= 3, "\(name): hardly any drawn values are taken")
  }

  /// Random recipes of up to 12 filters: the baseline CPU build, the others and every Vulkan device give the same words.
  @Test func randomRecipesAreTheSameEverywhere() {
    let verification = Verification(device: nil)
    guard !verification.backends.isEmpty else { return print("skipped: one CPU build and no Vulkan device") }
    var rendered = 0, steps = 0, passes = 0
    VerificationCases.random(200, seed: 2026) { test, filters in
      let row = verification.run(test)
      #expect(row.isClean, "\(row.name): differing words \(row.differing) \(row.failures)")
      rendered += 1
      steps += filters
      passes += test.plan.passes.count
    }
    #expect(rendered == 200)
    print("\(rendered) random recipes, \(steps) filters, \(passes) passes: \(verification.backends.map(\.name))")
  }

  @Test func namesAreUniqueAndSpelt() {
    let names = Filters.all.map { $0.name }
    #expect(Set(names).count == names.count)
    for filter in Filters.all {
      #expect(Set(filter.parameters.map(\.name)).count == filter.parameters.count)
      #expect(!filter.summary.isEmpty && filter.summary.count <= 100)
    }
  }
}
