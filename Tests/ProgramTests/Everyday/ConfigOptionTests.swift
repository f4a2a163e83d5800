import Foundation
import TestFiles
import TestSupport
import Testing

/// Names of configs on the command line: where they come from, what is refused, and what records say.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct ConfigOptionTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private static let film = "ACES 2.0 - SDR 100 nits (Rec.709)"

  private func exr() throws -> String {
    let channels = ["R", "G", "B"].map { EXRBuilder.Channel(name: $0) { x, _ in EXRBuilder.half(Float(x) / 8) } }
    let part = EXRBuilder.Part(channels, data: [0, 0, 7, 3])
    try Data(EXRBuilder(parts: [part]).bytes).write(to: folder.url.appendingPathComponent("a.exr"))
    return folder.path("a.exr")
  }

  private func render(_ words: [String], environment: [String: String] = [:]) throws -> Program.Result {
    try Program.run(
      ["render", try exr(), "-o", folder.path("out"), "--backend", "cpu", "--on-existing", "replace"] + words,
      environment: environment)
  }

  private func output(_ name: String) throws -> Data {
    try Data(contentsOf: folder.url.appendingPathComponent("out/" + name))
  }

  @Test("short and full names of views mean the same, with and without a config") func names() throws {
    let common = ["--to", "sdr-png", "--from-space", "ACEScg"]
    #expect(try render(common + ["--view", "sdr-709"]).status == 0)
    let own = try output("a.png")
    #expect(try render(common + ["--view", Self.film]).status == 0)
    #expect(try output("a.png") == own)
    var made: [Data] = []
    for name in ["sdr-709", Self.film] {
      let result = try render(common + ["--view", name, "--ocio", "builtin:studio"])
      #expect(result.status == 0, "\(result.errors)")
      made.append(try output("a.png"))
    }
    #expect(made[0] == made[1])
    // Only a config has this one: the studio's, unless another is named.
    #expect(try render(common + ["--view", "Un-tone-mapped"]).status == 0)
    #expect(try output("a.png") != own)
  }

  @Test("a config without a name of it that is used ends with 64 and its views") func idle() throws {
    let made = try render(["--to", "sdr-png", "--ocio", "builtin:cg"])
    #expect(made.status == 64 && made.errors.contains("sRGB - Display: ") && made.errors.contains(Self.film))
    #expect(made.errors.split(separator: "\n").count == 1)
  }

  @Test(
    "wrong names are refused with the nearest",
    arguments: [
      (["--view", "ACES 2.0 - SDR 100 nits (Rec.708)"], "ACES 2.0 - SDR 100 nits (Rec.709)"),
      (["--view", "sdr-709", "--from-space", "ACESgg"], "ACEScg"),
      (["--view", "sdr-709", "--ocio-display", "sRGB Display"], "sRGB - Display"),
      (["--view", "sdr-709", "--ocio-display", "Rec.2100-PQ - Display"], "ocio.display"),
      (["--view", "sdr-709", "--look", "ACES 1.3 Reference Gamut Compressio"], "ACES 1.3 Reference Gamut Compression"),
      (["--view", "hdr1000-p3"], "ocio.display"), (["--view", "Raw"], "data"),
      (["--look", "x"], "--view"), (["--view", "sdr-709", "--context", "SHOT"], "VAR=VALUE"),
    ]) func refusals(words: [String], hint: String) throws
  {
    let made = try render(["--to", "sdr-jpeg", "--ocio", "builtin:studio"] + words)
    #expect(made.status == 64 && made.errors.contains(hint), "\(made.status) \(made.errors)")
    #expect(made.errors.split(separator: "\n").count == 1, "\(made.errors)")
  }

  @Test("views of ACES are refused where a config does not say what its primaries are") func withoutInterchange() throws
  {
    let text = ShowConfig.text.replacing(", aces_interchange: aces", with: "").replacing(
      "name: aces,", with: "name: other,"
    )
    .replacing("name: lin,", with: "name: rgb,").replacing(": lin", with: ": rgb")
    let config = try folder.file("show.ocio", text)
    let made = try render(["--to", "sdr-png", "--view", "sdr-709", "--from-space", "rgb", "--ocio", config])
    #expect(made.status == 64 && made.errors.contains("aces_interchange"), "\(made.errors)")
    #expect(made.errors.contains("(view.unknown)") && !made.errors.contains("did you mean"), "\(made.errors)")
  }

  @Test("$OCIO names the config where a name may be one of it, and the recipe says so") func environment() throws {
    let config = try folder.file("show.ocio", ShowConfig.text)
    let words = ["--to", "sdr-png", "--view", "Film", "--from-space", "lin"], set = ["OCIO": config]
    let made = try render(words + ["--record", folder.path("r.jsonl")], environment: set)
    #expect(made.status == 0 && made.errors.contains("by $OCIO"), "\(made.errors)")
    let line = try #require(folder.text("r.jsonl"))
    #expect(line.contains("\"ocio\":{\"config\":\"\(config)\",\"name\":\"show\",\"sha256\":\""))
    #expect(line.contains("\"display\":\"sRGB\",\"view\":\"Film\"") && line.contains("SDR-100nit-REC709_2.0"))
    #expect(line.contains("\"tables\":\""))
    let printed = try render(words + ["--print-recipe"], environment: set)
    #expect(printed.output.contains("ocio: \(config)"), "\(printed.output)")
    // Nothing asks for it here.
    let plain = try render(["--to", "pq-png", "--content-headroom", "8"], environment: ["OCIO": "/nowhere.ocio"])
    #expect(plain.status == 0 && !plain.errors.contains("OCIO"), "\(plain.errors)")
    let lost = try render(["--to", "sdr-png", "--view", "sdr-709"], environment: ["OCIO": "/nowhere.ocio"])
    #expect(lost.status == 64 && lost.errors.contains("/nowhere.ocio"), "\(lost.errors)")
    #expect(
      try render(["--to", "sdr-png", "--view", "sdr-709", "--ocio", "builtin:studio"], environment: set).status == 0)
  }

  @Test("reproduce refuses a config that is another one now") func reproduce() throws {
    let config = try folder.file("show.ocio", ShowConfig.text)
    let made = try render(["--to", "sdr-png", "--view", "Film", "--from-space", "lin", "--ocio", config])
    #expect(made.status == 0, "\(made.errors)")
    let digest = try #require(
      try render(["--to", "sdr-png", "--view", "Film", "--from-space", "lin", "--ocio", config, "--record", "-"]).output
        .split(separator: "\"").drop { $0 != "inputDigest" }.dropFirst(2).first)
    let words = ["reproduce", "--digest", String(digest.prefix(16)), "--out", folder.path("out")]
    #expect(try Program.run(words).status == 0)
    _ = try folder.file("show.ocio", ShowConfig.text + "\n# another\n")
    let changed = try Program.run(words)
    #expect(changed.status == 64 && changed.errors.contains("is another one now"), "\(changed.errors)")
  }

  @Test("linear spaces of a config are written as the list has them, others are refused") func outputs() throws {
    let common = ["--ocio", "builtin:studio", "--from-space", "ACEScg", "--content-headroom", "8", "--to", "exr"]
    let made = try render(common + ["--to-space", "lin_ap0"])
    #expect(made.status == 0, "\(made.errors)")
    let told = try Program.run(["info", "--json", folder.path("out/a.exr")])
    #expect(told.output.contains("\"space\":\"ACES2065-1\""), "\(told.output)")
    for name in ["ACEScct", "sRGB - Display", "Raw"] {
      let refused = try render(common + ["--to-space", name])
      #expect(refused.status == 64 && refused.errors.contains("(ocio.output)"), "\(refused.errors)")
    }
  }

  @Test("info and doctor tell what a config says") func reports() throws {
    let told = try Program.run(["info", try exr(), "--ocio", "builtin:studio", "--json"])
    #expect(
      told.output.contains("\"space\":\"ACES2065-1\",\"interopID\":\"lin_ap0_scene\",\"rule\":\"EXR\""),
      "\(told.output)")
    let stated = try Program.run(["info", folder.path("a.exr"), "--ocio", "builtin:studio", "--from-space", "ACEScct"])
    #expect(stated.output.contains("ACEScct (ocio:acescct_ap1_scene), as stated"), "\(stated.output)")
    let unknown = try Program.run(["info", folder.path("a.exr"), "--from-space", "ACEScgg"])
    #expect(unknown.status == 64 && unknown.errors.contains("ACEScg"), "\(unknown.errors)")
    let views = try Program.run(["doctor", "--views", "builtin:studio"])
    #expect(views.status == 0 && views.output.contains("Rec.2100-PQ - Display  for pq-*"), "\(views.output)")
    #expect(
      views.output.contains("  \(Self.film)  for log, scene-linear\n")
        && views.output.contains("ACES 1.3 Reference Gamut Compression"))
    #expect(try Program.run(["doctor", "builtin:studio"]).status == 64)
    let own = try Program.run(["doctor", "--views", try folder.file("show.ocio", ShowConfig.text)])
    #expect(
      own.output.contains("  Film  for lin, scene-linear, log\n") && !own.output.contains("warning"), "\(own.output)")
  }

  nonisolated(unsafe) private static let malformed =
    SharedData.json("data/ocio/malformed/expect.json") ?? [:]

  /// A line each, with the code that is expected where reading alone finds the fault.
  @Test(.enabled(if: !malformed.isEmpty, "skipped: no data")) func malformedConfigsAreALineEach() throws {
    let ofReading: Set<String> = ["config.version", "config.yaml", "config.value", "config.rules", "config.name"]
    var found: Set<String> = [], count = 0
    for name in Self.malformed.keys.sorted() where name.hasSuffix(".ocio") {
      let expected = (Self.malformed[name] as? [String: Any])?["expect"] as? String ?? ""
      let code = String(expected.prefix { $0 != " " })
      guard let url = SharedData.url("data/ocio/malformed/" + name) else { continue }
      count += 1
      for words in [["--view", "v"], ["--view", "v", "--from-space", "lin"], ["--view", "v", "--look", "a"]] {
        let made = try render(["--to", "sdr-png", "--ocio", url.path] + words)
        #expect([0, 64, 65].contains(made.status), "\(name): \(made.status) \(made.errors)")
        if made.status == 0 { continue }
        let lines = made.errors.split(separator: "\n").filter { $0.contains("error:") }
        #expect(
          lines.count == 1 && lines.allSatisfy { $0.contains("(") || $0.contains("[") }, "\(name): \(made.errors)")
        if made.errors.contains(code) { found.insert(name) }
      }
      if ofReading.contains(code) { #expect(found.contains(name), "\(name): not \(code)") }
    }
    #expect(count > 10 && found.count > 7 && found.contains("self_look.ocio"), "\(found.sorted())")
  }
}
