import Foundation
import TestSupport
import Testing

/// `hdrbatch farm --video`: the stages of clips, read by the shells that will run them (docs/farm.md#clips).
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct ClipJobTests {
  let folder: TemporaryFolder
  var clip: String { folder.path(JobFileTests.odd + "/clip.mp4") }
  var words: [String] { ["--", clip, folder.path("other.mov"), "--out", folder.path("out"), "--to", "sdr"] }

  init() throws {
    folder = try TemporaryFolder()
    try folder.file(JobFileTests.odd + "/clip.mp4", "no clip")
    try folder.file("other.mov", "no clip")
    // A program that shows its words, and engines that keep or run what they get.
    try script("show", "printf '%s\\n' \"$@\"")
    try script("sbatch", "cat >\"$LOG/$(ls \"$LOG\" | wc -l)\"; printf '%s\\n' \"$@\" >>\"$LOG.words\"; echo 7")
    try script("parallel", "while read -r n; do (\"${@: -1}\" \"$n\"); done")
    try FileManager.default.createDirectory(atPath: folder.path("log"), withIntermediateDirectories: true)
  }

  func script(_ name: String, _ body: String) throws {
    let path = try folder.file("bin/" + name, "#!/bin/bash\n" + body + "\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  func text(_ engine: String) throws -> String {
    let result = try Program.run(["farm", engine, "--video", "3", "--program", folder.path("bin/show")] + words)
    try #require(result.status == 0, "\(result.errors)")
    return result.output
  }

  func bash(_ file: String, _ environment: [String: String] = [:]) throws -> String {
    let process = Process(), output = try folder.file("output", "")
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = [file]
    process.environment = ["PATH": folder.path("bin") + ":/usr/bin:/bin", "LOG": folder.path("log")].merging(
      environment
    ) { $1 }
    process.currentDirectoryURL = folder.url
    process.standardOutput = FileHandle(forWritingAtPath: output)
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return folder.text("output") ?? ""
  }

  static let stages = [
    ("measure", "--segments\n--measure-only\n", 3), ("segments", "--segments\n--resume\n", 3),
    ("join", "--segments\n--resume\n--join-only\n", 2),
  ]

  /// Returns the words that a task of a stage must be called with.
  func wanted(_ own: String, _ shard: String) -> String {
    "video\n" + words.dropFirst().joined(separator: "\n") + "\n" + own + "--shard\n" + shard + "\n"
  }

  @Test("Slurm gets three job arrays, of which each waits for the one before")
  func slurm() throws {
    let output = try bash(try folder.file("job.sh", try text("slurm")))
    #expect(output == "measure 7\nsegments 7\njoin 7\n")
    for (index, (_, own, tasks)) in Self.stages.enumerated() {
      #expect(try bash(folder.path("log/\(index)"), ["SLURM_ARRAY_TASK_ID": "1"]) == wanted(own, "1/\(tasks)"))
    }
    let lines = (folder.text("log.words") ?? "").split(separator: "\n")
    #expect(lines.filter { $0.hasPrefix("--array=") } == ["--array=0-2", "--array=0-2", "--array=0-1"])
    #expect(lines.filter { $0.hasPrefix("--dependency=") } == ["--dependency=afterany:7", "--dependency=afterany:7"])
  }

  @Test("GNU parallel runs the tasks of each stage before the next stage")
  func parallel() throws {
    let output = try bash(try folder.file("job.sh", try text("parallel")))
    let all = Self.stages.map { stage in (0..<stage.2).map { wanted(stage.1, "\($0)/\(stage.2)") }.joined() }.joined()
    #expect(output == all)
  }

  @Test("Open Job Description has three steps, of which each depends on the one before")
  func openJD() throws {
    let lines = try text("openjd").split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines.filter { $0.hasPrefix("- name: ") } == ["- name: measure", "- name: segments", "- name: join"])
    let waits = lines.filter { $0.hasPrefix("dependencies:") }
    #expect(waits == ["dependencies: [{dependsOn: measure}]", "dependencies: [{dependsOn: segments}]"])
    #expect(lines.count { $0.contains("range: \"0-2\"") } == 2 && lines.contains { $0.contains("range: \"0-1\"") })
    #expect(lines.contains { $0.contains("\"--join-only\", \"--shard\", \"{{Task.Param.Shard}}/2\"") })
  }

  @Test("what the stages set may not be given, nor a manifest")
  func refusesContradictions() throws {
    for word in ["--resume", "--shard=0/2", "--measure-only"] {
      let result = try Program.run(["farm", "slurm", "--video", "3"] + words + [word])
      #expect(result.status == 64 && result.errors.contains("the job file sets that"), "\(result.errors)")
    }
    let result = try Program.run(["farm", "slurm", "--video", "3", "--manifest", "m.jsonl"] + words)
    #expect(result.status == 64 && result.errors.contains("--manifest"), "\(result.errors)")
  }
}
