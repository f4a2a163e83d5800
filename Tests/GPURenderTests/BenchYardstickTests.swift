import GPURender
import HDRCore
import Testing

/// Tests the reference values that `bench` divides by.
struct BenchYardstickTests {
  /// A picture passed through does less than one with a curve, and that less than one with a LUT on top.
  @Test func operationsGrowWithStages() throws {
    let w = 64, h = 32
    var counts: [Double] = []
    for one in Recipes.all(w, h) { counts.append(try operationsPerPixel(one.plan)) }
    #expect(counts.allSatisfy { $0 > 0 && $0 < 100_000 })
    var plan = try #require(
      Recipes.all(w, h).map(\.plan).first { $0.passes.count == 1 && $0.passes[0].stages.count >= 3 })
    let all = try operationsPerPixel(plan)
    plan.passes[0].stages.removeLast()
    let fewer = try operationsPerPixel(plan)
    #expect(fewer < all)
    // The same stage twice costs it twice: the count is a sum over the call tree.
    plan.passes[0].stages.append(plan.passes[0].stages[1])
    let more = try operationsPerPixel(plan)
    plan.passes[0].stages.append(plan.passes[0].stages[1])
    #expect(try operationsPerPixel(plan) - more == more - fewer)
  }

  @Test(.enabled(if: Lavapipe.isPresent, "skipped: no llvmpipe")) func transfersAreMeasured() throws {
    let renderer = try #require(Lavapipe.renderer)
    let transfers = try renderer.measureTransfers(bytes: 1 << 20, copies: 2, repeats: 3)
    for direction in [transfers.upload, transfers.readback, transfers.duplex] {
      #expect(direction.count == 3 && direction.allSatisfy { $0 > 1e6 && $0.isFinite })
    }
  }
}
