import BatchEngine
import CodecService
import Foundation
import HDRRender
import TestFiles
import TestSupport
import Testing

/// `plan`, `run`, `status`, `clean`: the contract with farms (docs/farm.md).
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct RunTests {
  let folder: TemporaryFolder
  var manifest: String { folder.path("m.jsonl") }
  init() throws { folder = try TemporaryFolder() }

  func plan(_ count: Int, _ more: [String] = [], to kind: String = "sdr-jpeg") throws {
    try SmallPictures.write(count, into: folder)
    let result = try Program.run(
      ["plan", folder.path("in"), "--to", kind, "--out", folder.path("out"), "-o", manifest] + more)
    try #require(result.status == 0, "\(result.errors)")
  }

  func run(_ words: [String], out: String? = nil, environment: [String: String] = [:]) throws -> Program.Result {
    try Program.run(
      ["run", "--manifest", manifest, "--backend", "cpu"]
        + (words.contains("--progress") ? [] : ["--progress", "none"])
        + (out.map { ["--out", folder.path($0)] } ?? []) + words, environment: environment)
  }

  /// Digests of all outputs, by name.
  func digests(_ out: String) -> [String: Digest] {
    Dictionary(
      uniqueKeysWithValues: folder.files(out).map { name in
        (name, Digest(of: [UInt8](FileManager.default.contents(atPath: folder.path(out + "/" + name))!)))
      })
  }

  func status(_ out: String? = nil) throws -> [String: Any] {
    let result = try Program.run(
      ["status", "--manifest", manifest, "--json"] + (out.map { ["--out", folder.path($0)] } ?? []))
    #expect(result.status == 0, "\(result.errors)")
    return try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
  }

  @Test func planningTwiceGivesTheSameBytes() throws {
    try plan(12)
    let first = try #require(folder.text("m.jsonl"))
    // Another order of the folder's entries: files made anew, last first.
    for name in folder.files("in").reversed() {
      let path = folder.path("in/" + name), bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      try FileManager.default.removeItem(atPath: path)
      try bytes.write(to: URL(fileURLWithPath: path))
    }
    let again = try Program.run(
      ["plan", folder.path("in"), "--to", "sdr-jpeg", "--out", folder.path("out"), "-o", "-"],
      environment: ["USER": "somebody", "HOSTNAME": "elsewhere"])
    #expect(again.output == first)
    #expect(first.split(separator: "\n").count == 13)
  }

  @Test func everySplitMakesTheSameFiles() throws {
    try plan(20)
    #expect(try run([], out: "whole").status == 0)
    let whole = digests("whole")
    #expect(whole.count == 20)
    for count in 2...7 {
      for index in 0..<count { #expect(try run(["--shard", "\(index)/\(count)"], out: "n\(count)").status == 0) }
      #expect(digests("n\(count)") == whole, "\(count) shards")
      #expect(try status("n\(count)")["done"] as? Int == 20)
    }
    for items in ["0-19:3", "1-19:3", "2-10:3,11,14", "17"] {
      #expect(try run(["--items", items], out: "items").status == 0)
    }
    #expect(digests("items") == whole)
    // Schedulers' words.
    for index in 0..<4 {
      let slurm = ["SLURM_ARRAY_TASK_ID": "\(index + 1)", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_COUNT": "4"]
      #expect(try run(["--shard", "auto"], out: "slurm", environment: slurm).status == 0)
      let kubernetes = ["JOB_COMPLETION_INDEX": "\(index)"]
      #expect(try run(["--shard", "auto/4"], out: "kubernetes", environment: kubernetes).status == 0)
      let cue = ["CUE_IFRAME": "\(index * 5)", "CUE_CHUNK": "5"]
      #expect(try run(["--shard", "auto"], out: "cue", environment: cue).status == 0)
    }
    for name in ["slurm", "kubernetes", "cue"] { #expect(digests(name) == whole, "\(name)") }
  }

  @Test func severalOutputsOfAnInputStayTogether() throws {
    let recipe = try folder.file(
      "look.yaml",
      "outputs:\n  - {to: sdr-png, name: '{stem}.{ext}'}\n  - {to: sdr-jpeg, name: '{stem}.{ext}'}\n")
    try SmallPictures.write(5, into: folder)
    let planned = try Program.run([
      "plan", folder.path("in"), "--recipe", recipe, "--out", folder.path("out"), "-o", manifest,
    ])
    #expect(planned.status == 0, "\(planned.errors)")
    for index in 0..<2 { #expect(try run(["--shard", "\(index)/2"]).status == 0) }
    #expect(digests("out").count == 10)
    // One output of one input by its number.
    #expect(try run(["--items", "3"], out: "one").status == 0)
    #expect(digests("one").count == 1)
    // The manifest holds the recipe: its file can go.
    try FileManager.default.removeItem(atPath: recipe)
    #expect(try run(["--force"]).status == 0)
  }

  @Test("a LUT that is not what it was when the plan was made stops a run") func changedLUT() throws {
    let rows = String(repeating: "0 0 0\n", count: 4) + String(repeating: "1 1 1\n", count: 4)
    let lut = try folder.file("x.cube", "LUT_3D_SIZE 2\n" + rows)
    try plan(2, ["--lut", lut])
    #expect(try run([]).status == 0)
    try folder.file("x.cube", "LUT_3D_SIZE 2\n" + rows + "# another\n")
    let changed = try run(["--force"])
    #expect(changed.status == 64 && changed.errors.contains("plan again"), "\(changed.errors)")
  }

  @Test func resumeDoesOnlyWhatIsNotDone() throws {
    try plan(9)
    #expect(try run(["--items", "0-3"]).status == 0)
    // Existing alone is not done, and half a file neither.
    try folder.file("out/p008.jpg", "half")
    let refused = try run([])
    #expect(refused.status == 64 && refused.errors.contains("--resume"), "\(refused.errors)")
    let record = folder.path("r.jsonl")
    #expect(try run(["--resume", "--record", record]).status == 0)
    func codes() throws -> [String] {
      let rows = try recordLines(record).filter { $0["type"] as? String == "item" }
      let byIndex = rows.map { (index: $0["index"] as? Int ?? -1, code: $0["code"] as? String ?? "") }
      return byIndex.sorted { $0.index < $1.index }.map(\.code)
    }
    #expect(try codes() == Array(repeating: "batch.done", count: 4) + Array(repeating: "", count: 5))
    // Twice is once.
    let before = digests("out")
    #expect(try run(["--resume", "--record", record]).status == 0)
    #expect(try codes() == Array(repeating: "batch.done", count: 9))
    #expect(digests("out") == before)
    // An input that changed, an output that is gone, one of another size.
    let names = try manifestRows()
    try SmallPictures.png(99).write(to: URL(fileURLWithPath: folder.path("in/" + names[2].input)))
    try FileManager.default.removeItem(atPath: folder.path("out/" + names[5].output))
    try folder.file("out/" + names[7].output, "short")
    #expect(try run(["--resume", "--record", record]).status == 0)
    let redone = try codes().enumerated().filter { $1.isEmpty }.map(\.offset)
    #expect(redone == [2, 5, 7])
    #expect(try run(["--force", "--record", record]).status == 0)
    #expect(try codes() == Array(repeating: "", count: 9))
  }

  @Test("an output whose bytes are not what was recorded is found: always after --durability none, else when asked for")
  func resumeVerifies() throws {
    try plan(4, to: "sdr-png")
    let record = folder.path("r.jsonl"), name = try manifestRows()[2].output
    func redone(_ words: [String]) throws -> [Int] {
      #expect(try run(words + ["--record", record]).status == 0)
      let rows = try recordLines(record).filter { $0["type"] as? String == "item" && $0["status"] as? String == "ok" }
      return rows.compactMap { $0["index"] as? Int }.sorted()
    }
    for (rule, plainly) in [("file", []), ("batch", []), ("none", [2])] {
      #expect(try redone(["--force", "--durability", rule]).count == 4)
      let whole = digests("out"), path = folder.path("out/" + name)
      // As long as it was: what a power cut leaves.
      let size = try #require(FileManager.default.contents(atPath: path)).count
      try Data(count: size).write(to: URL(fileURLWithPath: path))
      #expect(try redone(["--resume", "--durability", rule]) == plainly, "\(rule)")
      try Data(count: size).write(to: URL(fileURLWithPath: path))
      #expect(try redone(["--resume=verify", "--durability", rule]) == [2], "\(rule)")
      #expect(digests("out") == whole)
    }
    #expect(try run(["--resume=maybe"]).status == 64)
  }

  @Test("names with long runs of combining marks: what plan writes run takes")
  func namesOfManyMarks() throws {
    try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: true)
    let bytes = Array((folder.path("in") + "/a").utf8) + [UInt8]((0..<60).flatMap { _ in [0xCC, 0x81] })
    let path = bytes.map { CChar(bitPattern: $0) } + Array(".png".utf8).map { CChar(bitPattern: $0) } + [0]
    let picture = try SmallPictures.png(7), stream = try #require(fopen(path, "w"))
    picture.withUnsafeBytes { _ = fwrite($0.baseAddress, 1, $0.count, stream) }
    fclose(stream)
    let planned = try Program.run([
      "plan", folder.path("in"), "--to", "sdr-png", "--out", folder.path("out"), "-o", manifest,
    ])
    #expect(planned.status == 0, "\(planned.errors)")
    #expect(try run([]).status == 0)
    #expect(try status()["done"] as? Int == 1 && status()["badRows"] as? Int == 0)
    let again = try run(["--resume", "--record", folder.path("r.jsonl")])
    #expect(again.status == 0 && !again.errors.contains("damaged"))
    #expect(try recordLines(folder.path("r.jsonl"))[1]["code"] as? String == "batch.done")
    // A text of the recipe that would be read as another one.
    let odd = try Program.run([
      "plan", folder.path("in"), "--to", "sdr-png", "--out", folder.path("out"), "-o", manifest, "--name",
      "{stem}" + String(repeating: "\u{301}", count: 40) + ".{ext}",
    ])
    #expect(odd.status == 64, "\(odd.errors)")
  }

  func manifestRows() throws -> [(input: String, output: String)] {
    try recordLines(manifest).dropFirst().map { ($0["input"] as! String, $0["output"] as! String) }
  }

  @Test("a resumed render repeats only what is not done")
  func renderResumes() throws {
    try SmallPictures.write(4, into: folder)
    func render(_ more: [String]) throws -> Program.Result {
      try Program.run(
        ["render", folder.path("in"), "--to", "sdr-jpeg", "--out", folder.path("out"), "--backend", "cpu"] + more)
    }
    #expect(try render([]).status == 0)
    try FileManager.default.removeItem(atPath: folder.path("out/p001.jpg"))
    let again = try render(["--resume"])
    #expect(again.status == 0 && again.errors.contains("1 rendered, 3 skipped"), "\(again.errors)")
    // Another recipe: nothing of it is done.
    let other = try render(["--resume", "--quality", "50"])
    #expect(other.errors.contains("4 rendered"), "\(other.errors)")
    #expect(try render(["--resume", "--on-existing", "skip"]).status == 64)
    #expect(try render(["--resume", "--journal", "none"]).status == 64)
  }

  @Test func aBadInputCostsOneRow() throws {
    try plan(20)
    let bad = try manifestRows()[6].input
    let path = folder.path("in/" + bad), bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: path))
    let result = try run([])
    #expect(result.status == 65)
    #expect(folder.files("out").count == 19)
    let status = try status()
    #expect(status["done"] as? Int == 19 && status["failed"] as? Int == 1 && status["pending"] as? Int == 0)
    #expect((status["reasons"] as? [String: Int])?.keys.allSatisfy { $0.hasPrefix("decode.") } == true)
    // Failed for good: a second run finds it failed again, and nothing else to do.
    #expect(try run(["--resume"]).status == 65)
    let table = try Program.run(["status", "--manifest", manifest])
    #expect(table.output.contains("19 of 20 done") && table.output.contains("1 failed"), "\(table.output)")
  }

  @Test func oddNamesStayData() throws {
    let names = [
      "openjd_fail: x.png", "-rf.png", "new\nline.png", "\u{202e}gnp.png", String(repeating: "n", count: 251) + ".png",
    ]
    for name in names {
      try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: true)
      try SmallPictures.png(name.count).write(to: URL(fileURLWithPath: folder.path("in/" + name)))
    }
    // Not UTF-8.
    let bytes = Array((folder.path("in") + "/").utf8) + [0xff, 0xfe] + Array(".png".utf8)
    let picture = try SmallPictures.png(7)
    let file = bytes.map { CChar(bitPattern: $0) } + [0]
    let stream = try #require(fopen(file, "w"))
    picture.withUnsafeBytes { _ = fwrite($0.baseAddress, 1, $0.count, stream) }
    fclose(stream)
    let planned = try Program.run([
      "plan", folder.path("in"), "--to", "sdr-png", "--out", folder.path("out"), "-o", manifest,
    ])
    #expect(planned.status == 0, "\(planned.errors)")
    let result = try run(["--progress", "jsonl", "--record", folder.path("r.jsonl")])
    #expect(result.status == 0, "\(result.errors)")
    for line in (result.output + result.errors).split(separator: "\n") {
      #expect(line.hasPrefix("{") || line.hasPrefix("hdrbatch: "), "\(line)")
    }
    #expect(try status()["done"] as? Int == 6)
    #expect(try run(["--resume"]).status == 0)
  }

  @Test func manifestsThatLieAreRefused() throws {
    try plan(2)
    let text = try #require(folder.text("m.jsonl"))
    let lines = text.split(separator: "\n").map(String.init)
    func refused(_ text: String, _ word: String) throws {
      try folder.file("m.jsonl", text)
      let result = try run([])
      #expect(result.status == 64 && result.errors.contains(word), "\(word): \(result.errors)")
      #expect(folder.files("out").isEmpty)
    }
    try refused(lines.dropLast().joined(separator: "\n") + "\n", "announces 2 items")
    try refused(text.dropLast(20) + "", "torn")
    try refused(text.replacingOccurrences(of: "p001.jpg", with: "../p001.jpg"), "leads out")
    try refused(text.replacingOccurrences(of: "\"p001.jpg", with: "\"/tmp/p001.jpg"), "absolute")
    try refused(text.replacingOccurrences(of: "\"size\":", with: "\"sizes\":"), "lacks")
    try refused(lines[0] + "\n" + String(repeating: "[", count: 20_000) + "\n" + lines[2] + "\n", "m.jsonl:2")
  }

  @Test func promise15And16_nothingOutsideAndNoInputIsWritten() throws {
    try plan(3)
    // An output folder that leads elsewhere.
    try FileManager.default.createDirectory(atPath: folder.path("out"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: folder.path("elsewhere"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("out/sub"), withDestinationPath: folder.path("elsewhere"))
    let result = try run([])
    #expect(result.status == 64 && result.errors.contains("symbolic link"), "\(result.errors)")
    #expect(folder.files("elsewhere").isEmpty)
    try FileManager.default.removeItem(atPath: folder.path("out/sub"))
    // An output that is an input by another name.
    let rows = try manifestRows()
    let input = folder.path("in/" + rows[1].input), before = try Data(contentsOf: URL(fileURLWithPath: input))
    try FileManager.default.linkItem(atPath: input, toPath: folder.path("out/" + rows[1].output))
    let linked = try run(["--force"])
    #expect(linked.status == 64 && linked.errors.contains("over the input"), "\(linked.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: input)) == before)
  }

  @Test func cleanSweepsStalePartsOnly() throws {
    for name in [".a.png.host.12.3.part", "sub/.b.jpg.host.1.1.part", ".notes.part", "a.png", ".x.host.12.z.part"] {
      try folder.file("out/" + name)
    }
    #expect(try Program.run(["clean", folder.path("out")]).output == "")
    let dry = try Program.run(["clean", folder.path("out"), "--older-than", "0", "--dry-run"])
    #expect(dry.output.split(separator: "\n").count == 2 && folder.files("out").count == 5)
    #expect(try Program.run(["clean", folder.path("out"), "--older-than", "0"]).status == 0)
    #expect(folder.files("out") == [".notes.part", ".x.host.12.z.part", "a.png"])
  }

  @Test("clean spares parts of a process that runs on this machine, however old they are")
  func cleanSparesLivingProcesses() throws {
    let host = hostName(forFiles: true),
      dead = try Program.start(["--version"], output: FileHandle.nullDevice, errors: FileHandle.nullDevice)
    dead.waitUntilExit()
    let living = ".a.png.\(host).\(getpid()).3.part"
    for name in [living, ".b.png.\(host).\(dead.processIdentifier).1.part", ".c.png.elsewhere.\(getpid()).1.part"] {
      try folder.file("out/" + name)
    }
    #expect(try Program.run(["clean", folder.path("out"), "--older-than", "0"]).status == 0)
    #expect(folder.files("out") == [living])
  }

  @Test(arguments: ["file", "batch", "none"]) func promise13_everyDurabilityRecordsAll(rule: String) throws {
    try plan(20)
    #expect(try run(["--durability", rule]).status == 0)
    #expect(try status()["done"] as? Int == 20)
  }
}
