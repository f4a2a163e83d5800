import Foundation
import TestSupport
import Testing

/// The fuzz targets against the tables of docs/fuzzing.md.
@Suite struct FuzzTests {
  private static func rows(_ table: String) throws -> [[String]] {
    try SourceTree.text("docs/data/" + table).split(separator: "\n").dropFirst().map { row in
      row.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  @Test("each fuzz target has a row in the table of targets, and each row has a target")
  func everyTargetIsInTheTable() throws {
    let made = try SourceTree.files("Fuzz/Sources", extension: "swift").flatMap { file in
      file.text.matches(of: /(?:Target\(\s*|= plain\()"([\w-]+)"/).map { String($0.1) }
    }
    // FFmpeg's decoder is a program of its own.
    let named = try Self.rows("fuzz-targets.tsv").flatMap { $0[0].split(separator: ", ").map(String.init) }
    #expect(Set(named) == Set(made).union(["hevc"]))
    #expect(named.count == Set(named).count && made.count > 40)
  }

  @Test("each reader has a fuzz target of its own, which reached 85 % of its regions when it was measured last")
  func everyReaderIsFuzzed() throws {
    let list = try SourceTree.text("Sources/ImageFiles/Codecs.swift")
    let decoders = list.matches(of: /\n  (\w+Decoder)\.self,/).map { String($0.1) }
    let rows = try Self.rows("fuzz-coverage.tsv")
    for decoder in decoders {
      let own = rows.filter { $0[1].split(separator: ", ").map(String.init).contains(decoder) }
      #expect(own.count == 1, "\(decoder) has \(own.count) rows in fuzz-coverage.tsv")
      let share = own.first.flatMap { Double($0[4].dropLast(2)) } ?? 0
      #expect(share >= 85, "\(decoder): \(share) %")
    }
    #expect(decoders.count >= 20)
  }
}
