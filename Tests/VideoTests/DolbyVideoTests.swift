import FileParts
import Foundation
import HDRCore
import TestSupport
import Testing
import VideoStreams

/// Dolby Vision through `hdrbatch video`, with the ffmpeg of the machine (docs/video.md).
@Suite(.enabled(if: ClipTools.areThere, "skipped: no ffmpeg, no clips, or no program beside the tests"))
struct DolbyVideoTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func convert(_ clip: String, _ words: String...) throws -> (result: Program.Result, row: [String: Any]) {
    let record = folder.path("record.jsonl")
    let result = try Program.run(
      [
        "video", clip.hasPrefix("/") ? clip : ClipTools.clip(clip), "--out", folder.path("out"), "--record", record,
        "--backend", "cpu",
        "--progress", "none",
      ] + words)
    return (result, FileManager.default.fileExists(atPath: record) ? try recordLines(record).first ?? [:] : [:])
  }

  private func dolby(_ row: [String: Any]) -> String {
    let found = row["dolby"] as? [String: Any]
    return "\(found?["profile"] ?? "none") \(found?["action"] ?? "none")"
  }

  /// Returns a frame's codes of luma.
  private func luma(_ name: String, frame: Int) throws -> [Int] {
    let bytes = [UInt8](try ClipTools.frames(folder.path("out/\(name)"), as: "yuv420p10le"))
    let size = 320 * 180 * 3, first = frame * size
    try #require(bytes.count >= first + size)
    return (0..<320 * 180).map { Int(bytes[first + 2 * $0]) | Int(bytes[first + 2 * $0 + 1]) << 8 }
  }

  @Test(
    "luma of reshaped frames is within a code of the vectors",
    arguments: [("dv-p5.mp4", "auto"), ("dv-p5-mmr.mp4", "auto"), ("dv-p84.mov", "apply"), ("dv-p81.mp4", "apply")])
  func reshapedFramesHaveTheCodesOfTheVectors(clip: String, rule: String) throws {
    let (result, row) = try convert(clip, "--to", "hdr10", "--dolby", rule)
    #expect(result.status == 0, "\(result.errors)")
    #expect(row["tagsWritten"] as? String == "9/16/9 limited left" && row["passthrough"] as? Bool == false)
    #expect(dolby(row) == "\(clip.hasPrefix("dv-p5") ? 5 : 8) applied")
    let all = try #require(SharedData.json("specs/video-vectors.json")?["clip_pixels"] as? [String: Any])
    let vector = try #require(all[clip] as? [String: Any])
    let found = try luma("\(clip.prefix { $0 != "." }).mkv", frame: try #require(vector["frame"] as? Int))
    for point in try #require(vector["points"] as? [[String: Any]]) {
      let place = try #require(point["xy"] as? [Int]), pq = try #require(point["pq"] as? [Double])
      let wanted = ClipTests.codes(pq)[0]
      #expect(abs(Double(found[320 * place[1] + place[0]]) - wanted) <= 0.7, "\(place): \(wanted)")
    }
  }

  @Test("a base layer that can be shown is used, and a warning says so unless it was asked for")
  func baseLayersAreUsed() throws {
    for rule in ["auto", "drop"] {
      let (result, row) = try convert("dv-p84.mov", "--dolby", rule, "--on-existing", "replace")
      #expect(result.status == 0 && row["passthrough"] as? Bool == true, "\(result.errors)")
      #expect(dolby(row) == "8 dropped" && row["tagsWritten"] as? String == "9/18/9 limited topleft")
      #expect((row["warnings"] as? [String] ?? []).contains { $0.contains("[dolby.dropped]") } == (rule == "auto"))
    }
  }

  @Test("frames in another order than their packets are reshaped by their own RPUs")
  func framesInAnotherOrderAreReshaped() throws {
    let (result, row) = try convert("dv81-dovi-tool.mkv", "--dolby", "apply")
    #expect(result.status == 0 && row["frames"] as? Int == 259, "\(result.errors)")
    #expect(dolby(row) == "8 applied")
  }

  @Test("RPUs in AV1 are applied as those in HEVC, of which they are copies")
  func appliesRPUsInAV1() throws {
    let kept = try convert("dv-p84.mov", "--codec", "svtav1", "--container", "mp4", "--dolby", "keep")
    #expect(kept.result.status == 0, "\(kept.result.errors)")
    let (result, row) = try convert(folder.path("out/dv-p84.mp4"), "--to", "hdr10", "--dolby", "apply")
    #expect(result.status == 0, "\(result.errors)")
    #expect(dolby(row) == "10 applied" && row["tagsUsed"] as? String == "9/16/9 limited topleft")
    // The green bar: 480 by the vectors, 440 without RPUs.
    let code = try luma("dv-p84.mkv", frame: 5)[320 * 170 + 100]
    #expect(abs(code - 480) <= 8, "\(code)")
  }

  /// Writes a clip of AV1 with the codes and the RPUs of one of HEVC.
  private func profile10(_ name: String, base: Int) throws -> String {
    let clip = ClipTools.clip(name), coded = folder.path("coded.mp4"), path = folder.path("av1.mp4")
    _ = try ClipTools.run([
      "-i", clip, "-map", "0:V:0", "-c:v", "libaom-av1", "-aom-params", "lossless=1", "-lag-in-frames", "0",
      "-cpu-used",
      "8", coded,
    ])
    var packets = try ClipPackets(coded)
    try packets.add(try ClipPackets(clip).metadata())
    let configuration = DolbyConfiguration(profile: 10, level: 1, compatibility: base)
    try packets.write(path, boxes: [configuration.wholeBox], entry: base == 0 ? "dav1" : nil)
    return path
  }

  @Test(
    "profiles 10.0, 10.1 and 10.4 are applied as 5, 8.1 and 8.4 are",
    arguments: [("dv-p5.mp4", 0), ("dv-p81.mp4", 1), ("dv-p84.mov", 4)])
  func profilesOfAV1AreApplied(name: String, base: Int) throws {
    let clip = try profile10(name, base: base), words = ["--to", "hdr10", "--chroma-siting", "left"]
    let rule = base == 0 ? "auto" : "apply"
    let (result, row) = try convert(clip, words[0], words[1], words[2], words[3], "--dolby", rule)
    #expect(result.status == 0 && dolby(row) == "10 applied", "\(result.errors)")
    let hevc = try convert(name, words[0], words[1], words[2], words[3], "--dolby", rule).row
    let digest = try #require(row["framesDigest"] as? String)
    #expect(row["frames"] as? Int == hevc["frames"] as? Int && digest == hevc["framesDigest"] as? String)
    let dropped = try convert(clip, "--dolby", "drop", "--on-existing", "replace")
    if base == 0 {
      #expect(dropped.result.status == 65 && dropped.row["code"] as? String == "dolby.profile")
    } else {
      #expect(dropped.result.status == 0 && dolby(dropped.row) == "10 dropped", "\(dropped.result.errors)")
    }
  }

  @Test(
    "profile 7 is applied with a minimal enhancement layer, and else its base layer is used",
    arguments: [("rpu-mel_orig.bin", "minimal", "7 applied"), ("rpu-fel_orig.bin", "full", "7 dropped")])
  func profile7IsApplied(name: String, layer: String, applied: String) throws {
    let file = try #require(SharedData.bytes("data/video/" + name))
    let rpu = EmulationPrevention.removed(file.dropFirst(4)), clip = folder.path("seven.mp4")
    var packets = try ClipPackets(ClipTools.clip("hdr10.mp4"))
    try packets.add(packets.packets.map { _ in FrameMetadata(rpu: rpu) })
    var configuration = DolbyConfiguration(profile: 7, level: 1, compatibility: 6)
    configuration.hasEnhancement = true
    try packets.write(clip, boxes: [configuration.wholeBox], words: ["-tag:v", "hvc1"])
    let left = try convert(clip)
    #expect(left.result.status == 0 && dolby(left.row) == "7 dropped", "\(left.result.errors)")
    #expect((left.row["warnings"] as? [String])?.contains { $0.contains("with a \(layer) enhancement") } == true)
    let (result, row) = try convert(clip, "--to", "hdr10", "--dolby", "apply", "--on-existing", "replace")
    #expect(result.status == 0 && dolby(row) == applied && row["frames"] as? Int == 24, "\(result.errors)")
    #expect((row["framesDigest"] as? String == left.row["framesDigest"] as? String) == (layer == "full"))
    let kept = try convert(clip, "--codec", "x265", "--dolby", "keep")
    #expect(kept.result.status == 65 && kept.row["code"] as? String == "dolby.keep")
  }

  @Test("AV1 in a sample entry of Dolby Vision is decoded")
  func decodesDolbysSampleEntry() throws {
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: ClipTools.clip("av1-hdr10.mp4"))))
    // The name of the sample entry is the last place where that of the brand stands.
    let name = Array("av01".utf8)
    let place = try #require(bytes.indices.dropLast(3).last { bytes[$0..<$0 + 4].elementsEqual(name) })
    bytes.replaceSubrange(place..<place + 4, with: "dav1".utf8)
    let clip = try folder.file("dav1.mp4", bytes)
    let digests = try [clip, ClipTools.clip("av1-hdr10.mp4")].map { path -> String? in
      let (result, row) = try convert(path, "--on-existing", "replace")
      #expect(result.status == 0, "\(result.errors)")
      return row["framesDigest"] as? String
    }
    #expect(digests[0] != nil && digests[0] == digests[1])
  }

  @Test(
    "Dolby Vision that cannot be applied is refused, each kind with its code, and leaves no file",
    arguments: [
      ("malformed/11-rpu-crc.mp4", "auto", "dolby.rpu"), ("malformed/12-rpu-missing.mp4", "auto", "dolby.rpu"),
      ("dv-p5.mp4", "drop", "dolby.profile"), ("dv7-muxed.hevc", "apply", "dolby.rpu"),
    ])
  func refusesWhatCannotBeApplied(clip: String, rule: String, code: String) throws {
    let (result, row) = try convert(clip, "--dolby", rule)
    #expect(result.status == 65 && row["status"] as? String == "failed" && row["code"] as? String == code, "\(row)")
    #expect(result.errors.contains("[\(code)]") && folder.files("out").isEmpty)
  }
}
