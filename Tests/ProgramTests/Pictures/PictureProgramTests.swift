import Foundation
import ImageFiles
import TestFiles
import TestSupport
import Testing

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
    // Each output has the bits of a render of that picture alone, whatever its name is.
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
    // The process died before it could name its picture.
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
