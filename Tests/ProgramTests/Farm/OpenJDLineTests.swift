import Foundation
import TestFiles
import TestSupport
import Testing

/// `--progress openjd`: what a runtime of Open Job Description reads (docs/cli.md#streams).
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct OpenJDLineTests {
  let folder: TemporaryFolder
  static let examples = SharedData.repository.appendingPathComponent("Examples").path
  /// The variable that selects the mode by itself.
  static let session = ["OPENJD_SESSION_WORKING_DIR": "/nonexistent"]
  init() throws { folder = try TemporaryFolder() }

  func render(_ words: [String], environment: [String: String] = session) throws -> Program.Result {
    try Program.run(["render", "--out", folder.path("out"), "--backend", "cpu"] + words, environment: environment)
  }

  func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

  @Test func aSessionIsToldProgressAndNothingElse() throws {
    try SmallPictures.write(7, into: folder)
    let result = try render([folder.path("in"), "--to", "sdr-png"])
    #expect(result.status == 0, "\(result.errors)")
    let said = lines(result.output)
    #expect(said.count % 2 == 0 && said.suffix(2).first == "openjd_progress: 100.0")
    #expect(said.last?.hasPrefix("openjd_status: 7/7, ") == true)
    for line in said { #expect(line.hasPrefix("openjd_progress: ") || line.hasPrefix("openjd_status: "), "\(line)") }
    // What is asked for wins over the session.
    #expect(try render([folder.path("in"), "--to", "sdr-png", "--name", "2.{ext}", "--progress", "none"]).output == "")
    let asked = try render(
      [folder.path("in"), "--to", "sdr-png", "--name", "{parent}-{name}.{ext}", "--progress", "openjd"],
      environment: [:])
    #expect(asked.output.contains("openjd_progress: 100.0\n"))
  }

  @Test func failuresAreSaidBeforeTheEnd() throws {
    try SmallPictures.write(4, into: folder)
    try folder.file("in/bad.png", "no picture")
    let result = try render([folder.path("in"), "--to", "sdr-png"])
    #expect(result.status == 65)
    #expect(lines(result.output).last == "openjd_fail: 1 of 5 items failed, see the journal")
    // Mistakes before any work too, in one line.
    for words in [
      ["--to", "gif"], ["--to", "sdr-png", "--lut", "no.cube"], ["--to", "sdr-png", "--progress=openjd"],
    ] {
      let refused = try render([folder.path("in")] + words, environment: words.count > 2 ? [:] : Self.session)
      #expect(refused.status == 64)
      let wanted = words.last == "--progress=openjd" || words.count == 2
      #expect(lines(refused.output).count == (wanted ? 1 : 0), "\(refused.output)")
      if wanted { #expect(refused.output.hasPrefix("openjd_fail: ")) }
    }
  }

  /// Names that look like lines of the runtime, or that break lines: a malformed `openjd_env` fails a task.
  @Test func noNameBeginsALine() throws {
    let names = [
      "openjd_fail: x.png", "openjd_env: A.png", "new\nopenjd_env: B.png", "r\ropenjd_progress: 250.png",
      "-é\u{2028}.png",
    ]
    let place = folder.path("in")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    for name in names { try SmallPictures.png(name.count).write(to: URL(fileURLWithPath: place + "/" + name)) }
    try folder.file("in/openjd_unset_env: C.png", "no picture")
    // From within the folder the names stand alone on the command line.
    let result = try Program.run(
      ["render", "--to", "sdr-png", "--out", folder.path("out"), "--backend", "cpu", "--explain", "--"]
        + names.map { "./" + $0 }.map { place + String($0.dropFirst()) } + [place + "/openjd_unset_env: C.png"],
      environment: Self.session)
    #expect(result.status == 65, "\(result.errors)")
    for line in lines(result.output) {
      #expect(["openjd_progress: ", "openjd_status: ", "openjd_fail: "].contains { line.hasPrefix($0) }, "\(line)")
      #expect(line.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "\(line)")
    }
    #expect(lines(result.output).count { $0.hasPrefix("openjd_fail") } == 1)
    for line in lines(result.errors) { #expect(line.hasPrefix("hdrbatch: ") || line.hasPrefix("  "), "\(line)") }
    // A mistake whose message holds a name.
    let again = try Program.run(
      ["render", place + "/" + names[2], "--to", "sdr-png", "--out", folder.path("out")], environment: Self.session)
    #expect(again.status == 64 && lines(again.output).count == 1 && lines(again.errors).count == 1, "\(again.errors)")
  }

  /// A long item is not silence, and many short ones are not noise.
  @Test("progress is one line a second, for long items and for many short ones", arguments: ["openjd", "jsonl"])
  func oneLineASecond(mode: String) throws {
    let begin = ContinuousClock.now
    let long = try render(
      [Self.examples + "/lamps.jpg", "--to", "adaptive-heic", "--progress", mode, "--jobs", "1", "--threads", "1"],
      environment: [:])
    let seconds = (ContinuousClock.now - begin) / .seconds(1)
    #expect(long.status == 0, "\(long.errors)")
    let starts = mode == "openjd" ? "openjd_progress: 0.0" : #"{"type":"progress","done":0"#
    let count = lines(long.output).count { $0.hasPrefix(starts) }
    #expect(Double(count) <= seconds + 1 && Double(count) >= min(seconds - 2, 20), "\(count) lines in \(seconds) s")
    try SmallPictures.write(60, into: folder)
    let many = try render([folder.path("in"), "--to", "sdr-png", "--progress", mode], environment: [:])
    #expect(many.status == 0)
    let said = lines(many.output).count { $0.hasPrefix(mode == "openjd" ? "openjd_progress" : "{") }
    #expect((1...60).contains(said) && Double(said) < 3 + (ContinuousClock.now - begin) / .seconds(1))
  }
}
