import CodecService
import Foundation
import PlainData
import TestSupport
import Testing
import VideoStreams

/// The measuring pass of `hdrbatch video` on clips (docs/video.md#peaks).
@Suite(.enabled(if: ClipTools.areThere, "skipped: no ffmpeg, no clips, or no program beside the tests"))
struct VideoLightTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Runs `video` on a clip, and returns its record.
  private func row(_ clip: String, _ words: [String], out: String = "out") throws -> [String: Any] {
    let record = folder.path("record.jsonl")
    let result = try Program.run(
      ["video", clip, "--out", folder.path(out), "--record", record, "--backend", "cpu", "--progress", "none"] + words)
    #expect(result.status == 0, "\(result.errors)")
    return try #require(try recordLines(record).first)
  }

  /// Measures a clip, and returns its record and what was left.
  private func measure(
    _ clip: String, _ words: String..., out: String = "out"
  ) throws -> (row: [String: Any], light: ClipLight) {
    let row = try row(clip, ["--measure-only"] + words, out: out)
    let stem = URL(fileURLWithPath: clip).lastPathComponent.prefix { $0 != "." }
    let json = try JSON(parsing: [UInt8](try folder.bytes("\(out)/.measure/\(stem).json")))
    return (row, try ClipLight(try #require(json["light"])))
  }

  /// Encodes raw PQ of 10 bits and 4:4:4 in a clip.
  ///
  /// - Parameter encoder: words of ffmpeg.
  private func clip(
    _ name: String, _ frames: [[UInt16]], width: Int, height: Int, transfer: String = "smpte2084",
    encoder: [String] = ["-c:v", "ffv1"]
  ) throws -> String {
    let tags = "setparams=range=tv:color_primaries=bt2020:color_trc=\(transfer):colorspace=bt2020nc"
    let path = folder.path(name)
    _ = try ClipTools.run(
      ["-f", "rawvideo", "-pix_fmt", "yuv444p10le", "-s", "\(width)x\(height)", "-r", "24", "-i", "-", "-vf", tags]
        + encoder + ["-color_primaries", "bt2020", "-color_trc", transfer, "-colorspace", "bt2020nc"]
        + ["-color_range", "tv", path],
      input: Data(frames.flatMap { $0.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } }))
    return path
  }

  /// Returns planes of grey; `luma` gives the code of a place.
  private static func grey(_ width: Int, _ height: Int, _ luma: (Int, Int) -> UInt16) -> [UInt16] {
    (0..<height).flatMap { y in (0..<width).map { luma($0, y) } } + [UInt16](repeating: 512, count: 2 * width * height)
  }

  @Test("the light of frames is that of double precision within half a percent, for one and four threads")
  func lightIsThatOfDoublePrecision() throws {
    let name = "pq-lossless.mkv", vectors = try #require(SharedData.json("specs/video-vectors.json"))
    let wanted = try #require((vectors["light"] as? [String: [String: Any]])?[name])
    // The vectors have chroma at the top left, which FFV1 does not say.
    let siting = "--chroma-siting=top-left"
    let (row, light) = try measure(ClipTools.clip(name), "--threads", "1", siting)
    func isNear(_ value: Double?, _ key: String, in values: [String: Any]) throws -> Bool {
      let expected = try #require(values[key] as? Double)
      return abs(try #require(value) - expected) <= 0.005 * expected
    }
    let frames = try #require(wanted["frames"] as? [[String: Double]])
    #expect(light.frames.count == frames.count)
    for (frame, values) in zip(light.frames, frames) {
      #expect(try isNear(ClipLight.light(ofCode: frame.largest), "max", in: values))
      // Half a unit of the vectors' last digit, and the bits of light.
      #expect(abs(light.mean(frame) - (try #require(values["mean"]))) < 2e-3)
      #expect(try isNear(light.p9999(frame), "p99.99", in: values))
    }
    let measured = try #require(row["measured"] as? [String: Any])
    #expect(measured["maxCLL"] as? Double == 3972 && measured["maxFALL"] as? Double == 43, "\(measured)")
    #expect(try isNear(measured["p9999"] as? Double, "p99.99", in: wanted))
    #expect(row["scenes"] as? [Int] == [0, 12])
    #expect(try measure(ClipTools.clip(name), "--threads", "4", siting, out: "four").light == light)
    // Nothing but the light was written.
    #expect(folder.files("out") == [".measure/pq-lossless.json"])
  }

  @Test("scenes of clips are those of the vectors", arguments: ["pq-lossless.mkv", "open-gop.mp4"])
  func scenesAreThoseOfTheVectors(name: String) throws {
    let vectors = try #require(SharedData.json("specs/video-vectors.json"))
    let wanted = try #require((vectors["cuts"] as? [String: [Double]])?[name])
    let (row, light) = try measure(ClipTools.clip(name))
    #expect(row["scenes"] as? [Int] == (name == "open-gop.mp4" ? [0, 30] : [0, 12]))
    for (frame, change) in zip(light.frames, wanted) {
      #expect(abs(Double(frame.change) / Double(2 * light.pixels) - change) < 0.01)
    }
  }

  @Test("segments that shards measure have the light of the whole clip, and one that is missing ends with 75")
  func shardsMeasureTheWhole() throws {
    let clip = ClipTools.clip("open-gop.mp4"), whole = try measure(clip, out: "whole")
    let segments = ["--segments", "--segment", "15f"]
    _ = try row(clip, segments + ["--measure-only", "--shard", "1/2"])
    let early = try Program.run(
      ["video", clip, "--out", folder.path("out"), "--to", "sdr", "--progress", "none", "--backend", "cpu"] + segments
        + ["--shard", "0/2"])
    #expect(early.status == 75 && early.errors.contains("[video.measure]"), "\(early.errors)")
    _ = try row(clip, segments + ["--measure-only", "--shard", "0/2"])
    let files = folder.files("out/.measure")
    #expect(files == ["open-gop.0.json", "open-gop.1.json", "open-gop.2.json", "open-gop.3.json"])
    var light = ClipLight()
    for file in files {
      let json = try JSON(parsing: [UInt8](try folder.bytes("out/.measure/" + file)))
      try light.append(try ClipLight(try #require(json["light"])))
    }
    #expect(light == whole.light && light.frames.count == 60)
    let joined = try row(clip, segments + ["--measure-only"])
    #expect(joined["measured"] as? [String: Double] == whole.row["measured"] as? [String: Double])
    #expect(joined["scenes"] as? [Int] == [0, 30])
  }

  @Test("HLG is measured as light of a display of 1000 cd/m², as double precision has it")
  func hlgIsMeasured() throws {
    let (width, height) = (64, 32), count = width * height
    var random = SplitMix(state: 7), planes = [[UInt16]](repeating: [], count: 3), light: [Double] = []
    for _ in 0..<count {
      let codes = ClipTests.codes((0..<3).map { _ in 0.02 + 0.9 * random.unit() }).map { Int($0.rounded()) }
      for (plane, code) in codes.enumerated() { planes[plane].append(UInt16(code)) }
      light.append(Self.light(ofPQ: ClipTests.pq(ofHLG: ClipTests.rgb(codes)).max() ?? 0))
    }
    let path = try clip("hlg.mkv", [planes.flatMap { $0 }], width: width, height: height, transfer: "arib-std-b67")
    let found = try measure(path).light, frame = found.frames[0]
    #expect(abs(found.mean(frame) / (light.reduce(0, +) / Double(count)) - 1) < 1e-3)
    #expect(abs(found.largest / (light.max() ?? 0) - 1) < 1e-3)
    let row = try row(path, ["--to", "sdr"])
    #expect(row["peakUsed"] as? Double == 1000 && row["measured"] is NSNull, "HLG has its own peak")
  }

  private static func light(ofPQ signal: Double) -> Double {
    let power = pow(max(signal, 0), 1 / 78.84375)
    return 10_000 * pow(max(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power), 1 / 0.1593017578125)
  }

  @Test("what was measured is used again, and not for another clip")
  func lightIsUsedAgain() throws {
    let clip = folder.path("clip.mkv")
    try FileManager.default.copyItem(atPath: ClipTools.clip("pq-lossless.mkv"), toPath: clip)
    let first = try measure(clip)
    // A number that no pass measures shows where the light is from.
    let path = folder.path("out/.measure/clip.json"), text = try #require(folder.text("out/.measure/clip.json"))
    let largest = "\(first.light.frames[0].largest),\(first.light.frames[0].units),"
    try Data(text.replacing(largest, with: "\(first.light.frames[0].largest),12345,").utf8).write(
      to: URL(fileURLWithPath: path))
    #expect(try measure(clip).light.frames[0].units == 12_345)
    #expect(try measure(clip, "--active-area", "full").light.frames[0].units == first.light.frames[0].units)
    try FileManager.default.removeItem(atPath: clip)
    try FileManager.default.copyItem(atPath: ClipTools.clip("hdr10.mp4"), toPath: clip)
    #expect(try measure(clip).light != first.light)
    try Data("{".utf8).write(to: URL(fileURLWithPath: path))
    #expect(try measure(clip).light.frames.count == 24)
  }

  @Test("dark borders do not count, nor what lies outside of a stated area")
  func bordersDoNotCount() throws {
    // 100 cd/m² within 8 black rows at each end, and a bright pixel in the middle.
    let frames = (0..<2).map { _ in
      Self.grey(64, 48) { x, y in y < 8 || y >= 40 ? 64 : (x, y) == (5, 20) ? 700 : 509 }
    }
    let bars = try clip("bars.mkv", frames, width: 64, height: 48)
    func level(_ words: String...) throws -> (cll: Double?, fall: Double?) {
      let measured = try row(bars, ["--measure-only"] + words)["measured"] as? [String: Any]
      return (measured?["maxCLL"] as? Double, measured?["maxFALL"] as? Double)
    }
    let auto = try level(), full = try level("--active-area", "full"), part = try level("--active-area", "16:8:32:16")
    #expect(auto.fall == 101 && full.fall == 67 && part.fall == 100, "\(auto) \(full) \(part)")
    #expect(auto.cll == full.cll && part.cll == 100 && (auto.cll ?? 0) > 500)
    #expect(try level("--light-percentile", "99.99").cll == auto.cll, "2 of 10 000 pixels are one of 2048")
    let refused = try Program.run(
      [
        "video", bars, "--out", folder.path("out"), "--measure-only", "--active-area", "64:48:0:1", "--progress",
        "none",
      ])
    #expect(refused.status == 65 && refused.errors.contains("[video.area]"), "\(refused.errors)")
  }

  @Test("the light that is encoded is measured where it was rendered")
  func encodedLightIsMeasured() throws {
    let clip = ClipTools.clip("pq-lossless.mkv")
    let brighter = try row(clip, ["--to", "hdr10", "--filter", "exposure=ev:1"])
    let light = try #require(brighter["measuredOut"] as? [String: Double])
    // Two times the light, less than 10 000 cd/m².
    #expect(abs((light["maxCLL"] ?? 0) / (2 * 3972) - 1) < 0.01, "\(light)")
    #expect(abs((light["maxFALL"] ?? 0) - 2 * 42.3) < 2, "\(light)")
    // The output is measured as it was encoded.
    let again = try #require(
      try measure(folder.path("out/pq-lossless.mkv"), out: "again").row["measured"] as? [String: Any])
    #expect(again["maxCLL"] as? Double == light["maxCLL"] && again["maxFALL"] as? Double == light["maxFALL"])
    let kept = try row(clip, [], out: "kept")
    #expect(kept["measuredOut"] is NSNull && kept["measured"] is NSNull)
  }

  @Test("tone mapping begins at the option's peak, the measured one, MaxCLL, the mastering display's, 1000")
  func peaksHaveAnOrder() throws {
    let clip = ClipTools.clip("hdr10.mp4")
    func peak(_ clip: String, _ words: String...) throws -> (nits: Double, from: String) {
      let row = try row(clip, ["--to", "sdr", "--on-existing", "replace"] + words)
      return (try #require(row["peakUsed"] as? Double), try #require(row["peakFrom"] as? String))
    }
    let measured = try peak(clip)
    #expect(measured.from == "measured" && (3500...4100).contains(measured.nits), "\(measured)")
    #expect(try peak(clip, "--peak", "600") == (600, "option"))
    #expect(try peak(clip, "--content-headroom", "2") == (406, "option"))
    #expect(try peak(clip, "--peak", "max").nits >= measured.nits)
    let stated = try peak(clip, "--measure", "metadata")
    #expect(["maxCLL", "mastering"].contains(stated.from) && stated.nits >= 1000, "\(stated)")
    #expect(try peak(ClipTools.clip("pq-lossless.mkv"), "--measure", "metadata") == (1000, "nominal"))
    #expect(try peak(ClipTools.clip("hlg.mov")) == (1000, "nominal"))
  }

  @Test(
    "absurd metadata do not count: light is measured, and what cannot be is ignored", arguments: ["100000000", "50"])
  func absurdMetadataDoNotCount(maximum: String) throws {
    // 400 cd/m² on a mastering display of 10 000, and of 0.005 cd/m².
    let display = "G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)L(\(maximum),1)"
    let frames = (0..<8).map { _ in Self.grey(64, 48) { x, _ in x < 32 ? 300 : 636 } }
    let path = try clip(
      "absurd.mp4", frames, width: 64, height: 48,
      encoder: ["-c:v", "libx265", "-x265-params", "log-level=error:lossless=1:hdr10=1:master-display=\(display)"])
    let measured = try row(path, ["--to", "sdr"])
    #expect(measured["peakFrom"] as? String == "measured")
    #expect((390...410).contains(try #require(measured["peakUsed"] as? Double)), "\(measured)")
    let stated = try row(path, ["--to", "sdr", "--measure", "metadata"], out: "stated")
    let isPossible = maximum == "100000000"
    #expect(stated["peakFrom"] as? String == (isPossible ? "mastering" : "nominal"), "\(stated)")
    #expect(stated["peakUsed"] as? Double == (isPossible ? 10_000 : 1000))
    let warnings = (stated["warnings"] as? [String] ?? []).joined()
    #expect(warnings.contains("the mastering display is ignored") == !isPossible, "\(warnings)")
  }

  @Test("what does not change in a clip does not when it is tone mapped, and adaptive by a code a frame at most")
  func staticAreasStay() throws {
    // On the left a ramp that never changes; on the right light that rises, and a cut at frame 24.
    let (width, height, count) = (64, 32, 48)
    let frames = (0..<count).map { n in
      Self.grey(width, height) { x, y in
        if x < 32 { return UInt16(80 + 16 * x) }
        return UInt16((n < 24 ? 500 + 4 * n : 700) + 4 * y)
      }
    }
    let path = try clip("static.mkv", frames, width: width, height: height)
    func codes(_ measure: String) throws -> [[UInt8]] {
      let name = String(measure.prefix { $0 != ":" })
      let row = try row(path, ["--to", "sdr", "--measure", measure], out: name)
      #expect(row["scenes"] as? [Int] == [0, 24], "\(row)")
      let bytes = [UInt8](try ClipTools.frames(folder.path("\(name)/static.mkv"), as: "yuv444p"))
      return (0..<count).map { n in
        let first = n * width * height * 3
        return (0..<32 * height).map { bytes[first + $0 / 32 * width + $0 % 32] }
      }
    }
    let whole = try codes("clip"), scenes = try codes("scenes"), adaptive = try codes("adaptive:1")
    #expect(whole.allSatisfy { $0 == whole[0] })
    #expect(scenes[..<24].allSatisfy { $0 == scenes[0] } && scenes[24...].allSatisfy { $0 == scenes[24] })
    #expect(scenes[0] != scenes[24] && adaptive[0] != adaptive[23])
    for n in 1..<count where n != 24 {
      let steps = zip(adaptive[n - 1], adaptive[n]).map { abs(Int($0) - Int($1)) }
      #expect((steps.max() ?? 0) <= 1, "frame \(n)")
    }
  }
}
