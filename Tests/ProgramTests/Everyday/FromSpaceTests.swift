import Foundation
import TestFiles
import TestSupport
import Testing

/// Codes are read in the space that the command line or a recipe states, whatever the file says.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct FromSpaceTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func render(_ input: String, _ words: [String]) throws -> Program.Result {
    try Program.run(
      ["render", input, "-o", folder.path("out"), "--backend", "cpu", "--on-existing", "replace"] + words)
  }

  /// Linear halves of what an input becomes.
  private func halves(_ input: String, _ words: [String] = []) throws -> Data {
    let made = try render(input, ["--to", "rgba16f", "--content-headroom", "8"] + words)
    #expect(made.status == 0, "\(made.errors)")
    let stem = URL(fileURLWithPath: input).deletingPathExtension().lastPathComponent
    return try Data(contentsOf: folder.url.appendingPathComponent("out/\(stem).rgba16f"))
  }

  /// Columns of greys and colours, perhaps with chromaticities.
  private func exr(_ name: String, chromaticities: [Float]? = nil) throws -> String {
    let channels = ["R", "G", "B"].map { name in
      EXRBuilder.Channel(name: name) { x, _ in
        EXRBuilder.half(Float(x) / 8 + (name == "R" ? 0.125 : name == "B" ? 0.0625 : 0))
      }
    }
    var part = EXRBuilder.Part(channels, data: [0, 0, 7, 3])
    if let chromaticities {
      part.attributes = [("chromaticities", "chromaticities", chromaticities.flatMap { EXRBuilder.float($0) })]
    }
    try Data(EXRBuilder(parts: [part]).bytes).write(to: folder.url.appendingPathComponent(name))
    return folder.path(name)
  }

  @Test("a linear space is what a file with its chromaticities says")
  func linear() throws {
    let ap1: [Float] = [0.713, 0.293, 0.165, 0.83, 0.128, 0.044, 0.32168, 0.33767]
    let plain = try exr("plain.exr"), stated = try exr("ap1.exr", chromaticities: ap1)
    let asAP1 = try halves(plain, ["--from-space", "acescg"])
    #expect(try asAP1 == halves(stated))
    #expect(try asAP1 != halves(plain))
    #expect(try halves(stated, ["--from-space", "lin_rec709"]) == halves(plain))
    #expect(try render(plain, ["--to", "exr"]).errors.contains("[ocio.guess]"))
    #expect(try !render(plain, ["--to", "exr", "--from-space", "ACEScg"]).errors.contains("[ocio.guess]"))
  }

  @Test("codes of all formats are read alike, and displays' names are code points")
  func codes() throws {
    let source = try exr("a.exr")
    for kind in ["pq-png", "pq-tiff", "pq-raw:rgb48"] { #expect(try render(source, ["--to", kind]).status == 0) }
    let raw = folder.path("out/a.raw"), description = ["--from", "raw:rgb48,8x4,range=full"]
    for space in ["ARRI LogC4", "slog3_sgamut3cine", "ADX10", "srgb_texture", "ACEScc"] {
      let words = ["--from-space", space], coded = try halves(folder.path("out/a.png"), words)
      #expect(try coded == halves(folder.path("out/a.tif"), words), "\(space)")
      #expect(try coded == halves(raw, description + words), "\(space)")
    }
    let display = ["--from-space", "Rec.2100-PQ - Display"]
    #expect(try halves(raw, description + display) == halves(raw, description + ["--cicp", "9/16"]))
    let png = folder.path("out/a.png"), full = try halves(png, ["--from-space", "ARRI LogC4"])
    #expect(try full != halves(png, ["--from-space", "ARRI LogC4", "--input-range", "limited"]))
  }

  @Test("the record has the space and what the file states, and overrides have spaces of their own")
  func recordsAndOverrides() throws {
    let source = try exr("a.exr")
    #expect(try render(source, ["--to", "pq-png"]).status == 0)
    let png = folder.path("out/a.png")
    try folder.file("r.yaml", "outputs: [{to: rgba16f}]\noverrides: [{match: \"*.png\", from-space: ARRI LogC4}]\n")
    let made = try Program.run([
      "render", png, "-o", folder.path("two"), "--backend", "cpu", "--recipe", folder.path("r.yaml"),
      "--content-headroom", "8", "--record", folder.path("r.jsonl"),
    ])
    #expect(made.status == 0, "\(made.errors)")
    let record = folder.text("r.jsonl") ?? ""
    #expect(
      record.contains("\"inputSpace\":\"ARRI LogC4\",\"replacedColor\":\"cicp 9/16/0\",\"hdrIn\":\"log\""), "\(record)")
    let overridden = try Data(contentsOf: folder.url.appendingPathComponent("two/a.rgba16f"))
    #expect(try overridden == halves(png, ["--from-space", "ARRI LogC4"]))
    let told = try Program.run(["info", png, "--from-space", "ARRI LogC4"])
    #expect(told.output.contains("ARRI LogC4, in place of cicp 9/16/0"), "\(told.output)")
  }

  @Test("an unknown space is refused with the nearest name")
  func unknown() throws {
    let made = try render(try exr("a.exr"), ["--to", "pq-png", "--from-space", "ARRI LogC5"])
    #expect(made.status == 64 && made.errors.contains("did you mean \"ARRI LogC4\"?"), "\(made.errors)")
    #expect(made.errors.contains("[space.unknown]"))
  }

  @Test("camera raw and pictures with gain maps are refused by name")
  func refused() throws {
    let photo = SharedData.examples + "/lamps.jpg"
    let map = try render(photo, ["--to", "pq-png", "--from-space", "ACEScg"])
    #expect(map.status == 65 && map.errors.contains("a picture with a gain map"), "\(map.errors)")
    try Data(DNGBuilder.proRAW().bytes).write(to: folder.url.appendingPathComponent("a.dng"))
    let raw = try render(folder.path("a.dng"), ["--to", "pq-png", "--from-space", "ACEScg"])
    #expect(raw.status == 65 && raw.errors.contains("from-space for camera raw"), "\(raw.errors)")
  }
}
