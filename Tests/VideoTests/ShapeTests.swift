import Foundation
import HDRCore
import TestSupport
import Testing
import VideoStreams

/// Turns, shapes of pixels, and odd sizes of clips (docs/video.md#shape).
@Suite(.enabled(if: ClipTools.areThere, "skipped: no ffmpeg, no clips, or no program beside the tests"))
struct ShapeTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Converts a clip and returns its record.
  private func convert(
    _ clip: String, to output: String, _ words: [String], status: Int32 = 0, by program: String? = nil
  ) throws -> [String: Any] {
    let record = folder.path("record.jsonl")
    let result = try Program.run(
      [
        "video", clip, "--out", folder.path(output), "--record", record, "--backend", "cpu", "--progress", "none",
        "--on-existing", "replace",
      ] + (program.map { ["--ffmpeg", $0] } ?? []) + words)
    try #require(result.status == status, "\(result.errors)")
    return try #require(try recordLines(record).last)
  }

  private static func codes(_ data: Data) -> [Int] {
    let bytes = [UInt8](data)
    return stride(from: 0, to: bytes.count, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 }
  }

  /// A plane of codes.
  private struct Plane: Equatable {
    var width: Int
    var height: Int
    var codes: [Int]

    /// Where a display matrix shows a place: (a·x + c·y, b·x + d·y), moved into view.
    static func shown(_ x: Double, _ y: Double, _ turn: Orientation, _ width: Int, _ height: Int) -> (Double, Double) {
      let m = turn.matrix, (w, h) = (Double(width - 1), Double(height - 1))
      let left = min(0, Double(m.a) * w) + min(0, Double(m.c) * h)
      let top = min(0, Double(m.b) * w) + min(0, Double(m.d) * h)
      return (Double(m.a) * x + Double(m.c) * y - left, Double(m.b) * x + Double(m.d) * y - top)
    }

    func turned(_ turn: Orientation) -> Plane {
      var result = self
      if turn.swapsAxes { (result.width, result.height) = (height, width) }
      for y in 0..<height {
        for x in 0..<width {
          let (across, down) = Self.shown(Double(x), Double(y), turn, width, height)
          result.codes[Int(down) * result.width + Int(across)] = codes[y * width + x]
        }
      }
      return result
    }

    /// The code at a place between samples, by linear interpolation.
    func code(_ x: Double, _ y: Double) -> Double {
      let x = max(0, min(Double(width - 1), x)), y = max(0, min(Double(height - 1), y))
      let left = min(Int(x), max(0, width - 2)), top = min(Int(y), max(0, height - 2))
      func row(_ y: Int) -> Double {
        let at = y * width + left, next = width > 1 ? codes[at + 1] : codes[at]
        return Double(codes[at]) * (1 - x + Double(left)) + Double(next) * (x - Double(left))
      }
      return row(top) * (1 - y + Double(top)) + row(height > 1 ? top + 1 : top) * (y - Double(top))
    }
  }

  /// The planes of one frame of 4:2:0 or 4:4:4.
  private static func planes(_ codes: ArraySlice<Int>, _ width: Int, _ height: Int, isSubsampled: Bool) -> [Plane] {
    let small = isSubsampled ? ((width + 1) / 2, (height + 1) / 2) : (width, height)
    var rest = codes
    return [(width, height), small, small].map { size in
      let count = size.0 * size.1
      defer { rest = rest.dropFirst(count) }
      return Plane(width: size.0, height: size.1, codes: Array(rest.prefix(count)))
    }
  }

  @Test("turned frames of 4:4:4 have the samples of the clip, at other places", arguments: Orientation.allCases)
  func turnsFrames(turn: Orientation) throws {
    let name = "pq444-12.mkv", count = 3 * 320 * 180
    let clip = try ClipCopies.stating(ClipTools.clip(name), as: folder.path("in.mkv"), turn)
    let row = try convert(clip, to: "out.mkv", ["--rotate", "apply"])
    let given = Self.codes(try ClipTools.frames(clip, as: "yuv444p12le"))
    let made = Self.codes(try ClipTools.frames(folder.path("out.mkv"), as: "yuv444p12le"))
    try #require(given.count == made.count && given.count == 12 * count)
    for frame in [0, 11] {
      let slice = frame * count..<(frame + 1) * count
      let before = Self.planes(given[slice], 320, 180, isSubsampled: false)
      let size = turn.swapsAxes ? (180, 320) : (320, 180)
      #expect(Self.planes(made[slice], size.0, size.1, isSubsampled: false) == before.map { $0.turned(turn) })
    }
    #expect(try ClipCopies.video(folder.path("out.mkv")).orientation == .up)
    #expect(row["passthrough"] as? Bool == (turn == .up))
    #expect((row["rotation"] as? [String: Any])?["action"] as? String == (turn == .up ? nil : "applied"))
    // Without, players are told.
    let kept = try convert(clip, to: "kept.mkv", [])
    #expect(try ClipCopies.video(folder.path("kept.mkv")).orientation == turn)
    #expect((kept["rotation"] as? [String: Any])?["action"] as? String == (turn == .up ? nil : "kept"))
  }

  @Test(
    "turned frames of 4:2:0 have the luma of the clip, and chroma lies where they say",
    arguments: ["siting-left.mp4", "hdr10.mp4", "odd-321x181.mkv"], [Orientation.right, .left, .down, .upMirrored])
  func turnsSubsampledFrames(name: String, turn: Orientation) throws {
    let isOdd = name.hasPrefix("odd"), (width, height) = isOdd ? (321, 181) : (320, 180)
    let clip = try ClipCopies.stating(
      ClipTools.clip(name), as: folder.path("in." + name.suffix(3)), turn)
    let row = try convert(clip, to: "out.mkv", ["--rotate", "apply"])
    let text = try #require(row["tagsWritten"] as? String),
      siting = String(try #require(text.split(separator: " ").last))
    let source = try #require(row["siting"] as? String)
    let count = width * height + 2 * ((width + 1) / 2) * ((height + 1) / 2)
    let given = Self.codes(try ClipTools.frames(clip, as: "yuv420p10le"))
    let made = Self.codes(try ClipTools.frames(folder.path("out.mkv"), as: "yuv420p10le"))
    try #require(given.count == made.count)
    let before = Self.planes(given[..<count], width, height, isSubsampled: true)
    let size = turn.swapsAxes ? (height, width) : (width, height)
    let after = Self.planes(made[..<count], size.0, size.1, isSubsampled: true)
    #expect(after[0] == before[0].turned(turn))
    func offset(_ siting: String) -> (Double, Double) {
      (siting == "center" ? 0.5 : 0, siting == "topleft" ? 0 : 0.5)
    }
    // The inverse of a turn of a quarter is that of three.
    let inverse: Orientation = turn == .right ? .left : turn == .left ? .right : turn
    let (from, to) = (offset(source), offset(siting))
    var worst = 0.0
    for plane in [1, 2] {
      for y in 0..<after[plane].height {
        for x in 0..<after[plane].width {
          let place = Plane.shown(2 * Double(x) + to.0, 2 * Double(y) + to.1, inverse, size.0, size.1)
          let wanted = before[plane].code((place.0 - from.0) / 2, (place.1 - from.1) / 2)
          worst = max(worst, abs(wanted - Double(after[plane].codes[y * after[plane].width + x])))
        }
      }
    }
    #expect(worst <= 0.5, "\(worst) codes, \(source) to \(siting)")
  }

  @Test("frames that are rendered are turned before, and 4:2:2 that is turned by a quarter is rendered")
  func turnsRenderedFrames() throws {
    let clip = try ClipCopies.stating(ClipTools.clip("pq444-12.mkv"), as: folder.path("in.mkv"), .right)
    let edit = ["--filter", "exposure=ev:0.5"]
    _ = try convert(clip, to: "kept.mkv", edit)
    let row = try convert(clip, to: "turned.mkv", edit + ["--rotate", "apply"])
    #expect(row["sizeOut"] as? [Int] == [180, 320] && row["size"] as? [Int] == [320, 180])
    let kept = Self.codes(try ClipTools.frames(folder.path("kept.mkv"), as: "yuv444p12le"))
    let turned = Self.codes(try ClipTools.frames(folder.path("turned.mkv"), as: "yuv444p12le"))
    let count = 3 * 320 * 180
    let before = Self.planes(kept[..<count], 320, 180, isSubsampled: false)
    #expect(Self.planes(turned[..<count], 180, 320, isSubsampled: false) == before.map { $0.turned(.right) })

    let wide = try ClipCopies.stating(ClipTools.clip("hevc422.mp4"), as: folder.path("in.mp4"), .left)
    let rendered = try convert(wide, to: "wide.mkv", ["--rotate", "apply"])
    #expect(rendered["passthrough"] as? Bool == false && rendered["sizeOut"] as? [Int] == [180, 320])
    #expect(try ClipTools.frames(folder.path("wide.mkv"), as: "yuv422p10le").count == 12 * 2 * 2 * 320 * 180)
  }

  @Test(
    "a phone's clip is upright and says no turn, with all its streams", arguments: ["mp4", "mkv"], ClipTools.programs)
  func phonesClipsAreUpright(container: String, program: String) throws {
    let clip = ClipTools.clip("phone-rotated.mov")
    let row = try convert(
      clip, to: "out.\(container)",
      ["--rotate", "apply", "--codec", "x265", "--codec-options=-preset ultrafast", "--strict"], by: program)
    let video = try ClipCopies.video(folder.path("out.\(container)"))
    #expect(video.orientation == .up && (video.width, video.height) == (320, 180))
    #expect(row["sizeOut"] as? [Int] == [320, 180] && row["tagsWritten"] as? String == "9/18/9 limited left")
    #expect((row["streams"] as? [Any])?.count == 2 && row["dropped"] as? [String] == [])
    // FFmpeg turns frames by itself.
    let shown = Self.codes(
      try ClipTools.run([
        "-i", clip, "-map", "0:V:0", "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "yuv420p10le", "-",
      ]))
    let made = Self.codes(try ClipTools.frames(folder.path("out.\(container)"), as: "yuv420p10le"))
    let off = zip(shown[..<(320 * 180)], made).map { abs($0 - $1) }.sorted()
    #expect(off[off.count * 9 / 10] < 16, "\(off[off.count * 9 / 10])")
  }

  @Test("segments of a turned clip have the frames of one run")
  func turnsSegments() throws {
    let clip = try ClipCopies.stating(ClipTools.clip("pq-lossless.mkv"), as: folder.path("in.mkv"), .right)
    _ = try convert(clip, to: "whole.mkv", ["--rotate", "apply"])
    let row = try convert(clip, to: "parts.mkv", ["--rotate", "apply", "--segments", "--segment", "7f"])
    #expect((row["segments"] as? [String: Int])?["count"] == 3)
    let whole = try ClipTools.frames(folder.path("whole.mkv"), as: "yuv420p10le")
    #expect(try ClipTools.frames(folder.path("parts.mkv"), as: "yuv420p10le") == whole && !whole.isEmpty)
  }

  @Test("Dolby Vision is not kept in turned frames, and HDR10+ is")
  func turnedMetadata() throws {
    let dolby = try ClipCopies.stating(ClipTools.clip("dv-p81.mp4"), as: folder.path("dolby.mp4"), .right)
    let words = ["--rotate", "apply", "--codec", "x265", "--codec-options=-preset ultrafast"]
    let row = try convert(dolby, to: "out.mp4", words + ["--dolby", "keep"], status: 65)
    #expect(row["code"] as? String == "dolby.keep")
    let plus = try ClipCopies.stating(ClipTools.clip("hdr10plus.mkv"), as: folder.path("plus.mkv"), .down)
    #expect(try convert(plus, to: "plus.mp4", words)["hdr10plus"] as? String == "kept")
  }

  @Test("pixels become square as those of stills do")
  func squaresPixels() throws {
    let clip = ClipTools.clip("sar.mp4")
    let row = try convert(clip, to: "wide.mkv", ["--square"])
    #expect(
      row["sizeOut"] as? [Int] == [427, 180] && row["sar"] as? String == "4:3" && row["sarOut"] as? String == "1:1")
    // An encoder that takes even sizes alone gets the nearest.
    let even = try convert(clip, to: "even.mp4", ["--square", "--codec", "x265", "--codec-options=-preset ultrafast"])
    #expect(even["sizeOut"] as? [Int] == [426, 180])
    let still = try convert(clip, to: "still.png", ["--to", "pq-png", "--poster", "0"])
    #expect((still["stills"] as? [String: Any])?["size"] as? [Int] == [427, 180])
    let rgb = Self.codes(
      try ClipTools.run(["-i", folder.path("still.png"), "-f", "rawvideo", "-pix_fmt", "rgb48le", "-"]))
    let frames = Self.codes(try ClipTools.frames(folder.path("wide.mkv"), as: "yuv420p10le"))
    try #require(rgb.count == 3 * 427 * 180)
    var off = 0
    for pixel in 0..<427 * 180 {
      let value = (0..<3).map { Double(rgb[3 * pixel + $0]) / 65_535 }
      let luma = 64 + 876 * (0.2627 * value[0] + 0.678 * value[1] + 0.0593 * value[2])
      if abs(luma - Double(frames[pixel])) > 1 { off += 1 }
    }
    #expect(off == 0, "\(off) pixels differ")
    // Turned pixels are high.
    let high = try ClipCopies.stating(clip, as: folder.path("high.mp4"), .right)
    let turned = try convert(high, to: "high.mkv", ["--rotate", "apply"])
    #expect(turned["sarOut"] as? String == "3:4" && turned["sizeOut"] as? [Int] == [180, 320])
    let both = try convert(high, to: "high.mkv", ["--rotate", "apply", "--square"])
    #expect(both["sarOut"] as? String == "1:1" && both["sizeOut"] as? [Int] == [180, 427])
  }

  @Test("an odd size is refused where the encoder takes even ones, and padded where that is asked for")
  func padsOddSizes() throws {
    let clip = ClipTools.clip("odd-321x181.mkv")
    let refused = try convert(clip, to: "out.mkv", ["--codec", "vp9"], status: 65)
    #expect(refused["code"] as? String == "video.odd")
    #expect(
      (refused["message"] as? String ?? "").contains("--pad even") && folder.files().filter { $0 == "out.mkv" } == [])
    let row = try convert(
      clip, to: "out.mkv", ["--codec", "vp9", "--pad", "even", "--codec-options=-crf 0 -lossless 1 -cpu-used 8"])
    #expect(row["sizeOut"] as? [Int] == [322, 182] && row["padding"] as? [Int] == [1, 1])
    let given = Self.codes(try ClipTools.frames(clip, as: "yuv420p10le"))
    let made = Self.codes(try ClipTools.frames(folder.path("out.mkv"), as: "yuv420p10le"))
    let before = Self.planes(given[..<(321 * 181 + 2 * 161 * 91)], 321, 181, isSubsampled: true)
    let after = Self.planes(made[..<(322 * 182 + 2 * 161 * 91)], 322, 182, isSubsampled: true)
    for y in 0..<182 {
      let line = before[0].codes[321 * min(y, 180)..<321 * (min(y, 180) + 1)]
      #expect(after[0].codes[322 * y..<322 * (y + 1)] == line + line.suffix(1), "line \(y)")
    }
    #expect(after.dropFirst() == before.dropFirst())
    // An encoder that takes all sizes gets none but its own.
    let whole = try convert(clip, to: "whole.mkv", ["--pad", "even"])
    #expect(whole["padding"] as? [Int] == [0, 0] && whole["passthrough"] as? Bool == true)
  }

  @Test("filters give all frames of a clip one size")
  func filtersChangeSizes() throws {
    let clip = ClipTools.clip("pq-lossless.mkv")
    let row = try convert(clip, to: "out.mkv", ["--filter", "resize=width:160,height:90"])
    #expect(row["sizeOut"] as? [Int] == [160, 90])
    #expect(try ClipTools.frames(folder.path("out.mkv"), as: "yuv420p10le").count == 24 * 160 * 90 * 3)
    let changing = try convert(clip, to: "no.mkv", ["--filter", "resize=width:=160-2*frame,height:90"], status: 65)
    #expect(changing["code"] as? String == "video.size-change")
  }

  @Test("the part that players show is kept, and turned with frames", arguments: ["mp4", "mkv"], ClipTools.programs)
  func keepsCrops(container: String, program: String) throws {
    let part = PixelRect(x: 8, y: 12, width: 300, height: 150)
    let clip = try ClipCopies.stating(
      ClipTools.clip("hdr10.mp4"), as: folder.path("in.mp4"), .right, crop: part, width: 320, height: 180)
    let words = ["--codec", "x265", "--codec-options=-preset ultrafast"]
    _ = try convert(clip, to: "kept.\(container)", words, by: program)
    let kept = try ClipCopies.video(folder.path("kept.\(container)"))
    #expect(kept.crop == part && kept.orientation == .right && (kept.width, kept.height) == (320, 180))
    let row = try convert(clip, to: "turned.\(container)", words + ["--rotate", "apply"], by: program)
    let turned = PixelRect(x: 180 - 12 - 150, y: 8, width: 150, height: 300)
    #expect(try ClipCopies.video(folder.path("turned.\(container)")).crop == turned)
    #expect(row["crop"] as? [Int] == [turned.x, turned.y, turned.width, turned.height])
    // Stills are cut, of both containers.
    let still = try convert(
      folder.path("kept.\(container)"), to: "still.png", ["--to", "pq-png", "--poster", "0"], by: program)
    #expect((still["stills"] as? [String: Any])?["size"] as? [Int] == [150, 300])
  }

  @Test("what has no place for the part that players show is told")
  func tellsLostCrops() throws {
    let part = PixelRect(x: 0, y: 0, width: 300, height: 150)
    let clip = try ClipCopies.stating(
      ClipTools.clip("hdr10.mp4"), as: folder.path("in.mp4"), crop: part, width: 320, height: 180)
    for words in [
      ["--faststart", "--codec", "x265", "--codec-options=-preset ultrafast"], ["--filter", "resize=size:160"],
    ] {
      let row = try convert(clip, to: words[0] == "--faststart" ? "out.mp4" : "out.mkv", words)
      #expect(row["dropped"] as? [String] == ["crop"])
      #expect((row["warnings"] as? [String] ?? []).contains { $0.contains("[video.crop]") })
    }
  }

  @Test("--video chooses among several streams of pictures, and the first is usual")
  func choosesStreams() throws {
    let clip = folder.path("two.mkv"), names = ["pq-lossless.mkv", "hlg-lossless.mkv"]
    _ = try ClipTools.run([
      "-i", ClipTools.clip(names[0]), "-i", ClipTools.clip(names[1]), "-map", "0:v", "-map", "1:v", "-c", "copy", clip,
    ])
    for (words, number) in [([], 0), (["--video", "1"], 0), (["--video", "2"], 1)] as [([String], Int)] {
      let row = try convert(clip, to: "out.mkv", words)
      let frames = try ClipTools.frames(folder.path("out.mkv"), as: "yuv420p10le")
      #expect(try frames == ClipTools.frames(ClipTools.clip(names[number]), as: "yuv420p10le"))
      #expect(row["tagsUsed"] as? String == ["9/16/9 limited left", "9/18/9 limited left"][number])
      #expect((row["dropped"] as? [String])?.count == 1)
    }
    let still = try convert(clip, to: "still.png", ["--to", "hlg-png", "--poster", "0", "--video", "2"])
    #expect(still["tagsUsed"] as? String == "9/18/9 limited left")
    let none = try convert(clip, to: "none.mkv", ["--video", "3"], status: 65)
    #expect(none["code"] as? String == "video.none")
    #expect((none["message"] as? String ?? "").contains("1 (ffv1), 2 (ffv1)"), "\(none)")
  }

  @Test("what is of clips is not of stills")
  func refusesStills() throws {
    for words in [["--rotate", "apply"], ["--square"], ["--pad", "even"]] {
      let result = try Program.run(
        ["video", ClipTools.clip("sar.mp4"), "--out", folder.path("x.png"), "--to", "pq-png", "--poster", "0"] + words)
      #expect(result.status == 64 && result.errors.contains("is of clips"), "\(result.errors)")
    }
  }
}
