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

  func inputs(_ names: [String] = [""]) throws -> [InputReference] {
    let files = try InputCollector.collect(names.map { folder.path("in/" + $0) })
    return try PictureCollector.expand(files, limits: DecodeLimits(), codecs: InProcessCodecs())
  }

  func plan(_ inputs: [InputReference], _ name: String = "{stem}.{ext}") throws -> [BatchItem] {
    try OutputNaming.make(
      inputs, out: FilePath(folder.path("out")), traits: NameTraits(.sdrPNG), template: try NameTemplate(name),
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
    #expect(throws: UsageError.self) {
      try NameTemplate("{stem}-{image}.{ext}").name(for: InputReference(FilePath("a")))
    }
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
    let nameRules = [
      NameRule(NameTraits(.sdrPNG), try NameTemplate("{stem}.{ext}")),
      NameRule(NameTraits(.pqPNG), try NameTemplate("{stem}-{image}-pq.{ext}")),
    ]
    let items = try OutputNaming.make(
      try inputs(["two.heif", "one.png"]), out: FilePath(folder.path("out")), outputs: nameRules, onExisting: .fail)
    let written = Manifest(
      items, folder: FilePath(folder.path("")), out: FilePath("out"), recipe: recipe, recipeDigest: Digest(of: []))
    let read = try Manifest(parsing: try written.readableBytes(), name: "m")
    #expect(read == written && read.rows.map(\.image) == [nil, nil, 1, 1, 2, 2])
    #expect(read.rows.map(read.inputs()).map { $0.picture?.number } == [nil, nil, 1, 1, 2, 2])
    #expect(read.rows.last?.output.display == "two-2-pq.png")
    // Shards take whole pictures.
    let shard = try OutputNaming.make(
      read, .strided(index: 1, count: 3), out: FilePath("out"), outputs: nameRules, onExisting: .replace)
    #expect(shard.map { $0.input.picture?.number } == [1, 1])
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
