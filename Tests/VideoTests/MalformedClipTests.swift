import Foundation
import TestSupport
import Testing

/// The malformed clips beside the checkout, by each ffmpeg of the machine (docs/video.md).
@Suite(.enabled(if: ClipTools.areThere, "skipped: no ffmpeg, no clips, or no program beside the tests"))
struct MalformedClipTests {
  /// Codes of failures.
  static let failures = [
    "01-truncated-mdat.mp4": "decode.malformed", "02-faststart-cut.mp4": "video.truncated",
    "03-stsz-count.mp4": "decode.malformed", "05-timescale-0.mp4": "video.times",
    "06-bitflips.mp4": "video.truncated", "07-huge-delta.mp4": "video.times", "09-mkv-cut.mkv": "video.truncated",
    "10-ebml-size.mkv": "video.truncated", "11-rpu-crc.mp4": "dolby.rpu", "12-rpu-missing.mp4": "dolby.rpu",
    "13-no-parameter-sets.hevc": "decode.malformed", "14-empty.mp4": "decode.malformed",
    "15-ftyp-only.mov": "decode.malformed", "16-ts-loss.ts": "video.truncated", "17-encv.mp4": "video.encrypted",
    "18-prores-header.mov": "video.truncated", "19-box-zero.mp4": "decode.malformed",
    "20-png-named.mp4": "decode.malformed",
  ]
  /// Codes of warnings about clips that are converted, as their streams are whole.
  static let warnings = ["04-size-65535.mp4": "video.size-differs", "08-nclx-99.mp4": "video.tags-differ"]

  @Test("each malformed clip has its code and leaves no file", arguments: ClipTools.programs)
  func eachClipHasItsCode(program: String) throws {
    let folder = try TemporaryFolder(), record = folder.path("record.jsonl")
    let names = (Array(Self.failures.keys) + Self.warnings.keys).sorted()
    let result = try Program.run(
      ["video"] + names.map { ClipTools.clip("malformed/" + $0) } + [
        "--out", folder.path("out"), "--record", record, "--backend", "cpu", "--progress", "none", "--ffmpeg", program,
      ])
    #expect(result.status == 65, "\(result.errors)")
    let rows = try recordLines(record)
    #expect(rows.count == names.count)
    for row in rows {
      let name = URL(fileURLWithPath: row["input"] as? String ?? "").lastPathComponent
      if let code = Self.failures[name] {
        #expect(row["status"] as? String == "failed" && row["code"] as? String == code, "\(row)")
        // Nobody can use an address of another process.
        #expect((row["message"] as? String)?.contains(" @ 0x") == false)
      } else {
        let code = try #require(Self.warnings[name])
        #expect(row["frames"] as? Int == 24 && "\(row["warnings"] ?? "")".contains("[\(code)]"), "\(row)")
      }
    }
    #expect(folder.files("out") == Self.warnings.keys.map { "\($0.dropLast(4)).mkv" }.sorted())
  }
}
