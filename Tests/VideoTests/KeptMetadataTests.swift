import Foundation
import HDRCore
import TestSupport
import Testing
import VideoStreams

/// Metadata that change from frame to frame, from clips to the outputs of `hdrbatch video` (docs/video.md).
@Suite(.enabled(if: ClipTools.areThere, "skipped: no ffmpeg, no clips, or no program beside the tests"))
struct KeptMetadataTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private static let fast = ["x265": "--codec-options=-preset ultrafast", "svtav1": "--codec-options=-preset 12"]

  /// Converts a clip and returns its record.
  private func convert(
    _ clip: String, to output: String, _ codec: String = "x265", _ words: String..., by program: String? = nil
  ) throws -> (row: [String: Any], status: Int32, output: String) {
    let record = folder.path("record.jsonl"), path = folder.path(output)
    let result = try Program.run(
      [
        "video", clip, "--out", path, "--record", record, "--backend", "cpu", "--progress", "none", "--codec", codec,
      ] + (Self.fast[codec].map { [$0] } ?? []) + (program.map { ["--ffmpeg", $0] } ?? []) + words)
    let rows = FileManager.default.fileExists(atPath: record) ? try recordLines(record) : []
    return (try #require(rows.last, "\(result.errors)"), result.status, path)
  }

  private static func metadata(_ path: String) throws -> [FrameMetadata] { try ClipPackets(path).metadata() }

  private static func track(_ path: String) throws -> ContainerTrack {
    try #require(try ContainerFile.read(MemoryAccess([UInt8](Data(contentsOf: URL(fileURLWithPath: path))))))
      .videoTrack ?? ContainerTrack()
  }

  /// Returns the side data that ffprobe sees in frames, in the order in which they are shown; `nil`: there is no ffprobe.
  private static func seen(_ path: String) throws -> [String]? {
    guard let ffprobe = ClipTools.ffprobe else { return nil }
    let words = ["-v", "error", "-select_streams", "v:0", "-show_frames", "-of", "json", path]
    let all = try JSONSerialization.jsonObject(with: try ClipTools.run(words, program: ffprobe)) as? [String: Any]
    return try (all?["frames"] as? [[String: Any]] ?? []).map { frame in
      let list = (frame["side_data_list"] as? [[String: Any]] ?? []).filter { data in
        let type = data["side_data_type"] as? String ?? ""
        // ffmpeg leaves out the bytes of some RPUs, in sources too.
        return type == "Dolby Vision Metadata" || type.hasPrefix("HDR Dynamic Metadata")
      }
      return String(decoding: try JSONSerialization.data(withJSONObject: list, options: .sortedKeys), as: UTF8.self)
    }
  }

  @Test(
    "each frame of an output keeps its RPU and HDR10+, byte for byte, and its time",
    arguments: [
      ("dv-p81.mp4", "mp4", 8, 1), ("dv-p81.mp4", "mov", 8, 1), ("dv-p84.mov", "mkv", 8, 4),
      ("dv-p84.mov", "mov", 8, 4), ("dv81-dovi-tool.mkv", "mp4", 8, 1), ("hdr10plus.mkv", "mkv", 0, 0),
    ])
  func metadataAreKept(name: String, ending: String, profile: Int, base: Int) throws {
    let clip = ClipTools.clip(name), source = try Self.metadata(clip)
    #expect(!source.isEmpty && source.allSatisfy { !$0.isEmpty })
    for (index, program) in ClipTools.programs.enumerated() {
      let (row, status, output) = try convert(clip, to: "\(index).\(ending)", "x265", "--dolby", "keep", by: program)
      #expect(status == 0 && row["passthrough"] as? Bool == true && row["frames"] as? Int == source.count, "\(row)")
      #expect(try Self.metadata(output) == source)
      let times = try ClipTools.times(output), wanted = try ClipTools.times(clip)
      #expect(zip(times, wanted).allSatisfy { abs($0 - $1) <= 0.00101 } && times.count == wanted.count)
      if let seen = try Self.seen(output), let before = try Self.seen(clip) {
        #expect(seen == before && seen.allSatisfy { $0.count > 40 })
      }
      guard profile > 0 else {
        #expect(row["hdr10plus"] as? String == "kept" && row["dropped"] as? [String] == [])
        continue
      }
      #expect((row["dolby"] as? [String: Any])?["action"] as? String == "kept")
      let dolby = try #require(try Self.track(output).video?.dolby)
      #expect((dolby.profile, dolby.compatibility) == (profile, base) && dolby.hasRPU && !dolby.hasEnhancement)
    }
  }

  @Test("RPUs go into AV1 as profile 10 and come back")
  func rpusChangeTheCodec() throws {
    let clip = ClipTools.clip("dv-p81.mp4"), source = try Self.metadata(clip)
    let (row, status, output) = try convert(clip, to: "av1.mp4", "svtav1", "--dolby", "keep")
    #expect(status == 0, "\(row)")
    #expect(try Self.metadata(output) == source)
    #expect(try Self.track(output).video?.dolby?.profile == 10)
    let back = try convert(output, to: "back.mp4", "x265", "--dolby", "keep")
    #expect(back.status == 0, "\(back.row)")
    #expect(try Self.metadata(back.output) == source)
    #expect(try Self.track(back.output).video?.dolby?.profile == 8)
  }

  @Test("curves of a track beside the pictures go into the pictures, and from codec to codec")
  func curvesAreKept() throws {
    let clip = ClipTools.clip("st2094-50-it35.mp4")
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: clip)))
    let messages = try #require(try MessageTrack.messages(MemoryAccess(bytes), for: 1))
    var source = clip
    for (codec, ending) in [("x265", "mp4"), ("svtav1", "mkv"), ("x265", "mov")] {
      let (row, status, output) = try convert(source, to: "\(codec).\(ending)", codec)
      #expect(status == 0 && row["hagc"] as? String == "kept", "\(row)")
      #expect(try Self.metadata(output).map(\.messages) == messages.map { [$0] })
      source = output
    }
    let (row, status, output) = try convert(clip, to: "dropped.mp4", "x265", "--hagc", "drop")
    #expect(status == 0 && row["hagc"] as? String == "dropped" && row["dropped"] as? [String] == ["ST 2094-50"])
    #expect(try Self.metadata(output).allSatisfy(\.isEmpty))
  }

  @Test(
    "a dry run says which metadata are kept",
    arguments: [("hdr10plus.mkv", "HDR10+"), ("st2094-50-it35.mp4", "curves of ST 2094-50")])
  func dryRunsNameMetadata(name: String, metadata: String) throws {
    let result = try Program.run([
      "video", ClipTools.clip(name), "--out", folder.path("none.mp4"), "--codec", "x265", "--dry-run",
    ])
    #expect(result.status == 0 && result.output.contains("  \(metadata) kept\n"), "\(result.output)\(result.errors)")
  }

  @Test("metadata of other light are left out with a warning, or without one where that was asked for")
  func otherLightDropsMetadata() throws {
    let clip = ClipTools.clip("hdr10plus.mkv")
    let changed = try convert(clip, to: "changed.mp4", "x265", "--to", "hlg")
    #expect(changed.status == 0 && changed.row["hdr10plus"] as? String == "dropped", "\(changed.row)")
    #expect((changed.row["warnings"] as? [String])?.contains { $0.contains("hdr10plus.dropped") } == true)
    #expect(try Self.metadata(changed.output).allSatisfy(\.isEmpty))
    let asked = try convert(clip, to: "asked.mp4", "x265", "--hdr10plus", "drop")
    #expect((asked.row["warnings"] as? [String])?.contains { $0.contains("hdr10plus") } == false, "\(asked.row)")
    #expect(try Self.metadata(asked.output).allSatisfy(\.isEmpty))
  }

  @Test(
    "RPUs that would be untrue, damaged or lost are not kept, and no file appears",
    arguments: [
      ("dv-p81.mp4", "x265", "--filter=exposure=ev:1", "dolby.keep", "the frames are changed"),
      ("dv-p81.mp4", "x265", "--to=hlg", "dolby.keep", "the frames are changed"),
      ("dv-p81.mp4", "x265", "--damaged=keep", "dolby.keep", "frames may be missing"),
      ("dv-p81.mp4", "ffv1", "--to=same", "dolby.keep", "x265 and svtav1"),
      ("malformed/11-rpu-crc.mp4", "x265", "--to=same", "dolby.rpu", "checksum"),
      ("malformed/12-rpu-missing.mp4", "x265", "--to=same", "dolby.rpu", "is missing"),
    ])
  func keepIsRefused(name: String, codec: String, word: String, code: String, reason: String) throws {
    let ending = codec == "ffv1" ? "mkv" : "mp4"
    let (row, status, _) = try convert(ClipTools.clip(name), to: "out." + ending, codec, "--dolby", "keep", word)
    #expect(status != 0 && row["code"] as? String == code, "\(row)")
    #expect((row["message"] as? String)?.contains(reason) == true)
    #expect(folder.files(".").allSatisfy { !$0.contains("out") })
  }

  @Test("frames without a base layer keep their codes, their RPUs and their sample entry", arguments: ["mp4", "mkv"])
  func profile5IsKept(ending: String) throws {
    let clip = ClipTools.clip("dv-p5.mp4"), source = try Self.metadata(clip)
    let (row, status, output) = try convert(clip, to: "out." + ending, "x265", "--dolby", "keep")
    #expect(status == 0 && row["passthrough"] as? Bool == true, "\(row)")
    #expect(try Self.metadata(output) == source)
    let track = try Self.track(output)
    #expect(track.video?.dolby.map { [$0.profile, $0.compatibility] } == [5, 0])
    #expect(track.entry == (ending == "mp4" ? "dvh1" : "V_MPEGH/ISO/HEVC"))
  }

  @Test(
    "frames of segments keep their metadata over the joints", arguments: [("x265", "mp4"), ("svtav1", "mkv")],
    ["dv81-dovi-tool.mkv", "hdr10plus.mkv"])
  func segmentsKeepMetadata(codec: (String, String), name: String) throws {
    let clip = ClipTools.clip(name), source = try Self.metadata(clip)
    let (row, status, output) = try convert(
      clip, to: "out." + codec.1, codec.0, "--dolby", "keep", "--segments", "--segment", "1f", "--jobs", "2")
    #expect(status == 0 && row["segments"] as? [String: Int] == ["count": 2, "made": 2], "\(row)")
    #expect(source.count == 259 && source.allSatisfy { !$0.isEmpty })
    #expect(try Self.metadata(output) == source)
    let times = try ClipTools.times(output), wanted = try ClipTools.times(clip)
    #expect(times.count == 259 && zip(times, wanted).allSatisfy { abs($0 - $1) <= 0.00101 })
  }

  @Test("every frame gets the curves that are made for the clip")
  func curvesAreMade() throws {
    let (row, status, output) = try convert(
      ClipTools.clip("hdr10.mp4"), to: "out.mp4", "x265", "--hagc", "author")
    #expect(status == 0 && row["hagc"] as? String == "authored", "\(row)")
    let found = try Self.metadata(output)
    #expect(found.count == row["frames"] as? Int && Set(found).count == 1)
    let message = try #require(found.first?.message(.headroomAdaptive))
    let curves = try HeadroomAdaptiveMetadata(parsing: Array(message.payload))
    #expect(curves.usesReferenceWhiteToneMapping && (curves.baselineHeadroom ?? 0) > 0)
  }

  @Test("each frame is tone mapped by its own curves, as render does it")
  func curvesMapTones() throws {
    let clip = ClipTools.clip("st2094-50-it35.mp4"), edits = ["--headroom", "1.5", "--tone-map", "st2094-50"]
    let (row, status, output) = try convert(
      clip, to: "out.mkv", "ffv1", "--to", "hdr10", edits[0], edits[1], edits[2], edits[3])
    #expect(status == 0 && row["hagc"] as? String == "used", "\(row)")
    let messages = try #require(
      try MessageTrack.messages(MemoryAccess([UInt8](Data(contentsOf: URL(fileURLWithPath: clip)))), for: 1))
    let source = try ClipTools.frames(clip, as: "yuv420p10le"), made = try ClipTools.frames(output, as: "yuv420p10le")
    let size = 480 * 270 * 3
    try #require(source.count == 30 * size && made.count == 30 * size)
    for frame in [0, 17] {
      let raw = try folder.file("raw", [UInt8](source[frame * size..<(frame + 1) * size]))
      let curves = try folder.file("curves", messages[frame].bytes), rendered = try folder.file("rendered", "")
      let process = Process()
      process.executableURL = Program.url
      process.arguments =
        [
          "render", "-", "-o", "-", "--from", "raw:yuv420p10,480x270", "--cicp", "9/16/9", "--range", "limited",
          "--chroma-siting", "top-left", "--to", "pq-raw:yuv420p10", "--backend", "cpu", "--progress", "none",
          "--tone-metadata", curves, "--content-headroom", "\((row["peakUsed"] as? Double ?? 0) / 203)",
        ] + edits
      process.standardInput = FileHandle(forReadingAtPath: raw)
      process.standardOutput = FileHandle(forWritingAtPath: rendered)
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      #expect(try folder.bytes("rendered") == [UInt8](made[frame * size..<(frame + 1) * size]))
    }
  }
}
