import Foundation
import TestSupport
import Testing
import Video
import VideoStreams

/// `hdrbatch video --segments`: clips in parts, on one machine and on several, killed and continued.
@Suite(.enabled(if: ClipTools.areThere, "skipped: no ffmpeg, no clips, or no program beside the tests"))
struct SegmentTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  func words(_ clip: String, _ more: [String], out: String = "out") -> [String] {
    [
      "video", clip, "--out", folder.path(out), "--record", folder.path("record.jsonl"), "--backend", "cpu",
      "--progress",
      "none", "--segments",
    ] + more
  }

  func row() throws -> [String: Any] { try #require(try recordLines(folder.path("record.jsonl")).last) }

  /// Returns all names in the folder of outputs, hidden ones too.
  func names(_ out: String = "out") -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path(out)))?.filter { $0 != ".hdrbatch" }.sorted()
      ?? []
  }

  @Test("segments begin at key frames, are long enough, and have every frame once")
  func plansSegments() throws {
    var random = SplitMix(state: 7)
    for _ in 0..<200 {
      var facts = ClipFacts()
      facts.timeBase = TimeBase(1, 24)
      facts.times = (0..<(2 + Int(random.unit() * 100))).map { $0 * 2 }
      let density = random.unit()
      facts.keyFrames = facts.times.indices.filter { _ in random.unit() < density }
      let least = 1 + Int(random.unit() * 20)
      let parts = SegmentPlan(facts, least: .frames(least)).parts
      #expect(SegmentPlan(facts, least: .seconds(Double(least) / 12)).parts == parts)
      guard parts.count > 1 else { continue }
      #expect(parts.compactMap(\.frames).flatMap { Array($0) } == Array(facts.times.indices))
      for part in parts {
        let frames = try #require(part.frames)
        #expect(frames.count >= least && part.key == frames.lowerBound)
        #expect(frames.lowerBound == 0 || facts.keyFrames.contains(frames.lowerBound))
      }
    }
  }

  @Test(
    "a clip in segments has the frames and the times of one run",
    arguments: [
      ("pq-lossless.mkv", "1f", 24), ("pq-lossless.mkv", "4f", 6), ("open-gop.mp4", "1f", 4),
      ("open-gop.mp4", "15f", 4),
      ("open-gop.mp4", "1s", 2),
    ])
  func joinsSegments(name: String, length: String, count: Int) throws {
    let result = try Program.run(words(ClipTools.clip(name), ["--segment", length, "--jobs", "2"]))
    #expect(result.status == 0, "\(result.errors)")
    let row = try row(), segments = row["segments"] as? [String: Int]
    #expect(segments == ["count": count, "made": count], "\(row)")
    let stem = name.prefix { $0 != "." }, output = folder.path("out/\(stem).mkv")
    let vector = try #require(ClipTools.vectors[name])
    let frames = try ClipTools.frames(output, as: try #require(vector["pix_fmt"] as? String))
    #expect(ClipTools.hex(frames) == vector["sha256_raw"] as? String)
    let times = try ClipTools.times(output), wanted = try ClipTools.times(ClipTools.clip(name))
    #expect(times.count == wanted.count && zip(times, wanted).allSatisfy { abs($0 - $1) <= 0.000501 })
    #expect(names() == ["\(stem).mkv"])
  }

  @Test("frames at varying distances keep their times over the joints")
  func keepsVaryingTimes() throws {
    let whole = try Program.run(words(ClipTools.clip("vfr.mp4"), [], out: "one"))
    #expect(whole.status == 0, "\(whole.errors)")
    let result = try Program.run(words(folder.path("one/vfr.mkv"), ["--segment", "7f"]))
    let row = try row()
    #expect(result.status == 0 && (row["segments"] as? [String: Int])?["count"] == 4, "\(result.errors) \(row)")
    #expect(try ClipTools.times(folder.path("out/vfr.mkv")) == ClipTools.times(folder.path("one/vfr.mkv")))
  }

  @Test("frames that an edit list cuts off are in no segment")
  func leavesOutWhatIsCutOff() throws {
    let clip = folder.path("cut.mp4")
    _ = try ClipTools.run(["-ss", "0.3", "-i", ClipTools.clip("open-gop.mp4"), "-c", "copy", clip])
    let shown = try ClipTools.frames(clip, as: "yuv420p10le")
    let result = try Program.run(words(clip, ["--segment", "10f"])), row = try row()
    #expect(result.status == 0 && (row["segments"] as? [String: Int])?["count"] == 3, "\(result.errors) \(row)")
    #expect(try ClipTools.hex(ClipTools.frames(folder.path("out/cut.mkv"), as: "yuv420p10le")) == ClipTools.hex(shown))
  }

  @Test("segments of a clip that begins behind its sound have its frames")
  func beginsBehindSound() throws {
    let clip = folder.path("late.mp4")
    _ = try ClipTools.run([
      "-itsoffset", "0.7", "-i", ClipTools.clip("open-gop.mp4"), "-f", "lavfi", "-i", "sine=duration=4", "-map", "0:v",
      "-map", "1:a", "-c:v", "copy", "-c:a", "aac", clip,
    ])
    let result = try Program.run(words(clip, ["--segment", "10f"])), row = try row()
    #expect(result.status == 0 && (row["segments"] as? [String: Int])?["count"] == 4, "\(result.errors) \(row)")
    let frames = try ClipTools.frames(folder.path("out/late.mkv"), as: "yuv420p10le")
    #expect(ClipTools.hex(frames) == ClipTools.vectors["open-gop.mp4"]?["sha256_raw"] as? String)
  }

  @Test("a clip of H.264 with open GOPs, which no decoder can begin in, is one segment")
  func leavesOpenGOPsWhole() throws {
    let clip = folder.path("open.mp4")
    _ = try ClipTools.run([
      "-i", ClipTools.clip("open-gop.mp4"), "-c:v", "libx264", "-x264-params", "keyint=12:open-gop=1:bframes=3",
      "-preset", "veryfast", clip,
    ])
    let result = try Program.run(words(clip, ["--segment", "10f", "--cicp", "9/16/9"])), row = try row()
    #expect(result.status == 0 && row["segments"] is NSNull && row["frames"] as? Int == 60, "\(result.errors) \(row)")
  }

  @Test("segments of a codec that holds frames back are joined with even times and tags")
  func joinsReorderedFrames() throws {
    let result = try Program.run(
      words(
        ClipTools.clip("pq-lossless.mkv"),
        ["--segment", "5f", "--to", "sdr", "--codec", "x264", "--codec-options=-preset veryfast -bf 3"]))
    #expect(result.status == 0, "\(result.errors)")
    let output = folder.path("out/pq-lossless.mp4"), times = try ClipTools.times(output)
    #expect(times.count == 24 && times.enumerated().allSatisfy { abs($0.element - Double($0.offset) / 24) < 1e-6 })
    #expect(try row()["tagsWritten"] as? String == "1/1/1 limited left")
  }

  @Test("an encoder that has too little memory fails its clip alone, and one with enough makes the same file")
  func encodersHaveTheirMemory() throws {
    let words = words(
      ClipTools.clip("pq-lossless.mkv"), ["--segment", "12f", "--to", "sdr", "--codec", "x264", "--jobs", "1"])
    let little = try Program.run(words + ["--encoder-memory", "48M"])
    #expect(little.status == 65 && little.errors.contains("[video.encode]"), "\(little.errors)")
    #expect(names().allSatisfy { $0.hasPrefix(".") })
    let enough = try Program.run(words + ["--encoder-memory", "2G"])
    let digest = try row()["framesDigest"] as? String
    #expect(enough.status == 0 && digest != nil, "\(enough.errors)")
    let free = try Program.run(words + ["--on-existing", "replace"])
    #expect(try free.status == 0 && row()["framesDigest"] as? String == digest, "\(free.errors)")
  }

  @Test("shards make their segments, and a join that comes early waits with 75")
  func shardsMakeOneClip() throws {
    let clip = ClipTools.clip("pq-lossless.mkv"), name = "pq-lossless.mkv"
    func run(_ more: String...) throws -> Program.Result {
      try Program.run(words(clip, ["--segment", "5f", "--resume"] + more))
    }
    for shard in [0, 2] {
      let result = try run("--shard", "\(shard)/3")
      #expect(result.status == 0, "\(result.errors)")
      #expect(names() == [".\(name).hdrbatch"])
    }
    let early = try run("--join-only")
    #expect(early.status == 75 && early.errors.contains("[video.segments]"), "\(early.errors)")
    #expect(names() == [".\(name).hdrbatch"])
    let again = try run("--shard", "0/3")
    #expect(try again.status == 0 && (row()["segments"] as? [String: Int])?["made"] == 0, "\(again.errors)")
    let last = try run("--shard", "1/3"), joined = try run("--join-only")
    #expect(last.status == 0 && joined.status == 0, "\(last.errors)\(joined.errors)")
    let frames = try ClipTools.frames(folder.path("out/\(name)"), as: "yuv420p10le")
    #expect(ClipTools.hex(frames) == ClipTools.vectors[name]?["sha256_raw"] as? String && names() == [name])
    // The clip is done; with another setting it is not.
    let done = try run()
    #expect(try done.status == 0 && row()["status"] as? String == "skipped", "\(done.errors)")
    let other = try run("--filter", "exposure=ev:0.5")
    #expect(try other.status == 0 && row()["status"] as? String == "ok", "\(other.errors)")
  }

  @Test("a shard says what it leaves to others: the join makes clips of one segment")
  func shardsSayWhatTheyLeave() throws {
    let clip = ClipTools.clip("hdr10.mp4")
    func lines(_ more: String...) throws -> String {
      try Program.run(words(clip, ["--to", "sdr"] + more, out: "left").map { $0 == "none" ? "human" : $0 }).errors
    }
    #expect(try lines("--measure-only", "--shard", "1/2").contains("hdr10.mp4: this shard's segments measured"))
    #expect(try lines("--shard", "0/2").contains("hdr10.mp4: one segment, which the join makes"))
    #expect(try lines("--join-only").contains("hdr10.mkv: 24 frames") && names("left").contains("hdr10.mkv"))
  }

  @Test("a clip that is killed again and again has the frames of one run, and no child is left")
  func killedClipsGoOn() throws {
    let name = "pq-lossless.mkv", output = folder.path("out/\(name)")
    let words = words(ClipTools.clip(name), ["--segment", "4f", "--resume", "--jobs", "2"])
    var random = SplitMix(state: 42), kills = 0
    while kills < 8 {
      let process = try Program.start(words, output: FileHandle.nullDevice, errors: FileHandle.nullDevice)
      usleep(UInt32(100_000 + random.unit() * 500_000))
      guard process.isRunning else {
        #expect(process.terminationStatus == 0)
        try? FileManager.default.removeItem(atPath: folder.path("out"))
        kills += 1
        continue
      }
      let all = ProcessTree.members(process.processIdentifier)
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let end = Date().addingTimeInterval(10)
      while all.contains(where: { FileManager.default.fileExists(atPath: "/proc/\($0)") }), Date() < end {
        usleep(10_000)
      }
      #expect(!all.contains { FileManager.default.fileExists(atPath: "/proc/\($0)") })
      // A name belongs to a whole file.
      if FileManager.default.fileExists(atPath: output) {
        #expect(try ClipTools.times(output).count == 24)
      }
      kills += 1
    }
    let result = try Program.run(words)
    #expect(result.status == 0, "\(result.errors)")
    let frames = try ClipTools.frames(output, as: "yuv420p10le")
    #expect(ClipTools.hex(frames) == ClipTools.vectors[name]?["sha256_raw"] as? String)
    // Parts of killed runs are what `hdrbatch clean` is for.
    #expect(names().filter { !$0.hasSuffix(".part") } == [name])
  }

  @Test(
    "bitrates, and options of segments without segments, are refused",
    arguments: [
      (["--segments", "--codec", "x264", "--codec-options=-b:v 2M"], "[video.segments]"),
      (["--segments", "--codec", "x265", "--codec-options=-x265-params bitrate=2000"], "[video.segments]"),
      (["--shard", "0/2"], "--segments"), (["--join-only"], "--segments"),
      (["--segments", "--segment", "0f"], "250f"),
    ])
  func refusesContradictions(words: [String], message: String) throws {
    let result = try Program.run(["video", ClipTools.clip("sdr.mp4"), "--out", folder.path("out")] + words)
    #expect(result.status == 64 && result.errors.contains(message), "\(result.errors)")
  }
}
