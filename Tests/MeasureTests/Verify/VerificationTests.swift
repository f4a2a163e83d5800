import BatchEngine
import CPURender
import Foundation
import GPURender
import HDRCore
import HDRPlan
import HDRRender
import Kernels
import Measure
import Synchronization
import TestSupport
import Testing

/// Every stage, sink, layout, whole recipe and small size, word by word: the baseline CPU build against the others and
/// every Vulkan device of this machine (on CI: lavapipe).
@Suite struct VerificationTests {
  @Test func allBackendsGiveTheSameBits() {
    let verification = Verification(device: nil)
    for refusal in verification.refused { Issue.record("\(refusal.name) was refused: \(refusal.reason)") }
    if !verification.backends.contains(where: { $0.name.hasPrefix("gpu") }) {
      print("skipped: no Vulkan device, CPU builds are compared with each other only")
    }
    // Without a second build and without a device there is nothing to compare; that is said, not passed over.
    guard !verification.backends.isEmpty else { return print("skipped: one CPU build and no Vulkan device") }
    var pixels = 0, cases = 0
    for test in VerificationCases.all(pixels: 160_000) {
      let row = verification.run(test)
      #expect(row.isClean, "\(row.name): differing words \(row.differing) \(row.failures)")
      pixels += row.pixels
      cases += 1
    }
    let names = ["cpu " + CPUBackend.baseline.instructionSet] + verification.backends.map(\.name)
    print("compared \(pixels) pixels in \(cases) cases: \(names.joined(separator: " = "))")
    #expect(pixels >= 20_000_000)
  }

  /// Every stage, sink, operator and reading of Apple's maps is verified, and no two cases share a name.
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

  /// Samples are compared of scans without flags only.
  @Test("whole scans have no flags, of any quantisers and with restarts; some damaged ones have")
  func wholeScansHaveNoFlags() {
    var whole = 0, damaged = Set<Bool>()
    for test in VerificationCases.cases(of: .codecs, pixels: 131_072) {
      guard case .planes(let decoding) = test.compared else { continue }
      let isFlagged = !JPEGScanDecoder(decoding).decode().flags.isEmpty
      if test.name.contains("damaged") {
        damaged.insert(isFlagged)
      } else {
        let hasAllBytes = !test.name.hasSuffix("short") && !test.name.hasSuffix("long")
        #expect(isFlagged != hasAllBytes, "\(test.name)")
        whole += hasAllBytes ? 1 : 0
      }
    }
    #expect(whole == 16 && damaged == [false, true])
  }

  @Test("shards have every case of single stages and filters once, and each of them all others")
  func shardsHaveEveryCase() throws {
    let count = 5, shards = try (0..<count).map { try #require(VerificationShard($0, of: count)) }
    for group in VerificationGroup.allCases where group != .random {
      let cases = VerificationCases.cases(of: group, pixels: 1), isDivided = VerificationShard.divided.contains(group)
      for place in cases.indices {
        #expect(shards.count { $0.has(place, of: group) } == (isDivided ? 1 : count), "\(cases[place].name)")
      }
    }
    #expect(VerificationShard(5, of: 5) == nil && VerificationShard(-1, of: 2) == nil)
  }

  /// The comparison itself sees a single bit and says where it is.
  @Test func oneBitIsADifference() {
    let a = TestPictures.randomHalves(width: 33, height: 5, seed: 9)
    let b = TestPictures.randomHalves(width: 33, height: 5, seed: 9)
    #expect(WordComparison(a, b) == WordComparison(a, a) && WordComparison(a, b).differing == 0)
    // The high byte of blue of the last pixel.
    let at = 4 * a.channels[0].rowBytes + 32 * a.channels[0].stepBytes + 5
    let byte = b.channels[0].buffer.base.load(fromByteOffset: at, as: UInt8.self)
    b.channels[0].buffer.base.storeBytes(of: byte ^ 1, toByteOffset: at, as: UInt8.self)
    let comparison = WordComparison(a, b), first = comparison.first
    #expect(comparison.differing == 1)
    #expect(first?.x == 32 && first?.y == 4 && first?.channel == "B" && first?.bytes == 2)
    #expect((first?.expected ?? 0) ^ (first?.found ?? 0) == 0x100)
    #expect(first?.description.hasPrefix("pixel 32, 4, channel B: 0x") == true)
    #expect(WordComparison(a, b, rows: [0..<4]).differing == 0 && WordComparison(a, b, rows: [3..<5]).differing == 1)
    // Alpha, and another shape.
    b.channels[0].buffer.base.storeBytes(of: byte, toByteOffset: at, as: UInt8.self)
    b.channels[0].buffer.base.storeBytes(
      of: ~a.channels[0].buffer.base.load(fromByteOffset: 15, as: UInt8.self), toByteOffset: 15, as: UInt8.self)
    #expect(WordComparison(a, b).first?.channel == "A" && WordComparison(a, b).first?.x == 1)
    let other = WordComparison(a, TestPictures.randomHalves(width: 33, height: 4, seed: 9))
    #expect(other.differing == 33 * 5 * 2 && other.first == nil)
  }

  /// Planes that are smaller than the picture.
  @Test func differencesOfChromaAreFound() throws {
    let sink = Sink(kind: .planarYCC, constants: 0, channels: 3, chroma: .s420, bitDepth: 10)
    let pictures = (0..<2).map { _ in
      let picture = sink.makeImage(width: 21, height: 15)
      for plane in picture.channels { memset(plane.buffer.base, 7, plane.rowBytes * plane.height) }
      return picture
    }
    let cr = pictures[1].channels[2]
    #expect(cr.width == 11 && cr.height == 8)
    (cr.buffer.base + 7 * cr.rowBytes + 20).storeBytes(of: 0x0301, as: UInt16.self)
    let comparison = WordComparison(pictures[0], pictures[1], rows: [14..<15])
    #expect(comparison.differing == 1)
    let first = try #require(comparison.first)
    #expect(first.channel == "Cr" && first.x == 20 && first.y == 14 && first.found == 0x301 && first.expected == 0x707)
    #expect(WordComparison(pictures[0], pictures[1], rows: [0..<14]).differing == 0)
  }

  /// Rows of a picture, and what the passes before need for them, have the words of the whole picture.
  @Test func rowsAloneHaveTheWordsOfTheWhole() {
    let plans =
      VerificationCases.cases(of: .filters, pixels: 4096) + VerificationCases.cases(of: .sizes, pixels: 1)
      + VerificationCases.cases(of: .recipes, pixels: 300_000)
    var strips = 0
    for test in plans {
      let whole = CPUBackend.best.render(test.plan, threads: 2), height = whole.height
      let rows = [0..<min(64, height), min(64, height)..<min(100, height), 192..<max(193, height)].filter {
        !$0.isEmpty && $0.upperBound <= height
      }
      let part = CPUBackend.best.render(test.plan, rows: rows, threads: 2)
      let comparison = WordComparison(whole, part, rows: rows)
      #expect(comparison.differing == 0, "\(test.name): \(comparison)")
      strips += rows.count
    }
    #expect(strips > 300)
  }

  /// Checks the printed report, for a backend that computes one word wrongly and one that fails.
  @Test func theReportSaysWhatDiffers() throws {
    var verification = Verification(device: "no such device")
    #expect(verification.refused.map(\.isKnown) == [false])
    verification.refused = [.init(name: "old", reason: "it knows Vulkan 1.1, 1.2 is needed", isKnown: true)]
    let best = CPUBackend.best
    verification.backends = [
      .init(name: "good") { plan, _ in best.render(plan, threads: 1) },
      .init(name: "wrong") { plan, _ in
        let image = best.render(plan, threads: 1), plane = image.channels[0]
        let at = plane.buffer.base + plane.offset
        at.storeBytes(of: at.load(as: UInt8.self) ^ 1, as: UInt8.self)
        return image
      },
    ]
    let tests = Array(VerificationCases.cases(of: .sizes, pixels: 1).prefix(3))
    var report = VerificationReport(verification)
    for test in tests { report.add(verification.run(test), .sizes) }
    #expect(!report.passed && report.total.differing == [0, 3])
    #expect(report.head.last == "  refused: old: it knows Vulkan 1.1, 1.2 is needed")
    #expect(report.differences.count == 3)
    #expect(report.differences[0].hasPrefix(tests[0].name + ", wrong: 1 words, first at pixel 0, 0, channel "))
    #expect(report.verdict(1.26).hasPrefix("FAIL: 3 cases, ") && report.verdict(1.26).hasSuffix(" 1.3 s"))
    let text = report.json(pixels: 1, random: 0, seed: 5, seconds: 1).line
    #expect(text.contains("\"verdict\":\"fail\"") && text.contains("\"differing\":[0,3]"))
    // A device that lacks what is needed is no failure; one that ought to work is.
    verification.backends.removeLast()
    var clean = VerificationReport(verification)
    for test in tests { clean.add(verification.run(test), .sizes) }
    #expect(clean.passed && clean.differences.isEmpty && clean.verdict(0).hasPrefix("PASS: 3 cases"))
    verification.refused[0].isKnown = false
    #expect(!VerificationReport(verification).passed)
    verification.refused = []
    verification.backends = [.init(name: "lost") { _, _ throws(GPUError) in throw .deviceLost(device: "x") }]
    var lost = VerificationReport(verification)
    lost.add(verification.run(tests[0]), .sizes)
    #expect(!lost.passed && lost.differences == ["\(tests[0].name), lost: x stopped answering"])
  }

  /// A ring that gives one thread another's picture, as soon as two are in it.
  @Test func picturesThatThreadsMixUpAreFound() throws {
    let inFlight = Mutex<[SampleImage]>([]), best = CPUBackend.best
    var verification = Verification(device: "no such device")
    verification.backends = [
      .init(name: "mixed") { plan, _ in
        let own = best.render(plan, threads: 1)
        let number = inFlight.withLock { held in
          held.append(own)
          return held.count
        }
        // The first one waits for a second, which there is only with several threads.
        for _ in 0..<1000 where number == 1 && inFlight.withLock({ $0.count }) == 1 { usleep(10_000) }
        return inFlight.withLock { number == 1 && $0.count > 1 ? $0[1] : own }
      }
    ]
    let tests = VerificationCases.cases(of: .together, pixels: 4096)
    #expect(tests.count == 3 && tests.allSatisfy { $0.beside.count >= 3 })
    let row = verification.run(try #require(tests.first))
    #expect((row.differing.first ?? nil) ?? 0 > 0)
    // Without the fault.
    verification.backends = [.init(name: "good") { plan, _ in best.render(plan, threads: 1) }]
    #expect(tests.allSatisfy { verification.run($0).isClean })
  }

  @Test func randomRecipesAreThoseOfTheirSeed() {
    func names(_ seed: UInt64, _ count: Int = 12) -> [String] {
      var names: [String] = []
      VerificationCases.random(count, seed: seed) { test, _ in names.append(test.name) }
      return names
    }
    #expect(names(1).count == 12 && names(1) == names(1) && names(1) != names(2))
    #expect(names(1, 5) == Array(names(1).prefix(5)) && names(1, 0).isEmpty)
  }

  @Test(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
  func theCommandFitsOnAPage() throws {
    let folder = try TemporaryFolder()
    let few = ["verify", "--pixels", "2000", "--random", "5", "--json", folder.path("v.json")]
    // Devices are compared in the test above, in this process.
    let hidden = ["VK_DRIVER_FILES": "/nonexistent", "VK_ICD_FILENAMES": "/nonexistent"]
    let result = try Program.run(few, environment: hidden)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let lines = result.output.split(separator: "\n")
    #expect(lines.count <= 30 && lines.last?.hasPrefix("PASS: ") == true && lines.allSatisfy { $0.count <= 120 })
    for group in VerificationGroup.allCases { #expect(lines.contains { $0.hasPrefix(group.rawValue) }, "\(group)") }
    let object =
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: folder.path("v.json"))))
      as? [String: Any] ?? [:]
    #expect(
      object["verdict"] as? String == "pass" && (object["groups"] as? [Any])?.count == VerificationGroup.allCases.count)
    let cases = object["cases"] as? [[String: Any]] ?? []
    #expect(cases.count == (object["total"] as? [String: Any])?["cases"] as? Int && cases.count > 300)
    #expect(cases.count { $0["group"] as? String == "random" } == 5)
    let apple = try Program.run(few + ["--cases", "Apple map", "--verbose"])
    #expect(
      apple.status == 0 && apple.output.split(separator: "\n").count { $0.hasPrefix("ok  ") } >= 6, "\(apple.output)")
    #expect(!apple.output.contains("filter ") && apple.output.split(separator: "\n").allSatisfy { $0.count <= 120 })
    #expect(try Program.run(["verify", "--random", "0", "--pixels", "1", "--cases", "no such case"]).status == 64)
    // What is not here is not passed over.
    let absent = try Program.run(["verify", "--pixels", "1", "--random", "0", "--device", "no such device"])
    #expect(absent.status == 69 && absent.errors.contains("no such device"), "\(absent.errors)")
    #expect(try Program.run(["verify", "--require-gpu"], environment: hidden).status == 69)
    for text in ["5/5", "1", "-1/2", "a/b", "0/1/2"] {
      #expect(try Program.run(["verify", "--shard=" + text]).status == 64, "\(text)")
    }
    // A device that flips bits.
    if GPUDevice.available().contains(where: { $0.name.contains("llvmpipe") }) {
      let wrong = try Program.run(
        Array(few.prefix(4)) + ["0", "--cases", "Apple map", "--device", "llvmpipe"],
        environment: FaultyDevice.environment("flip:result:8", in: folder))
      #expect(wrong.status == 1 && wrong.output.contains("\nDIFF "), "\(wrong.output)")
      #expect(wrong.output.split(separator: "\n").last?.hasPrefix("FAIL: ") == true)
    }
  }
}
