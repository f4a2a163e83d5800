import Foundation
import TestSupport
import Testing

/// Tests the measured light in records.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct MeasuredLightTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  func record(_ input: String, _ words: String...) throws -> [String: Any] {
    let record = folder.path("r\(Int.random(in: 0..<1 << 40)).jsonl")
    let result = try Program.run(
      ["render", input, "--out", folder.path("o\(Int.random(in: 0..<1 << 40))"), "--record", record] + words)
    #expect(result.status == 0, "\(result.errors)")
    return try #require(recordLines(record).first { $0["type"] as? String == "item" })
  }

  @Test func everyRecordHasPeakAndShare() throws {
    let temple = SharedData.examples + "/temple.heic", citadel = SharedData.examples + "/citadel-pq.heic"
    for (kind, most) in [("pq-png", 49.3), ("hlg-png", 4.93), ("sdr-png", 1), ("rgba16f", 65_504), ("pq-heic", 49.3)] {
      for input in [temple, citadel] {
        let row = try record(input, "--to", kind)
        let peak = try #require(row["measuredPeak"] as? Double), share = try #require(row["clippedShare"] as? Double)
        #expect(peak > 0.9 && peak <= most, "\(kind): \(peak)")
        #expect((0...1).contains(share) && row["white"] as? Double == 203)
      }
    }
    let bound = try record(temple, "--to", "rgba16f", "--headroom", "2", "--tone-map", "none")
    #expect(bound["measuredPeak"] as? Double == 2 && (bound["clippedShare"] as? Double ?? 0) > 0)
    let reference = try record(citadel, "--to", "pq-png", "--display", "reference-mode")
    #expect(reference["white"] as? Double == 100 && (reference["measuredPeak"] as? Double ?? 99) <= 10.01)
  }

  @Test("content that exceeds what it declares is named") func exceeding() throws {
    let made = folder.path("in"), citadel = SharedData.examples + "/citadel-pq.heic"
    let first = try Program.run(["render", citadel, "--out", made, "--to", "pq-png"])
    #expect(first.status == 0, "\(first.errors)")
    let low = try record(made + "/citadel-pq.png", "--to", "pq-png", "--content-headroom", "1.2")
    func codes(_ row: [String: Any]) -> [String] {
      (row["warnings"] as? [[String: String]] ?? []).compactMap { $0["code"] }
    }
    #expect(codes(low).contains("headroom.exceeded"), "\(low)")
    #expect(try !codes(record(made + "/citadel-pq.png", "--to", "pq-png")).contains("headroom.exceeded"))
  }

  @Test func aReferenceDisplayMapsNothing() throws {
    let result = try Program.run([
      "render", SharedData.examples + "/temple.heic", "--out", folder.path("x"), "--to", "pq-png", "--display",
      "reference-mode", "--tone-map", "bt2390",
    ])
    #expect(result.status == 64 && result.errors.contains("reference display"), "\(result.errors)")
  }
}
