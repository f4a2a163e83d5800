import Foundation
import TestFiles
import TestSupport
import Testing

/// A file's colour as the command line states it counts, or is refused.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct StatedColorTests: SmallEXRSuite {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Red and white.
  static func color(_ x: Int) -> [Double] { x > 3 ? [1, 1, 1] : [1, 0, 0] }

  @Test("--cicp gives an OpenEXR file primaries in place of its own")
  func primaries() throws {
    let plain = try exr("plain.exr"), p3: [Float] = [0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.3127, 0.329]
    let other = try exr("p3.exr", chromaticities: p3)
    let asP3 = try halves(plain, ["--cicp", "12/8"])
    #expect(try asP3 == halves(other))
    #expect(try asP3 != halves(plain))
    #expect(try halves(other, ["--cicp", "1/8/0"]) == halves(plain))
  }

  @Test("--cicp gives the codes of a file another meaning", arguments: ["png", "tiff"])
  func codes(format: String) throws {
    let source = try exr("a.exr")
    for kind in ["pq-\(format)", "pq-raw:rgb48"] { #expect(try render(source, ["--to", kind]).status == 0) }
    let coded = folder.path("out/a." + (format == "png" ? "png" : "tif"))
    // The same codes without a header, where --cicp is all there is to know.
    let raw = folder.path("out/a.raw"), description = ["--from", "raw:rgb48,8x4,range=full"]
    #expect(try halves(coded) == halves(raw, description + ["--cicp", "9/16"]))
    let asP3 = try halves(coded, ["--cicp", "12/13"])
    #expect(try asP3 == halves(raw, description + ["--cicp", "12/13"]))
    #expect(try asP3 != halves(coded))
    let told = try Program.run(["info", coded, "--cicp", "12/13"])
    #expect(told.output.contains("CICP 12/13/0 full range"), "\(told.output)")
  }

  /// A file, options, and what the message must hold.
  @Test(
    "what a file's format does not take is refused by name",
    arguments: [
      ("lamps.jpg", ["--cicp", "9/16"], "cicp"), ("temple.heic", ["--cicp", "9/16/9"], "cicp"),
      ("lamps.jpg", ["--chroma-siting", "center"], "chroma-siting"),
      ("a.exr", ["--cicp", "9/16"], "give --cicp 9/8"), ("a.exr", ["--cicp", "9/8/9"], "give --cicp 9/8"),
      ("a.png", ["--cicp", "9/16/9"], "no matrix 9; give --cicp 9/16"),
      ("a.png", ["--cicp", "9/16", "--chroma-siting", "left"], "chroma-siting"),
      ("a.png", ["--cicp", "77/16"], "code points is not supported"),
    ])
  func refused(name: String, words: [String], message: String) throws {
    _ = try exr("a.exr")
    try SmallPictures.png(1).write(to: folder.url.appendingPathComponent("a.png"))
    let input = name.hasPrefix("a.") ? folder.path(name) : SharedData.examples + "/" + name
    let made = try render(input, ["--to", "pq-png"] + words)
    #expect(made.status == 65 && made.errors.contains(message), "\(made.errors)")
    #expect(folder.files("out") == [])
  }

  @Test("what is said of inputs is not said of second pictures")
  func secondPictures() throws {
    try SmallPictures.png(2, width: 8, height: 4).write(to: folder.url.appendingPathComponent("mark.png"))
    let source = try exr("a.exr"),
      mark = ["--filter", "source-over=input:mark", "--input", "mark=\(folder.path("mark.png"))"]
    #expect(try halves(source, mark + ["--cicp", "1/8"]) == halves(source, mark))
  }

  @Test(
    "a dry run refuses what tells of rendering", arguments: [["--explain"], ["--record", "r.jsonl"], ["--gallery"]])
  func dryRun(words: [String]) throws {
    let made = try render(try exr("a.exr"), ["--to", "pq-png", "-n"] + words)
    #expect(made.status == 64 && made.errors.contains("--dry-run renders nothing"), "\(made.errors)")
  }
}
