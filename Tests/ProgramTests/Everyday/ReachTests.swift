import Foundation
import TestFiles
import TestSupport
import Testing

/// People who know other programs type these words first; each has an answer and an exit code.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct ReachTests {
  let folder: TemporaryFolder
  static let lamps = SharedData.small("lamps.jpg")

  /// A row of a table: the words after `hdrbatch`, what the messages hold, and the exit code.
  struct Row: Sendable, CustomTestStringConvertible {
    var words: [String], says: String, status: Int32
    init(_ words: String, _ says: String, _ status: Int32 = 64) {
      (self.words, self.says, self.status) = (words.split(separator: " ").map(String.init), says, status)
    }
    var testDescription: String { words.joined(separator: " ") }
  }

  init() throws {
    folder = try TemporaryFolder()
    try SmallPictures.write(3, into: folder)
    try FileManager.default.copyItem(atPath: Self.lamps, toPath: folder.path("lamps.jpg"))
    try FileManager.default.copyItem(atPath: folder.path("in/p001.png"), toPath: folder.path("sdr.png"))
  }

  /// Runs the program in the folder, by a shell.
  ///
  /// - Parameter input: a file of the folder that is standard input.
  private func run(_ words: [String], input: String? = nil) throws -> Program.Result {
    let process = Process()
    let program = try #require(Program.url).path
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.currentDirectoryURL = folder.url
    let pipe = input.map { "cat '\($0)' | " } ?? ""
    process.arguments =
      ["-c", pipe + "\"$@\" >.stdout 2>.stderr", "sh", program] + words
    process.environment = ProcessInfo.processInfo.environment.merging(["HDRBATCH_BACKEND": "cpu"]) { $1 }
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return Program.Result(
      status: process.terminationStatus, output: folder.text(".stdout") ?? "", errors: folder.text(".stderr") ?? "")
  }

  private func check(_ row: Row) throws {
    let result = try run(row.words)
    let said = result.output + result.errors
    #expect(result.status == row.status && said.contains(row.says), "\(result.status) \(said)")
    // One line says what to do.
    if row.status == 64 { #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)") }
  }

  // MARK: Words

  @Test(
    "IN OUT renders, and the ending of OUT chooses the kind by the picture",
    arguments: [
      Row("lamps.jpg a.jpg", "a.jpg is made as adaptive-jpeg, as lamps.jpg is HDR", 0),
      Row("lamps.jpg a.avif", "a.avif is made as adaptive-avif", 0),
      Row("lamps.jpg a.png", "a.png is made as pq-png, as lamps.jpg is HDR", 0),
      Row("lamps.jpg a.tif", "a.tif is made as pq-tiff", 0), Row("lamps.jpg a.exr", "a.exr is made as exr", 0),
      Row("lamps.jpg a.dpx", "a.dpx is made as dpx", 0),
      Row("sdr.png a.jpg", "a.jpg is made as sdr-jpeg, as sdr.png is SDR", 0),
      Row("render sdr.png -o a.avif", "a.avif is made as sdr-avif", 0),
      Row("sdr.png a.jpg --to sdr-jpeg --quality 80", "1 rendered", 0),
      Row("sdr.png a.heic", "sdr.png is SDR, and no kind of SDR file ends so; say --to: .heic files are adaptive-heic"),
      Row("sdr.png a.webp", "WebP is read and not written: take sdr-avif, sdr-jpeg or adaptive-avif"),
      Row("sdr.png a.mp4", "clips are made by `hdrbatch video`"),
      Row("sdr.png a.y4m", "several kinds end so; say --to"),
      Row("lamps.jpg sdr.png a.jpg", "is one file, and there are 2 inputs"),
      Row("sdr.png", "say what it becomes, as in `hdrbatch sdr.png OUT.jpg`"),
      Row("sdr.png lamps.jpg --to sdr-jpeg", "lamps.jpg exists already"),
      Row("rendr sdr.png a.jpg", "did you mean render?"),
      Row("psnr sdr.png lamps.jpg", "did you mean compare?"), Row("convert sdr.png a.jpg", "did you mean render?"),
      Row("identify sdr.png", "did you mean info?"), Row("https://example.com/b.jpg a.jpg", "fetch it first"),
      Row("render in/*.png -o out --to sdr-png", "the shell says what * is"),
      Row("sdr.png -resize 50% a.jpg", "unknown option -resize; did you mean --resize?"),
    ])
  func bare(row: Row) throws {
    try check(row)
    let out = row.words.last { $0.hasPrefix("a.") }
    if row.status == 0, let out { #expect(folder.files().contains(out), "\(folder.files())") }
  }

  @Test(
    "words of other programs after --to are answered by one line",
    arguments: [
      ("jpg", ".jpg files are adaptive-jpeg (SDR and HDR displays), sdr-jpeg (SDR)"), ("jpeg", "adaptive-jpeg"),
      ("avif", "adaptive-avif (SDR and HDR displays), pq-avif and hlg-avif (HDR), sdr-avif (SDR)"),
      ("png", "pq-png and hlg-png (HDR)"), ("tiff", "sdr-tiff (SDR), linear-tiff (grading)"), ("heic", "adaptive-heic"),
      ("jxl", "adaptive-jxl"), ("uhdr", "adaptive-jpeg is Ultra HDR"), ("ultrahdr", "adaptive-jpeg is Ultra HDR"),
      ("ultra-hdr", "adaptive-jpeg is Ultra HDR"), ("gainmap", "adaptive-jpeg is Ultra HDR"),
      ("webp", "take sdr-avif, sdr-jpeg or adaptive-avif"), ("gif", "take sdr-png"),
      ("pq", "there are pq-png, pq-heic"),
      ("mp4", "hdrbatch video"), ("nonsense", "there are adaptive-* (SDR and HDR displays), pq-* (HDR)"),
      ("sdr-jpg", "did you mean \"sdr-jpeg\"?"),
    ])
  func kinds(word: String, says: String) throws {
    try check(Row("render sdr.png -o out --to \(word)", says))
    #expect(try run(["render", "sdr.png", "-o", "out", "--to", word]).errors.utf8.count < 300)
  }

  @Test("other commands answer for their own kinds")
  func otherKinds() throws {
    try check(Row("video a.mov -o b.mp4 --to mp4", "--to has no value \"mp4\"; "))
    try check(Row("pair a b --out c --to jpg", "there are adaptive-jpeg, "))
  }

  @Test(
    "options of other programs are answered by one line",
    arguments: [
      ("--no-gps", "did you mean --metadata no-location?"), ("--strip", "did you mean --metadata none?"),
      ("--crop=10x10", "did you mean --filter crop=aspect:4:5?"), ("--recursive", "folders are taken with all"),
      ("-r", "folders are taken with all"), ("--interlace", "did you mean --progressive?"),
      ("-q", "did you mean --progress none?"), ("--quiet", "did you mean --progress none?"),
      ("-v", "did you mean --explain?"), ("--verbose", "did you mean --explain?"), ("-y", "--on-existing replace"),
      ("--watch", "`hdrbatch watch FOLDER` renders what arrives"), ("--brightness", "color-controls=brightness:0.1"),
      ("--contrast", "color-controls=contrast:1.1"), ("--watermark", "--filter source-over"),
      ("--text", "nothing draws text"), ("--width=20", "did you mean --resize WIDTHx?"),
      ("-quality=80", "did you mean --quality?"), ("-auto-orient", "turned upright without an option"),
      ("-vf scale=100", "did you mean --filter NAME?"), ("--flip", "did you mean --filter flip?"),
      ("--grayscale", "did you mean --filter grayscale?"), ("--gamma=2", "did you mean --filter gamma?"),
      ("--tone-map aces2", "the transforms of ACES 2 are views, as sdr-709"), ("-z", "goes after --"),
      ("--resize 10 --resize 20", "--resize is given twice, as 10 and as 20"), ("-o other", "--out is given twice"),
    ])
  func options(word: String, says: String) throws {
    try check(Row("render sdr.png -o out --to sdr-png \(word)", says))
  }

  @Test(
    "filters of other programs are answered by those here",
    arguments: [
      Row("render sdr.png -o out --to sdr-png --filter brightness=1", "color-controls=brightness:0.1 adds it"),
      Row("render sdr.png -o out --to sdr-png --filter contrast=1", "color-controls=contrast:1.1"),
      Row("render sdr.png -o out --to sdr-png --filter watermark=x", "source-over=mark --input mark=FILE"),
      Row("render sdr.png -o out --to sdr-png --filter text=x", "nothing draws text"),
      Row("filters brightness", "color-controls:", 0), Row("filters watermark", "source-over:", 0),
      Row("filters text", "source-over:", 0),
    ])
  func filters(row: Row) throws { try check(row) }

  @Test("--max-bytes bounds a file")
  func maxBytes() throws {
    let made = try run(["lamps.jpg", "a.jpg", "--to", "sdr-jpeg", "--max-bytes", "9k"])
    #expect(made.status == 0, "\(made.errors)")
    #expect(try folder.bytes("a.jpg").count <= 9 << 10)
  }

  // MARK: Inputs and names

  @Test(
    "patterns of other programs are sequences",
    arguments: ["s.%04d.png", "s.####.png", "s.@@@@.png", "s.$F4.png", "s.[1001-1003x2].png", "s.1001-1003x2#.png"])
  func patterns(pattern: String) throws {
    for number in [1001, 1003] {
      try FileManager.default.copyItem(atPath: folder.path("sdr.png"), toPath: folder.path("s.\(number).png"))
    }
    let named = try run(["render", pattern, "-n", "-o", "out", "--to", "sdr-png"])
    #expect(named.output == "s.1001.png -> out/s.1001.png\ns.1003.png -> out/s.1003.png\n", "\(named.errors)")
    let made = try run(["render", "t.####.png", "-n", "-o", "out", "--to", "sdr-png"])
    #expect(made.status == 64 && made.errors.contains("no such frame is there"), "\(made.errors)")
  }

  @Test(
    "names may have folders, sizes, dates, cameras and digests",
    arguments: [
      ("{dir}/{stem}-{width}x{height}.{ext}", "out/sub/p000-24x16.png"), ("x/{stem}.{ext}", "out/x/p000.png"),
      ("{stem}.{ext}", "out/sub/p000.png"), ("{date}/{stem}-{camera}.{ext}", "out/undated/p000-unknown.png"),
    ])
  func names(template: String, expected: String) throws {
    let named = try run(["render", "in", "-n", "-o", "out", "--to", "sdr-png", "--resize", "24", "--name", template])
    #expect(named.output.contains("p000.png -> \(expected)\n"), "\(named.output) \(named.errors)")
  }

  @Test("{width} is that of the file that is made, whatever cuts and scales it")
  func sizes() throws {
    for (words, size) in [
      (["--resize", "20x20:fill"], "20x20"), (["--resize", "80x20:fill"], "48x12"), (["--resize", "x8"], "12x8"),
      (["--filter", "crop=aspect:1:1"], "32x32"), (["--filter", "rotate90"], "32x48"), ([], "48x32"),
    ] {
      let out = "s" + words.joined().filter(\.isNumber)
      let made = try run(
        ["render", "sdr.png", "-o", out, "--to", "sdr-png", "--name", "{stem}-{width}x{height}.{ext}"] + words)
      #expect(made.status == 0 && folder.files(out) == ["sdr-\(size).png"], "\(folder.files(out)) \(made.errors)")
      let info = try run(["info", out + "/sdr-\(size).png"])
      #expect(info.output.contains(" \(size),") || info.output.contains("shown \(size)"), "\(info.output)")
    }
    try check(
      Row("render sdr.png -n -o o --to sdr-png --filter straighten=5 --name {stem}{width}.{ext}", "not known before"))
  }

  @Test("{digest} changes with the source and with the settings, and with nothing else")
  func digests() throws {
    func name(_ words: [String]) throws -> String {
      try run(["render"] + words + ["-n", "-o", "out", "--to", "sdr-png", "--name", "{digest}.{ext}"]).output
        .split(separator: " ").last.map(String.init) ?? ""
    }
    let one = try name(["sdr.png"])
    #expect(one.wholeMatch(of: #/out/[0-9a-f]{16}\.png\n/#) != nil, "\(one)")
    try FileManager.default.copyItem(atPath: folder.path("sdr.png"), toPath: folder.path("copy.png"))
    #expect(try name(["copy.png"]) == one)
    #expect(try name(["lamps.jpg"]) != one)
    #expect(try name(["sdr.png", "--resize", "8"]) != one)
  }

  @Test(
    "names that lead elsewhere or say nothing are refused",
    arguments: [
      ("/tmp/{stem}.{ext}", "it is a path below --out"), ("../{stem}.{ext}", "without . and .."),
      ("{width}.{ext}", "needs {stem}, {name}, {digest} or {frame}"), ("{size}.{ext}", "{width} {height} {date}"),
    ])
  func badNames(template: String, says: String) throws {
    try check(Row("render sdr.png -n -o out --to sdr-png --name \(template)", says))
  }

  @Test("--relative-to keeps the folders of files in lists")
  func lists() throws {
    try FileManager.default.createDirectory(atPath: folder.path("in/b"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: folder.path("in/sub/p000.png"), toPath: folder.path("in/b/p000.png"))
    _ = try folder.file("list", "in/sub/p000.png\n./in/b/p000.png\n" + folder.path("in/p001.png") + "\n")
    let words = ["render", "@-", "-o", "out", "--to", "sdr-png"]
    let flat = try run(words, input: "list")
    #expect(flat.status == 64 && flat.errors.contains("p000.png"), "\(flat.errors)")
    let kept = try run(words + ["--relative-to", "in"], input: "list")
    #expect(kept.status == 0, "\(kept.errors)")
    #expect(folder.files("out") == ["b/p000.png", "p001.png", "sub/p000.png"])
    let outside = try run(["render", "sdr.png", "-n", "-o", "o", "--to", "sdr-png", "--relative-to", "in"])
    #expect(outside.status == 64 && outside.errors.contains("--relative-to names"), "\(outside.errors)")
  }

  // MARK: Pipes

  @Test("- is a file in and a named file out, and info reads it")
  func pipes() throws {
    let made = try run(["render", "-", "-o", "web/a.jpg", "--to", "sdr-jpeg"], input: "lamps.jpg")
    #expect(made.status == 0 && made.errors.isEmpty, "\(made.errors)")
    let file = try run(["render", "lamps.jpg", "-o", "b.jpg", "--to", "sdr-jpeg"])
    #expect(file.status == 0)
    #expect(try folder.bytes("web/a.jpg") == folder.bytes("b.jpg"))
    let info = try run(["info", "-"], input: "web/a.jpg")
    #expect(info.status == 0 && info.output.hasPrefix("-: JPEG "), "\(info.output)")
    let again = try run(["-", "web/a.jpg", "--to", "sdr-jpeg"], input: "lamps.jpg")
    #expect(again.status == 64 && again.errors.contains("exists already"), "\(again.errors)")
    let broken = try run(["-", "c.jpg", "--to", "sdr-jpeg"], input: "list-that-is-not-there")
    #expect(broken.status == 65 && !folder.files().contains("c.jpg"), "\(broken.errors)")
    let unsaid = try run(["-", "c.jpg"], input: "lamps.jpg")
    #expect(unsaid.status == 64 && unsaid.errors.contains("say --to: .jpg files are adaptive-jpeg"), "\(unsaid.errors)")
    #expect(folder.files("web") == ["a.jpg"])
  }

  @Test("a pipe says nothing but faults")
  func silentPipes() throws {
    let made = try run(["render", "sdr.png", "-o", "-", "--to", "sdr-jpeg"])
    #expect(made.status == 0 && made.errors.isEmpty, "\(made.errors)")
  }

  @Test("frames of a pipe go into one file")
  func frames() throws {
    let words = ["--to", "sdr-y4m:yuv420p", "--resize", "16x16:stretch"]
    let stream = try run(["render", "in", "sdr.png", "-o", "-"] + words)
    #expect(stream.status == 0, "\(stream.errors)")
    try FileManager.default.moveItem(atPath: folder.path(".stdout"), toPath: folder.path("frames.y4m"))
    let made = try run(
      ["render", "-", "-o", "out.y4m", "--to", "sdr-y4m:yuv420p", "--cicp", "1/13/1"], input: "frames.y4m")
    #expect(made.status == 0 && made.errors.isEmpty, "\(made.errors)")
    #expect(try folder.bytes("out.y4m") == folder.bytes("frames.y4m"))
  }

  // MARK: Help

  @Test("render --help is one screen, and --help-all has every option")
  func help() throws {
    let brief = try run(["render", "--help"]).output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(brief.count <= 60 && brief.allSatisfy { $0.count <= 100 }, "\(brief.count)")
    let text = brief.joined(separator: "\n")
    for word in [
      "--out", "--to", "--resize", "--quality", "--metadata", "--headroom", "--filter", "--resume", "--help-all",
    ] {
      #expect(text.contains(word), "\(word)")
    }
    #expect(text.components(separatedBy: "\n  hdrbatch render").count == 4)
    let all = try run(["render", "--help-all"]).output
    for word in ["--max-worker-memory", "--relative-to", "--null"] { #expect(all.contains(word), "\(word)") }
    for words in [["version"], ["-v"], ["--version"]] { #expect(try run(words).output == "0.1.0\n") }
  }

  // MARK: First tries

  /// Signals have tests of their own (`SignalTests`), and so have samples of Python and Swift.
  @Test("what newcomers tried first is answered")
  func firstTries() throws {
    _ = try folder.file("look.yaml", "steps: [{exposure: {ev: 1}}]\noutputs: [{to: sdr-png}]\n")
    _ = try folder.file("list0", Array("in/p001.png\0in/p002.png\0".utf8))
    _ = try folder.file("a.gif", "GIF89a..........")
    _ = try folder.file("text.jpg", "hello")
    try FileManager.default.copyItem(atPath: Self.lamps, toPath: folder.path("-dash.jpg"))
    let rows = [
      Row("render lamps.jpg -o r/2 --to adaptive-jpeg --resize 64 --metadata no-location", "1 rendered", 0),
      Row("render sdr.png lamps.jpg -o r/3 --to adaptive-jpeg --if-sdr skip", "1 rendered, 1 skipped", 0),
      Row("info in lamps.jpg --csv", "gain-map (iso)", 0),
      Row("render sdr.png lamps.jpg -o r/5 --to sdr-png --only hdr", "1 rendered, 1 skipped", 0),
      Row("render sdr.png -o r/6 --to sdr-png --filter crop=aspect:1:1", "1 rendered", 0),
      Row("filters blur", "gaussian-blur:", 0),
      Row("render sdr.png -o r/7 --recipe look.yaml --set exposure.ev=0.5", "1 rendered", 0),
      Row("render -dash.jpg -o r/8 --to sdr-jpeg", "goes after --"),
      Row("render -o r/8 --to sdr-jpeg -- -dash.jpg", "1 rendered", 0),
      Row("render @list0 -o r/9 --to sdr-png --null", "2 rendered", 0),
      Row("render text.jpg -o r/10 --to sdr-jpeg", "found a text", 65),
      Row("status r/10 --failed", "hdrbatch reproduce --digest", 0),
      Row("render r in -n -o r/11 --to sdr-png", "of earlier runs left out", 0),
      Row("render a.gif -o r/12 --to sdr-png", "GIF", 65),
      Row("render sdr.png -o r/13 --to sdr-png --qualty 80", "did you mean --quality?"),
      Row("render lamps.jpg -o . --to sdr-jpeg", "would be written over the input"),
      Row("render sdr.png -o r/15 --to sdr-png --name {operator}.{ext}", "no field {operator}"),
      Row("completion bash", "complete -o default", 0), Row("man", ".TH", 0),
      Row("render sdr.png -o r/20 --to sdr-png --gallery", "1 items in ", 0),
    ]
    for row in rows { try check(row) }
  }
}
