import BatchEngine
import CPURender
import HDRCore
import HDRPlan
import Kernels
import Measure
import Testing

/// Properties of every filter of the list, whatever its formula.
@Suite struct FilterPropertyTests {
  /// 32-bit planes of light -0.5...16 with alpha through some filters, on the best CPU build.
  static func planes(_ steps: [FilterStep], seed: UInt64) -> [[Float]]? {
    guard let plan = VerificationCases.editing(steps, seed: seed) else { return nil }
    let image = CPUBackend.best.render(plan, threads: 2)
    return (image.channels + (image.alpha.map { [$0] } ?? [])).map { plane in
      (0..<plane.height).flatMap { y in
        (0..<plane.width).map { x in
          E32.float(
            half: UInt32(
              (plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes).load(as: UInt16.self)))
        }
      }
    }
  }

  @Test(arguments: Filters.all.map { $0.name })
  func drawnValuesGiveSoundPictures(name: String) throws {
    let filter = try #require(Filters.named(name))
    var recipes = RandomRecipes(seed: 7), rendered = 0
    for seed in 0..<60 where rendered < 8 {
      guard let planes = Self.planes([recipes.step(filter)], seed: UInt64(seed)) else { continue }
      rendered += 1
      #expect(planes[3].allSatisfy { (0...1).contains($0) }, "alpha of \(name)")
      #expect(planes.allSatisfy { $0.allSatisfy(\.isFinite) })
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
