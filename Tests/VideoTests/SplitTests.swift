import Foundation
import TestSupport
import Testing

/// `hdrbatch video --size-change segment`: clips whose pictures change (docs/video.md#pictures-that-change).
@Suite(.enabled(if: ClipTools.areThere, "skipped: no ffmpeg, no clips, or no program beside the tests"))
struct SplitTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Makes a clip of 8 frames of each size, with a tone of 2 s beside them.
  ///
  /// - Parameter filters: ffmpeg's, one for each part.
  private func clip(_ name: String, _ filters: [String], encoder: [String]) throws -> String {
    let lists = try filters.enumerated().map { index, filter in
      let part = folder.path("\(index).mkv")
      _ = try ClipTools.run(
        ["-i", ClipTools.clip("pq-lossless.mkv"), "-frames:v", "8", "-vf", filter] + encoder + [part])
      return "file \(part)\n"
    }
    let path = folder.path(name), list = try folder.file("list", lists.joined())
    if name.hasSuffix(".ts") {
      // Each part in the packets of its own stream, one behind the other, as recorders leave them.
      var bytes = Data()
      for index in filters.indices {
        bytes += try ClipTools.run([
          "-i", folder.path("\(index).mkv"), "-f", "lavfi", "-i", "sine=duration=0.3", "-c:v", "copy", "-c:a", "mp2",
          "-output_ts_offset", "\(index)", "-mpegts_flags", "+initial_discontinuity", "-f", "mpegts", "-",
        ])
      }
      try bytes.write(to: URL(fileURLWithPath: path))
      return path
    }
    _ = try ClipTools.run([
      "-f", "concat", "-safe", "0", "-i", list, "-f", "lavfi", "-i", "sine=duration=2", "-map", "0:v", "-map", "1:a",
      "-c:v", "copy", "-c:a", "aac", path,
    ])
    return path
  }

  private static let hevc = [
    "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error:repeat-headers=1:lossless=1",
  ]

  private func run(_ clip: String, _ words: String...) throws -> (result: Program.Result, rows: [[String: Any]]) {
    let record = folder.path("record.jsonl")
    let result = try Program.run(
      [
        "video", clip, "--out", folder.path("out"), "--record", record, "--backend", "cpu", "--progress", "none",
        "--on-existing", "replace",
      ] + words)
    return (result, FileManager.default.fileExists(atPath: record) ? try recordLines(record) : [])
  }

  /// Returns the samples of a part as it was encoded.
  private func samples(_ part: Int) throws -> Data {
    try ClipTools.frames(folder.path("\(part).mkv"), as: "yuv420p10le")
  }

  @Test(
    "a clip of other sizes becomes an output for each part, with its frames, times and sound",
    arguments: ["mkv", "mp4", "ts"])
  func sizesAreDivided(ending: String) throws {
    let clip = try clip("clip.\(ending)", ["null", "scale=256:144", "null"], encoder: Self.hevc)
    let refused = try run(clip)
    #expect(refused.result.status == 65 && refused.rows.last?["code"] as? String == "video.size-change")
    let (result, rows) = try run(clip, "--size-change", "segment")
    #expect(result.status == 0 && rows.count == 3, "\(result.errors)")
    let files = folder.files("out")
    #expect(files.filter { !$0.hasPrefix(".") } == ["clip.1.mkv", "clip.2.mkv", "clip.3.mkv"], "\(files)")
    for (index, row) in rows.enumerated() {
      let output = folder.path("out/clip.\(index + 1).mkv")
      #expect(row["output"] as? String == output && row["frames"] as? Int == 8, "\(row)")
      #expect(row["part"] as? [String: Int] == ["number": index + 1, "count": 3])
      #expect(row["rate"] as? String == "24", "\(row)")
      #expect(row["size"] as? [Int] == (index == 1 ? [256, 144] : [320, 180]))
      #expect(row["digest"] as? String == rows[0]["digest"] as? String)
      #expect(try ClipTools.frames(output, as: "yuv420p10le") == samples(index))
      let times = try ClipTools.times(output), start = times.first ?? 0
      #expect(times.enumerated().allSatisfy { abs($0.element - start - Double($0.offset) / 24) <= 0.00101 })
      let warnings = (row["warnings"] as? [String] ?? []).joined()
      #expect(warnings.contains("not cut into parts") == (ending == "ts"), "\(warnings)")
      guard ending != "ts", ClipTools.ffprobe != nil else { continue }
      // Each has the sound of its third of a second; the last one all that follows.
      let sound = try Self.seconds(output)
      #expect(index == 2 ? abs(sound - 4 / 3) < 0.1 : abs(sound - 1 / 3) < 0.1, "\(sound)")
    }
  }

  /// Returns how long the sound of a clip is.
  private static func seconds(_ path: String) throws -> Double {
    let lines = try ClipTools.run([
      "-i", path, "-map", "0:a", "-c", "pcm_s16le", "-ar", "48000", "-ac", "1", "-f", "s16le", "-",
    ])
    return Double(lines.count) / 96_000
  }

  @Test("parts of other layouts and tags have their own, in codecs with headers in their packets")
  func tagsAreDivided() throws {
    func tagged(_ transfer: String, _ format: String) -> String {
      "setparams=range=tv:color_primaries=bt2020:color_trc=\(transfer):colorspace=bt2020nc,format=\(format)"
    }
    for (name, encoder, formats) in [
      ("hevc.mkv", Self.hevc, ["yuv420p10le", "yuv420p10le", "yuv422p10le"]),
      (
        "h264.mkv", ["-c:v", "libx264", "-qp", "0", "-preset", "ultrafast", "-x264-params", "repeat-headers=1"],
        ["yuv420p10le", "yuv420p10le", "yuv422p10le"]
      ),
      ("prores.mkv", ["-c:v", "prores_ks"], ["yuv422p10le", "yuv422p10le", "yuv444p10le"]),
    ] {
      let filters = zip(["smpte2084", "arib-std-b67", "arib-std-b67"], formats).map(tagged)
      let clip = try clip(name, filters, encoder: encoder), stem = name.prefix { $0 != "." }
      let (result, rows) = try run(clip, "--size-change", "segment")
      #expect(result.status == 0 && rows.count == 3, "\(name): \(result.errors)")
      let tags = rows.map { ($0["tagsWritten"] as? String ?? "").prefix(7) }
      #expect(tags == ["9/16/9 ", "9/18/9 ", "9/18/9 "], "\(name): \(rows.map { $0["tagsUsed"] ?? "" })")
      for index in rows.indices {
        #expect(
          try ClipTools.frames(folder.path("out/\(stem).\(index + 1).mkv"), as: formats[index])
            == ClipTools.frames(folder.path("\(index).mkv"), as: formats[index]))
      }
    }
  }

  @Test("a clip that does not change has its own name, and parts are made in segments and again as any clip")
  func partsAreClips() throws {
    let same = try run(ClipTools.clip("open-gop.mp4"), "--size-change", "segment")
    #expect(same.result.status == 0 && same.rows.count == 1 && same.rows[0]["part"] is NSNull)
    #expect(folder.files("out") == ["open-gop.mkv"])
    let encoder =
      Self.hevc.dropLast() + ["log-level=error:repeat-headers=1:lossless=1:keyint=4:min-keyint=4:scenecut=0"]
    let clip = try clip("clip.mkv", ["null", "scale=256:144"], encoder: Array(encoder))
    func resumed() throws -> [[String: Any]] {
      let record = folder.path("record.jsonl")
      let result = try Program.run([
        "video", clip, "--out", folder.path("out"), "--record", record, "--backend", "cpu", "--progress", "none",
        "--size-change", "segment", "--segments", "--segment", "4f", "--resume",
      ])
      #expect(result.status == 0, "\(result.errors)")
      return try recordLines(record)
    }
    let first = try resumed(), again = try resumed()
    #expect(first.map { ($0["segments"] as? [String: Int])?["made"] } == [2, 2], "\(first)")
    #expect(again.map { $0["status"] as? String } == ["skipped", "skipped"])
    for index in 0..<2 {
      #expect(try ClipTools.frames(folder.path("out/clip.\(index + 1).mkv"), as: "yuv420p10le") == samples(index))
    }
    let stills = try run(clip, "--size-change", "segment", "--to", "pq-png")
    #expect(stills.result.status == 64 && stills.result.errors.contains("--size-change is of clips"))
  }
}
