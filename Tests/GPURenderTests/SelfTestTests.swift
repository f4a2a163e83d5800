import CFloatState
import Foundation
import GPURender
import HDRCore
import SPIRV
import Shaders
import Testing

/// The start-up self-test asks for what the contract promises, and for nothing else.
@Suite struct SelfTestTests {
  static let inputs = GPURenderer.probeVectors(100_000)

  /// The probe's answers with this thread in a floating-point state, and the exceptions it raised.
  static func answers(_ state: UInt32) -> (words: [UInt32], raised: UInt32) {
    var words: [UInt32] = [], one = [UInt32](repeating: 0, count: GPURenderer.probeOutputs)
    words.reserveCapacity(inputs.count / GPURenderer.probeInputs * one.count)
    hdr_set_float_state(hdr_float_default | state)
    for first in stride(from: 0, to: inputs.count, by: GPURenderer.probeInputs) {
      GPURenderer.probe(inputs[first], inputs[first + 1], inputs[first + 2], inputs[first + 3], &one)
      words += one
    }
    let raised = hdr_float_state()
    hdr_set_float_state(hdr_float_default)
    return (words, raised)
  }

  @Test(
    "a device that flushes subnormals passes: the probe has none",
    .enabled(if: hdr_float_state_is_known() != 0, "skipped: not x86-64"))
  func flushingChangesNoAnswer() {
    let kept = Self.answers(0)
    let flushed = Self.answers(hdr_float_flush_results | hdr_float_flush_operands)
    #expect(kept.words == flushed.words)
    // With operands kept and results flushed the processor reports both exceptions.
    let seen = Self.answers(hdr_float_flush_results).raised
    #expect(seen & hdr_float_met_subnormal_operand == 0, "an operand of the probe is subnormal")
    #expect(seen & hdr_float_met_subnormal_result == 0, "a result of the probe is subnormal")
  }

  @Test(
    "a device that rounds otherwise fails in every floating-point answer",
    .enabled(if: hdr_float_state_is_known() != 0, "skipped: not x86-64"),
    arguments: [hdr_float_truncate, hdr_float_round_up, hdr_float_round_down])
  func otherRoundingIsSeen(mode: UInt32) {
    let nearest = Self.answers(0).words, other = Self.answers(mode).words
    for answer in 0..<GPURenderer.probeFloats {
      let differing = stride(from: answer, to: nearest.count, by: GPURenderer.probeOutputs)
        .count { nearest[$0] != other[$0] }
      #expect(differing > 1000, "answer \(answer) differs in \(differing) of 100000 vectors only")
    }
  }

  /// Ties, and values within 2^-10 units in the last place of one, that an operation must round.
  @Test("sum, difference and product each meet ties to even, upwards and downwards, and values beside ties")
  func tiesAreThere() {
    var ties = [[0, 0], [0, 0], [0, 0]], beside = [0, 0, 0]
    for first in stride(from: 0, to: Self.inputs.count, by: GPURenderer.probeInputs) {
      let a = Float(bitPattern: Self.inputs[first]), b = Float(bitPattern: Self.inputs[first + 1])
      let c = Float(bitPattern: Self.inputs[first + 2])
      let exact = [Double(a) + Double(b), Double(a) - Double(c), Double(a) * Double(b)]
      // The sums are exact where the exponents lie within 29 of each other; a product always is.
      let isExact = [abs(a.exponentDelta(b)) < 29, abs(a.exponentDelta(c)) < 29, true]
      for operation in 0..<3 where isExact[operation] && exact[operation] != 0 {
        let value = exact[operation], rounded = Float(value)
        let unit = Double(rounded.ulp), off = (value - Double(rounded)) / unit
        if abs(off) == 0.5 { ties[operation][off > 0 ? 0 : 1] += 1 }
        if abs(abs(off) - 0.5) < 0x1p-10 && abs(off) != 0.5 { beside[operation] += 1 }
      }
    }
    for operation in 0..<3 {
      #expect(ties[operation].min()! > 1000, "operation \(operation): \(ties[operation]) ties")
      #expect(beside[operation] > 50, "operation \(operation): \(beside[operation]) beside ties")
    }
  }

  @Test("without a promise the module neither declares nor needs it", arguments: FloatPromise.allCases)
  func promisesCanGo(promise: FloatPromise) throws {
    let words = try KernelLibraryTests.library.kernel(
      stages: KernelLibraryTests.longChain, sink: KernelLibraryTests.sink(.rgba16f, 170))
    let stripped = try removing([promise], from: words)
    #expect(stripped.count == words.count - 2 - 4)
    #expect(try lint(stripped) == (promise == .roundToNearestEven ? [.roundingModeMissing] : []))
    try expectValid(stripped)
    try expectValid(try removing(FloatPromise.allCases, from: words))
  }
}

extension Float {
  /// Difference of the exponents; 0 where one is 0.
  fileprivate func exponentDelta(_ other: Float) -> Int {
    self == 0 || other == 0 ? 0 : Int(exponent) - Int(other.exponent)
  }
}

/// SwiftShader: a second driver that promises no rounding and flushes subnormals.
@Suite(
  .serialized,
  .enabled(if: GPUDevice.available().contains { $0.name.contains("SwiftShader") }, "skipped: no SwiftShader"))
struct SwiftShaderTests {
  @Test("a device without the promise of rounding is used when its self-test passes")
  func itRendersTheBitsOfTheCPU() throws {
    var options = GPUOptions()
    options.cacheFolder = nil
    options.selfTest = false
    let renderer = try GPURenderer(selection: .named("SwiftShader"), options: options)
    #expect(renderer.device.refusal == nil && !renderer.device.floatControls.roundToNearestEven)
    #expect(renderer.device.floatControls.rounding == "not promised, tested")
    try RendererTests.expectSameBits(renderer, Recipes.all(131, 67), "SwiftShader")
  }
}
