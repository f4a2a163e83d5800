import BatchEngine
import CFloatState
import CPURender
import HDRCore
import HDRPlan
import HDRRender
import Kernels
import Measure
import Testing

/// Devices may flush subnormals, so no output may depend on one: every case of `verify` on the CPU, both ways.
@Suite(.serialized, .enabled(if: hdr_float_state_is_known() != 0, "skipped: not x86-64"))
struct SubnormalTests {
  /// The picture of a case, rendered by this thread alone in a floating-point state, and the exceptions it raised.
  static func render(_ test: VerificationCase, _ state: UInt32) -> (image: SampleImage, raised: UInt32) {
    hdr_set_float_state(hdr_float_default | state)
    let image = CPUBackend.baseline.render(test.plan, threads: 1)
    let raised = hdr_float_state()
    hdr_set_float_state(hdr_float_default)
    return (image, raised)
  }

  /// Stages whose vectors have unused lanes with any contents: the compiler computes four places at a time where there
  /// are two or three, and the executor of kernels computes both arms of a branch.
  static let computesMore: Set<StageKind> = [.ripple, .mosaic, .warpPlace, .user]

  @Test("no stage meets a subnormal, and none needs one", arguments: VerificationGroup.allCases)
  func noStageMeetsASubnormal(group: VerificationGroup) {
    var cases = VerificationCases.cases(of: group, pixels: 8192)
    if group == .random { VerificationCases.random(60, seed: 14) { test, _ in cases.append(test) } }
    #expect(!cases.isEmpty)
    let flushResults = hdr_float_flush_results,
      flushBoth = flushResults | hdr_float_flush_operands
    for test in cases {
      let kept = Self.render(test, 0).image, flushed = Self.render(test, flushBoth).image
      #expect(WordComparison(kept, flushed).differing == 0, "\(test.name) depends on subnormals")
      if test.stages.contains(where: Self.computesMore.contains) { continue }
      let raised = Self.render(test, flushResults).raised
      #expect(raised & hdr_float_met_subnormal_operand == 0, "\(test.name): a subnormal operand")
      #expect(raised & hdr_float_met_subnormal_result == 0, "\(test.name): a subnormal result")
    }
  }
}
