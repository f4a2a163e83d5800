import Foundation
import TestFiles
import TestSupport
import Testing

/// Options that are given several times: each counts, or the command line is refused.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct RepeatedOptionTests {
  let folder: TemporaryFolder
  init() throws {
    folder = try TemporaryFolder()
    try SmallPictures.write(1, into: folder)
  }

  private func render(_ words: [String]) throws -> Program.Result {
    try Program.run(["render", folder.path("in"), "-o", folder.path("out"), "--backend", "cpu"] + words)
  }

  /// Words after `render`, and the files that they make of `sub/p000.png`.
  @Test(
    "several --to are several outputs, and those that would share a name say what they are",
    arguments: [
      (["--to", "sdr-jpeg", "--to", "pq-png"], ["p000.jpg", "p000.png"]),
      (
        ["--to", "sdr-png", "--to", "pq-png", "--to", "sdr-jpeg"], ["p000-pq-png.png", "p000-sdr-png.png", "p000.jpg"]
      ),
      (
        ["--to", "sdr-png", "--to", "pq-png", "--name", "{name}.{ext}"],
        ["p000.png-pq-png.png", "p000.png-sdr-png.png"]
      ),
      (
        ["--to", "sdr-png", "--to", "pq-png", "--name", "{target}_{stem}.{ext}"],
        ["pq-png_p000.png", "sdr-png_p000.png"]
      ),
      (
        ["--to", "pq-raw:p010", "--to", "pq-raw:rgb48"],
        ["p000-pq-raw-p010.raw", "p000-pq-raw-p010.raw.json", "p000-pq-raw-rgb48.raw", "p000-pq-raw-rgb48.raw.json"]
      ),
    ])
  func kinds(words: [String], files: [String]) throws {
    let made = try render(words)
    #expect(made.status == 0, "\(made.errors)")
    #expect(folder.files("out") == files.map { "sub/" + $0 })
  }

  @Test("several --to are the recipe with these outputs")
  func recipe() throws {
    let printed = try Program.run(["render", "--print-recipe", "--to", "sdr-png", "--to", "pq-png", "--resize", "8"])
    let recipe = try folder.file("r.yaml", printed.output)
    let named = try Program.run(["render", folder.path("in"), "-n", "-o", folder.path("out"), "--recipe", recipe])
    #expect(named.status == 0, "\(named.errors)")
    #expect(named.output.contains("p000-sdr-png.png\n") && named.output.contains("p000-pq-png.png\n"))
  }

  @Test("pictures of one file and several outputs have names of their own")
  func pictures() throws {
    let many = folder.path("many.exr")
    let parts = ["a", "b"].map { name in
      var part = EXRBuilder.Part(EXRBuilder.constants(["R": 1, "G": 1, "B": 1]), data: [0, 0, 7, 3])
      part.name = name
      return part
    }
    try Data(EXRBuilder(parts: parts).bytes).write(to: URL(fileURLWithPath: many))
    let made = try Program.run([
      "render", many, "-n", "-o", folder.path("out"), "--image", "all", "--to", "pq-png", "--to", "sdr-png",
    ])
    #expect(made.status == 0, "\(made.errors)")
    for name in ["many-a-pq-png.png", "many-a-sdr-png.png", "many-b-pq-png.png", "many-b-sdr-png.png"] {
      #expect(made.output.contains("/out/\(name)\n"), "\(made.output)")
    }
  }

  /// Words after `render`, and what the message must hold.
  @Test(
    "an option that would override itself is refused",
    arguments: [
      (["--to", "sdr-jpeg", "--quality", "3", "--quality", "80"], "--quality is given twice, as 3 and as 80"),
      (["--to", "sdr-jpeg", "--resize", "8", "--resize=16"], "--resize is given twice"),
      (["--to", "sdr-jpeg", "-o", "elsewhere"], "--out is given twice"),
      (["--to", "adaptive-jpeg", "--map-dither", "--no-map-dither"], "--map-dither is given twice"),
      (["--to", "pq-png", "--to", "pq-png"], "--to pq-png is given twice"),
      (["--to", "pq-png", "--extract", "base"], "--extract and --to both say the kind of output"),
    ])
  func refused(words: [String], message: String) throws {
    let made = try render(words)
    #expect(made.status == 64 && made.errors.contains(message), "\(made.errors)")
    #expect(folder.files("out") == [])
  }

  @Test("--set and the option of a setting do not override each other")
  func settings() throws {
    let recipe = try folder.file("r.yaml", "outputs: [{to: sdr-jpeg}]\nsteps: [exposure]\n")
    for (words, message) in [
      (["--set", "quality=3", "--set", "quality=4"], "--set quality is given twice"),
      (["--set", "exposure.ev=3", "--set", "exposure.ev=4"], "--set exposure.ev is given twice"),
      (["--set", "quality=3", "--quality", "4"], "--quality replaces --set quality"),
      (["--set", "sdr-jpeg.quality=3", "--quality", "4"], "--quality replaces --set sdr-jpeg.quality"),
    ] {
      let made = try render(["--recipe", recipe] + words)
      #expect(made.status == 64 && made.errors.contains(message), "\(made.errors)")
    }
  }
}
