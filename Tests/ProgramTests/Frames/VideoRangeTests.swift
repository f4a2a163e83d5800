import Foundation
import TestFiles
import TestSupport
import Testing

/// The range of code values in outputs for video programs.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct VideoRangeTests {
  let folder: TemporaryFolder
  /// Reference white everywhere: 0.580689 in PQ.
  let white: String
  init() throws {
    folder = try TemporaryFolder()
    white = folder.path("white.exr")
    let part = EXRBuilder.Part(EXRBuilder.constants(["R": 1, "G": 1, "B": 1]), data: [0, 0, 7, 3])
    try Data(EXRBuilder(parts: [part]).bytes).write(to: URL(fileURLWithPath: white))
  }

  private func render(_ words: [String], _ name: String) throws -> [UInt8] {
    let made = try Program.run(["render", white, "-o", folder.path("out"), "--backend", "cpu"] + words)
    #expect(made.status == 0, "\(made.errors)")
    return [UInt8](try Data(contentsOf: folder.url.appendingPathComponent("out/" + name)))
  }

  static let limited = 64 + 0.580689 * 876, full = 0.580689 * 1023

  /// Options after --to, and the code of white.
  @Test(
    "Y4M has limited range unless the full one is asked for, and its header says so",
    arguments: [
      ([], limited, "LIMITED"), (["--range", "limited"], limited, "LIMITED"), (["--range", "full"], full, "FULL"),
    ]
  )
  func y4m(words: [String], code: Double, range: String) throws {
    let file = try render(["--to", "pq-y4m:yuv420p10"] + words, "white.y4m")
    let head = "YUV4MPEG2 W8 H4 F25:1 Ip A0:0 C420p10 XYSCSS=420P10 XCOLORRANGE=\(range)\nFRAME\n"
    #expect(String(decoding: file.prefix(head.utf8.count), as: UTF8.self) == head)
    let first = Int(file[head.utf8.count]) | Int(file[head.utf8.count + 1]) << 8
    #expect(first == Int(code.rounded()))
  }

  @Test(
    "raw Y'CbCr has limited range unless the full one is asked for, R'G'B' and grey the full one",
    arguments: [
      ("p010", [], "limited"), ("p010", ["--range", "limited"], "limited"), ("nv12", ["--range", "full"], "full"),
      ("rgb48", [], "full"), ("gray16", [], "full"), ("gray16", ["--range", "limited"], "limited"),
    ])
  func raw(format: String, words: [String], range: String) throws {
    _ = try render(["--to", "pq-raw:\(format)"] + words, "white.raw")
    #expect(folder.text("out/white.raw.json")?.contains("\"range\": \"\(range)\"") == true)
  }

  @Test("a recipe can say the range of one output")
  func recipe() throws {
    let recipe = try folder.file(
      "look.yaml", "outputs:\n  - {to: pq-y4m:yuv420p10, range: full}\n  - {to: pq-raw:p010, range: limited}\n")
    let file = try render(["--recipe", recipe], "white.y4m")
    #expect(String(decoding: file.prefix(80), as: UTF8.self).contains("XCOLORRANGE=FULL"))
    #expect(folder.text("out/white.raw.json")?.contains("\"range\": \"limited\"") == true)
  }

  @Test("a range for R'G'B' has no effect and is refused", arguments: ["pq-raw:rgb48", "linear-raw:rgbah"])
  func rgb(kind: String) throws {
    let made = try Program.run(["render", white, "-o", folder.path("out"), "--to", kind, "--range", "limited"])
    #expect(made.status == 64 && made.errors.contains("--range has no effect on \(kind)"), "\(made.errors)")
    #expect(folder.files("out") == [])
  }
}
