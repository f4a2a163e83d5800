import Foundation
import HDRRender
import TestSupport
import Testing
import Video

/// Stills of clips: sequences, posters and contact sheets (docs/video.md#stills).
@Suite(.enabled(if: ClipTools.areThere, "skipped: no ffmpeg, no clips, or no program beside the tests"))
struct VideoStillTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Makes stills of a clip, and returns the row of the record.
  @discardableResult
  private func make(
    _ clip: String, _ out: String, _ words: String..., status: Int32 = 0
  ) throws -> [String: Any] {
    let record = folder.path("record-\(UUID().uuidString).jsonl")
    let run = try Program.run(
      [
        "video", ClipTools.clip(clip), "--out", folder.path(out), "--record", record, "--backend", "cpu", "--progress",
        "none",
      ] + words)
    #expect(run.status == status, "\(run.errors)")
    return try #require(try recordLines(record).first)
  }

  /// Returns the R', G' and B' of a PNG, and its width.
  private func pixels(_ path: String) throws -> (samples: [UInt16], width: Int) {
    let bytes = [UInt8](try ClipTools.run(["-i", path, "-f", "rawvideo", "-pix_fmt", "rgb48le", "-"]))
    let samples = stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
    // The width lies at byte 16 of every PNG.
    let head = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)).prefix(20))
    return (samples, head[16...].reduce(0) { $0 << 8 | Int($1) })
  }

  /// Renders raw samples as a picture, with the headroom that stills of the clip have.
  private func render(_ samples: Data, _ size: String, _ codes: String, _ words: String...) throws -> [UInt8] {
    let raw = try folder.file("frame.raw", [UInt8](samples)), out = folder.path("rendered")
    let run = try Program.run(
      [
        "render", raw, "--out", out, "--from", "raw:yuv420p10,\(size)", "--cicp", codes, "--range", "limited",
        "--on-existing", "replace", "--backend", "cpu", "--progress", "none", "--journal", "none",
      ] + words)
    try #require(run.status == 0, "\(run.errors)")
    return try folder.bytes("rendered/" + (try #require(folder.files("rendered").first)))
  }

  @Test("files of a sequence are the bits that render makes of raw frames, and the table has their times")
  func framesAreThoseOfRender() throws {
    let clip = "pq-lossless.mkv", size = 320 * 180 * 3
    let row = try make(clip, "{stem}.%04d.png", "--to", "pq-png")
    let frames = try ClipTools.frames(ClipTools.clip(clip), as: "yuv420p10le"), count = frames.count / size
    #expect(row["frames"] as? Int == count && (row["stills"] as? [String: Any])?["last"] as? Int == count)
    for number in [1, 13, count] {
      let own = try folder.bytes("pq-lossless.\(String(format: "%04d", number)).png")
      let rendered = try render(
        frames.subdata(in: (number - 1) * size..<number * size), "320x180", "9/16/9", "--chroma-siting", "left", "--to",
        "pq-png")
      #expect(own == rendered, "frame \(number)")
    }
    let table = try #require(folder.text("pq-lossless.frames.tsv"))
    let lines = table.split(separator: "\n").map { $0.split(separator: "\t") }
    #expect(lines[0] == ["number", "pts", "clock", "seconds", "file"] && lines.count == count + 1)
    let times = try ClipTools.times(ClipTools.clip(clip))
    for (line, time) in zip(lines.dropFirst(), times) {
      #expect(abs((Double(line[3]) ?? .nan) - time) < 1e-6 && line[4].hasPrefix("pq-lossless."))
    }
  }

  static let lavapipe = try? HDRRenderer(backend: .gpu, device: "llvmpipe")

  @Test(
    "a GPU makes the same file", .enabled(if: lavapipe != nil, "skipped: this machine has no lavapipe"))
  func devicesMakeTheSameFile() throws {
    let clip = ClipTools.clip("pq-lossless.mkv")
    for (device, words) in [("cpu", ["--backend", "cpu"]), ("gpu", ["--backend", "gpu", "--device", "llvmpipe"])] {
      let run = try Program.run(
        ["video", clip, "--out", folder.path("\(device).png"), "--to", "pq-png", "--poster", "50%"] + words)
      #expect(run.status == 0, "\(run.errors)")
    }
    #expect(try folder.bytes("cpu.png") == folder.bytes("gpu.png"))
  }

  @Test("a poster is the frame that is shown at its time")
  func postersAreExact() throws {
    let clip = "vfr.mp4", times = [0, 9000, 12_000, 18_000, 24_000, 27_000]
    let row = try make(clip, "all/{stem}.%06d.png", "--to", "pq-png")
    let vector = try #require(ClipTools.vectors[clip]), pts = try #require(vector["pts"] as? [Int])
    #expect(Array(pts.prefix(times.count)) == times && row["frames"] as? Int == pts.count)
    let table = try #require(folder.text("all/vfr.frames.tsv")).split(separator: "\n").dropFirst()
    #expect(table.map { Int($0.split(separator: "\t")[1]) } == pts)
    let places = [
      ("0%", 1), ("10%", 3), ("0.3", 6), ("0.299", 5), ("0:00.1", 2), ("frame:30", 30), ("99", 30), ("50%", 15),
    ]
    for (place, number) in places {
      let row = try make(clip, "poster.png", "--to", "pq-png", "--poster", place, "--on-existing", "replace")
      let stills = try #require(row["stills"] as? [String: Any])
      #expect(stills["first"] as? Int == number, "\(place)")
      let file = "all/vfr.\(String(format: "%06d", number)).png"
      #expect(try folder.bytes("poster.png") == folder.bytes(file), "\(place)")
    }
    try make(clip, "none.png", "--to", "pq-png", "--poster", "frame:31", status: 65)
    #expect(!folder.files().contains("none.png"))
  }

  @Test("the best frame lies in the longest scene")
  func bestFrameIsOfTheLongestScene() throws {
    let row = try make("open-gop.mp4", "best.jpg", "--poster", "scene-best")
    let number = try #require((row["stills"] as? [String: Any])?["first"] as? Int) - 1
    let starts = try #require(row["scenes"] as? [Int]), frames = 60
    let lengths = zip(starts, starts.dropFirst() + [frames]).map { $1 - $0 }
    let longest = try #require(lengths.firstIndex(of: lengths.max() ?? 0))
    #expect((starts[longest]..<starts[longest] + lengths[longest]).contains(number), "\(number) of \(starts)")
  }

  @Test("a phone's clip is turned as players turn it")
  func phonesAreUpright() throws {
    let clip = ClipTools.clip("phone-rotated.mov")
    try make("phone-rotated.mov", "turned.png", "--to", "hlg-png", "--poster", "frame:3")
    let found = try pixels(folder.path("turned.png"))
    #expect(found.width == 320 && found.samples.count == 3 * 320 * 180)
    // FFmpeg turns frames by itself; luma is compared, as chroma is interpolated otherwise.
    let shown = [UInt8](
      try ClipTools.run([
        "-i", clip, "-map", "0:V:0", "-vf", "select=eq(n\\,2)", "-frames:v", "1", "-f", "rawvideo", "-pix_fmt",
        "yuv420p10le", "-",
      ]))
    try #require(shown.count == 320 * 180 * 3)
    var off = 0
    for pixel in 0..<320 * 180 {
      let rgb = (0..<3).map { Double(found.samples[3 * pixel + $0]) / 65_535 }
      let luma = 64 + 876 * (0.2627 * rgb[0] + 0.678 * rgb[1] + 0.0593 * rgb[2])
      let code = Double(Int(shown[2 * pixel]) | Int(shown[2 * pixel + 1]) << 8)
      // Colours that leave the cube of R'G'B' are cut, those at the edges of the bars too.
      if abs(luma - code) > 1.5 { off += 1 }
    }
    #expect(off < 320 * 180 / 20, "\(off) pixels differ")
  }

  @Test("the clean aperture of a clip is what its stills show")
  func cleanAperturesAreCut() throws {
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: ClipTools.clip("hdr10.mp4"))))
    func place(of type: String) throws -> Int {
      let code = Array(type.utf8)
      return try #require(bytes.indices.dropLast(3).last { Array(bytes[$0..<$0 + 4]) == code }) - 4
    }
    func words(_ values: [UInt32]) -> [UInt8] {
      values.flatMap { value in stride(from: 24, through: 0, by: -8).map { UInt8(value >> UInt32($0) & 255) } }
    }
    // The box comes behind the others of the entry, which its ancestors' sizes follow; samples lie before them.
    let aperture = words([40]) + Array("clap".utf8) + words([300, 1, 150, 1, 0, 1, 0, 1])
    let entry = try place(of: "hvc1")
    func size(_ at: Int) -> UInt32 { bytes[at..<at + 4].reduce(0) { $0 << 8 | UInt32($1) } }
    try #require(try place(of: "mdat") < entry)
    let end = entry + Int(size(entry))
    for type in ["moov", "trak", "mdia", "minf", "stbl", "stsd", "hvc1"] {
      let at = try place(of: type)
      bytes.replaceSubrange(at..<at + 4, with: words([size(at) + 40]))
    }
    bytes.insert(contentsOf: aperture, at: end)
    let clip = try folder.file("cut.mp4", bytes)
    let run = try Program.run(
      ["video", clip, "--out", folder.path("cut.png"), "--to", "pq-png", "--poster", "0", "--backend", "cpu"])
    #expect(run.status == 0, "\(run.errors)")
    try make("hdr10.mp4", "whole.png", "--to", "pq-png", "--poster", "0")
    let cut = try pixels(folder.path("cut.png")), whole = try pixels(folder.path("whole.png"))
    try #require(cut.width == 300 && cut.samples.count == 3 * 300 * 150)
    for y in 0..<150 {
      let start = 3 * (320 * (y + 15) + 10)
      #expect(cut.samples[3 * 300 * y..<3 * 300 * (y + 1)] == whole.samples[start..<start + 900], "row \(y)")
    }
  }

  @Test("pixels that are not square become so, and tiles of a sheet have the shape of the picture")
  func shapesOfPixelsAndTiles() throws {
    try make("sar.mp4", "wide.png", "--to", "pq-png", "--poster", "0")
    #expect(try pixels(folder.path("wide.png")).width == 427)
    let row = try make("hdr10.mp4", "sheet.png", "--to", "pq-png", "--contact-sheet", "5x4", "--tile", "100")
    let sheet = try pixels(folder.path("sheet.png"))
    #expect(sheet.width == 500 && sheet.samples.count == 3 * 500 * 4 * 56)
    #expect(row["frames"] as? Int == 1)
    // The tiles on both sides of the cut differ.
    func mean(_ column: Int, _ line: Int) -> Double {
      var sum = 0.0
      for y in 56 * line..<56 * (line + 1) {
        let start = 3 * (500 * y + 100 * column)
        for sample in sheet.samples[start..<start + 300] { sum += Double(sample) }
      }
      return sum / Double(56 * 300)
    }
    #expect(abs(mean(0, 0) - mean(4, 3)) > 500)
  }

  @Test(
    "HLG of phones has the light of BT.2100 in an Adaptive HDR poster", arguments: ["dv-p84.mov", "phone-rotated.mov"])
  func postersHaveTheLight(clip: String) throws {
    try make(clip, "poster.jpg", "--poster", "frame:2", "--quality", "100", "--map-quality", "100")
    try make(clip, "codes.png", "--to", "hlg-png", "--poster", "frame:2")
    // All light of the poster, by its base and its map.
    let run = try Program.run([
      "render", folder.path("poster.jpg"), "--out", folder.path("light"), "--to", "pq-png", "--backend", "cpu",
      "--progress", "none", "--journal", "none",
    ])
    try #require(run.status == 0, "\(run.errors)")
    let codes = try pixels(folder.path("codes.png")), light = try pixels(folder.path("light/poster.png"))
    try #require(codes.samples.count == light.samples.count && codes.width == light.width)
    var differences: [Double] = []
    for pixel in stride(from: 0, to: codes.samples.count / 3, by: 7) {
      let wanted = ClipTests.pq(ofHLG: (0..<3).map { Double(codes.samples[3 * pixel + $0]) / 65_535 })
      guard Self.isInP3(wanted) else { continue }
      for channel in 0..<3 {
        differences.append(abs(Double(light.samples[3 * pixel + channel]) / 65_535 - wanted[channel]))
      }
    }
    differences.sort()
    // A code of 10 bits is 0.001; the base and the map have 8.
    try #require(differences.count > 6000)
    #expect(differences[differences.count / 2] < 0.003, "\(differences[differences.count / 2])")
    #expect(differences[differences.count * 99 / 100] < 0.02, "\(differences[differences.count * 99 / 100])")
    // The grey bar is grey in the base too, which SDR displays show.
    let base = [UInt8](
      try ClipTools.run(["-i", folder.path("poster.jpg"), "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
    )
    let grey = base[(3 * (320 * 170 + (clip == "dv-p84.mov" ? 20 : 310)))...].prefix(3)
    #expect((grey.max() ?? 0) - (grey.min() ?? 0) <= 3 && grey.allSatisfy { (150...220).contains($0) }, "\(grey)")
  }

  @Test(
    "posters of Dolby Vision have the colours of the vectors, within a code of 10 bits",
    arguments: [("dv-p5.mp4", "auto"), ("dv-p5-mmr.mp4", "auto"), ("dv-p84.mov", "apply"), ("dv-p81.mp4", "apply")])
  func postersAreReshaped(clip: String, rule: String) throws {
    let all = try #require(SharedData.json("specs/video-vectors.json")?["clip_pixels"] as? [String: Any])
    let vector = try #require(all[clip] as? [String: Any]), frame = try #require(vector["frame"] as? Int)
    let row = try make(clip, "poster.png", "--to", "pq-png", "--poster", "frame:\(frame + 1)", "--dolby", rule)
    #expect((row["dolby"] as? [String: Any])?["action"] as? String == "applied")
    let found = try pixels(folder.path("poster.png"))
    for point in try #require(vector["points"] as? [[String: Any]]) {
      let place = try #require(point["xy"] as? [Int]), wanted = try #require(point["pq"] as? [Double])
      let first = 3 * (320 * place[1] + place[0])
      for (sample, value) in zip(found.samples[first..<first + 3], wanted) {
        let off = abs(Double(sample) / 65_535 - value) * 1023
        #expect(off <= 0.7, "\(place): \(sample) for \(value)")
      }
    }
  }

  /// True for PQ R'G'B' of BT.2020 from 1 cd/m² on whose colour the base's Display P3 has, too.
  private static func isInP3(_ pq: [Double]) -> Bool {
    let light = pq.map { code in
      let power = pow(code, 1 / 78.84375)
      return 10_000 * pow(max(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power), 16_384.0 / 2610)
    }
    let rows = [
      [1.3435783, -0.2821797, -0.0613986], [-0.0652975, 1.0757879, -0.0104905], [0.0028218, -0.0195985, 1.0167767],
    ]
    let p3 = rows.map { row in zip(row, light).reduce(0) { $0 + $1.0 * $1.1 } }
    return (light.max() ?? 0) >= 1 && p3.allSatisfy { $0 >= 0 }
  }

  @Test("what is cut short leaves whole files alone, and a later run makes the others")
  func sequencesGoOn() throws {
    let damaged = try make("malformed/18-prores-header.mov", "cut/{stem}.%03d.png", "--to", "hlg-png", status: 65)
    #expect(damaged["code"] as? String == "video.truncated")
    let left = folder.files("cut")
    #expect(left.allSatisfy { $0.hasSuffix(".png") && !$0.hasPrefix(".") }, "\(left)")
    for name in left { #expect(try pixels(folder.path("cut/" + name)).width == 320) }

    try make("vfr.mp4", "whole/{stem}.%d.png", "--to", "pq-png")
    try make("vfr.mp4", "again/{stem}.%d.png", "--to", "pq-png")
    for number in [9, 10, 30] {
      try FileManager.default.removeItem(atPath: folder.path("again/vfr.\(number).png"))
    }
    try FileManager.default.removeItem(atPath: folder.path("again/vfr.frames.tsv"))
    let row = try make("vfr.mp4", "again/{stem}.%d.png", "--to", "pq-png", "--on-existing", "skip")
    #expect(row["frames"] as? Int == 3 && (row["stills"] as? [String: Any])?["kept"] as? Int == 27)
    #expect(folder.files("whole") == folder.files("again"))
    for name in folder.files("whole") {
      #expect(try folder.bytes("whole/" + name) == folder.bytes("again/" + name), "\(name)")
    }
    let run = try Program.run(["video", ClipTools.clip("vfr.mp4"), "--out", folder.path("again/{stem}.%d.png")])
    #expect(run.status == 64 && run.errors.contains("exists already"), "\(run.errors)")
  }

  @Test("a run that is killed leaves no part of a file under a name")
  func killedRunsLeaveWholeFiles() throws {
    let clip = ClipTools.clip("pq-lossless.mkv")
    let process = try Program.start(
      [
        "video", clip, "--out", folder.path("out/{stem}.%02d.png"), "--to", "pq-png", "--backend", "cpu", "--progress",
        "none",
      ], output: FileHandle.nullDevice, errors: FileHandle.nullDevice)
    let deadline = Date(timeIntervalSinceNow: 60)
    while folder.files("out").filter({ $0.hasSuffix(".png") }).isEmpty, process.isRunning, Date() < deadline {
      usleep(5000)
    }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    let whole = folder.files("out").filter { $0.hasSuffix(".png") && !$0.hasPrefix(".") }
    #expect(!whole.isEmpty)
    for name in whole { #expect(try pixels(folder.path("out/" + name)).samples.count == 3 * 320 * 180, "\(name)") }
  }

  @Test("SDR clips have no HDR to keep, and options of clips are not of stills")
  func refusesWhatCannotBe() throws {
    let row = try make("sdr.mp4", "sdr.jpg", "--poster", "0", status: 65)
    #expect(row["code"] as? String == "adaptive.sdr")
    let skipped = try make("sdr.mp4", "sdr.jpg", "--poster", "0", "--if-sdr", "skip")
    #expect(skipped["status"] as? String == "skipped")
    let plain = try make("sdr.mp4", "sdr.jpg", "--poster", "0", "--if-sdr", "sdr-jpeg")
    #expect((plain["stills"] as? [String: Any])?["target"] as? String == "sdr-jpeg")
    let clip = ClipTools.clip("hdr10.mp4")
    for (words, said) in [
      (["--out", folder.path("a.exr")], "need a number"),
      (["--out", folder.path("{stem}.%06d.exr"), "--to", "pq-png"], "end in .png"),
      (["--out", folder.path("x"), "--to", "hdr10", "--poster", "0"], "makes clips"),
      (["--out", folder.path("x"), "--to", "exr", "--codec", "x265"], "is of clips"),
      (["--out", folder.path("x"), "--poster", "ten"], "frame:12"),
      (["--out", folder.path("%d.{stem}.exr")], "stands behind"),
    ] {
      let run = try Program.run(["video", clip] + words)
      #expect(run.status == 64 && run.errors.contains(said), "\(words): \(run.errors)")
    }
  }

  @Test("places of posters and names of frames are read as they are written")
  func readsPlacesAndNames() throws {
    #expect(PosterPlace("12.5%") == .share(0.125) && PosterPlace("1:02:03.5") == .seconds(3723.5))
    #expect(PosterPlace("90s") == .seconds(90) && PosterPlace("frame:7") == .frame(7))
    #expect(PosterPlace("scene-best") == .best)
    for text in ["", "%", "101%", "-1", "1:2:3:4", "1:", "frame:0", "frame:x", "nan", "1e3"] {
      #expect(PosterPlace(text) == nil, "\(text)")
    }
    #expect(SheetGrid("5x4")?.count == 20)
    for text in ["0x4", "5x4x3", "5", "x", "101x1"] { #expect(SheetGrid(text) == nil, "\(text)") }
    let names = try #require(FrameNames(Array("a%d.%04d.exr".utf8)))
    #expect(String(decoding: names.name(12), as: UTF8.self) == "a%d.0012.exr")
    #expect(names.number(of: Array("a%d.12345.exr".utf8)) == 12_345)
    #expect(names.number(of: Array("a%d.012345.exr".utf8)) == nil)
    #expect(String(decoding: names.table, as: UTF8.self) == "a%d.frames.tsv")
    #expect(FrameNames(Array("a%.exr".utf8)) == nil && FrameNames(Array("%06x%0d".utf8)) == nil)
  }
}
