import Foundation
import TestFiles
import TestSupport
import Testing

/// Tests sequences through the built program.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct SequenceProgramTests {
  let folder: TemporaryFolder
  init() throws {
    folder = try TemporaryFolder()
    for number in [1, 2, 4] {
      let path = folder.path("s.000\(number).png")
      try SmallPictures.png(number).write(to: URL(fileURLWithPath: path))
    }
  }

  func render(_ words: [String]) throws -> Program.Result {
    try Program.run(
      [
        "render", folder.path("s.%04d.png"), "--frames", "1-4", "-o", folder.path("out"), "--backend", "cpu",
        "--isolation",
        "none",
      ] + words)
  }

  @Test(arguments: [("fail", Int32(65), 3), ("skip", 0, 3), ("hold", 0, 4)])
  func missingFramesAreSaidOneByOneAndTheRestGoesOn(rule: String, status: Int32, files: Int) throws {
    let result = try render(["--to", "sdr-png", "--missing", rule, "--record", folder.path("r.jsonl")])
    #expect(result.status == status, "\(result.errors)")
    #expect(folder.files("out").count == files)
    let rows = try #require(folder.text("r.jsonl")).split(separator: "\n").filter { $0.contains("\"frame\":3") }
    #expect(rows.count == 1)
    #expect(rows.first?.contains(rule == "hold" ? "frame.held" : "\"code\":\"frame.missing\"") == true)
    if rule == "hold" {
      let files = ["out/s.0002.png", "out/s.0003.png"].map { FileManager.default.contents(atPath: folder.path($0)) }
      #expect(files[0] == files[1] && files[0] != nil)
    }
  }

  @Test func stepsAreAnimatedByFrameAndTime() throws {
    let recipe = try folder.file(
      "r.yaml", "steps: [{exposure: {ev: \"=frame - 2 + time\"}}]\nmissing: skip\noutputs: [{to: sdr-png}]\n")
    // Without a rate there is no time.
    let words = ["--recipe", recipe, "--on-existing", "replace"]
    let refused = try render(words)
    #expect(refused.status == 65 && refused.errors.contains("--fps"), "\(refused.errors)")
    #expect(try render(words + ["--fps", "1"]).status == 0)
    // Frame 2: 0 stops and one second. Frame 1: a stop less and none.
    let plain = try folder.file("p.yaml", "steps: [{exposure: {ev: 1}}]\noutputs: [{to: sdr-png}]\n")
    let still = try Program.run([
      "render", folder.path("s.0002.png"), "-o", folder.path("still"), "--recipe", plain, "--backend", "cpu",
    ])
    #expect(still.status == 0, "\(still.errors)")
    func bytes(_ name: String) -> Data? { FileManager.default.contents(atPath: folder.path(name)) }
    #expect(bytes("still/s.0002.png") == bytes("out/s.0002.png") && bytes("still/s.0002.png") != nil)
  }
}
