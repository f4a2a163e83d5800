import BatchEngine
import GPURender
import HDRCore
import Testing

/// Every stage, sink, layout, whole recipe and small size, word by word: the baseline CPU build against the others and
/// every Vulkan device of this machine (on CI: lavapipe).
@Suite struct VerificationTests {
  @Test func allBackendsGiveTheSameBits() {
    let verification = Verification(device: nil)
    for (name, reason) in verification.refused { Issue.record("\(name) was refused: \(reason)") }
    if !verification.backends.contains(where: { $0.name.hasPrefix("gpu") }) {
      print("skipped: no Vulkan device, CPU builds are compared with each other only")
    }
    // Without a second build and without a device there is nothing to compare; that is said, not passed over.
    guard !verification.backends.isEmpty else { return print("skipped: one CPU build and no Vulkan device") }
    var pixels = 0, cases = 0
    for test in VerificationCases.all(pixels: 320_000) {
      let row = verification.run(test)
      #expect(row.isClean, "\(row.name): differing words \(row.differing) \(row.failures)")
      pixels += row.pixels
      cases += 1
    }
    let names = ["cpu " + CPUBackend.baseline.instructionSet] + verification.backends.map(\.name)
    print("compared \(pixels) pixels in \(cases) cases: \(names.joined(separator: " = "))")
    #expect(pixels >= 20_000_000)
  }

  /// No stage, sink, operator or reading of Apple's maps is left out, and no two cases share a name.
  @Test func everyStageAndSinkIsVerified() {
    let cases = VerificationCases.all(pixels: 4096), passes = cases.flatMap(\.plan.passes)
    let stages = Set(passes.flatMap { $0.stages.map(\.kind) }), sinks = Set(passes.map(\.sink.kind))
    #expect(Set(StageKind.allCases).subtracting(stages).isEmpty)
    #expect(Set(SinkKind.allCases).subtracting(sinks).isEmpty)
    let names = cases.map(\.name)
    #expect(Set(names).count == names.count)
    for tone in ToneOperators.all { #expect(names.filter { $0.hasPrefix("tone \(tone.name)") }.count >= 3) }
    let formulas = Set(cases.compactMap(\.plan.report.gainMapFormula))
    #expect(formulas.count >= 1 + AppleMapTransfer.allCases.count * ApplePartialHeadroom.allCases.count)
  }

  /// The comparison itself sees a single bit.
  @Test func oneBitIsADifference() {
    let a = TestPictures.randomHalves(width: 33, height: 5, seed: 9)
    let b = TestPictures.randomHalves(width: 33, height: 5, seed: 9)
    #expect(Verification.differingWords(a, b) == 0)
    let at = 4 * a.channels[0].rowBytes + 32 * a.channels[0].stepBytes + 5
    let byte = b.channels[0].buffer.base.load(fromByteOffset: at, as: UInt8.self)
    b.channels[0].buffer.base.storeBytes(of: byte ^ 1, toByteOffset: at, as: UInt8.self)
    #expect(Verification.differingWords(a, b) == 1)
  }
}
