import HDRCore
import HDRRecipe
import Testing

/// Targets of quality as text.
@Suite struct QualityTargetTests {
  private func fault(_ text: String) -> String? {
    do throws(SettingFault) {
      _ = try QualityTarget(text)
      return nil
    } catch {
      return error.message
    }
  }

  @Test func differencesOfPixelsMeanTheirP95() throws {
    let target = try QualityTarget("de-seen:2")
    #expect(target.condition.metric == .deltaSeen && target.condition.aggregate == .p95)
    #expect(target.isMet(2) && !target.isMet(2.01))
    #expect(target.text == "dE-seen:2")
  }

  @Test func decibelsAreMetFromAbove() throws {
    let target = try QualityTarget("psnr-pq:45")
    #expect(target.isMet(45) && target.isMet(.infinity) && !target.isMet(44.9))
    #expect(abs(target.excess(45 - 20 * 0.301_029_995_663_981_2) - 1) < 1e-12)
    #expect(target.excess(.infinity) == -.infinity)
  }

  @Test(arguments: [
    "dE-seen:2", "dE-seen@4:1.5", "psnr-pq:45", "tile(dE-seen) <= 3", "p95(dE-ITP) < 1", "psnr-pq > 40",
  ])
  func textReadsBackAsTheSameTarget(_ text: String) throws {
    let target = try QualityTarget(text)
    #expect(target.text == text)
    #expect(try QualityTarget(target.text) == target)
  }

  @Test func likenessesAreMetFromAboveAndHaveAnEnd() throws {
    let target = try QualityTarget("ssimulacra2:80")
    #expect(target.isMet(80) && target.isMet(90) && !target.isMet(79))
    #expect(target.excess(60) == 1 && target.excess(90) == -1 && target.excess(100) == -.infinity)
    #expect(fault("ssim:1")?.contains("below 1") == true && fault("ssim:0.98") == nil)
  }

  @Test func otherAggregatesStandBeforeTheColon() throws {
    #expect(try QualityTarget("tile(dE-seen):3") == QualityTarget("tile(dE-seen) <= 3"))
  }

  @Test(arguments: [
    ("dE-sen:2", "\"dE-seen\""), ("bias:0.1", "\"bias\""), ("dE-seen", "dE-seen:2"),
    ("dE-seen:", "nothing is no number"),
    ("dE-seen:0", "above 0"), ("dE-seen:-1", "above 0"), ("dE-seen:1e999", "no number"), ("dE-seen:2:3", "one colon"),
    ("good", "one condition"), ("not p95(dE-seen) < 2", "one condition"), ("p95(dE-seen) > 2", "the smaller"),
    ("p95(dE-seen) == 2", "the smaller"), ("psnr-pq < 40", "the larger"),
    ("p95(dE-seen) < 2 and psnr-pq > 40", "one condition"), ("words:0", "\"words\""), ("", "dE-seen:2"),
  ]) func whatIsNoTargetSaysWhy(_ text: String, _ part: String) {
    let message = fault(text)
    #expect(message?.contains(part) == true, "\(text): \(message ?? "no fault")")
  }

  @Test func anExcessIsInDoublingsOfTheLoss() throws {
    let target = try QualityTarget("dE-seen:2")
    #expect(target.excess(4) == 1 && target.excess(1) == -1 && target.excess(0) == -.infinity)
  }
}
