import Foundation
import TestFiles
import TestSupport
import Testing

/// A batch says what happened by picture, and what to do once.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct ReachBatchTests {
  let folder: TemporaryFolder
  static let several = ["--to", "sdr-jpeg", "--to", "sdr-png", "--to", "pq-png"]

  init() throws {
    folder = try TemporaryFolder()
    try SmallPictures.write(3, into: folder)
  }

  private func render(_ words: [String], _ more: [String] = []) throws -> Program.Result {
    try Program.run(["render", folder.path("in"), "-o", folder.path("out"), "--backend", "cpu"] + words + more)
  }

  private func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

  @Test("an input that fails is one line, with the number of its outputs")
  func inputs() throws {
    _ = try folder.file("in/broken.jpg", "nothing")
    let made = try render(Self.several)
    #expect(made.status == 65)
    let all = lines(made.errors), failed = all.filter { $0.contains(": error: ") }
    #expect(failed.count == 1 && failed[0].contains("in/broken.jpg (3 outputs): "), "\(made.errors)")
    #expect(failed.allSatisfy { $0.hasSuffix("[decode.unsupported]") })
    #expect(all.last?.contains("3 of 4 pictures, 9 of 12 files, 3 failed in ") == true, "\(made.errors)")
    let status = try Program.run(["status", folder.path("out")])
    #expect(status.output.hasPrefix("3 of 4 pictures, 9 of 12 files done, 3 failed, 0 to do"), "\(status.output)")
    let names = try Program.run(["status", folder.path("out"), "--failed"])
    #expect(lines(names.output).count { $0.contains("broken.jpg (3 outputs): ") } == 1, "\(names.output)")
  }

  @Test("outputs that fail in their own way are named, and what to do is said once a code")
  func advice() throws {
    let made = try render(["--to", "adaptive-jpeg", "--to", "sdr-png"])
    #expect(made.status == 65)
    let all = lines(made.errors), failed = all.filter { $0.contains(": error: ") }
    #expect(failed.count == 3 && failed.allSatisfy { $0.contains(" (1 of 2 outputs: ") }, "\(made.errors)")
    #expect(all.count { $0.contains(": error: ") && $0.contains("--if-sdr skip") } == 1, "\(made.errors)")
    #expect(all.contains { $0.hasPrefix("hdrbatch: advice: 3 inputs [adaptive.sdr]: --if-sdr skip") }, "\(made.errors)")
    let names = try Program.run(["status", folder.path("out"), "--failed"]).output
    #expect(lines(names).count { $0.contains("--if-sdr skip") } == 2, "\(names)")
    #expect(lines(names).last?.hasPrefix("advice: 3 inputs [adaptive.sdr]") == true, "\(names)")
  }

  @Test("a picture without other outputs is told of as ever")
  func single() throws {
    _ = try folder.file("in/broken.jpg", "nothing")
    let made = try render(["--to", "sdr-png"])
    #expect(made.errors.contains("in/broken.jpg: "), "\(made.errors)")
    #expect(made.errors.contains("3 rendered, 1 failed in "), "\(made.errors)")
  }

  @Test("a dry run counts the outputs that pictures without HDR do not get")
  func dryRun() throws {
    let named = try render(["--to", "adaptive-jpeg", "--if-sdr", "skip", "-n"])
    #expect(named.status == 0 && named.output.isEmpty, "\(named.output)")
    #expect(named.errors.contains("3 outputs are left out, as their pictures have no HDR (--if-sdr skip)"))
  }

  @Test("names without an extension are told of")
  func extensions() throws {
    let made = try render(["--to", "sdr-png", "--name", "{stem}"])
    #expect(made.status == 0 && made.errors.contains("--name '{stem}' gives files no extension"), "\(made.errors)")
  }

  @Test("a changed recipe says how many files are made again, and the last row of a file counts")
  func resume() throws {
    #expect(try render(Self.several).status == 0)
    let again = try render(Self.several, ["--resume", "--quality", "70"])
    #expect(again.status == 0 && again.errors.contains("recipe changed: 3 of 9 are made again"), "\(again.errors)")
    let status = try Program.run(["status", folder.path("out"), "--watch"])
    #expect(status.output == "3 of 3 pictures, 9 of 9 files done, 0 failed, 0 to do; 2 attempts\n", "\(status.output)")
    let json = try Program.run(["status", folder.path("out"), "--json"]).output
    for words in ["\"pictures\": 3", "\"donePictures\": 3", "\"filesPerSecond\": null", "\"etaSeconds\": null"] {
      #expect(json.contains(words), "\(words) \(json)")
    }
  }

  @Test("status tells the pace of a run that is at work")
  func pace() throws {
    #expect(try render(["--to", "sdr-png"]).status == 0)
    // A journal without its last row is that of a run at work.
    let journals = folder.path("out/.hdrbatch/journal")
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: journals).first)
    let all = try String(contentsOfFile: journals + "/" + name, encoding: .utf8).split(separator: "\n")
    let begun = all.dropLast(2).joined(separator: "\n") + "\n"
    try begun.write(toFile: journals + "/" + name, atomically: true, encoding: .utf8)
    let status = try Program.run(["status", folder.path("out")]).output
    #expect(status.hasPrefix("2 of 3 done, 0 failed, 1 to do"), "\(status)")
    #expect(status.contains(" files/s, 0:") && status.contains(" left\n"), "\(status)")
  }

  // MARK: Watch

  /// Waits until something holds; false after a minute.
  private func waits(_ holds: () -> Bool) -> Bool {
    for _ in 0..<600 {
      if holds() { return true }
      usleep(100_000)
    }
    return false
  }

  @Test("watch renders what is there and what arrives, and ends with 0 when it is told to")
  func watch() throws {
    let program = try #require(Program.url)
    let errors = try folder.file("watch.txt", "")
    let process = try CleanProcess(
      program,
      ["watch", folder.path("in"), "-o", folder.path("out"), "--to", "sdr-jpeg", "--backend", "cpu"], errors: errors)
    func said() -> String { folder.text("watch.txt") ?? "" }
    #expect(waits { folder.files("out").filter { $0.hasSuffix(".jpg") }.count == 3 }, "\(said())")
    try FileManager.default.createDirectory(atPath: folder.path("in/new"), withIntermediateDirectories: true)
    try SmallPictures.png(7).write(to: URL(fileURLWithPath: folder.path("in/new/late.png")))
    _ = try folder.file("in/broken.png", "nothing")
    #expect(waits { folder.files("out").contains("new/late.jpg") }, "\(said())")
    #expect(waits { said().contains("in/broken.png: ") }, "\(said())")
    // Another picture that would take an output's name leaves it alone.
    try SmallPictures.png(8).write(to: URL(fileURLWithPath: folder.path("in/p001.PNG")))
    #expect(waits { said().contains("[name.taken]") }, "\(said())")
    kill(process.pid, SIGTERM)
    #expect(process.end(within: 10) == 65, "\(said())")
    #expect(folder.files("out").allSatisfy { !$0.hasSuffix(".part") }, "\(folder.files("out"))")
    // What was done is not done again.
    for name in ["in/p001.PNG", "in/broken.png"] { try FileManager.default.removeItem(atPath: folder.path(name)) }
    let again = try render(["--to", "sdr-jpeg", "--resume"])
    #expect(again.status == 0 && again.errors.contains("0 rendered, 4 skipped"), "\(again.errors)")
  }

  @Test("a watch without pictures ends with 0, and one without a folder is refused")
  func idleWatch() throws {
    try FileManager.default.createDirectory(atPath: folder.path("empty"), withIntermediateDirectories: true)
    let errors = try folder.file("watch.txt", "")
    let process = try CleanProcess(
      try #require(Program.url), ["watch", folder.path("empty"), "-o", folder.path("out"), "--to", "sdr-jpeg"],
      errors: errors)
    #expect(waits { folder.text("watch.txt")?.contains("is watched") == true })
    kill(process.pid, SIGTERM)
    #expect(process.end(within: 10) == 0, "\(folder.text("watch.txt") ?? "")")
    let none = try Program.run(["watch", folder.path("none"), "-o", folder.path("out"), "--to", "sdr-jpeg"])
    #expect(none.status == 64 && none.errors.contains("no such folder"), "\(none.errors)")
    let record = try Program.run(
      ["watch", folder.path("empty"), "-o", folder.path("out"), "--to", "sdr-jpeg", "--record", folder.path("r")])
    #expect(record.status == 64 && record.errors.contains("--record is of a batch that ends"), "\(record.errors)")
  }
}
