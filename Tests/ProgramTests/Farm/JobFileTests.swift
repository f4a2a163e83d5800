import BatchEngine
import CodecService
import Foundation
import FoundationXML
import HDRRecipe
import HDRRender
import TestFiles
import TestSupport
import Testing

/// `hdrbatch farm`: job files, read back by what will read them (docs/farm.md#exit-codes).
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct JobFileTests {
  /// Everything that a shell, YAML, XML or a scheduler could take for something else.
  static let odd = "a b 'c' \"d\" $HOME $(x) `e` \\ & <f> {g} * ~ % é: -"
  let folder: TemporaryFolder
  var place: String { folder.path(Self.odd) }
  var manifest: String { place + "/m.jsonl" }

  init() throws { folder = try TemporaryFolder() }

  func plan(_ count: Int = 20) throws {
    try SmallPictures.write(count, into: folder)
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    let result = try Program.run([
      "plan", folder.path("in"), "--to", "sdr-jpeg", "--out", place + "/out", "-o", manifest,
    ])
    try #require(result.status == 0, "\(result.errors)")
  }

  func farm(_ engine: String, _ words: [String], environment: [String: String] = [:]) throws -> Program.Result {
    let own = words.firstIndex(of: "--") ?? words.endIndex
    return try Program.run(
      ["farm", engine, "--manifest", manifest] + words[..<own] + words[own...], environment: environment)
  }

  func text(_ engine: String, _ words: [String]) throws -> String {
    let result = try farm(engine, words)
    try #require(result.status == 0, "\(result.errors)")
    return result.output
  }

  /// A foreign program's path; `nil` where it is not installed.
  static func find(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { $0 + "/" + name }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Runs another program with these words; `nil` where it is not installed.
  func tool(_ words: [String], environment: [String: String] = [:]) throws -> Program.Result? {
    guard let path = Self.find(words[0]) else { return nil }
    let process = Process()
    let outputs = try ["tool.out", "tool.err"].map { FileHandle(forWritingAtPath: try folder.file($0, ""))! }
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = Array(words.dropFirst())
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.currentDirectoryURL = folder.url
    process.standardInput = FileHandle.nullDevice
    (process.standardOutput, process.standardError) = (outputs[0], outputs[1])
    try process.run()
    process.waitUntilExit()
    return Program.Result(
      status: process.terminationStatus, output: folder.text("tool.out") ?? "", errors: folder.text("tool.err") ?? "")
  }

  /// A program that writes its words to a file, one a line, in place of hdrbatch.
  func echo() throws -> String {
    let path = try folder.file("echo", "#!/bin/sh\nfor w in \"$@\"; do printf '%s\\n' \"$w\"; done >>\"$ECHO_TO\"\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  // MARK: Slurm

  @Test func slurmScriptRunsOneShard() throws {
    try plan()
    let words = [
      "--program", try echo(), "--shards", "4", "--cpus", "2", "--gpus", "1", "--time", "90", "--memory", "3000",
    ]
    let script = try folder.file("job.sh", try text("slurm", words + ["--", "--backend", "gpu"]))
    #expect(try tool(["bash", "-n", script])?.status == 0)
    let lines = (folder.text("job.sh") ?? "").split(separator: "\n").map(String.init)
    #expect(lines[0] == "#!/bin/bash")
    for directive in [
      "--array=0-3", "--cpus-per-task=2", "--gres=gpu:1", "--time=90", "--mem=3000M", "--signal=B:USR1@60", "--requeue",
      "--open-mode=append", "--ntasks=1",
    ] {
      #expect(lines.contains("#SBATCH " + directive), "\(directive)")
    }
    #expect(lines.contains { $0.hasPrefix("#") && $0.contains("RequeueExit=74,75") })
    // Slurm reads directives before the first command only.
    let command = try #require(lines.firstIndex { !$0.hasPrefix("#") })
    #expect(command == lines.count - 1 && lines[command].hasPrefix("exec "))
    let said = folder.path("said")
    let run = try tool(["bash", script], environment: ["SLURM_ARRAY_TASK_ID": "3", "ECHO_TO": said])
    #expect(run?.status == 0, "\(run?.errors ?? "")")
    #expect(
      folder.text("said")?.split(separator: "\n").map(String.init)
        == ["run", "--manifest", manifest, "--resume", "--backend", "gpu", "--shard", "3/4"])
  }

  // MARK: Open Job Description

  @Test func openJDTemplateIsValid() throws {
    try plan()
    let words = [
      "--chunk", "7", "--cpus", "2", "--gpus", "1", "--memory", "3000", "--time", "60", "--program", "/x y/h",
    ]
    let text = try text("openjd", words + ["--", "--max-failures", "3"])
    let yaml = try YAML(text)
    #expect(yaml["specificationVersion"]?.text == "jobtemplate-2023-09")
    #expect(yaml["extensions"]?[0]?.text == "TASK_CHUNKING")
    let parameters = try #require(yaml["parameterDefinitions"])
    // Paths of the farm are in the command that submits.
    #expect(parameters[0]?["type"]?.text == "PATH" && parameters[1]?["type"]?.text == "PATH")
    let submit = try #require(text.split(separator: "\n").first { $0.hasPrefix("# Submit: openjd run THIS_FILE") })
    _ = try echo()
    let said = try tool(
      ["bash", "-c", submit.replacingOccurrences(of: "# Submit: openjd", with: "sh echo")],
      environment: ["ECHO_TO": folder.path("said")])
    #expect(said?.status == 0)
    #expect(
      folder.text("said")?.split(separator: "\n").map(String.init)
        == ["run", "THIS_FILE", "--step", "Render", "-p", "Manifest=" + manifest, "-p", "OutDir=" + place + "/out"])
    #expect(try farm("openjd", ["--program", "/x{{y"]).status == 64)
    #expect(parameters[2]?["default"]?.text == "0-19")
    let step = try #require(yaml["steps"]?[0])
    let chunks = step["parameterSpace"]?["taskParameterDefinitions"]?[0]?["chunks"]
    #expect(chunks?["defaultTaskCount"]?.text == "7" && chunks?["targetRuntimeSeconds"]?.text == "300")
    let amounts = try #require(step["hostRequirements"]?["amounts"])
    let asked = (0..<3).map { index -> String in
      let amount = amounts[index], name = amount?["name"]?.text ?? "", least = amount?["min"]?.text ?? ""
      return "\(name)=\(least)"
    }
    #expect(asked == ["amount.worker.vcpu=2", "amount.worker.memory=3000", "amount.worker.gpu=1"])
    let action = try #require(step["script"]?["actions"]?["onRun"])
    #expect(action["command"]?.text == "/x y/h" && action["timeout"]?.text == "3600")
    #expect(action["cancelation"]?["notifyPeriodInSeconds"]?.text == "30")
    #expect(
      action["args"]?.texts == [
        "run", "--manifest", "{{Param.Manifest}}", "--out", "{{Param.OutDir}}", "--resume", "--jobs", "2", "--threads",
        "2",
        "--progress", "openjd", "--max-failures", "3", "--items", "{{Task.Param.Item}}",
      ])
    // Options of the caller replace those of the job: hdrbatch run takes each once.
    let own = try YAML(try self.text("openjd", ["--cpus", "2", "--", "--progress", "none", "-j", "3"]))
    #expect(
      own["steps"]?[0]?["script"]?["actions"]?["onRun"]?["args"]?.texts == [
        "run", "--manifest", "{{Param.Manifest}}", "--out", "{{Param.OutDir}}", "--resume", "--threads", "2",
        "--progress", "none", "-j", "3", "--items", "{{Task.Param.Item}}",
      ])
  }

  @Test(.enabled(if: find("openjd") != nil, "skipped: openjd is not in PATH"))
  func openJDTakesTheTemplate() throws {
    try plan()
    for words in [[], ["--gpus", "2", "--memory", "3000", "--time", "60"]] {
      let file = try folder.file("job.yaml", try text("openjd", words))
      let check = try #require(try tool(["openjd", "check", file]))
      #expect(check.status == 0, "\(check.output)\(check.errors)")
    }
  }

  // MARK: OpenCue

  @Test func openCueSpecificationKeepsItsOrder() throws {
    try plan()
    let words = [
      "--chunk", "8", "--cpus", "2", "--gpus", "1", "--memory", "3000", "--time", "60", "--user", "somebody",
    ]
    // Shell words inside XML.
    let text = try text("opencue", words + ["--program", "/x y/h"])
    let document = try XMLDocument(data: Data(text.utf8))
    let layer = try #require(try document.nodes(forXPath: "/spec/job/layers/layer").first)
    // The document type fixes the order.
    #expect(
      layer.children?.compactMap(\.name)
        == ["cmd", "range", "chunk", "cores", "threadable", "memory", "gpus", "timeout", "timeout_llu", "services"])
    func value(_ path: String) throws -> String? { try document.nodes(forXPath: path).first?.stringValue }
    #expect(try value("/spec/job/layers/layer/range") == "0-19" && value("/spec/job/layers/layer/chunk") == "8")
    #expect(try value("/spec/job/layers/layer/cores") == "2.0" && value("/spec/user") == "somebody")
    #expect(try value("/spec/job/maxretries") == "1")
    let command = try #require(try value("/spec/job/layers/layer/cmd"))
    #expect(command.hasSuffix(" --items #FRAME_START#-#FRAME_END#"))
    // What cuebot makes of it for the last chunk, as a shell reads it.
    let echoed = command.replacingOccurrences(of: "'/x y/h'", with: "sh echo").replacingOccurrences(
      of: "#FRAME_START#", with: "16"
    ).replacingOccurrences(of: "#FRAME_END#", with: "19")
    _ = try echo()
    _ = try tool(["sh", "-c", echoed], environment: ["ECHO_TO": folder.path("said")])
    #expect(
      folder.text("said")?.split(separator: "\n").map(String.init)
        == ["run", "--manifest", manifest, "--resume", "--items", "16-19"])
    #expect(try farm("opencue", ["--user", "root"]).status == 64)
    #expect(try farm("opencue", ["--user", "some body"]).status == 64)
    #expect(try farm("opencue", ["--user", "somebody", "--program", "/x/#IFRAME#"]).status == 64)
  }

  // MARK: Kubernetes

  @Test func kubernetesJobFailsBadIndexesOnly() throws {
    try plan()
    let words = ["--image", "registry/hdrbatch:1", "--shards", "5", "--gpus", "1", "--memory", "3000", "--time", "60"]
    let text = try text(
      "kubernetes",
      words
        + [
          "--claim", "photos:/data/a b", "--claim", "out:/out", "--claim", "here:\(folder.url.path)/", "--parallelism",
          "2",
        ])
    let job = try YAML(text)
    #expect(job["apiVersion"]?.text == "batch/v1" && job["kind"]?.text == "Job")
    let spec = try #require(job["spec"])
    #expect(
      spec["completionMode"]?.text == "Indexed" && spec["completions"]?.text == "5" && spec["parallelism"]?.text == "2")
    #expect(spec["backoffLimitPerIndex"]?.text == "3")
    let rules = try #require(spec["podFailurePolicy"]?["rules"])
    #expect(
      rules[0]?["action"]?.text == "Ignore" && rules[0]?["onPodConditions"]?[0]?["type"]?.text == "DisruptionTarget")
    #expect(rules[1]?["action"]?.text == "FailIndex" && rules[1]?["onExitCodes"]?["values"]?.texts == ["64", "65"])
    #expect(rules[1]?["onExitCodes"]?["operator"]?.text == "In")
    let pod = try #require(spec["template"]?["spec"])
    let container = try #require(pod["containers"]?[0])
    #expect(rules[1]?["onExitCodes"]?["containerName"]?.text == container["name"]?.text)
    #expect(pod["restartPolicy"]?.text == "Never" && pod["activeDeadlineSeconds"]?.text == "3600")
    // Kubernetes turns $$ into $ and $(NAME) into a variable's value.
    #expect(
      container["command"]?.texts.map { $0.replacingOccurrences(of: "$$", with: "$") }
        == ["hdrbatch", "run", "--manifest", manifest, "--resume", "--shard", "auto/5"])
    #expect(container["command"]?.texts[3].contains("$$(x)") == true)
    #expect(container["resources"]?["limits"]?["nvidia.com/gpu"]?.text == "1")
    #expect(container["resources"]?["requests"]?["memory"]?.text == "3000Mi")
    #expect(container["volumeMounts"]?[0]?["mountPath"]?.text == "/data/a b")
    #expect(pod["volumes"]?[1]?["persistentVolumeClaim"]?["claimName"]?.text == "out")
    #expect(try farm("kubernetes", []).status == 64)
    #expect(try farm("kubernetes", ["--image", "x", "--claim", "photos"]).status == 64)
  }

  @Test("a Kubernetes job that would not see its files is refused")
  func kubernetesJobSeesItsFiles() throws {
    try plan(2)
    let here = folder.url.path, claims = { (paths: [String]) in paths.flatMap { ["--claim", "c:" + $0] } }
    for (paths, what) in [
      ([], "the manifest"), (["/data"], "the manifest"), ([place], "the input \(here)/in: "),
      ([here + "/i", place], "the input"),
      ([here + "/in"], "the manifest"),
    ] {
      let refused = try farm("kubernetes", ["--image", "x"] + claims(paths))
      #expect(refused.status == 64 && refused.errors.contains("do not see \(what)"), "\(refused.errors)")
      #expect(refused.output == "" && refused.errors.contains("--remote-manifest"))
    }
    let out = try farm("kubernetes", ["--image", "x", "--out", "/elsewhere"] + claims([here]))
    #expect(out.status == 64 && out.errors.contains("the output folder /elsewhere"), "\(out.errors)")
    #expect(try farm("kubernetes", ["--image", "x"] + claims([here + "/in", place])).status == 0)
    let remote = try farm("kubernetes", ["--image", "x", "--remote-manifest", "/data/m.jsonl"] + claims(["/data"]))
    #expect(remote.status == 0 && remote.output.contains("/data/m.jsonl"), "\(remote.errors)")
  }

  /// `--local` reads the file into the types of the API and writes them again, without a cluster.
  @Test(.enabled(if: find("kubectl") != nil, "skipped: kubectl is not in PATH"))
  func kubectlTakesTheJob() throws {
    try plan()
    let words = [
      "--image", "registry/hdrbatch:1", "--gpus", "1", "--memory", "3000", "--time", "60", "--claim",
      "a:\(folder.url.path)",
    ]
    let file = try folder.file("job.yaml", try text("kubernetes", words))
    let read = try #require(
      try tool(["kubectl", "set", "image", "--local", "-f", file, "hdrbatch=other:2", "-o", "yaml"]))
    #expect(read.status == 0, "\(read.errors)")
    for word in [
      "backoffLimitPerIndex: 3", "action: FailIndex", "type: DisruptionTarget", "image: other:2", "claimName: a",
    ] {
      #expect(read.output.contains(word), "\(word)")
    }
  }

  // MARK: GNU parallel

  @Test(.enabled(if: find("parallel") != nil, "skipped: GNU parallel is not installed"))
  func parallelScriptMakesAllFilesAndResumes() throws {
    try plan()
    let script = try folder.file("job.sh", try text("parallel", ["--shards", "3", "--cpus", "1", "--at-once", "2"]))
    #expect(try tool(["bash", "-n", script])?.status == 0)
    let run = try #require(try tool(["bash", script]))
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(folder.files(Self.odd + "/out").count == 20)
    #expect(run.output.contains("20 of 20 done"), "\(run.output)")
    func jobs() -> Int {
      let log = folder.files().first { $0.hasSuffix(".joblog") }.flatMap { folder.text($0) } ?? ""
      return log.split(separator: "\n").count - 1
    }
    #expect(jobs() == 3)
    // A broken input fails its shard for good; again only that shard runs.
    let bad = try #require(folder.files("in").first)
    try folder.file("in/" + bad, "no picture")
    try FileManager.default.removeItem(atPath: place + "/out")
    try #require(folder.files().filter { $0.hasSuffix(".joblog") }.count == 1)
    for name in folder.files() where name.hasSuffix(".joblog") {
      try FileManager.default.removeItem(atPath: folder.path(name))
    }
    #expect(try tool(["bash", script])?.status == 1)
    let again = try #require(try tool(["bash", script]))
    #expect(again.status == 1 && again.output.contains("19 of 20 done"), "\(again.output)")
    #expect(jobs() == 4)
  }

  // MARK: All

  @Test(arguments: ["slurm", "openjd", "opencue", "kubernetes", "parallel"]) func whatHasNoPlaceIsRefused(
    engine: String
  ) throws {
    try plan(3)
    let own =
      ["opencue": ["--user", "somebody"], "kubernetes": ["--image", "x", "--claim", "a:\(folder.url.path)"]][engine]
      ?? []
    for (words, what) in [
      (["--program", "/a\nb"], "control character"), (["--out", "/a\u{2028}b"], "line break"),
      (["--", "--shard", "1/2"], "--shard"),
      (["--", "--force"], "--force"), (["--", "--backend", "tpu"], "tpu"), (["--cpus", "0"], "--cpus"),
      (["--remote-manifest", "/a\u{1B}[m"], "control character"),
    ] {
      let result = try farm(engine, own + words)
      #expect(result.status == 64 && result.errors.contains(what) && result.output == "", "\(words): \(result.errors)")
    }
    // Twice is the same, and a file is what standard output is.
    let first = try farm(engine, own)
    #expect(first.status == 0 && first.errors.split(separator: "\n").first?.hasPrefix("hdrbatch: 3 items in ") == true)
    #expect(try farm(engine, own + ["-o", folder.path("job")]).output == "")
    #expect(folder.text("job") == first.output)
  }

  @Test func sharesTakeMinutes() {
    func size(_ count: Int, bytes: Int, name: String = "a.heic", to: String = "png", variants: Int = 1) -> BatchSize {
      let rows = (0..<count * variants).map { index in
        Manifest.Row(
          index: index, root: 0, input: FilePath(name), size: bytes, variant: index % variants,
          output: FilePath("\(index).\(to)"))
      }
      return BatchSize(
        Manifest(
          folder: FilePath("/"), roots: [FilePath(".")], out: FilePath("out"), recipe: Recipe(),
          recipeDigest: Digest(of: []),
          rows: rows))
    }
    // 10 000 photos of 2 MB, 2.1 s each: 21 000 s, on 4 processors 17.5 shards of 5 minutes.
    #expect(size(10_000, bytes: 2_000_000).shards(cpus: 4) == 18)
    #expect(size(10_000, bytes: 2_000_000).chunk(cpus: 4) == 556)
    #expect(size(10_000, bytes: 2_000_000).shards(cpus: 4, most: 10) == 10)
    #expect(size(10_000, bytes: 20_000_000, name: "b.PNG").shards(cpus: 4) == 18)
    #expect(size(10_000, bytes: 2_000_000, to: "heic").shards(cpus: 4) == 68)
    // Two outputs cost twice, and do not make more inputs.
    let twice = size(10_000, bytes: 2_000_000, variants: 2)
    #expect(twice.shards(cpus: 4) == 35 && twice.inputs == 10_000 && twice.items == 20_000)
    #expect(size(5, bytes: 1 << 40).shards(cpus: 1) == 5 && size(1, bytes: 0).shards(cpus: 1) == 1)
    #expect(size(3, bytes: Int.max).shards(cpus: 1) == 3)
  }
}

/// YAML read back by libyaml.
private struct YAML {
  let node: RecipeNode
  init(_ text: String) throws { node = try RecipeNode(parsing: Array(text.utf8), file: "job") }
  private init(_ node: RecipeNode) { self.node = node }

  subscript(key: String) -> YAML? {
    guard case .map(let fields) = node.content else { return nil }
    return fields.first { $0.key.text == key }.map { YAML($0.value) }
  }
  subscript(index: Int) -> YAML? {
    guard case .list(let values) = node.content, values.indices.contains(index) else { return nil }
    return YAML(values[index])
  }
  var text: String? { node.text }
  var texts: [String] {
    guard case .list(let values) = node.content else { return [] }
    return values.map { $0.text ?? "" }
  }
}
