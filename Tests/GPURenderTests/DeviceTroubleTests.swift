import GPURender
import HDRCore
import HDRPlan
import TestPlans
import Testing

/// Clocks that end, memory that is full, and work that takes long.
@Suite struct DeviceTroubleTests {
  @Test("a clock of few bits may pass its end between two times, and its other bits do not count")
  func clocksEnd() {
    let end: UInt64 = 1 << 36
    #expect(elapsedTicks(from: end - 5, to: 3, bits: 36) == 8)
    #expect(elapsedTicks(from: 7, to: 19, bits: 36) == 12)
    #expect(elapsedTicks(from: 7 | 0xab << 36, to: 19 | 0xcd << 36, bits: 36) == 12)
    #expect(elapsedTicks(from: .max - 1, to: 4, bits: 64) == 6)
    #expect(elapsedTicks(from: 1, to: .max, bits: 64) == UInt64.max - 1)
  }

  @Test("a size that fitted is remembered for a minute")
  func sizesAreRemembered() {
    let now = ContinuousClock.now, size = RememberedSize(bytes: 5, until: now + RememberedSize.duration)
    #expect(size.bytes(at: now) == 5 && size.bytes(at: now + .seconds(59)) == 5)
    #expect(size.bytes(at: now + .seconds(60)) == nil)
  }

  /// One device for all lengths, one after the other: it compiles each kernel once.
  private static let whole = Result { try RendererTests.renderer() }

  @Test(
    "long passes are cut into dispatches, with the same bits", .serialized,
    .enabled(if: Lavapipe.isPresent, "skipped: no llvmpipe"), arguments: [1e-9, 2e-6, 1e-5])
  func longPassesAreCut(seconds: Double) throws {
    let whole = try Self.whole.get(), cut = try RendererTests.renderer { $0.dispatchSeconds = seconds }
    for one in Recipes.all(131, 67) {
      let expected = try whole.render(one.plan)
      #expect(whole.lastTimings.dispatches == one.plan.passes.count * whole.lastTimings.bands, "\(one.name)")
      #expect(differingSamples(try cut.render(one.plan), expected) == 0, "\(one.name)")
      #expect(cut.lastTimings.bands == whole.lastTimings.bands)
      // One row of work-groups has four rows of pixels or of blocks: no plan here is as short as that.
      let dispatches = (cut.lastTimings.dispatches, whole.lastTimings.dispatches)
      #expect(seconds == 1e-9 ? dispatches.0 > dispatches.1 : dispatches.0 >= dispatches.1, "\(one.name)")
    }
  }
}
