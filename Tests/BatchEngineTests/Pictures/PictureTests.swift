import BatchEngine
import CodecService
import Foundation
import HDRCore
import HDRRecipe
import HDRRender
import ImageFiles
import PlainData
import TestEngine
import TestFiles
import TestSupport
import Testing

/// `--image all`: every picture of a file becomes an item with an output of its own.
@Suite(.enabled(if: codecLibraries().contains { $0.name == "libtiff" && $0.version != nil }, "skipped: no libtiff"))
struct PictureTests {
  let folder: TemporaryFolder
  init() throws {
    folder = try TemporaryFolder()
    try SeveralPictures.write(into: folder)
  }

  func inputs(_ names: [String] = [""]) throws -> [InputItem] {
    let files = try InputCollector.collect(names.map { folder.path("in/" + $0) })
    return try PictureCollector.expand(files, limits: DecodeLimits(), codecs: InProcessCodecs())
  }

  func plan(_ inputs: [InputItem], _ name: String = "{stem}.{ext}") throws -> [BatchItem] {
    try OutputPlan.make(
      inputs, out: FilePath(folder.path("out")), form: OutputForm(.sdrPNG), template: try NameTemplate(name),
      onExisting: .fail)
  }

  @Test func everyPictureIsAnInputAndTheRestStays() throws {
    let names = try inputs().map { input in
      String(decoding: input.path.name, as: UTF8.self) + (input.picture.map { " \($0.number) \($0.text)" } ?? "")
    }
    #expect(
      names == [
        "bad.tif", "layers.exr 1 main", "layers.exr 2 Z", "layers.exr 3 key", "one.png", "pages.tif 1 front_cover",
        "pages.tif 3 3", "pages.tif 4 4", "single.exr", "two.heif 1 1", "two.heif 2 2",
      ])
  }

  @Test func picturesHaveNamesOfTheirOwn() throws {
    func names(_ template: String) throws -> [String] {
      try plan(try inputs(["one.png", "pages.tif"]), template).map(\.relativeOutput.display)
    }
    #expect(try names("{stem}.{ext}") == ["one.png", "pages-front_cover.png", "pages-3.png", "pages-4.png"])
    #expect(try names("{image}_{stem}.{ext}").first == "1_one.png")
    let error = #expect(throws: UsageError.self) { try names("x-{stem}.{ext}") }
    #expect(error?.description.contains("pages.tif, image 1 and") == true)
    #expect(error?.description.contains("{stem}-{image}.{ext}") == true)
    #expect(throws: UsageError.self) { try NameTemplate("{stem}-{image}.{ext}").name(for: InputItem(FilePath("a"))) }
    // A file that is called as a picture of another.
    try SmallPictures.png(2).write(to: folder.url.appendingPathComponent("in/pages-3.png"))
    let other = #expect(throws: UsageError.self) { try plan(try inputs()) }
    #expect(other?.description.contains("pages-3.png") == true && other?.description.contains("{name}-{image}") == true)
  }

  @Test(
    arguments: [
      (["a", nil, "b"], ["a", "2", "b"]), (["a", "A", nil], ["1", "2", "3"]), (["2", nil], ["1", "2"]),
      (["left/fog", "x:y z", "..", "Weiß-1.5"], ["left_fog", "x_y_z", "3", "Weiß-1.5"]),
      ([nil, String(repeating: "n", count: 65)], ["1", "2"]),
      (["a/b", "a:b"], ["1", "2"]), ([String?](repeating: nil, count: 10), (1...9).map { "0\($0)" } + ["10"]),
    ] as [([String?], [String])])
  func namesAreMadeSafe(names: [String?], texts: [String]) {
    let all = names.map { FilePicture(name: $0, width: 1, height: 1) }
    #expect(PictureCollector.texts(of: all, all.numbers) == texts)
  }

  @Test func manifestsKeepPictures() throws {
    var recipe = Recipe()
    recipe.outputs = [Recipe.Output("sdr-png"), Recipe.Output("pq-png", name: "{stem}-{image}-pq.{ext}")]
    try recipe.settings.set(Settings.reading.image, "all")
    let forms = [
      NamedForm(OutputForm(.sdrPNG), try NameTemplate("{stem}.{ext}")),
      NamedForm(OutputForm(.pqPNG), try NameTemplate("{stem}-{image}-pq.{ext}")),
    ]
    let items = try OutputPlan.make(
      try inputs(["two.heif", "one.png"]), out: FilePath(folder.path("out")), outputs: forms, onExisting: .fail)
    let written = Manifest(
      items, folder: FilePath(folder.path("")), out: FilePath("out"), recipe: recipe, recipeDigest: Digest(of: []))
    let read = try Manifest(parsing: try written.readableBytes(), name: "m")
    #expect(read == written && read.rows.map(\.image) == [nil, nil, 1, 1, 2, 2])
    #expect(read.rows.map(read.inputs()).map { $0.picture?.number } == [nil, nil, 1, 1, 2, 2])
    #expect(read.rows.last?.output.display == "two-2-pq.png")
    // Shares take whole pictures.
    let share = try OutputPlan.make(
      read, .strided(index: 1, count: 3), out: FilePath("out"), outputs: forms, onExisting: .replace)
    #expect(share.map { $0.input.picture?.number } == [1, 1])
    let text = String(decoding: read.bytes, as: UTF8.self)
    for wrong in ["\"image\":2", "\"image\":0"] {
      #expect(throws: UsageError.self) {
        try Manifest(parsing: Array(text.replacing("\"image\":1", with: wrong).utf8), name: "m")
      }
    }
  }

  @Test func filesThatWerePlannedAsOnePictureAreNotRenderedAsOne() throws {
    var text = RecipeText()
    text.recipe.outputs = [Recipe.Output("sdr-png")]
    try text.recipe.settings.set(Settings.reading.image, "all")
    let files = try InputCollector.collect([folder.path("in/pages.tif"), folder.path("in/one.png")])
    var options = try PreparedRecipe(
      text, inputs: files, limits: DecodeLimits(), isolation: IsolationOptions(.none)
    ).options
    options.backend = .cpu
    let log = EventLog()
    _ = try BatchRunner(try plan(files), options, codecs: InProcessCodecs()) { log.add($0) }.run()
    #expect(log.records.map(\.code) == ["input.pictures", nil])
    #expect(log.records.first?.message?.contains("3 pictures") == true)
  }

  @Test func aPictureThatCrashedTheDecoderIsLeftOutAndNotItsFile() throws {
    let digest = Digest(of: [1]), recipe = Digest(of: [2])
    func row(_ image: Int, _ status: String, _ code: JSON) -> [UInt8] {
      Journal.line([
        "type": "item", "id": .string("\(image)"), "input": "a.tif", "image": .int(image), "status": .string(status),
        "code": code, "format": "tiff", "inputDigest": .string(digest.hex), "bytesIn": .int(7),
      ])
    }
    let head = Journal.line([
      "type": "header", "version": .string(hdrbatchVersion), "recipeDigest": .string(recipe.hex), "durability": "file",
    ])
    let bytes = head + row(2, "failed", "codec.crashed") + row(3, "ok", .null)
    let quarantine = try JournalIndex([Journal(parsing: bytes, name: "j")]).quarantine
    #expect(quarantine.entries.map(\.image) == [2])
  }

  @Test func allIsOfAllOutputs() throws {
    var recipe = Recipe()
    recipe.outputs = [Recipe.Output("sdr-png"), Recipe.Output("pq-png", name: "{stem}-pq.{ext}")]
    try recipe.outputs[1].settings.set(Settings.reading.image, "all")
    #expect(throws: UsageError.self) { try RecipeText(recipe).check() }
    try recipe.outputs[1].settings.set(Settings.reading.image, "2")
    try RecipeText(recipe).check()
    try recipe.settings.set(Settings.reading.image, "all")
    #expect(throws: UsageError.self) { try RecipeText(recipe).check() }
  }
}

/// Tests files with several pictures through the built program.
@Suite(
  .enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"),
  .enabled(if: codecLibraries().contains { $0.name == "libtiff" && $0.version != nil }, "skipped: no libtiff"))
struct PictureProgramTests {
  let folder: TemporaryFolder
  init() throws {
    folder = try TemporaryFolder()
    try SeveralPictures.write(into: folder)
  }

  static let outputs = [
    "layers-Z.png", "layers-key.png", "layers-main.png", "one.png", "pages-3.png", "pages-4.png",
    "pages-front_cover.png", "single.png", "two-1.png", "two-2.png",
  ]
  static let quick = ["--backend", "cpu", "--isolation", "none"]

  func bytes(_ name: String) -> Data? { FileManager.default.contents(atPath: folder.path(name)) }

  func render(_ out: String, _ words: String...) throws -> Program.Result {
    try Program.run(
      ["render", folder.path("in"), "-o", folder.path(out), "--to", "sdr-png", "--image", "all"] + Self.quick + words)
  }

  @Test func aFolderIsRenderedPictureByPicture() throws {
    let result = try render("out", "--record", folder.path("r.jsonl"))
    #expect(result.status == 65, "\(result.errors)")
    #expect(folder.files("out") == Self.outputs)
    let rows = try recordLines(folder.path("r.jsonl")).filter { $0["type"] as? String == "item" }
    #expect(rows.count == 11 && rows.filter { $0["status"] as? String == "failed" }.count == 1)
    let key = try #require(rows.first { ($0["output"] as? String)?.hasSuffix("layers-key.png") == true })
    #expect(key["image"] as? Int == 3 && key["imageName"] as? String == "key")
    let one = try #require(rows.first { ($0["output"] as? String)?.hasSuffix("one.png") == true })
    #expect(one["image"] is NSNull && one["imageName"] is NSNull)
    // The same as one by one, whatever the names are.
    for (file, image, name) in [("pages.tif", "4", "pages-4"), ("layers.exr", "key", "layers-key")] {
      let alone = try Program.run(
        [
          "render", folder.path("in/" + file), "-o", folder.path(name), "--to", "sdr-png", "--image", image,
        ] + Self.quick)
      #expect(alone.status == 0, "\(alone.errors)")
      #expect(bytes("\(name)/\(file.prefix { $0 != "." }).png") == bytes("out/\(name).png"))
    }
  }

  @Test func manifestsAndResumedRunsMakeTheSame() throws {
    #expect(try render("out").status == 65)
    let manifest = folder.path("m.jsonl")
    let planned = try Program.run([
      "plan", folder.path("in"), "--to", "sdr-png", "--image", "all", "--out", folder.path("again"), "-o", manifest,
    ])
    #expect(planned.status == 0, "\(planned.errors)")
    func run(_ words: String...) throws -> Program.Result {
      try Program.run(["run", "--manifest", manifest] + Self.quick + words)
    }
    // Half of the pictures of two files.
    #expect(try run("--items", "1-5").status == 0)
    #expect(
      folder.files("again") == ["layers-Z.png", "layers-key.png", "layers-main.png", "one.png"] + [Self.outputs[6]])
    let resumed = try run("--resume", "--record", folder.path("r.jsonl"))
    #expect(resumed.status == 65, "\(resumed.errors)")
    let rows = try recordLines(folder.path("r.jsonl")).filter { $0["type"] as? String == "item" }
    #expect(rows.filter { $0["code"] as? String == "batch.done" }.count == 5)
    #expect(folder.files("again") == Self.outputs)
    for name in Self.outputs { #expect(bytes("again/" + name) == bytes("out/" + name), "\(name)") }
  }

  @Test(
    "a picture that crashes the decoder has its name and number in outputs, record, status and quarantine",
    .enabled(if: HostileCodec.url != nil, "skipped: the programs are not built beside the tests"))
  func aCrashIsOfOnePicture() throws {
    let manifest = folder.path("m.jsonl"), record = folder.path("r.jsonl")
    let planned = try Program.run([
      "plan", folder.path("in/layers.exr"), "--to", "rgba16f", "--image", "all", "--out", folder.path("out"), "-o",
      manifest,
    ])
    #expect(planned.status == 0, "\(planned.errors)")
    func run(_ words: String..., codec: String? = nil) throws -> [[String: Any]] {
      let result = try Program.run(
        ["run", "--manifest", manifest, "--backend", "cpu", "--progress", "none", "--record", record] + words,
        environment: codec.map { ["HDRBATCH_CODEC": $0] } ?? [:])
      #expect(result.status == (words.contains("--retry-quarantined") ? 0 : 65), "\(result.errors)")
      return try recordLines(record).filter { $0["type"] as? String == "item" }
        .sorted { ($0["index"] as? Int ?? 0) < ($1["index"] as? Int ?? 0) }
    }
    func codes(_ rows: [[String: Any]]) -> [String] { rows.map { $0["code"] as? String ?? "" } }
    let crashing = try HostileCodec.program("picture", in: folder).display
    let first = try run(codec: crashing)
    #expect(first.map { $0["image"] as? Int } == [1, 2, 3] && codes(first) == ["", "", "codec.crashed"])
    // What died did not say how its picture is called.
    #expect(first.map { $0["imageName"] as? String } == ["main", "Z", nil])
    #expect((first.last?["output"] as? String)?.hasSuffix("/layers-key.rgba16f") == true)
    let others = ["layers-Z.rgba16f", "layers-Z.rgba16f.json", "layers-main.rgba16f", "layers-main.rgba16f.json"]
    #expect(folder.files("out") == others)
    let status = try Program.run(["status", "--manifest", manifest])
    #expect(
      status.output.contains("not tried again by --resume   layers.exr, image 3: codec.crashed"), "\(status.output)")
    let resumed = try run("--resume")
    #expect(codes(resumed) == ["batch.done", "batch.done", "codec.quarantined"])
    #expect(resumed.last?["image"] as? Int == 3 && folder.files("out") == others)
    // The sidecar beside each picture has its name, and describes it.
    #expect(codes(try run("--resume", "--retry-quarantined")) == ["batch.done", "batch.done", ""])
    #expect(folder.files("out") == (others + ["layers-key.rgba16f", "layers-key.rgba16f.json"]).sorted())
    let again = try Program.run(
      ["render", folder.path("out/layers-key.rgba16f"), "-o", folder.path("again"), "--to", "rgba16f"] + Self.quick)
    #expect(again.status == 0, "\(again.errors)")
    #expect(bytes("again/layers-key.rgba16f") == bytes("out/layers-key.rgba16f"))
    #expect(bytes("out/layers-key.rgba16f") != bytes("out/layers-main.rgba16f"))
  }

  @Test func whatHasNoPicturesRefusesThem() throws {
    let file = folder.path("in/two.heif"), out = folder.path("x.jpg")
    for (words, text) in [
      (["pair", file, file, "-o", out, "--image", "all"], "--image all"),
      (["render", file, "-o", folder.path("x"), "--to", "sdr-png", "--name", "{stem}-{image}.{ext}"], "--image all"),
    ] {
      let result = try Program.run(words)
      #expect(result.status == 64 && result.errors.contains(text), "\(result.errors)")
    }
    let dry = try render("out", "--dry-run")
    #expect(dry.status == 0 && dry.output.contains("two.heif, image 2 -> "))
    let info = try Program.run(["info", file, "--image", "all", "--isolation", "none"])
    #expect(info.status == 0 && info.output.contains("12x8") && info.output.contains("image 2   * 14x8"))
  }
}
