import Foundation
import TestSupport
import Testing

/// Tests `--max-seconds` through the program.
@Suite struct DeadlineTests {
  /// Thousands of operations for each pixel: forty of these are minutes for a picture.
  static let slow = """
    //! name slow
    //! hdr safe
    vec4 kernel(vec4 p, Parameters q) {
      float sum = 0.0;
      for (int i = 0; i < 400; i++) sum = sum * 0.5 + p.r;
      return vec4(p.rgb + sum * 0.0, p.a);
    }
    """

  @Test(
    "an item that takes more than --max-seconds is given up, and its row names the phase",
    .enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
  func promise07_itemsHaveATime() throws {
    let folder = try TemporaryFolder()
    let kernel = try folder.file("slow.glsl", Self.slow), record = folder.path("r.jsonl")
    let steps = (0..<40).flatMap { _ in ["--kernel", kernel] }
    let made = try Program.run(
      [
        "render", SharedData.examples + "/lamps.jpg", "--out", folder.path("out"), "--to", "sdr-jpeg",
        "--backend",
        "cpu", "--max-seconds", "1", "--record", record,
      ] + steps)
    #expect(made.status == 65, "\(made.errors)")
    let row = try #require(recordLines(record).first { $0["type"] as? String == "item" }, "\(made.errors)")
    #expect(row["code"] as? String == "render.timeout")
    let message = try #require(row["message"] as? String)
    #expect(message.contains("in its phase render") && message.contains("--max-seconds"), "\(message)")
    #expect(folder.files("out").isEmpty)
  }
}
