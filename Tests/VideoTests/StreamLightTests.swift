import Foundation
import TestSupport
import Testing

/// Light metadata in the key frames of clips (docs/video.md#light).
@Suite(.enabled(if: ClipTools.areThere, "skipped: no ffmpeg, no clips, or no program beside the tests"))
struct StreamLightTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func row(_ clip: String, to output: String, _ words: String...) throws -> [String: Any] {
    let record = folder.path("record.jsonl")
    let result = try Program.run(
      [
        "video", clip, "--out", folder.path(output), "--record", record, "--backend", "cpu", "--progress", "none",
        "--on-existing", "replace",
      ] + words)
    #expect(result.status == 0, "\(result.errors)")
    return try #require(try recordLines(record).last)
  }

  /// Returns MaxCLL, MaxFALL and the maximum of the mastering display that ffprobe sees in each key frame of a bare stream.
  private func light(_ path: String, _ format: String) throws -> [[Int]] {
    let bare = folder.path("bare.\(format)")
    _ = try ClipTools.run(["-y", "-i", path, "-map", "0:V:0", "-c", "copy", "-f", format, bare])
    let words = ["-v", "error", "-skip_frame", "nokey", "-show_frames", "-of", "json", bare]
    let all =
      try JSONSerialization.jsonObject(with: try ClipTools.run(words, program: ClipTools.ffprobe)) as? [String: Any]
    return (all?["frames"] as? [[String: Any]] ?? []).map { frame in
      let list = frame["side_data_list"] as? [[String: Any]] ?? []
      let ratio = list.compactMap { $0["max_luminance"] as? String }.first?.split(separator: "/").compactMap {
        Double($0)
      }
      return [
        list.compactMap { $0["max_content"] as? Int }.first ?? 0,
        list.compactMap { $0["max_average"] as? Int }.first ?? 0,
        ratio.map { Int(($0[0] / $0[1]).rounded()) } ?? 0,
      ]
    }
  }

  @Test(
    "measured light is in every key frame, of one run and of segments, as in the container",
    .enabled(if: ClipTools.ffprobe != nil, "skipped: no ffprobe"),
    arguments: [("x265", "mp4", "hevc"), ("svtav1", "mkv", "obu")], [[], ["--segments", "--segment", "6f"]])
  func measuredLightIsInTheStream(codec: (String, String, String), segments: [String]) throws {
    let output = "out.\(codec.1)", clip = ClipTools.clip("pq-lossless.mkv")
    var words = ["--to", "hdr10", "--filter", "exposure=ev:-1", "--codec", codec.0, "--codec-options=-g 6"]
    words[6] += codec.0 == "x265" ? " -preset ultrafast" : ""
    let record = folder.path("record.jsonl")
    let result = try Program.run(
      ["video", clip, "--out", folder.path(output), "--record", record, "--backend", "cpu", "--progress", "none"]
        + words + segments)
    #expect(result.status == 0, "\(result.errors)")
    let row = try #require(try recordLines(record).last)
    let stated = try #require(row["lightOut"] as? [String: Double])
    let wanted = [stated["maxCLL"], stated["maxFALL"], stated["maxCLL"]].map { Int(($0 ?? 0).rounded()) }
    #expect(abs(wanted[0] - 3972 / 2) <= 20, "\(wanted)")
    let found = try light(folder.path(output), codec.2)
    #expect(found.count >= 4 && found.allSatisfy { $0 == wanted }, "\(found) \(wanted)")
  }

  @Test("light that is measured of unchanged frames takes the place of what the source states")
  func measuredLightReplacesTheSources() throws {
    let row = try row(
      ClipTools.clip("hdr10.mp4"), to: "out.mp4", "--codec", "x265", "--codec-options=-preset ultrafast", "--light",
      "measured")
    let stated = try #require(row["lightOut"] as? [String: Double])
    #expect(row["passthrough"] as? Bool == true && stated != row["lightIn"] as? [String: Double])
    guard ClipTools.ffprobe != nil else { return }
    let found = try #require(try light(folder.path("out.mp4"), "hevc").first)
    #expect(found == [Int(stated["maxCLL"] ?? 0), Int(stated["maxFALL"] ?? 0), 1000], "\(found) \(stated)")
  }

  @Test("light that later key frames state is told, and headrooms are made of the largest", arguments: ["mkv", "mp4"])
  func lightVaries(ending: String) throws {
    let lists = try [(1000, 400), (4000, 300), (600, 200)].enumerated().map { index, light in
      let part = folder.path("\(index).mkv")
      let display = "G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)L(40000000,1)"
      _ = try ClipTools.run([
        "-i", ClipTools.clip("pq-lossless.mkv"), "-frames:v", "4", "-c:v", "libx265", "-preset", "ultrafast",
        "-x265-params",
        "log-level=error:repeat-headers=1:hdr10=1:master-display=\(display):max-cll=\(light.0),\(light.1)", part,
      ])
      return "file \(part)\n"
    }
    let clip = folder.path("varies.\(ending)"), list = try folder.file("list", lists.joined())
    _ = try ClipTools.run(["-f", "concat", "-safe", "0", "-i", list, "-c", "copy", clip])
    let found = try row(clip, to: "out.mkv", "--to", "sdr", "--measure", "metadata")
    #expect(found["peakUsed"] as? Double == 4000 && found["peakFrom"] as? String == "maxCLL", "\(found)")
    #expect(found["lightIn"] as? [String: Int] == ["maxCLL": 4000, "maxFALL": 400])
    let warnings = (found["warnings"] as? [String] ?? []).filter { $0.contains("[video.light-varies]") }
    #expect(warnings.count == 1 && warnings[0].contains("the light level changes"), "\(found)")
    // The output states the first.
    let same = try row(clip, to: "same.mkv")
    #expect(same["lightOut"] as? [String: Double] == ["maxCLL": 1000, "maxFALL": 400], "\(same)")
  }
}
