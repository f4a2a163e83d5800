import Foundation
import TestSupport
import Testing

/// `hdrbatch video` on clips, with the ffmpeg of the machine (docs/video.md).
@Suite(.enabled(if: ClipTools.areThere, "skipped: no ffmpeg, no clips, or no program beside the tests"))
struct ClipTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Converts clips and returns their records by the names of the inputs.
  func convert(
    _ clips: [String], _ words: String..., out: String = "out"
  ) throws -> (result: Program.Result, rows: [String: [String: Any]]) {
    let record = folder.path("record.jsonl")
    let result = try Program.run(
      ["video"] + clips + ["--out", folder.path(out), "--record", record, "--backend", "cpu", "--progress", "none"]
        + words)
    let rows = FileManager.default.fileExists(atPath: record) ? try recordLines(record) : []
    let named = rows.map { (URL(fileURLWithPath: $0["input"] as? String ?? "").lastPathComponent, $0) }
    return (result, Dictionary(named) { $1 })
  }

  @Test("clips with nothing to do keep all samples and all times")
  func nothingToDoIsNothingDone() throws {
    let names = ["pq-lossless.mkv", "vfr.mp4"]
    let (result, rows) = try convert(names.map(ClipTools.clip))
    #expect(result.status == 0, "\(result.errors)")
    for name in names {
      let row = try #require(rows[name]), vector = try #require(ClipTools.vectors[name])
      let stem = name.prefix { $0 != "." }, output = folder.path("out/\(stem).mkv")
      #expect(row["passthrough"] as? Bool == true && row["frames"] as? Int == vector["packets"] as? Int, "\(row)")
      #expect(row["framesDigest"] as? String == vector["sha256_raw"] as? String)
      let frames = try ClipTools.frames(output, as: try #require(vector["pix_fmt"] as? String))
      #expect(ClipTools.hex(frames) == vector["sha256_raw"] as? String)
      // Matroska counts milliseconds.
      let times = try ClipTools.times(output), wanted = try ClipTools.times(ClipTools.clip(name))
      #expect(times.count == wanted.count && zip(times, wanted).allSatisfy { abs($0 - $1) <= 0.000501 })
    }
    #expect(rows["vfr.mp4"]?["rate"] as? String == "vfr" && rows["pq-lossless.mkv"]?["rate"] as? String == "24")
    #expect(folder.files("out") == ["pq-lossless.mkv", "vfr.mkv"])
  }

  @Test("HLG becomes PQ within a code of 10 bits of BT.2100's formulas")
  func hlgBecomesPQ() throws {
    // Colours of 4:4:4, none at the ends of the range, so that no codes are cut.
    let (width, height, count) = (64, 32, 64 * 32)
    var random = SplitMix(state: 42), planes = [[Int]](repeating: [], count: 3)
    for _ in 0..<count {
      let rgb = (0..<3).map { _ in 0.02 + 0.96 * random.unit() }
      for (plane, code) in Self.codes(rgb).enumerated() { planes[plane].append(Int(code.rounded())) }
    }
    let raw = Data(planes.flatMap { $0.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } })
    let clip = folder.path("hlg.mkv")
    let tags = "setparams=range=tv:color_primaries=bt2020:color_trc=arib-std-b67:colorspace=bt2020nc"
    _ = try ClipTools.run(
      [
        "-f", "rawvideo", "-pix_fmt", "yuv444p10le", "-s", "\(width)x\(height)", "-i", "-", "-vf", tags, "-c:v", "ffv1",
        "-color_primaries", "bt2020", "-color_trc", "arib-std-b67", "-colorspace", "bt2020nc", "-color_range", "tv",
        clip,
      ],
      input: raw)
    let (result, rows) = try convert([clip], "--to", "hdr10")
    #expect(result.status == 0, "\(result.errors)")
    #expect(rows["hlg.mkv"]?["tagsWritten"] as? String == "9/16/9 limited left")
    let frames = [UInt8](try ClipTools.frames(folder.path("out/hlg.mkv"), as: "yuv444p10le"))
    try #require(frames.count == raw.count)
    var worst = 0.0
    for pixel in 0..<count {
      let wanted = Self.codes(Self.pq(ofHLG: Self.rgb(planes.map { $0[pixel] })))
      for plane in 0..<3 {
        let at = 2 * (plane * count + pixel), found = Double(Int(frames[at]) | Int(frames[at + 1]) << 8)
        worst = max(worst, abs(found - wanted[plane]))
      }
    }
    #expect(worst <= 1, "\(worst) codes")
  }

  @Test("a frame of a clip has the bits that render gives it")
  func framesAreThoseOfRender() throws {
    let clip = ClipTools.clip("hlg-lossless.mkv")
    let (result, rows) = try convert([clip], "--to", "hdr10", "--filter", "exposure=ev:0.5")
    #expect(result.status == 0 && rows["hlg-lossless.mkv"]?["passthrough"] as? Bool == false, "\(result.errors)")
    let raw = try folder.file("raw", [UInt8](try ClipTools.frames(clip, as: "yuv420p10le")))
    let process = Process(), rendered = try folder.file("rendered", "")
    process.executableURL = Program.url
    process.arguments = [
      "render", "-", "-o", "-", "--from", "raw:yuv420p10,320x180", "--cicp", "9/18/9", "--range", "limited",
      "--chroma-siting", "left", "--filter", "exposure=ev:0.5", "--to", "pq-raw:yuv420p10", "--backend", "cpu",
      "--progress", "none",
    ]
    process.standardInput = FileHandle(forReadingAtPath: raw)
    process.standardOutput = FileHandle(forWritingAtPath: rendered)
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let frames = try ClipTools.frames(folder.path("out/hlg-lossless.mkv"), as: "yuv420p10le")
    #expect(try [UInt8](frames) == folder.bytes("rendered"))
  }

  @Test(
    "each codec gets the layout that it takes, and writes tags and times that can be read",
    arguments: [("x264", "sdr", "mp4", "1/1/1 limited left"), ("prores", "same", "mov", "9/18/9 limited left")])
  func codecsWriteTags(codec: String, target: String, ending: String, tags: String) throws {
    let clip = target == "sdr" ? "pq-lossless.mkv" : "prores-hlg.mov", stem = String(clip.prefix { $0 != "." })
    let faster = codec == "x264" ? "-preset ultrafast" : "-bits_per_mb 4000"
    let (result, rows) = try convert(
      [ClipTools.clip(clip)], "--codec", codec, "--to", target, "--codec-options=\(faster)")
    #expect(result.status == 0, "\(result.errors)")
    let row = try #require(rows[clip]), output = folder.path("out/\(stem).\(ending)")
    #expect(row["tagsWritten"] as? String == tags)
    let times = try ClipTools.times(output), rate = target == "sdr" ? 24.0 : 25
    #expect(times.count == row["frames"] as? Int)
    #expect(times.enumerated().allSatisfy { abs($0.element - Double($0.offset) / rate) < 1e-6 })
  }

  @Test("clips that cannot be converted are refused before any work, each with its code")
  func refusesClips() throws {
    let codes = [
      "interlaced.mkv": "video.interlaced", "malformed/11-rpu-crc.mp4": "dolby.rpu",
      "untagged10.mkv": "decode.undescribed", "malformed/17-encv.mp4": "video.encrypted",
    ]
    let (result, rows) = try convert(codes.keys.sorted().map(ClipTools.clip), "--dry-run")
    #expect(result.status == 65)
    for (name, code) in codes {
      let row = try #require(rows[URL(fileURLWithPath: name).lastPathComponent])
      #expect(row["status"] as? String == "failed" && row["code"] as? String == code, "\(row)")
      #expect(result.errors.contains("[\(code)]"))
    }
    #expect(folder.files("out").isEmpty)
  }

  @Test("a damaged clip leaves no file, and keep takes what can be decoded")
  func damagedClips() throws {
    let clip = ClipTools.clip("malformed/18-prores-header.mov")
    let (result, rows) = try convert([clip])
    #expect(result.status == 65 && rows["18-prores-header.mov"]?["code"] as? String == "video.truncated", "\(rows)")
    #expect(folder.files("out").isEmpty)
    let kept = try convert([clip], "--damaged", "keep", out: "kept")
    #expect(kept.result.status == 0, "\(kept.result.errors)")
    #expect(kept.rows["18-prores-header.mov"]?["frames"] as? Int == 11)
  }

  @Test("an ffmpeg that is not there ends the run with 69")
  func namesTheMissingProgram() throws {
    let (result, _) = try convert([ClipTools.clip("sdr.mp4")], "--ffmpeg", folder.path("none"))
    #expect(result.status == 69 && result.errors.contains("[video.ffmpeg]") && result.errors.contains("apt-get"))
  }

  // MARK: BT.2100 in binary64

  /// Returns R'G'B' of codes of 10 bits, limited range, BT.2020.
  static func rgb(_ codes: [Int]) -> [Double] {
    let y = Double(codes[0] - 64) / 876, cb = Double(codes[1] - 512) / 896, cr = Double(codes[2] - 512) / 896
    let (r, b) = (y + 1.4746 * cr, y + 1.8814 * cb)
    return [r, (y - 0.2627 * r - 0.0593 * b) / 0.678, b]
  }

  static func codes(_ rgb: [Double]) -> [Double] {
    let y = 0.2627 * rgb[0] + 0.678 * rgb[1] + 0.0593 * rgb[2]
    return [64 + 876 * y, 512 + 896 * (rgb[2] - y) / 1.8814, 512 + 896 * (rgb[0] - y) / 1.4746]
  }

  /// Returns PQ R'G'B' of HLG's on a display of 1000 cd/m².
  static func pq(ofHLG rgb: [Double]) -> [Double] {
    let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
    let scene = rgb.map { $0 <= 0.5 ? $0 * $0 / 3 : (exp(($0 - c) / a) + b) / 12 }
    let y = 0.2627 * scene[0] + 0.678 * scene[1] + 0.0593 * scene[2]
    return scene.map { e in
      let power = pow(1000 * pow(y, 0.2) * e / 10_000, 2610.0 / 16_384)
      return pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
    }
  }
}
