import Foundation
import TestFiles
import TestSupport
import Testing

/// Codes are read in the space that the command line or a recipe states, whatever the file says.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct FromSpaceTests: SmallEXRSuite {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Greys and colours.
  static func color(_ x: Int) -> [Double] { [0.125, 0, 0.0625].map { Double(x) / 8 + $0 } }

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
    // A part of one name, of several, of none.
    for (word, hint) in [
      ("LogC4", "did you mean \"ARRI LogC4\"?"), ("V-Gamut", "there are V-Log V-Gamut, Linear V-Gamut"),
      ("no such space at all", "hdrbatch spaces lists them"),
    ] {
      let other = try render(folder.path("a.exr"), ["--to", "pq-png", "--from-space", word])
      #expect(other.status == 64 && other.errors.contains(hint), "\(other.errors)")
    }
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

  @Test(
    "outputs in a linear space are read again as that space",
    arguments: [("exr", "exr"), ("linear-tiff", "tif"), ("linear-jxl", "jxl"), ("linear-raw:rgbaf", "raw")])
  func outputs(kind: String, ext: String) throws {
    let source = try exr("a.exr"), plain = try values(halves(source, ["--from-space", "ACEScg"]))
    for space in ["ACES2065-1", "Linear ARRI Wide Gamut 4", "lin_ap1"] {
      let words = ["--to", kind, "--content-headroom", "8", "--from-space", "ACEScg", "--to-space", space]
      let name = space == "lin_ap1" ? "ACEScg" : space, record = "\(name).jsonl"
      let made = try render(source, words + ["--record", folder.path(record)])
      #expect(made.status == 0, "\(made.errors)")
      #expect(folder.text(record)?.contains("\"outputSpace\":\"\(name)\"") == true)
      if kind == "exr" {
        #expect(try Program.run(["info", folder.path("out/a.exr")]).output.contains("  colour    \(name) ("))
      }
      // Halves were rounded once more in the other space.
      let again = try values(halves(folder.path("out/a.\(ext)")))
      #expect(again.count == plain.count && again.count == 8 * 4 * 4)
      for (a, b) in zip(plain, again) {
        #expect(abs(a - b) <= 0.004 * max(abs(a), 0.25), "\(kind) \(space): \(a) \(b)")
      }
    }
  }

  private func values(_ halves: Data) throws -> [Float] {
    let bytes = [UInt8](halves)
    return stride(from: 0, to: bytes.count, by: 2).map {
      Float(Float16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8))
    }
  }

  @Test("a view shows codes of a space that is named, and no others")
  func viewsTakeSpaces() throws {
    #expect(try render(exr("a.exr"), ["--to", "pq-png"]).status == 0)
    let coded = folder.path("out/a.png"), view = ["--to", "sdr-jpeg", "--view", "sdr-709"]
    let unnamed = try render(coded, view)
    #expect(unnamed.status == 65 && unnamed.errors.contains("[ocio.input]"), "\(unnamed.errors)")
    let named = try render(coded, view + ["--from-space", "ACEScct"])
    #expect(named.status == 0, "\(named.errors)")
  }

  @Test("spaces with curves are no linear outputs, and outputs with curves have no linear space")
  func notLinear() throws {
    let source = try exr("a.exr")
    let curve = try render(source, ["--to", "exr", "--to-space", "ACEScct"])
    #expect(curve.status == 64 && curve.errors.contains("is a linear space"), "\(curve.errors)")
    let primaries = try render(source, ["--to", "pq-png", "--primaries", "ACEScg"])
    #expect(primaries.status == 64 && primaries.errors.contains("pq-png is not linear"), "\(primaries.errors)")
    let words = ["--to", "exr", "--content-headroom", "8"], file = folder.url.appendingPathComponent("out/a.exr")
    #expect(try render(source, words + ["--to-space", "ACEScg"]).status == 0)
    let first = try Data(contentsOf: file)
    #expect(try render(source, words + ["--primaries", "lin_ap1"]).status == 0)
    #expect(try Data(contentsOf: file) == first && first.range(of: Data("lin_ap1_scene".utf8)) != nil)
    let coded = try render(source, ["--to", "pq-png", "--to-space", "ACEScg"])
    #expect(coded.status == 64 && coded.errors.contains("--to-space has no effect on pq-png"), "\(coded.errors)")
  }
}
