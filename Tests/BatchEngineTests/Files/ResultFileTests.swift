import BatchEngine
import Foundation
import TestSupport
import Testing

/// Results that are written piece by piece.
struct ResultFileTests {
  @Test("a result stands under its name when it is whole, and nothing else is left")
  func resultsAreWholeOrNotThere() throws {
    let folder = try TemporaryFolder(), path = folder.path("report.jsonl")
    try writeResultFile("before", to: path)
    let line = String(repeating: "x", count: 999) + "\n"
    var file = ResultFile(path)
    for _ in 0..<200 { file.add(line) }
    #expect(folder.text("report.jsonl") == "before")
    try file.finish()
    #expect(folder.text("report.jsonl") == String(repeating: line, count: 200))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["report.jsonl"])
  }

  @Test("a result that cannot be written fails at its end")
  func failuresAreTold() throws {
    let folder = try TemporaryFolder()
    var file = ResultFile(folder.path("none/report.jsonl"))
    for _ in 0..<200 { file.add(String(repeating: "x", count: 1000)) }
    #expect(throws: ResultFileError.self) { try file.finish() }
  }
}
