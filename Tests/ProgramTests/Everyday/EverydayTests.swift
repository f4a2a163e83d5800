import Foundation
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// Everyday jobs, as somebody who knows other programs tries them.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct EverydayTests {
  let folder: TemporaryFolder
  static let lamps = SharedData.small("lamps.jpg")
  static let temple = SharedData.examples + "/temple.heic"
  init() throws { folder = try TemporaryFolder() }

  private func run(_ words: [String], environment: [String: String] = [:], input: String? = nil) throws
    -> Program.Result
  {
    guard let input else { return try Program.run(words, environment: environment) }
    // Through a shell, for its pipe.
    let list = try folder.file("list", input), out = folder.path("stdout"), err = folder.path("stderr")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments =
      ["-c", "cat \"$0\" | \"$@\" >'\(out)' 2>'\(err)'", list, try #require(Program.url).path] + words
    try process.run()
    process.waitUntilExit()
    return Program.Result(
      status: process.terminationStatus, output: folder.text("stdout") ?? "", errors: folder.text("stderr") ?? "")
  }

  private func size(_ name: String) throws -> [Int] {
    let bytes = [UInt8](try Data(contentsOf: folder.url.appendingPathComponent(name)))
    let source = try decodeImage(bytes, request: .metadata)
    return [source.geometry.outputWidth, source.geometry.outputHeight]
  }

  /// A picture of 96x64.
  private func small(_ name: String = "a.png") throws -> String {
    let made = try run([
      "render", Self.lamps, "--to", "sdr-png", "--out", folder.path(name), "--filter", "scale=width:96,height:64",
    ])
    #expect(made.status == 0, "\(made.errors)")
    return folder.path(name)
  }

  // MARK: Size

  @Test(
    "--resize means the longer side, a box, a share; pictures are not enlarged unless told",
    arguments: [
      ("48", [48, 32]), ("480", [96, 64]), ("480:enlarge", [480, 320]), ("50%", [48, 32]), ("48x", [48, 32]),
      ("x16", [24, 16]), ("40x40", [40, 27]), ("40x40:fill", [40, 40]), ("40x40:stretch", [40, 40]),
      ("200x100:fill", [96, 48]), ("200x200:fill:enlarge", [200, 200]), ("200x100:stretch", [96, 64]),
    ])
  func resize(words: String, expected: [Int]) throws {
    let made = try run(["render", try small(), "--to", "sdr-png", "-o", folder.path("out"), "--resize", words])
    #expect(made.status == 0, "\(made.errors)")
    #expect(try size("out/a.png") == expected)
  }

  @Test("sizes that are none are refused with the forms there are", arguments: ["", "big", "10y10", "50%:cover", "x"])
  func noSize(words: String) throws {
    let made = try run(["render", Self.lamps, "--to", "sdr-png", "-o", folder.path("out"), "--resize", words])
    #expect(made.status == 64)
    #expect(made.errors.contains("--resize"), "\(made.errors)")
  }

  @Test("a gain map follows when its picture is made smaller")
  func resizeAdaptive() throws {
    let made = try run(["render", Self.lamps, "--to", "adaptive-jpeg", "-o", folder.path("out"), "--resize", "200"])
    #expect(made.status == 0, "\(made.errors)")
    let bytes = [UInt8](try Data(contentsOf: folder.url.appendingPathComponent("out/lamps.jpg")))
    let source = try decodeImage(bytes, request: .metadata)
    #expect(max(source.image.width, source.image.height) == 200)
    let map = try #require(source.gainMap).image
    #expect(max(map.width, map.height) <= 200)
  }

  // MARK: Filters

  @Test(
    "filters go by the names of other programs, and their first parameter needs none",
    arguments: [
      (["crop=aspect:1:1"], [64, 64]), (["crop=aspect:4:5,gravity:centre"], [51, 64]), (["rotate90"], [64, 96]),
      (["resize=48"], [48, 32]), (["crop=0/0/10/20"], [10, 20]),
      (["blur=2", "sharpen=0.5", "exposure=0.5"], [96, 64]),
      (["greyscale", "rotate180", "mirror"], [96, 64]),
    ])
  func filters(words: [String], expected: [Int]) throws {
    let made = try run(
      ["render", try small(), "--to", "sdr-png", "-o", folder.path("out")] + words.flatMap { ["--filter", $0] })
    #expect(made.status == 0, "\(made.errors)")
    #expect(try size("out/a.png") == expected)
  }

  @Test("the place of a crop is where its name says")
  func gravity() throws {
    let source = try small()
    for (name, rect) in [("top-left", "0/0/64/64"), ("right", "32/0/64/64"), ("center", "16/0/64/64")] {
      _ = try run([
        "render", source, "--to", "sdr-png", "-o", folder.path("a-\(name)"), "--filter",
        "crop=aspect:1,gravity:\(name)",
      ])
      _ = try run(["render", source, "--to", "sdr-png", "-o", folder.path("b-\(name)"), "--filter", "crop=\(rect)"])
      let a = try Data(contentsOf: folder.url.appendingPathComponent("a-\(name)/a.png"))
      #expect(try a == Data(contentsOf: folder.url.appendingPathComponent("b-\(name)/a.png")), "\(name)")
    }
  }

  @Test("a recipe with other names is the same recipe")
  func aliasesInRecipes() throws {
    try folder.file("a.yaml", "steps:\n  - exposure: 0.5\n  - rotate90:\n  - sharpen: {sharpness: 0.3}\n")
    try folder.file(
      "b.yaml", "steps:\n  - exposure: {ev: 0.5}\n  - rotate: {angle: -90}\n  - sharpenLuminance: {sharpness: 0.3}\n")
    let source = try small()
    for name in ["a", "b"] {
      let made = try run([
        "render", source, "--to", "sdr-png", "-o", folder.path(name), "--recipe", folder.path(name + ".yaml"),
      ])
      #expect(made.status == 0, "\(made.errors)")
    }
    let a = try Data(contentsOf: folder.url.appendingPathComponent("a/a.png"))
    #expect(try a == Data(contentsOf: folder.url.appendingPathComponent("b/a.png")))
    // Steps are called by any name of their filter.
    let set = try run([
      "render", source, "--to", "sdr-png", "-o", folder.path("c"), "--recipe", folder.path("a.yaml"), "--set",
      "sharpen.sharpness=0",
    ])
    #expect(set.status == 0, "\(set.errors)")
  }

  @Test("filters WORD finds by name, alias and summary")
  func search() throws {
    let found = try run(["filters", "sharpen"])
    #expect(found.output.contains("sharpen-luminance") && found.output.contains("unsharp-mask"))
    #expect(!found.output.contains("gaussian-gradient"))
    #expect(try run(["filters", "rotate90"]).output.contains("also rotate90 (angle -90)"))
    let none = try run(["filters", "shrapen"])
    #expect(none.status == 64 && none.errors.contains("did you mean \"sharpen\""), "\(none.errors)")
  }

  // MARK: Names and lists

  @Test("--null says that zero bytes alone end the paths of a list", arguments: ["--null", "-0"])
  func nullLists(option: String) throws {
    let names = ["a\nb.png", "# c.png"]
    for name in names { try SmallPictures.png(1).write(to: folder.url.appendingPathComponent(name)) }
    let paths = names.map { folder.path($0) + "\0" }.joined()
    let told = try run(["render", "@-", option, "-n", "--to", "sdr-jpeg", "-o", folder.path("out")], input: paths)
    #expect(told.status == 0 && told.output.split(separator: "\n").count == 2, "\(told.output)\(told.errors)")
    // One path without an end is a path, too.
    let one = try run(["info", "@-", option], input: folder.path(names[0]))
    #expect(one.status == 0 && one.output.contains("PNG 48x32"), "\(one.errors)")
    let none = try run(["render", folder.path(names[1]), option, "-n", "--to", "sdr-jpeg", "-o", folder.path("out")])
    #expect(none.status == 64 && none.errors.contains("--null is of lists"), "\(none.errors)")
  }

  @Test("--out FILE names the output of one input")
  func outFile() throws {
    let made = try run(["render", Self.lamps, "--to", "pq-png", "-o", folder.path("deep/x.png"), "--resize", "64"])
    #expect(made.status == 0, "\(made.errors)")
    #expect(folder.files() == ["deep/x.png"])
    let other = try run(["render", Self.lamps, "--to", "pq-png", "-o", folder.path("y.jpg")])
    #expect(other.status == 64 && other.errors.contains("pq-png files end in .png"), "\(other.errors)")
    #expect(other.errors.contains("adaptive-jpeg") && other.errors.contains("sdr-jpeg"))
    let two = try run(["render", Self.lamps, Self.temple, "--to", "pq-png", "-o", folder.path("z.png")])
    #expect(two.status == 64 && two.errors.contains("there are 2 inputs"), "\(two.errors)")
    // A folder may be called anything.
    try FileManager.default.createDirectory(atPath: folder.path("folder.png"), withIntermediateDirectories: true)
    let into = try run(["render", Self.lamps, "--to", "pq-png", "-o", folder.path("folder.png"), "--resize", "64"])
    #expect(into.status == 0 && folder.files("folder.png") == ["lamps.png"], "\(into.errors)")
  }

  @Test("@- reads a list from a pipe, by lines or by zero bytes", arguments: ["\n", "\0"])
  func listOnStandardInput(end: String) throws {
    let odd = folder.path("a b\(end == "\0" ? "\n" : "")c.jpg")
    try FileManager.default.copyItem(atPath: Self.lamps, toPath: odd)
    let made = try run(
      ["render", "@-", "--to", "sdr-jpeg", "-o", folder.path("out"), "--resize", "32"],
      input: odd + end + Self.temple + end)
    #expect(made.status == 0, "\(made.errors)")
    #expect(folder.files("out").count == 2)
  }

  @Test("outputs of earlier runs below a folder are left out, and so are other files, with a line each")
  func ownOutputs() throws {
    try FileManager.default.createDirectory(atPath: folder.path("in/2024"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: Self.lamps, toPath: folder.path("in/2024/a.jpg"))
    try folder.file("in/notes.txt")
    let first = try run([
      "render", folder.path("in"), "--to", "sdr-jpeg", "-o", folder.path("in/web"), "--resize", "32",
    ])
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.errors.contains("1 file of other kinds left out"), "\(first.errors)")
    let second = try run(["render", folder.path("in"), "--to", "sdr-jpeg", "-o", folder.path("out"), "--resize", "32"])
    #expect(second.status == 0 && second.errors.contains("1 output of earlier runs left out"), "\(second.errors)")
    #expect(folder.files("out") == ["2024/a.jpg"])
    // Whoever names the folder means what is in it.
    let chain = try run(["render", folder.path("in/web"), "--to", "sdr-png", "-o", folder.path("chain")])
    #expect(chain.status == 0 && folder.files("chain") == ["2024/a.png"], "\(chain.errors)")
    // A photo that came later is no output.
    try FileManager.default.copyItem(atPath: Self.lamps, toPath: folder.path("in/web/2024/b.jpg"))
    let third = try run(["render", folder.path("in"), "--to", "sdr-jpeg", "-o", folder.path("third"), "--resize", "32"])
    #expect(folder.files("third") == ["2024/a.jpg", "web/2024/b.jpg"], "\(third.errors)")
  }

  @Test("input and output in one folder is said, not \"no pictures\"")
  func oneFolder() throws {
    try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: Self.lamps, toPath: folder.path("in/a.jpg"))
    let made = try run(["render", folder.path("in"), "--to", "sdr-jpeg", "-o", folder.path("in")])
    #expect(made.status == 64 && made.errors.contains("is where outputs go"), "\(made.errors)")
  }

  @Test(
    "a file of another format is called by its name",
    arguments: [("GIF89a-----", "GIF"), ("%PDF-1.7", "PDF"), ("hello", "text")])
  func foreign(start: String, name: String) throws {
    let made = try run(["info", try folder.file("a.jpg", start)])
    #expect(made.status == 65 && made.errors.contains(name), "\(made.errors)")
  }

  // MARK: Kinds of pictures

  @Test("--if-sdr leaves pictures without HDR out, or writes them as they are")
  func ifSDR() throws {
    let plain = try small("plain.png")
    func render(_ rule: String, _ out: String) throws -> Program.Result {
      try run([
        "render", plain, Self.lamps, "--to", "adaptive-jpeg", "-o", folder.path(out), "--resize", "64", "--if-sdr",
        rule,
      ])
    }
    let failed = try render("fail", "fail")
    #expect(failed.status == 65 && failed.errors.contains("--if-sdr"), "\(failed.errors)")
    let skipped = try render("skip", "skip")
    #expect(skipped.status == 0 && folder.files("skip") == ["lamps.jpg"], "\(skipped.errors)")
    let written = try render("sdr-jpeg", "write")
    #expect(written.status == 0 && folder.files("write") == ["lamps.jpg", "plain.jpg"], "\(written.errors)")
    #expect(try size("write/plain.jpg") == [64, 43])
    let other = try render("sdr-avif", "other")
    #expect(other.status == 64 && other.errors.contains("another name"), "\(other.errors)")
  }

  @Test("info --csv has a row for every file, --json the same keys in each")
  func tables() throws {
    let broken = try folder.file("broken, \"really\".jpg", "nothing")
    let csv = try run(["info", Self.lamps, Self.temple, broken, "--csv"])
    #expect(csv.status == 65)
    let lines = csv.output.split(separator: "\n")
    #expect(lines.count == 4 && lines[0].hasPrefix("file,format,width"))
    #expect(lines[3].contains("broken, \"\"really\"\".jpg\"") && lines[3].contains("decode.unsupported"))
    let json = try run(["info", SharedData.example("lamps.jpg"), broken, "--json"])
    let keys = try json.output.split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]).keys.sorted()
    }
    #expect(keys.count == 2 && keys[0] == keys[1])
    #expect(lines[0].split(separator: ",").map(String.init).sorted() == keys[0])
    #expect(json.output.contains("\"hdrKind\":\"gain-map (hdrgm)\""), "\(json.output)")
  }

  @Test("a LUT for PQ on an SDR picture is a warning, on an HDR one is none")
  func lutOfOtherLight() throws {
    let identity = (0..<8).map { "\($0 & 1) \($0 >> 1 & 1) \($0 >> 2 & 1)" }.joined(separator: "\n")
    let lut = try folder.file("look.cube", "LUT_3D_SIZE 2\n" + identity + "\n")
    for (picture, isWarned) in [(try small(), true), (Self.temple, false)] {
      let made = try run([
        "render", picture, "--to", "pq-png", "-o", folder.path("lut"), "--lut", lut, "--lut-space", "pq", "--resize",
        "64",
      ])
      #expect(made.status == 0 && made.errors.contains("[lut.sdr]") == isWarned, "\(made.errors)")
    }
  }

  @Test("overrides change values of the inputs that they name")
  func overrides() throws {
    let a = try small("a.png"), b = try small("b.png")
    try folder.file(
      "r.yaml", "steps: [exposure: 0]\noverrides:\n  - {match: \"b*\", exposure.ev: 1, png-effort: 3}\n")
    let made = try run(["render", a, b, "--to", "sdr-png", "-o", folder.path("out"), "--recipe", folder.path("r.yaml")])
    #expect(made.status == 0, "\(made.errors)")
    let plain = try run([
      "render", b, "--to", "sdr-png", "-o", folder.path("ev"), "--filter", "exposure=1", "--png-effort", "3",
    ])
    #expect(plain.status == 0, "\(plain.errors)")
    func bytes(_ name: String) throws -> Data { try Data(contentsOf: folder.url.appendingPathComponent(name)) }
    #expect(try bytes("out/b.png") == bytes("ev/b.png"))
    #expect(try bytes("out/a.png") != bytes("out/b.png"))
    // The same through a manifest.
    let plan = try run([
      "plan", a, b, "--to", "sdr-png", "--out", folder.path("planned"), "--recipe", folder.path("r.yaml"), "-o",
      folder.path("m.jsonl"),
    ])
    #expect(plan.status == 0, "\(plan.errors)")
    let ran = try run(["run", "--manifest", folder.path("m.jsonl")])
    #expect(ran.status == 0, "\(ran.errors)")
    #expect(try bytes("planned/b.png") == bytes("ev/b.png"))
  }

  @Test(
    "overrides that go with nothing are refused at their place",
    arguments: [
      ("{match: \"*\", exposur.ev: 1}", "no step \"exposur\""), ("{match: \"*\", quality: 3}", "quality"),
      ("{exposure.ev: 1}", "match"), ("{match: \"*\"}", "no effect"), ("{match: \"*\", lut: x.cube}", "of all inputs"),
    ])
  func badOverrides(text: String, word: String) throws {
    try folder.file("r.yaml", "steps: [exposure: 0]\noverrides:\n  - \(text)\n")
    let made = try run([
      "render", Self.lamps, "--to", "sdr-png", "-o", folder.path("out"), "--recipe", folder.path("r.yaml"),
    ])
    #expect(made.status == 64 && made.errors.contains("r.yaml:3:") && made.errors.contains(word), "\(made.errors)")
  }

  // MARK: What is left behind

  @Test("status names what failed after render, with the command that shows it")
  func status() throws {
    let broken = try folder.file("bad.jpg", "\u{FFFD} no picture")
    _ = try run(["render", Self.lamps, broken, "--to", "sdr-jpeg", "-o", folder.path("out"), "--resize", "32"])
    let report = try run(["status", folder.path("out")])
    #expect(report.status == 0, "\(report.errors)")
    #expect(report.output.contains("1 of 2 done, 1 failed, 0 to do"), "\(report.output)")
    let failed = try run(["status", folder.path("out"), "--failed"])
    #expect(
      failed.output.contains("bad.jpg: ") && failed.output.contains("hdrbatch reproduce --digest "), "\(failed.output)")
    #expect(failed.output.contains("--out \(folder.path("out"))"))
    #expect(try run(["status", folder.path("nothing")]).status == 64)
  }

  @Test("settings of runs have defaults in a file and in variables")
  func defaults() throws {
    try folder.file("config/hdrbatch.yaml", "jobs: 1\nmemory: 2G\n")
    let home = ["XDG_CONFIG_HOME": folder.path("config"), "HDRBATCH_JOBS": "2", "HDRBATCH_MEMORY": ""]
    let doctor = try run(["doctor"], environment: home)
    #expect(doctor.output.contains("--jobs 2, by HDRBATCH_JOBS"), "\(doctor.output)")
    #expect(doctor.output.contains("--memory 2G, by \(folder.path("config/hdrbatch.yaml")):2:9"))
    let made = try run(
      [
        "render", Self.lamps, "--to", "sdr-jpeg", "-o", folder.path("out"), "--record", folder.path("r.jsonl"),
        "--resize", "32",
      ],
      environment: home)
    #expect(made.status == 0, "\(made.errors)")
    #expect(folder.text("r.jsonl")?.contains("\"--jobs=2\"") == true)
    #expect(folder.text("r.jsonl")?.contains("\"--memory=2G\"") == true)
    try folder.file("config/hdrbatch.yaml", "quality: 50\n")
    let wrong = try run(["render", Self.lamps, "--to", "sdr-jpeg", "-o", folder.path("no")], environment: home)
    #expect(
      wrong.status == 64 && wrong.errors.contains("hdrbatch.yaml:1:1: there is no setting of runs"), "\(wrong.errors)")
  }

  @Test("a file of settings that others may write is not obeyed, and isolation from elsewhere is said")
  func foreignDefaults() throws {
    let file = try folder.file("config/hdrbatch.yaml", "isolation: none\n")
    let home = ["XDG_CONFIG_HOME": folder.path("config")]
    func isolation(_ environment: [String: String]) throws -> (found: String?, errors: String) {
      let record = folder.path("r\(UUID().uuidString).jsonl")
      let made = try Program.run(
        [
          "render", Self.lamps, "--to", "sdr-jpeg", "-o", folder.path(UUID().uuidString), "--resize", "32", "--record",
          record,
        ],
        environment: environment)
      #expect(made.status == 0, "\(made.errors)")
      return (try recordLines(record)[0]["isolation"] as? String, made.errors)
    }
    let own = try isolation(home)
    #expect(own.found == "none" && own.errors.contains("--isolation none comes from \(file):1:12"), "\(own.errors)")
    let variable = try isolation(["HDRBATCH_ISOLATION": "none"])
    #expect(variable.found == "none" && variable.errors.contains("--isolation none comes from HDRBATCH_ISOLATION"))
    chmod(file, 0o666)
    let open = try isolation(home)
    #expect(open.found == "sandbox" && open.errors.contains("not obeyed: every user may write to it"), "\(open.errors)")
    // Only root gives files away.
    guard geteuid() == 0, chmod(file, 0o644) == 0, chown(file, 12345, 12345) == 0 else { return }
    let foreign = try isolation(home)
    #expect(foreign.found == "sandbox" && foreign.errors.contains("not obeyed: it belongs to another user (12345)"))
  }

  @Test("the manual page names every command and holds no line that roff takes for a request")
  func manual() throws {
    let page = try run(["man"]).output
    for name in ["render", "info", "status", "bench kernel"] { #expect(page.contains(".SS " + name), "\(name)") }
    let requests = Set(page.split(separator: "\n").filter { $0.first == "." }.map { $0.prefix { $0 != " " } })
    #expect(requests.isSubset(of: [".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".I"]), "\(requests)")
  }
}
