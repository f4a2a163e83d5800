import Foundation
import PlainData
import TestSupport
import Testing

/// `hdrbatch bench video` on small clips.
@Suite(.enabled(if: ClipTools.areThere, "skipped: no ffmpeg, no clips, or no program beside the tests"))
struct BenchVideoTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test(
    "bench video measures each step of a clip beside ffmpeg's filters, and leaves no file",
    arguments: [
      ("hlg-lossless.mkv", "hdr10", ["decode", "+ pipe", "+ kernel", "+ encode ffv1", "ffmpeg's filters"]),
      ("pq-lossless.mkv", "sdr", ["decode", "+ pipe", "+ measure", "+ kernel", "+ encode ffv1", "ffmpeg's filters"]),
      ("pq-lossless.mkv", "same", ["decode", "+ pipe", "+ encode ffv1"]),
    ])
  func stepsAreMeasured(clip: String, target: String, steps: [String]) throws {
    let report = folder.path("report.json"), scratch = folder.path("scratch")
    try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
    let result = try Program.run([
      "bench", "video", ClipTools.clip(clip), "--to", target, "--codec", "ffv1", "--repeats", "1", "--scratch", scratch,
      "--json", report,
    ])
    try #require(result.status == 0, "\(result.errors)")
    let rows = try JSON(parsing: Array((folder.text("report.json") ?? "").utf8))["rows"]?.array ?? []
    // zscale is not in every ffmpeg.
    #expect(rows.map { $0["step"]?.string } == steps, "\(rows)")
    #expect(
      rows.allSatisfy { $0["bench"]?.string == "video" && $0["unit"]?.string == "ms" && $0["frames"]?.integer == 24 })
    #expect(rows.allSatisfy { $0["ffmpeg"]?.string?.isEmpty == false && $0["to"]?.string == target })
    // On a busy machine filters may seem to take no time, and then nothing is compared with them.
    let filters = rows.last { $0["step"]?.string == "ffmpeg's filters" }?["addedMilliseconds"]?.double ?? 0
    #expect(result.output.contains("kernel / ffmpeg's filters") == (filters > 0), "\(result.output)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch).isEmpty)
    // The page of keys knows all of them.
    let known = Set(try SourceTree.text("docs/data/bench-keys.tsv").split { "\t\n ,".contains($0) }.map(String.init))
    for case .object(let fields) in rows { #expect(fields.map(\.key).filter { !known.contains($0) } == []) }
  }

  @Test("bench video refuses a clip of one frame, and an ffmpeg that is not there")
  func refusesWhatCannotBeMeasured() throws {
    let still = folder.path("one.mkv")
    _ = try ClipTools.run(["-i", ClipTools.clip("pq-lossless.mkv"), "-frames:v", "1", "-c:v", "ffv1", still])
    let one = try Program.run(["bench", "video", still, "--to", "sdr", "--repeats", "1"])
    #expect(one.status != 0 && one.errors.contains("one frame is no measure"), "\(one.errors)")
    let none = try Program.run(["bench", "video", still, "--ffmpeg", folder.path("none")])
    #expect(none.status == 69 && none.errors.contains("[video.ffmpeg]"), "\(none.errors)")
  }
}
