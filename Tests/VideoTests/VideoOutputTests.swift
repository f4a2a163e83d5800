import Foundation
import TestSupport
import Testing

/// Outputs of `hdrbatch video` describe themselves rightly to ffprobe, with each ffmpeg of the machine (docs/video.md).
@Suite(
  .enabled(
    if: ClipTools.areThere && ClipTools.ffprobe != nil,
    "skipped: no ffmpeg, ffprobe, clips, or program beside the tests"))
struct VideoOutputTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// One codec, what it makes of a clip, and what ffprobe says of the first stream.
  struct Row: CustomTestStringConvertible, Sendable {
    var clip: String
    var codec: String
    var target: String
    var container: String
    /// Primaries, transfer, matrix, range, and the place of chroma where there is room for it.
    var tags: [String]
    /// MaxCLL and MaxFALL; `nil`: neither these nor a mastering display.
    var light: [Int]?
    var testDescription: String { "\(codec) \(target) \(container)" }
  }

  static let pq = ["bt2020", "smpte2084", "bt2020nc", "tv", "topleft"], level = [4000, 300]
  static let hlg = ["bt2020", "arib-std-b67", "bt2020nc", "tv", "left"]
  static let rows =
    // As it is, in each codec and container: the place of chroma is the clip's, and so is its light.
    [
      ("x265", "mp4"), ("x265", "mkv"), ("svtav1", "mp4"), ("svtav1", "mkv"), ("aom", "mp4"), ("vp9", "mkv"),
      ("vp9", "webm"), ("ffv1", "mkv"),
    ].map { Row(clip: "hdr10.mp4", codec: $0.0, target: "hdr10", container: $0.1, tags: pq, light: level) } + [
      Row(clip: "hdr10.mp4", codec: "prores", target: "hdr10", container: "mov", tags: Array(pq[..<4]), light: level),
      Row(clip: "hlg.mov", codec: "x265", target: "hlg", container: "mov", tags: hlg[..<4] + ["topleft"]),
      Row(clip: "hlg.mov", codec: "prores", target: "hlg", container: "mov", tags: Array(hlg[..<4])),
      // Nothing of a PQ source's light is left.
      Row(clip: "hdr10.mp4", codec: "x265", target: "hlg", container: "mp4", tags: hlg),
      Row(
        clip: "hdr10.mp4", codec: "x264", target: "sdr", container: "mp4",
        tags: ["bt709", "bt709", "bt709", "tv", "left"]),
    ]

  static let speeds = [
    "x265": "-preset ultrafast", "x264": "-preset ultrafast", "svtav1": "-preset 12", "aom": "-cpu-used 8",
    "vp9": "-deadline realtime -cpu-used 8",
  ]

  @Test("outputs state colour and light, and nothing as unknown", arguments: rows, ClipTools.programs)
  func statesColourAndLight(row: Row, program: String) throws {
    let output = folder.path("out.\(row.container)")
    let result = try Program.run([
      "video", ClipTools.clip(row.clip), "--out", output, "--to", row.target, "--codec", row.codec, "--backend", "cpu",
      "--progress", "none", "--ffmpeg", program, "--codec-options=\(Self.speeds[row.codec] ?? "-threads 1")",
    ])
    try #require(result.status == 0, "\(result.errors)")
    let stream = try #require(try ClipTools.probe(output).streams.first)
    let names = ["color_primaries", "color_transfer", "color_space", "color_range", "chroma_location"]
    #expect(names.prefix(row.tags.count).map { stream[$0] as? String } == row.tags)
    #expect(!names.contains { stream[$0] as? String == "unknown" })
    let data = stream["side_data_list"] as? [[String: Any]] ?? []
    func side(_ type: String) -> [String: Any]? { data.first { $0["side_data_type"] as? String == type } }
    let level = side("Content light level metadata"), display = side("Mastering display metadata")
    let found = level.map { level in ["max_content", "max_average"].compactMap { level[$0] as? Int } }
    #expect(found == row.light)
    #expect((display != nil) == (row.light != nil))
    guard let display else { return }
    for (name, value) in [
      ("red_x", 0.708), ("red_y", 0.292), ("green_x", 0.17), ("green_y", 0.797), ("blue_x", 0.131), ("blue_y", 0.046),
      ("white_point_x", 0.3127), ("white_point_y", 0.329), ("min_luminance", 0.0001), ("max_luminance", 1000),
    ] {
      let sides = (display[name] as? String ?? "").split(separator: "/").compactMap { Double($0) }
      #expect(sides.count == 2 && abs(sides[0] / sides[1] - value) < 1e-6, "\(name)")
    }
  }

  @Test(
    "rotation, sound, subtitles, chapters, titles and places survive", arguments: ["mov", "mp4", "mkv"],
    ClipTools.programs)
  func phonesClipsSurvive(container: String, program: String) throws {
    let output = folder.path("out.\(container)")
    let result = try Program.run([
      "video", ClipTools.clip("phone-rotated.mov"), "--out", output, "--codec", "x265", "--backend", "cpu",
      "--progress",
      "human", "--ffmpeg", program, "--codec-options=-preset ultrafast", "--strict",
    ])
    try #require(result.status == 0, "\(result.errors)")
    let probe = try ClipTools.probe(output)
    #expect(
      probe.streams.prefix(3).map { $0["codec_name"] as? String }
        == ["hevc", "aac", container == "mkv" ? "subrip" : "mov_text"])
    #expect(probe.chapters.map { $0["start_time"] as? String } == ["0.000000", "0.500000"])
    #expect(probe.chapters.map { ($0["tags"] as? [String: Any])?["title"] as? String } == ["one", "two"])
    let texts = (probe.format["tags"] as? [String: Any] ?? [:]).map { ($0.key.lowercased(), $0.value as? String) }
    #expect(texts.contains { $0 == ("title", "phone clip") })
    #expect(texts.contains { $0 == ("com.apple.quicktime.location.iso6709", "+48.1-011.5/") })
    let turn = (probe.streams[0]["side_data_list"] as? [[String: Any]])?.compactMap { $0["rotation"] as? Int } ?? []
    #expect(turn == [90] && !result.errors.contains("[video.rotation]"), "\(turn)")
  }

  @Test("no-location leaves places out, none leaves out all texts", arguments: [("no-location", 1), ("none", 0)])
  func leavesTextsOut(choice: String, titles: Int) throws {
    let output = folder.path("out.mp4")
    let result = try Program.run([
      "video", ClipTools.clip("phone-rotated.mov"), "--out", output, "--codec", "x265", "--backend", "cpu",
      "--progress",
      "none", "--codec-options=-preset ultrafast", "--metadata", choice,
    ])
    try #require(result.status == 0, "\(result.errors)")
    let probe = try ClipTools.probe(output), text = String(decoding: try folder.bytes("out.mp4"), as: UTF8.self)
    #expect(
      !text.contains("+48.1") && (probe.format["tags"] as? [String: Any])?.keys.filter { $0 == "title" }.count == titles
    )
    #expect(probe.chapters.count == 2 * titles)
  }

  @Test(
    "attachments go into Matroska, and their loss is a warning or with --strict a failure",
    arguments: ClipTools.programs)
  func attachments(program: String) throws {
    let words = ["--backend", "cpu", "--progress", "human", "--ffmpeg", program, "--codec-options=-threads 1"]
    let clip = ClipTools.clip("attach.mkv"), kept = folder.path("kept.mkv"), lost = folder.path("lost.mov")
    #expect(try Program.run(["video", clip, "--out", kept] + words).status == 0)
    let streams = try ClipTools.probe(kept).streams
    #expect(streams.last?["codec_type"] as? String == "attachment")
    #expect((streams.last?["tags"] as? [String: Any])?["filename"] as? String == "s.srt")
    let told = try Program.run(["video", clip, "--out", lost, "--codec", "prores"] + words)
    #expect(told.status == 0 && told.errors.contains("[video.stream-dropped]"), "\(told.errors)")
    let strict = try Program.run(
      ["video", clip, "--out", folder.path("no.mov"), "--codec", "prores", "--strict"] + words)
    #expect(strict.status == 65)
    #expect(strict.errors.contains("[video.stream-dropped]") && !folder.files().contains("no.mov"))
  }

  @Test("time codes survive", arguments: ["mov", "mp4"], ClipTools.programs)
  func timecodes(container: String, program: String) throws {
    let output = folder.path("out.\(container)")
    let result = try Program.run([
      "video", ClipTools.clip("prores-hlg.mov"), "--out", output, "--codec", container == "mov" ? "prores" : "x265",
      "--backend", "cpu", "--progress", "none", "--ffmpeg", program, "--strict",
    ])
    try #require(result.status == 0, "\(result.errors)")
    let streams = try ClipTools.probe(output).streams
    #expect(streams.contains { $0["codec_tag_string"] as? String == "tmcd" })
    #expect((streams[0]["tags"] as? [String: Any])?["timecode"] as? String == "01:00:00:00")
  }

  @Test("the shape of pixels, languages and two sounds survive, and a sound that begins earlier stays earlier")
  func languagesAndDelays() throws {
    // Two sounds, the pictures half a second behind the first.
    let clip = folder.path("in.mkv")
    _ = try ClipTools.run([
      "-f", "lavfi", "-i", "sine=r=48000:d=1", "-f", "lavfi", "-i", "sine=f=880:r=48000:d=1", "-itsoffset", "0.5", "-i",
      ClipTools.clip("sar.mp4"), "-map", "2:v", "-map", "0:a", "-map", "1:a", "-c:v", "copy", "-c:a", "flac",
      "-metadata:s:a:0", "language=deu", "-metadata:s:a:1", "language=fra", clip,
    ])
    for container in ["mkv", "mp4"] {
      let output = folder.path("out.\(container)")
      let result = try Program.run([
        "video", clip, "--out", output, "--codec", "x265", "--backend", "cpu", "--progress", "none",
        "--codec-options=-preset ultrafast",
      ])
      try #require(result.status == 0, "\(result.errors)")
      let streams = try ClipTools.probe(output).streams
      #expect(streams[0]["sample_aspect_ratio"] as? String == "4:3")
      #expect(streams.map { ($0["tags"] as? [String: Any])?["language"] as? String }.suffix(2) == ["deu", "fra"])
      let starts = streams.compactMap { Double($0["start_time"] as? String ?? "") }
      #expect(
        starts.count == 3 && abs(starts[0] - starts[1] - 0.5) < 0.002 && abs(starts[2] - starts[1]) < 0.002, "\(starts)"
      )
    }
  }

  @Test("tags of the stream go before the container's, unless the caller trusts that")
  func differingTags() throws {
    let clip = ClipTools.clip("nclx-709-vui-pq.mp4"), record = folder.path("record.jsonl")
    for (trust, used) in [("stream", "9/16/9 limited topleft"), ("container", "1/1/1 limited topleft")] {
      let result = try Program.run([
        "video", clip, "--out", folder.path(trust), "--record", record, "--progress", "none", "--dry-run", "--trust",
        trust,
      ])
      #expect(result.status == 0, "\(result.errors)")
      let row = try #require(try recordLines(record).first)
      #expect(row["tagsStream"] as? String == "9/16/9 limited" && row["tagsContainer"] as? String == "1/1/1 limited")
      #expect(row["tagsUsed"] as? String == used)
      #expect((row["warnings"] as? [String] ?? []).contains { $0.contains("[video.tags-differ]") })
    }
  }

  @Test("--light states what it says", arguments: [("none", nil), ("700,90", [700, 90])] as [(String, [Int]?)])
  func statesLight(word: String, light: [Int]?) throws {
    let output = folder.path("out.mkv")
    let result = try Program.run([
      "video", ClipTools.clip("p3-master.mp4"), "--out", output, "--light", word, "--progress", "none",
    ])
    try #require(result.status == 0, "\(result.errors)")
    let data = try ClipTools.probe(output).streams[0]["side_data_list"] as? [[String: Any]] ?? []
    #expect(data.compactMap { $0["max_content"] as? Int } == (light.map { [$0[0]] } ?? []))
    // The mastering display is that of the source, as its light is unchanged.
    #expect(data.compactMap { $0["green_x"] as? String } == (light == nil ? [] : ["53/200"]))
  }

  @Test("times that Matroska rounds, and views that outputs do not have, are told")
  func tellsLosses() throws {
    func warnings(_ clip: String, _ container: String) throws -> String {
      let record = folder.path("losses.jsonl")
      let result = try Program.run([
        "video", clip, "--out", folder.path("losses.\(container)"), "--codec", "x265", "--backend", "cpu", "--progress",
        "none", "--record", record, "--on-existing", "replace", "--codec-options=-preset ultrafast",
      ])
      try #require(result.status == 0, "\(result.errors)")
      return "\(try #require(try recordLines(record).last)["warnings"] ?? "")"
    }
    let clip = ClipTools.clip("vfr.mp4"), stereo = folder.path("stereo.mkv")
    #expect(try warnings(clip, "mkv").contains("[video.clock]"))
    #expect(try !warnings(clip, "mp4").contains("[video.clock]"))
    #expect(try !warnings(ClipTools.clip("hdr10.mp4"), "mkv").contains("[video."))
    _ = try ClipTools.run(
      ["-i", ClipTools.clip("hdr10.mp4"), "-map", "0:v:0", "-c", "copy"]
        + ["-metadata:s:v:0", "stereo_mode=block_lr", stereo])
    #expect(try warnings(stereo, "mkv").contains("[video.views]"))
  }
}
