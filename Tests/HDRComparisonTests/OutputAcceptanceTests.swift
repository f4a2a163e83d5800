import HDRComparison
import HDRCore
import HDRRecipe
import HDRRender
import Synchronization
import Testing

/// Judges of outputs: what is compared with what, and the reason that is given.
@Suite struct OutputAcceptanceTests {
  /// Makes a PQ picture of 16 bits.
  private func picture(width: Int = 64, height: Int = 32, _ code: (Int, Int) -> Int) -> SourceImage {
    let image = SampleImage.planar(width: width, height: height, model: .rgb, format: .uint16, bitDepth: 16)
    for plane in image.channels {
      for y in 0..<height {
        for x in 0..<width {
          (plane.buffer.base + plane.offset + y * plane.rowBytes + 2 * x).storeBytes(
            of: UInt16(code(x, y)), as: UInt16.self)
        }
      }
    }
    return SourceImage(
      format: .png, image: image,
      color: SourceColor(
        matrix: 0, fullRange: true, encoding: .cicp(primaries: 9, transfer: 16), cicp: CICP(9, 16, 0, full: true)),
      geometry: Geometry(width: width, height: height))
  }

  private func ramp(_ x: Int, _ y: Int) -> Int { 20_000 + 200 * x + 100 * y }

  private func judge(
    _ written: SourceImage, _ light: SourceImage, coded: SourceImage? = nil, by text: String,
    deadline: Deadline = .none
  ) throws -> Judgement {
    try OutputAcceptance().judge(
      written, against: OutputReference(light: light, coded: coded ?? light), by: try AcceptExpression(text),
      on: PairComparisonTests.backends, deadline: deadline, notice: { _ in })
  }

  @Test("a file without loss is accepted, with the value of each condition")
  func lossless() throws {
    let found = try judge(picture(ramp), picture(ramp), by: "exact and max(dE-ITP) < 1 and abs(bias) < 0.1")
    #expect(found.verdict == .accepted && found.reason == nil)
    #expect(found.values.map(\.condition.subject) == ["words", "metadata", "max(dE-ITP)", "abs(bias)"])
    #expect(found.values.map(\.number) == [0, 0, 0, 0])
  }

  @Test("the first condition that decides is the reason, with its value, its place and its rendition")
  func reasons() throws {
    let spoiled = picture { x, y in (32..<48).contains(x) && y >= 16 ? ramp(x, y) + 4000 : ramp(x, y) }
    let found = try judge(spoiled, picture(ramp), by: "words >= 0 and tile(dE-seen) < 3 and max(dE-ITP) < 1")
    #expect(found.verdict.code == "accept.rejected")
    let reason = try #require(found.reason).text(dashes: true)
    #expect(reason.contains(/^tile\(dE-seen@full\) [0-9.]+ at 32,16 >= 3$/), "\(reason)")
    let most = try judge(spoiled, picture(ramp), by: "max(dE-ITP) < 1")
    let place = try #require(most.reason?.text(dashes: true).firstMatch(of: /at (\d+),(\d+) >= 1$/))
    #expect((32..<48).contains(Int(place.1) ?? 0) && (16..<32).contains(Int(place.2) ?? 0))
  }

  @Test("words are counted against what the encoder got, and light against what was meant")
  func twoReferences() throws {
    let rounded = picture { ramp($0, $1) & ~0xff }
    let found = try judge(rounded, picture(ramp), coded: rounded, by: "words == 0 and mean(dE-ITP) == 0")
    #expect(found.values[0].number == 0)
    #expect(try #require(found.values[1].number) > 0)
    #expect(found.verdict.code == "accept.rejected")
  }

  @Test("what cannot be told is not accepted")
  func unknown() throws {
    let small = picture(width: 7, height: 7, ramp), found = try judge(small, small, by: "tile(dE-seen) < 3")
    #expect(found.verdict.code == "metric.unavailable" && found.values[0].number == nil)
    let other = SourceImage(
      format: .png, image: .planar(width: 64, height: 32, model: .rgb, format: .uint8, bitDepth: 8),
      color: picture(ramp).color, geometry: Geometry(width: 64, height: 32))
    let words = try judge(picture(ramp), picture(ramp), coded: other, by: "words == 0")
    #expect(words.verdict.code == "metric.unavailable")
  }

  /// Passes when it has been asked so many times.
  private final class Patience: Sendable {
    private let looks: Atomic<Int>
    init(_ looks: Int) { self.looks = Atomic(looks) }
    var deadline: Deadline { Deadline { [self] in looks.wrappingSubtract(1, ordering: .relaxed).newValue < 0 } }
    var left: Int { looks.load(ordering: .relaxed) }
  }

  @Test(
    "judging ends with render.timeout between bands, wherever its time is over",
    arguments: ["p95(dE-seen) < 2", "p95(flip) < 1", "ssim > 0.5", "shift < 1 or bias < 1", "peak-p99.99 < 1"])
  func deadlines(expression: String) throws {
    func ramp(_ more: Int) -> SourceImage {
      picture(width: 64, height: 512) { 20_000 + 200 * $0 + 10 * $1 + more }
    }
    let a = ramp(0), b = ramp(8)
    let patience = Patience(100_000)
    #expect(try judge(b, a, by: expression, deadline: patience.deadline).verdict == .accepted)
    let looks = 100_000 - patience.left
    // There are eight bands of 64 rows.
    #expect(looks >= 10, "\(looks)")
    for allowed in 0..<min(3 * looks / 4, 60) {
      let found = #expect(throws: HDRError.self) {
        try judge(b, a, by: expression, deadline: Patience(allowed).deadline)
      }
      #expect(found?.code == Deadline.code, "after \(allowed) of \(looks)")
    }
  }

  @Test("metrics of SDR end between bands, too")
  func deadlinesOfSDR() throws {
    func sdr(_ more: Int) -> SourceImage {
      var picture = self.picture(width: 64, height: 256) { 20_000 + 200 * $0 + 10 * $1 + more }
      picture.color.encoding = .cicp(primaries: 1, transfer: 13)
      return picture
    }
    let text = "ssimulacra2 > 0 and p95(dE-2000) < 9", patience = Patience(100_000)
    #expect(try judge(sdr(9), sdr(0), by: text, deadline: patience.deadline).verdict == .accepted)
    for allowed in 0..<3 * (100_000 - patience.left) / 4 {
      let found = #expect(throws: HDRError.self) {
        try judge(sdr(9), sdr(0), by: text, deadline: Patience(allowed).deadline)
      }
      #expect(found?.code == Deadline.code)
    }
  }

  @Test("a file of another size or kind is rejected without values")
  func refusals() throws {
    var sdr = picture(ramp)
    sdr.color.encoding = .cicp(primaries: 1, transfer: 13)
    for (written, code) in [(picture(width: 63, ramp), "[compare.size]"), (sdr, "[compare.kind]")] {
      let found = try judge(written, picture(ramp), by: "not p95(dE-seen) > 2")
      #expect(found.verdict.code == "metric.unavailable" && found.values.map(\.number) == [nil])
      #expect(found.reason?.text(dashes: true).hasSuffix(code) == true)
    }
  }
}
