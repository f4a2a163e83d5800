import BatchEngine
import CodecService
import Foundation
import GPURender
import TestFiles
import TestSupport
import Testing

/// Rows of docs/data/faults.tsv that need the whole program; the table names the test of every row.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"), .serialized)
struct FaultTests {
  let folder: TemporaryFolder
  var manifest: String { folder.path("m.jsonl") }
  init() throws { folder = try TemporaryFolder() }

  func plan(_ count: Int, width: Int = 48, height: Int = 32, to kind: String = "sdr-png") throws {
    try SmallPictures.write(count, into: folder, width: width, height: height)
    let result = try Program.run([
      "plan", folder.path("in"), "--to", kind, "--out", folder.path("out"), "-o", manifest,
    ])
    try #require(result.status == 0, "\(result.errors)")
  }

  func words(_ more: [String], out: String = "out") -> [String] {
    ["run", "--manifest", manifest, "--out", folder.path(out), "--backend", "cpu", "--progress", "none"] + more
  }

  func digests(_ out: String) -> [String: Digest] {
    Dictionary(
      uniqueKeysWithValues: folder.files(out).map { name in
        (name, Digest(of: [UInt8](FileManager.default.contents(atPath: folder.path(out + "/" + name))!)))
      })
  }

  /// Item rows of all journals below an output folder: id and status.
  func rows(_ out: String) throws -> [(id: String, status: String, code: String)] {
    let journal = folder.path(out + "/.hdrbatch/journal")
    // A run that is killed at once has none.
    guard FileManager.default.fileExists(atPath: journal) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: journal).flatMap { name in
      let text = try String(contentsOfFile: journal + "/" + name, encoding: .utf8)
      // Up to the last whole line.
      let whole = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      return try whole.compactMap { line -> (String, String, String)? in
        let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
        guard row["type"] as? String == "item" else { return nil }
        return (row["id"] as? String ?? "", row["status"] as? String ?? "", row["code"] as? String ?? "")
      }
    }
  }

  /// Part files below an output folder.
  func parts(_ out: String) -> [String] { folder.files(out).filter { $0.hasSuffix(".part") } }

  @Test func promise12And14_hundredKillsLoseAndRepeatNothing() throws {
    let count = 60
    try plan(count, width: 320, height: 240)
    let clock = ContinuousClock(), begin = clock.now
    #expect(try Program.run(words(["--jobs", "1"], out: "whole")).status == 0)
    // Kills at any moment of the first half of a batch, so that several fall on each.
    let longest = UInt32((clock.now - begin) / .microseconds(1) / 2)
    let whole = digests("whole")
    #expect(whole.count == count)
    var generator = SystemRandomNumberGenerator()
    var kills = 0, batches = 0, unfinished = 0, unrecorded = 0
    while kills < 100 {
      let out = "out\(batches)"
      var finished = false
      while !finished && kills < 100 {
        let before = batches == 0 && kills == 0 ? 0 : parts(out).count
        let process = try Program.start(
          words(["--resume", "--jobs", "1"], out: out), output: FileHandle.nullDevice, errors: FileHandle.nullDevice)
        usleep(UInt32.random(in: 0...longest, using: &generator))
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        finished = process.terminationReason == .exit
        if finished {
          #expect(process.terminationStatus == 0)
        } else {
          kills += 1
        }
        // Under a final name stands a whole file or nothing.
        let present = digests(out).filter { !$0.key.hasSuffix(".part") }
        for (name, digest) in present { #expect(whole[name] == digest, "\(name) after kill \(kills)") }
        let done = Set(try rows(out).filter { $0.status == "ok" || $0.status == "warn" }.map(\.id))
        // With one picture in flight: at most one part, and at most one file that no journal knows.
        let left = parts(out).count - before
        #expect(left <= 1 && present.count - done.count <= 1)
        unfinished += left
        unrecorded += present.count - done.count
      }
      if finished {
        #expect(digests(out).filter { !$0.key.hasSuffix(".part") } == whole)
        // Nothing that was recorded was done again.
        let done = try rows(out).filter { $0.status == "ok" || $0.status == "warn" }
        #expect(Set(done.map(\.id)).count == count && done.count == count)
      }
      batches += 1
    }
    print(
      "kill test: \(kills) kills over \(batches) batches of \(count); \(unfinished) part files, "
        + "\(unrecorded) files written and not yet recorded, 0 damaged, 0 repeated after being recorded")
  }

  @Test func twoRunsOfOneShardBothSucceed() throws {
    try plan(20)
    let both = try (0..<2).map { _ in
      try Program.start(
        words(["--resume"]), output: FileHandle.nullDevice, errors: FileHandle.nullDevice)
    }
    for process in both {
      process.waitUntilExit()
      #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    }
    #expect(try Program.run(words([], out: "alone")).status == 0)
    #expect(digests("out") == digests("alone"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("out/.hdrbatch/journal")).count == 2)
  }

  @Test func tenRunsAtOnceShareNothing() throws {
    try plan(40)
    let ten = try (0..<10).map { index in
      try Program.start(
        words(["--shard", "\(index)/10"]), output: FileHandle.nullDevice, errors: FileHandle.nullDevice)
    }
    for process in ten {
      process.waitUntilExit()
      #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    }
    #expect(try Program.run(words([], out: "alone")).status == 0)
    #expect(digests("out") == digests("alone"))
  }

  /// Runs a script in its own mount namespace, with a small file system at `out`.
  func runOnSmallDisk(_ script: String) throws -> Program.Result? {
    let out = folder.path("out")
    try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
    let shell = try folder.file(
      "small.sh",
      """
      mount -t tmpfs -o size=600k tmpfs '\(out)' 2>/dev/null || exit 99
      \(script)
      """)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["unshare"] + (getuid() == 0 ? ["-m"] : ["-Urm"]) + ["sh", shell]
    let outputs = try ["o", "e"].map { FileHandle(forWritingAtPath: try folder.file($0, ""))! }
    process.standardOutput = outputs[0]
    process.standardError = outputs[1]
    try process.run()
    process.waitUntilExit()
    if process.terminationStatus == 99 || process.terminationStatus == 1 { return nil }
    return Program.Result(
      status: process.terminationStatus, output: folder.text("o") ?? "", errors: folder.text("e") ?? "")
  }

  @Test func promise21_aFullDiskStopsTheRunInOrder() throws {
    try plan(40, width: 160, height: 120)
    let program = try #require(Program.url).path
    let command = "'\(program)' run --manifest '\(manifest)' --backend cpu --progress none"
    let result = try runOnSmallDisk(
      """
      \(command) --jobs 1
      code=$?
      find '\(folder.path("out"))' -name '*.part'
      ls '\(folder.path("out"))' | grep -c png
      # Room again: the next run goes on where this one stopped.
      mount -o remount,size=64m '\(folder.path("out"))'
      \(command) --resume && ls '\(folder.path("out"))' | grep -c png
      exit $code
      """)
    guard let result else {
      print("skipped: no name space for mounts here")
      return
    }
    #expect(result.status == 74, "\(result.errors)")
    #expect(result.errors.contains("No space left"), "\(result.errors)")
    let lines = result.output.split(separator: "\n").compactMap { Int($0) }
    // Some were written, no part file stands, and in the end all are there (those of `sub` are counted apart).
    #expect(lines.count == 2 && lines[0] > 0 && lines[0] < lines[1], "\(result.output)")
    #expect(!result.output.contains(".part"))
  }

  @Test("a disk that fills while maps of a comparison are drawn leaves whole ones, and all is compared and reported")
  func aFullDiskKeepsTheReports() throws {
    let program = try #require(Program.url).path, (a, b) = (folder.path("a.jpg"), folder.path("b.jpg"))
    for (path, quality) in [(a, "95"), (b, "20")] {
      let words = ["--to", "adaptive-jpeg", "--resize", "700", "--quality", quality]
      #expect(try Program.run(["render", SharedData.example("lamps.jpg"), "-o", path] + words).status == 0)
    }
    let maps = folder.path("out/maps"), report = folder.path("report.jsonl")
    let result = try runOnSmallDisk(
      """
      '\(program)' compare '\(a)' '\(b)' --map '\(maps)' --worst 9 --json '\(report)' --backend cpu
      code=$?
      find '\(folder.path("out"))' -name '*.part'
      cp -r '\(maps)' '\(folder.path("kept"))'
      exit $code
      """)
    guard let result else {
      print("skipped: no name space for mounts here")
      return
    }
    #expect(result.status == 74 && result.errors.contains("No space left"), "\(result.errors)")
    #expect(result.errors.contains("choose another place\n"), "\(result.errors)")
    #expect(!result.output.contains(".part") && result.output.contains("dE-seen@full"), "\(result.output)")
    #expect(folder.text("report.jsonl")?.split(separator: "\n").count == 3)
    let kept = folder.files("kept")
    #expect(!kept.isEmpty)
    for name in kept {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path("kept/" + name)))
      #expect(bytes.suffix(8).starts(with: Data("IEND".utf8)), "\(name)")
    }
  }

  @Test func aTargetThatCannotBeWrittenIs74() throws {
    try plan(3)
    try folder.file("out", "a file in the folder's place")
    let result = try Program.run(words([]))
    #expect(result.status == 74 && result.errors.hasPrefix("hdrbatch: error: "), "\(result.errors)")
    // A folder where an output should be.
    try FileManager.default.removeItem(atPath: folder.path("out"))
    try FileManager.default.createDirectory(atPath: folder.path("out/p001.png"), withIntermediateDirectories: true)
    let taken = try Program.run(words(["--force"]))
    #expect(taken.status == 74 && folder.files("out").count == 2, "\(taken.errors)")
  }

  @Test func inputsThatVanishOrChangeCostOneRow() throws {
    try plan(9)
    let names = try recordLines(manifest).dropFirst().map { $0["input"] as! String }
    try FileManager.default.removeItem(atPath: folder.path("in/" + names[2]))
    // A FIFO in a file's place must not hold the run.
    try FileManager.default.removeItem(atPath: folder.path("in/" + names[4]))
    #expect(mkfifo(folder.path("in/" + names[4]), 0o600) == 0)
    // A folder.
    try FileManager.default.removeItem(atPath: folder.path("in/" + names[5]))
    try FileManager.default.createDirectory(
      atPath: folder.path("in/" + names[5]), withIntermediateDirectories: true)
    // Another picture than the one that was planned is rendered as it is, and said.
    try SmallPictures.png(77, width: 96, height: 64).write(to: URL(fileURLWithPath: folder.path("in/" + names[6])))
    let result = try Program.run(words([]))
    #expect(result.status == 65, "\(result.errors)")
    let codes = try rows("out").filter { $0.status == "failed" }.map(\.code)
    #expect(codes == ["io.read", "io.read", "io.read"])
    #expect(folder.files("out").count == 6)
    let record = try Program.run(words(["--force", "--record", folder.path("r.jsonl")]))
    #expect(record.status == 65)
    let warned = try recordLines(folder.path("r.jsonl")).filter { $0["status"] as? String == "warn" }
    #expect(warned.compactMap { $0["input"] as? String }.map { $0.hasSuffix(names[6]) } == [true])
    #expect(((warned.first?["warnings"] as? [[String: Any]])?.first?["code"] as? String) == "input.changed")
  }

  @Test func symbolicLinksThatLoopAreNoPictures() throws {
    try SmallPictures.write(3, into: folder)
    for (link, target) in [("in/loop", "in"), ("in/self.png", "in/self.png"), ("in/sub/up", "in")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(link), withDestinationPath: folder.path(target))
    }
    let result = try Program.run([
      "plan", folder.path("in"), "--to", "sdr-png", "--out", folder.path("out"), "-o", manifest,
    ])
    #expect(result.status == 0 && result.errors.contains("3 items"), "\(result.errors)")
  }

  @Test func devicesCheckTheBoundsOfBuffers() throws {
    guard GPUDevice.available().contains(where: { $0.name.contains("llvmpipe") }) else {
      print("skipped: no llvmpipe")
      return
    }
    try SmallPictures.write(1, into: folder)
    let result = try Program.run(
      ["render", folder.path("in"), "--to", "sdr-png", "--out", folder.path("out"), "--device", "llvmpipe"],
      environment: FaultyDevice.environment("bounds:vkCreateDevice:1", in: folder))
    #expect(result.status == 0, "\(result.errors)")
  }

  /// The device of the tests, lavapipe, losing itself in mid-batch.
  @Test func aLostDeviceGivesWayToTheCPU() throws {
    try plan(6, width: 200, height: 150, to: "pq-png")
    #expect(try Program.run(words([], out: "cpu")).status == 0)
    let device = ["--device", "llvmpipe", "--jobs", "1", "--progress", "none"]
    func onDevice(_ out: String, _ fault: String, _ more: [String] = []) throws -> Program.Result {
      try Program.run(
        ["run", "--manifest", manifest, "--out", folder.path(out)] + device + more,
        environment: FaultyDevice.environment(fault, in: folder))
    }
    guard try onDevice("probe", "").status == 0 else {
      print("skipped: no llvmpipe")
      return
    }
    // The device is lost and opened again; this one is lost too, and the CPU goes on.
    let lost = try onDevice("lost", "lost:vkQueueSubmit:3")
    #expect(lost.status == 0, "\(lost.errors)")
    #expect(lost.errors.contains("the GPU is given up"), "\(lost.errors)")
    #expect(digests("lost") == digests("cpu"))
    #expect(try rows("lost").count == 6)
    // The second one holds, even where a GPU is demanded.
    let once = try onDevice(
      "once", "lost:vkQueueSubmit:3:0", ["--backend", "gpu", "--record", folder.path("once.jsonl")])
    #expect(once.status == 0, "\(once.errors)")
    #expect(digests("once") == digests("cpu"))
    #expect(try record("once").allSatisfy { $0["backend"] as? String == "gpu" })
    // Demanded: stopped early with work left, and resumed elsewhere.
    let demanded = try onDevice("demanded", "lost:vkQueueSubmit:3", ["--backend", "gpu"])
    #expect(demanded.status == 75, "\(demanded.errors)")
    #expect(try Program.run(words(["--resume"], out: "demanded")).status == 0)
    #expect(digests("demanded") == digests("cpu"))
    // No memory: the picture goes to the CPU, the next one asks the device again.
    let full = try onDevice("full", "memory:vkCreateBuffer:9")
    #expect(full.status == 0, "\(full.errors)")
    #expect(digests("full") == digests("cpu"))
  }

  /// Seconds that each thread waits for a graphics card that hangs, by the layer's clock; nothing else takes time.
  @Test(
    "a device that hangs costs every thread seconds, once",
    arguments: [(1, 4), (4, 4), (4, 30)])
  func hangingDevicesCostSeconds(jobs: Int, submission: Int) throws {
    // Bands of 256 KiB, so that one picture fills all slots of the ring.
    try plan(5, width: 400, height: 600, to: "pq-png")
    #expect(try Program.run(words([], out: "cpu")).status == 0)
    guard GPUDevice.available().contains(where: { $0.name.contains("llvmpipe") }) else {
      return print("skipped: no llvmpipe")
    }
    let log = folder.path("waits")
    let result = try Program.run(
      [
        "run", "--manifest", manifest, "--out", folder.path("out"), "--device", "llvmpipe", "--jobs", "\(jobs)",
        "--progress", "none",
      ],
      environment: EmulatedCard.environment(
        "nvidia,hang=\(submission),stay=1,heap=8MiB,clock=100,log=\(log)", in: folder))
    #expect(result.status == 0 && result.errors.contains("the GPU is given up"), "\(result.errors)")
    #expect(digests("out") == digests("cpu"))
    var seconds: [Substring: Double] = [:]
    for line in try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n") {
      let parts = line.split(separator: " ")
      seconds[parts[0], default: 0] += (Double(parts[1]) ?? .infinity) / 1e9
    }
    #expect(seconds.values.allSatisfy { $0 < 15 }, "\(seconds)")
    #expect((10..<15).contains(seconds.values.max() ?? 0), "\(seconds)")
    print("hang: \(jobs) threads waited \(seconds.values.sorted()) seconds")
  }

  /// A device that hangs in its self-test is not waited for when it is closed.
  @Test func devicesThatHangAtOnceAreLeft() throws {
    try plan(1)
    guard GPUDevice.available().contains(where: { $0.name.contains("llvmpipe") }) else {
      return print("skipped: no llvmpipe")
    }
    let result = try Program.run(
      ["run", "--manifest", manifest, "--out", folder.path("out"), "--progress", "none"],
      environment: EmulatedCard.environment("nvidia,hang=1,stay=1,clock=100", in: folder))
    #expect(result.status == 0 && result.errors.contains("stopped answering"), "\(result.errors)")
    #expect(folder.files("out").count == 1)
  }

  /// Runs the plan on lavapipe.
  func onDevice(
    _ out: String, _ more: [String] = [], fault: String = "", device: String = "llvmpipe", jobs: Int = 1
  ) throws -> Program.Result {
    try Program.run(
      [
        "run", "--manifest", manifest, "--out", folder.path(out), "--device", device, "--jobs", "\(jobs)",
        "--progress", "none", "--record", folder.path(out + ".jsonl"),
      ] + more, environment: FaultyDevice.environment(fault, in: folder))
  }

  /// Rows of a record of a kind.
  func record(_ out: String, _ type: String = "item") throws -> [[String: Any]] {
    try recordLines(folder.path(out + ".jsonl")).filter { $0["type"] as? String == type }
  }

  /// A device that flips bits in every picture from the third on; the self-test had the first result.
  @Test func samplesFindADeviceThatComputesWrongly() throws {
    try plan(6, width: 200, height: 150, to: "pq-png")
    #expect(try Program.run(words([], out: "cpu")).status == 0)
    guard try onDevice("probe").status == 0 else {
      print("skipped: no llvmpipe")
      return
    }
    // A sound one: three strips of 64 rows a picture, of 18 every 16th or all.
    for (interval, strips) in [(1, 18), (16, 2), (100, 1)] {
      let out = "sound\(interval)"
      let sound = try onDevice(out, ["--sample", "\(interval)"])
      #expect(sound.status == 0, "\(sound.errors)")
      #expect(digests(out) == digests("cpu"))
      #expect(try record(out, "summary").first?["sampledStrips"] as? Int == strips)
      #expect(try record(out).compactMap { $0["sampledStrips"] as? Int }.reduce(0, +) == strips)
      #expect(try record(out, "header").first?["sample"] as? Int == interval)
    }
    // Without a choice one strip of the first picture is compared; a device that is wrong from there on is found at
    // once, and nothing wrong is written.
    #expect(try record("probe").map { $0["sampledStrips"] as? Int } == [1, 0, 0, 0, 0, 0])
    let first = try onDevice("first", fault: "flip:result:2")
    #expect(first.status == 69 && first.errors.contains("[gpu.mismatch]"), "\(first.errors)")
    #expect(digests("first").allSatisfy { digests("cpu")[$0.key] == $0.value } && digests("first").count == 5)
    // Nobody looks later: wrong pictures are written. The fault is there.
    let fault = "flip:result:4"
    #expect(try onDevice("unseen", fault: fault).status == 0)
    let sound = digests("cpu"), unseen = digests("unseen")
    #expect(sound.count == 6 && sound.count { unseen[$0.key] == $0.value } == 2)
    // One picture fails, the CPU does the others.
    let seen = try onDevice("seen", ["--sample", "1"], fault: fault)
    #expect(seen.status == 69, "\(seen.errors)")
    #expect(seen.errors.contains("channel") && seen.errors.contains("[gpu.mismatch]"), "\(seen.errors)")
    let items = try record("seen")
    #expect(items.map { $0["backend"] as? String } == ["gpu", "gpu", "gpu", "cpu", "cpu", "cpu"])
    #expect(items.map { $0["code"] as? String } == [nil, nil, "gpu.mismatch", nil, nil, nil])
    // One of every 1024 bytes of halves.
    #expect((items[3]["fallback"] as? String)?.contains("computed 235 words otherwise") == true, "\(items[3])")
    let written = digests("seen")
    #expect(written.count == 5 && written.allSatisfy { sound[$0.key] == $0.value })
    #expect(try Program.run(words(["--resume"], out: "seen")).status == 0)
    #expect(digests("seen") == sound)
    // The notice says how many were not looked at whole.
    let told = try Program.run(
      [
        "run", "--manifest", manifest, "--out", folder.path("told"), "--device", "llvmpipe", "--jobs", "1", "--sample",
        "1",
      ], environment: FaultyDevice.environment(fault, in: folder))
    #expect(told.errors.contains("it rendered 2 more in this run"), "\(told.errors)")
    // Demanded: the rest is for another machine.
    let demanded = try onDevice("demanded", ["--sample", "1", "--backend", "gpu"], fault: fault)
    #expect(demanded.status == 69 && demanded.errors.contains("computes wrongly"), "\(demanded.errors)")
    #expect(digests("demanded").count == 2)
  }

  /// Blurs need rows of the passes before, statistics all of them; pictures and maps of Adaptive HDR files are several
  /// plans.
  @Test func samplesOfPlansWithSeveralPassesAgree() throws {
    try SmallPictures.write(3, into: folder, width: 300, height: 400)
    guard GPUDevice.available().contains(where: { $0.name.contains("llvmpipe") }) else {
      print("skipped: no llvmpipe")
      return
    }
    let common = [
      "render", folder.path("in"), "--device", "llvmpipe", "--progress", "none", "--sample", "1", "--jobs", "2",
    ]
    for (index, more) in [
      ["--to", "pq-png", "--filter", "gaussianBlur=radius:9"], ["--to", "sdr-jpeg", "--filter", "highlight-shadow"],
      ["--to", "hlg-heic", "--filter", "rotate=angle:33"], ["--to", "pq-png", "--filter", "area-average"],
    ].enumerated() {
      let out = "out\(index)"
      let result = try Program.run(
        common + more + ["--out", folder.path(out), "--record", folder.path(out + ".jsonl")])
      #expect(result.status == 0, "\(result.errors)")
      let strips = try record(out).compactMap { $0["sampledStrips"] as? Int }
      #expect(strips.count == 3 && strips.allSatisfy { $0 > 0 }, "\(more): \(strips)")
    }
    let pair = try Program.run(
      ["pair", folder.path("in/p001.png"), folder.path("out0/p001.png"), "--out", folder.path("pair.jpg")]
        + common.dropFirst(2) + ["--record", folder.path("pair.jsonl")])
    // The base is kept; light and map are rendered, 7 strips of 400 rows each.
    #expect(pair.status == 0, "\(pair.errors)")
    #expect((try record("pair").first?["sampledStrips"] as? Int ?? 0) >= 7)
  }

  /// A device is opened twice: two rings, one of which may be lost.
  @Test func severalDevicesShareABatch() throws {
    // So many that on a busy machine, too, either ring gets several.
    let count = 36
    try plan(count, width: 200, height: 150, to: "pq-png")
    #expect(try Program.run(words([], out: "cpu")).status == 0)
    guard try onDevice("probe").status == 0 else {
      print("skipped: no llvmpipe")
      return
    }
    let twice = "llvmpipe,llvmpipe"
    func devices(_ out: String) throws -> [String: Int] {
      try record(out).reduce(into: [:]) { $0[$1["device"] as? String ?? "", default: 0] += 1 }
    }
    let both = try onDevice("both", device: twice, jobs: 4)
    #expect(both.status == 0, "\(both.errors)")
    #expect(digests("both") == digests("cpu"))
    let used = try devices("both")
    #expect(used.count == 2 && used.keys.count { $0.hasSuffix("(ring 2)") } == 1 && used.values.min()! >= 2, "\(used)")
    // The second one goes, and is opened again as the third device; all goes on, even where GPUs are demanded.
    let back = try onDevice(
      "back", ["--backend", "gpu"], fault: "lost:vkQueueSubmit:4:1", device: twice, jobs: 4)
    #expect(back.status == 0 && digests("back") == digests("cpu"), "\(back.errors)")
    #expect(try devices("back").values.reduce(0, +) == count && (try devices("back"))["CPU"] == nil)
    // Both go.
    let none = try onDevice("none", fault: "lost:vkQueueSubmit:3", device: twice, jobs: 4)
    #expect(none.status == 0 && none.errors.contains("the GPU is given up"), "\(none.errors)")
    #expect(digests("none") == digests("cpu"))
    #expect((try devices("none")["CPU"] ?? 0) >= 8)
    // One of them computes wrongly: what it had in flight is done again, but for the picture that showed it.
    let wrong = try onDevice("wrong", ["--sample", "1"], fault: "flip:result:3:1", device: twice, jobs: 4)
    #expect(wrong.status == 69 && wrong.errors.contains("a GPU is not used"), "\(wrong.errors)")
    #expect(try record("wrong").count { $0["code"] as? String == "gpu.mismatch" } == 1)
    #expect(digests("wrong").count == count - 1 && digests("wrong").allSatisfy { digests("cpu")[$0.key] == $0.value })
    #expect(try devices("wrong")["CPU"] == nil)
  }

  @Test func damagedRowsOfAJournalAreDoneAgain() throws {
    try plan(8)
    #expect(try Program.run(words([])).status == 0)
    let journal = folder.path("out/.hdrbatch/journal")
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: journal).first)
    let text = try String(contentsOfFile: journal + "/" + name, encoding: .utf8)
    let lines = text.split(separator: "\n")
    // A line with a byte changed; then cut in the sixth line.
    let changed = [lines[3].replacingOccurrences(of: "sdr", with: "SDR")]
    for (cut, done, torn, bad) in [
      ((lines[..<3].map(String.init) + changed + lines[4...].map(String.init)).joined(separator: "\n") + "\n", 7, 0, 1),
      (lines[..<5].joined(separator: "\n") + "\n" + lines[5].prefix(40), 4, 1, 0),
    ] {
      try Data(cut.utf8).write(to: URL(fileURLWithPath: journal + "/" + name))
      let status = try Program.run(["status", "--manifest", manifest, "--json"])
      let object = try JSONSerialization.jsonObject(with: Data(status.output.utf8)) as? [String: Any] ?? [:]
      #expect(object["done"] as? Int == done && object["tornJournals"] as? Int == torn, "\(object)")
      #expect(object["badRows"] as? Int == bad)
    }
    let again = try Program.run(words(["--resume", "--record", folder.path("r.jsonl")]))
    #expect(again.status == 0)
    #expect(try recordLines(folder.path("r.jsonl")).count { $0["code"] as? String == "batch.done" } == 4)
  }
}
