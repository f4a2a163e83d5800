import Foundation
import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// Pictures through the views, looks and spaces of OpenColorIO's configs, from the command line to the codes of files.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct ConfigViewTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private static let studio = "ocio://studio-config-v5.0.0_aces-v2.1_ocio-v2.6"
  private static let hasConfigs = SharedData.url("data/ocio/config-vectors.json") != nil

  /// Writes floats, a pixel a colour.
  private func exr(_ colors: [[Double]], _ name: String = "shot.exr", id: String? = nil) throws -> String {
    let channels = ["R", "G", "B"].enumerated().map { channel, name in
      EXRBuilder.Channel(name: name, type: 2) { x, _ in Float(colors[x][channel]).bitPattern }
    }
    var part = EXRBuilder.Part(channels, data: [0, 0, colors.count - 1, 0])
    if let id { part.attributes = [("colorInteropID", "string", Array(id.utf8))] }
    let url = folder.url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(EXRBuilder(parts: [part]).bytes).write(to: url)
    return url.path
  }

  private func render(_ input: String, _ words: [String], environment: [String: String] = [:]) throws -> Program.Result
  {
    try Program.run(
      ["render", input, "-o", folder.path("out"), "--backend", "cpu", "--on-existing", "replace"] + words,
      environment: environment)
  }

  /// The codes of a picture's first row, 0 to 1.
  private func codes(_ name: String) throws -> [[Double]] {
    let image = try decodeImage(
      [UInt8](try Data(contentsOf: folder.url.appendingPathComponent(name))), request: .pixels
    ).image
    let isWide = image.format == .uint16
    return (0..<image.width).map { x in
      image.channels.prefix(3).map { plane in
        let at = plane.buffer.base + plane.offset + x * plane.stepBytes
        return isWide
          ? Double(at.loadUnaligned(as: UInt16.self)) / 65_535 : Double(at.load(as: UInt8.self)) / 255
      }
    }
  }

  /// The numbers of a picture of floats, its first row.
  private func floats(_ name: String) throws -> [[Double]] {
    let image = try decodeImage(
      [UInt8](try Data(contentsOf: folder.url.appendingPathComponent(name))), request: .pixels
    ).image
    return (0..<image.width).map { x in
      image.channels.prefix(3).map { plane in
        let at = plane.offset + x * plane.stepBytes
        return Double(plane.buffer.base.loadUnaligned(fromByteOffset: at, as: Float.self))
      }
    }
  }

  private func expectCodes(_ file: String, _ wanted: [[Double]], within: Double, _ what: String) throws {
    let made = try codes(file)
    #expect(made.count == wanted.count)
    for (code, want) in zip(made, wanted) {
      for (a, b) in zip(code, want) { #expect(abs(a - min(max(b, 0), 1)) < within, "\(what): \(code), \(want)") }
    }
  }

  /// Every view of the studio config that the vectors have, in files of its display's signal: codes within one of 10 bits.
  @Test(.enabled(if: ACESVectors.isHere, "skipped: no data")) func studioViewsFollowOpenColorIO() throws {
    let kinds = [
      "sRGB - Display": ("sdr-tiff", "tif"), "Display P3 - Display": ("sdr-tiff", "tif"),
      "Rec.2100-PQ - Display": ("pq-png", "png"), "Rec.2100-HLG - Display": ("hlg-png", "png"),
    ]
    var compared = 0
    for row in ACESVectors.views where kinds[row.display] != nil && row.view != "Un-tone-mapped" {
      let (kind, ending) = kinds[row.display]!
      let made = try render(
        try exr(row.input),
        [
          "--to", kind, "--ocio", Self.studio, "--from-space", row.space, "--view", row.view, "--ocio-display",
          row.display,
        ])
      #expect(made.status == 0, "\(made.errors)")
      try expectCodes("out/shot.\(ending)", row.output, within: 1.1 / 1023, "\(row.display), \(row.view)")
      compared += 1
    }
    #expect(compared > 5)
  }

  private static func vectors(_ config: String, _ key: String) -> [String: [[Double]]] {
    ((SharedData.json("data/ocio/config-vectors.json")?[config] as? [String: Any])?[key] as? [String: [[Double]]])
      ?? [:]
  }

  private static let colors: [[Double]] =
    SharedData.json("data/ocio/config-vectors.json")?["input"] as? [[Double]] ?? []

  /// A config of a studio: a view of its own, looks from a file that a variable names, a scene's space as a display's.
  @Test(.enabled(if: hasConfigs, "skipped: no data")) func ownConfigsFollowOpenColorIO() throws {
    let config = try #require(SharedData.url("data/ocio/configs/v2.ocio")).path
    let views = Self.vectors("v2", "views"), input = try exr(Self.colors)
    for (name, kind) in [("sRGB / Tone", "sdr-tiff"), ("sRGB / Tone+look", "sdr-tiff"), ("PQ / Tone", "pq-tiff")] {
      let parts = name.components(separatedBy: " / ")
      let made = try render(
        input,
        [
          "--to", kind, "--ocio", config, "--from-space", "lin", "--view", parts[1], "--ocio-display", parts[0],
        ])
      #expect(made.status == 0, "\(made.errors)")
      try expectCodes("out/shot.tif", try #require(views[name]), within: 1.1 / 1023, name)
    }
    // Version 1 says nothing of its display, whose codes are then those of a monitor of sRGB.
    let old = try #require(SharedData.url("data/ocio/configs/v1.ocio")).path
    for view in ["Film", "Graded"] {
      let made = try render(
        input, ["--to", "sdr-tiff", "--ocio", old, "--from-space", "lnf", "--view", view, "--primaries", "srgb"])
      #expect(made.status == 0, "\(made.errors)")
      try expectCodes(
        "out/shot.tif", try #require(Self.vectors("v1", "views")["sRGB / \(view)"]), within: 1.1 / 1023, view)
    }
  }

  /// A pair of views of a config is the pair of the program's own.
  @Test func pairsOfAConfigAreThoseOfTheList() throws {
    let greys = (0..<24).map { i in [Double](repeating: ExactMath.exp2(Double(i) / 2 - 7), count: 3) }
    let input = try exr(greys), common = ["--to", "adaptive-jpeg", "--from-space", "ACEScg", "--quality", "100"]
    let views = [
      "--view", "ACES 2.0 - SDR 100 nits (Rec.709)", "--hdr-view", "ACES 2.0 - HDR 1000 nits (P3 D65)",
    ]
    for white in ["100", "match"] {
      let own = try render(
        input,
        common + ["--view", "sdr-709", "--hdr-view", "hdr1000-p3", "--pair-white", white, "--name", "own-{stem}.{ext}"])
      let made = try render(
        input, common + views + ["--ocio", Self.studio, "--pair-white", white, "--name", "config-{stem}.{ext}"])
      #expect(own.status == 0 && made.status == 0, "\(own.errors) \(made.errors)")
      func map(_ name: String) throws -> GainMapMetadata {
        let bytes = [UInt8](try Data(contentsOf: folder.url.appendingPathComponent("out/\(name)-shot.jpg")))
        return try #require(try decodeImage(bytes, request: .pixels).gainMap).metadata
      }
      let (a, b) = (try map("own"), try map("config"))
      #expect(abs(a.alternateHeadroom - b.alternateHeadroom) < 1e-6 && b.baseHeadroom == 0)
      #expect(abs(a.alternateHeadroom - ExactMath.log2(1000 / (white == "match" ? 145.06 : 100))) < 0.002)
      for (x, y) in zip(a.max, b.max) { #expect(abs(x - y) < 0.01) }
    }
  }

  @Test("file rules say what OpenEXR files are that state nothing, and what plates in other files are") func rules()
    throws
  {
    let config = try folder.file("show.ocio", ShowConfig.text)
    let view = ["--ocio", config, "--view", "Film", "--to", "sdr-png"]
    let grey = [[0.18, 0.18, 0.18], [0.4, 0.4, 0.4]]
    let plain = try exr(grey, "renders/a.exr"), plate = try exr(grey, "plates/b.exr")
    let record = folder.path("r.jsonl")
    for (input, rule, space) in [(plain, "Default", "lin"), (plate, "Plates", "logc3")] {
      let byRule = try render(input, view + ["--record", record])
      #expect(byRule.status == 0 && byRule.errors.contains("[ocio.guess]"), "\(byRule.errors)")
      let name = URL(fileURLWithPath: input).deletingPathExtension().lastPathComponent + ".png"
      let made = try codes("out/" + name), line = try #require(folder.text("r.jsonl"))
      #expect(line.contains("\"space\":\"\(space)\",\"rule\":\"\(rule)\""), "\(line)")
      let stated = try render(input, view + ["--from-space", space])
      #expect(stated.status == 0 && !stated.errors.contains("[ocio.guess]"), "\(stated.errors)")
      #expect(try codes("out/" + name) == made)
      let told = try Program.run(["info", input, "--ocio", config])
      let id = space == "logc3" ? " (show:logc3)" : ""
      #expect(told.output.contains("\(space)\(id), by the file rule \(rule) of"), "\(told.output)")
    }
    // A plate in a PNG is what its rule says; a PNG elsewhere is a picture for a display.
    #expect(try render(plain, ["--to", "pq-png", "--from-space", "ACEScg"]).status == 0)
    try FileManager.default.moveItem(atPath: folder.path("out/a.png"), toPath: folder.path("renders/a.png"))
    let png = folder.path("renders/a.png")
    let refused = try render(png, view)
    #expect(refused.status == 65 && refused.errors.contains("[ocio.input]"), "\(refused.errors)")
    try FileManager.default.copyItem(atPath: png, toPath: folder.path("plates/c.png"))
    #expect(try render(folder.path("plates/c.png"), view).status == 0)
    let byRule = try codes("out/c.png")
    #expect(try render(folder.path("plates/c.png"), view + ["--from-space", "logc3"]).status == 0)
    #expect(try codes("out/c.png") == byRule)
  }

  @Test("an identifier that only the config has says what an OpenEXR file is") func identifiers() throws {
    let config = try folder.file("show.ocio", ShowConfig.text), record = folder.path("r.jsonl")
    let view = ["--ocio", config, "--view", "Film", "--to", "sdr-png"], grey = [[0.18, 0.18, 0.18], [0.4, 0.5, 0.6]]
    let stated = try render(try exr(grey, "a.exr"), view + ["--from-space", "logc3"])
    #expect(stated.status == 0, "\(stated.errors)")
    let wanted = try codes("out/a.png"), named = try exr(grey, "b.exr", id: "show:logc3")
    let made = try render(named, view + ["--record", record])
    #expect(made.status == 0 && !made.errors.contains("exr.color"), "\(made.errors)")
    #expect(try codes("out/b.png") == wanted)
    #expect(try #require(folder.text("r.jsonl")).contains("\"space\":\"logc3\""))
    let told = try Program.run(["info", named, "--ocio", config])
    #expect(told.output.contains("logc3 (show:logc3), as stated"), "\(told.output)")
    // Without the config nobody knows it; what a caller states goes first.
    let plain = try render(named, ["--view", "sdr-709", "--to", "sdr-png"])
    #expect(plain.status == 0 && plain.errors.contains("\"show:logc3\" is not known"), "\(plain.errors)")
    #expect(try render(named, view + ["--from-space", "lin"]).status == 0)
    let linear = try codes("out/b.png")
    #expect(try render(folder.path("a.exr"), view + ["--from-space", "lin"]).status == 0)
    #expect(try codes("out/a.png") == linear && linear != wanted)
  }

  /// A config whose paths have variables, in a folder and in archives of other systems: the same pixels.
  @Test(.enabled(if: hasConfigs, "skipped: no data")) func archivesAreTheirConfigs() throws {
    let input = try exr(Array(ConfigVectors.input[1...2])),
      files = ["config.ocio"] + ["linux", "windows"].map { "context_test1_\($0).ocioz" }
    for (shot, spaces) in ConfigVectors.contexts {
      for space in ["lut_path_cs", "SHOT_lut1_cs", "lut4_cs"] {
        let want = spaces[space] ?? nil
        for file in files {
          let config = try #require(SharedData.url("data/ocio/context_test1/" + file)).path
          let made = try render(
            input,
            [
              "--to", "linear-tiff", "--depth", "32", "--primaries", "srgb", "--ocio", config, "--from-space", space,
              "--context", "SHOT=\(shot)",
            ])
          guard let want else {
            #expect(made.status == 64 && made.errors.contains("lut4.clf"), "\(file) \(made.errors)")
            continue
          }
          #expect(made.status == 0, "\(file) \(made.errors)")
          for (a, b) in zip(try floats("out/shot.tif"), want) {
            for (x, y) in zip(a, b) { #expect(abs(x - y) < 1e-5 * y, "\(file) \(shot) \(space): \(a), \(b)") }
          }
        }
      }
    }
  }

  @Test(.enabled(if: hasConfigs, "skipped: no data")) func damagedArchivesAreALineEach() throws {
    let bytes = try #require(SharedData.bytes("data/ocio/context_test1/context_test1_linux.ocioz"))
    let input = try exr([[0.1, 0.2, 0.3]]), url = folder.url.appendingPathComponent("x.ocioz")
    let name = Array("config.ocio".utf8), other = Array("CONFIG.ocio".utf8)
    var renamed = bytes
    for at in 0..<bytes.count - name.count where Array(bytes[at..<at + name.count]) == name {
      renamed.replaceSubrange(at..<at + name.count, with: other)
    }
    // A byte of the config's own stream.
    var changed = bytes
    changed[300] ^= 0xff
    for (file, what) in [(Array(bytes.prefix(900)), "directory"), (renamed, "config.ocio"), (changed, "ZIP archive")] {
      try Data(file).write(to: url)
      let made = try render(
        input, ["--to", "exr", "--ocio", url.path, "--from-space", "lut3_cs"])
      #expect(made.status == 64 && made.errors.contains("(config.archive)"), "\(made.status) \(made.errors)")
      #expect(made.errors.contains(what) && made.errors.split(separator: "\n").count == 1, "\(made.errors)")
    }
  }

  @Test("steps convert numbers by a config and back, and apply looks") func steps() throws {
    let input = try exr((0..<8).map { [Double($0) / 8 + 0.1, 0.05, 0.02] })
    func light(_ recipe: String) throws -> [[Double]] {
      let made = try render(input, ["--recipe", try folder.file("r.yaml", recipe), "--from-space", "ACEScg"])
      #expect(made.status == 0, "\(made.errors)")
      return try codes("out/shot.tif")
    }
    let outputs = "outputs: [{to: sdr-tiff, view: sdr-709}]\nocio: builtin:studio\n"
    let plain = try light(outputs)
    let there = try light(outputs + "steps: [ocio: {to: ACEScct}, ocio: {from: ACEScct}]\n")
    for (a, b) in zip(plain, there) { for (x, y) in zip(a, b) { #expect(abs(x - y) < 1e-3) } }
    let graded = try light(
      outputs + "steps: [ocio: {to: ACEScct}, cdl: {offset: [0.05708, 0.05708, 0.05708]}, ocio: {from: ACEScct}]\n")
    let brighter = try light(outputs + "steps: [exposure: {ev: 1}]\n")
    for (a, b) in zip(graded, brighter) { for (x, y) in zip(a, b) { #expect(abs(x - y) < 1e-3) } }
    let look = "ACES 1.3 Reference Gamut Compression"
    let looked = try light(outputs + "steps: [look: \(look)]\n")
    let own = try light(outputs + "steps: [aces-gamut-compress]\n"), before = try light("look: \(look)\n" + outputs)
    #expect(looked != plain)
    for (a, b) in zip(looked, own) { for (x, y) in zip(a, b) { #expect(abs(x - y) < 1e-3) } }
    for (a, b) in zip(looked, before) { for (x, y) in zip(a, b) { #expect(abs(x - y) < 1e-3) } }
  }
}
