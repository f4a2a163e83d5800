import BatchEngine
import Foundation
import HDRCore
import HDRRecipe
import HDRRender
import ImageFiles
import TestSupport
import Testing

@Suite struct OutputNamingTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func plan(
    _ names: [String], kind: OutputKind = .pqPNG, name: String = "{stem}.{ext}", onExisting: OnExisting = .fail,
    asFolder: Bool = false
  ) throws -> [BatchItem] {
    for name in names where !FileManager.default.fileExists(atPath: folder.path("in/" + name)) {
      try folder.file("in/" + name)
    }
    let inputs = try InputCollector.collect(asFolder ? [folder.path("in")] : names.map { folder.path("in/" + $0) })
    return try OutputNaming.make(
      inputs, out: FilePath(folder.path("out")), traits: NameTraits(kind), template: try NameTemplate(name),
      onExisting: onExisting)
  }

  @Test(arguments: [
    ("{stem}.{ext}", "photo.v2.png"), ("{name}.{ext}", "photo.v2.jpg.png"),
    ("{parent}-{stem}.{ext}", "in-photo.v2.png"),
    ("{stem}_{target}.{ext}", "photo.v2_pq-png.png"), ("x{stem}", "xphoto.v2"),
  ])
  func templatesNameOutputs(template: String, name: String) throws {
    #expect(try plan(["photo.v2.jpg"], name: template)[0].relativeOutput.display == name)
  }

  @Test(arguments: [
    "{stem", "stem}", "{nothing}.{ext}", "fixed.{ext}", "../{stem}", "a/{stem}", "{stem}\n", "{}{stem}",
  ])
  func badTemplatesAreRefused(template: String) {
    #expect(throws: UsageError.self) { try NameTemplate(template) }
  }

  @Test func subFoldersAreKept() throws {
    let items = try plan(["a/x.jpg", "b/x.jpg"], asFolder: true)
    #expect(items.map(\.relativeOutput.display) == ["a/x.png", "b/x.png"])
    #expect(items[1].output.display == folder.path("out/b/x.png"))
  }

  /// Names of two inputs, and what the message must offer.
  @Test(arguments: [
    (["a.jpg", "a.heic"], "--name '{name}.{ext}'"), (["x/a.jpg", "y/a.jpg"], "--name '{parent}-{stem}.{ext}'"),
    (["a.jpg", "A.heic"], "--name '{name}.{ext}'"), (["a.jpg", "A.JPG"], "two --out folders"),
    (["e\u{301}.jpg", "\u{E9}.heic"], "--name '{name}.{ext}'"),
  ])
  func promise17_collisionsNameBothAndTheWayOut(names: [String], offer: String) throws {
    let error = #expect(throws: UsageError.self) { try plan(names) }
    let text = error?.description ?? ""
    for name in names { #expect(text.contains(FilePath(folder.path("in/" + name)).display)) }
    #expect(text.contains(offer))
  }

  @Test func theOfferedNameWorks() throws {
    #expect(
      try plan(["a.jpg", "a.heic"], name: "{name}.{ext}").map(\.relativeOutput.display)
        == ["a.jpg.png", "a.heic.png"])
    #expect(
      try plan(["x/a.jpg", "y/a.jpg"], name: "{parent}-{stem}.{ext}").map(\.relativeOutput.display)
        == ["x-a.png", "y-a.png"])
  }

  @Test func anInputIsNeverAnOutputUnderAnyName() throws {
    let source = try folder.file("in/a.png")
    try FileManager.default.createDirectory(atPath: folder.path("out"), withIntermediateDirectories: true)
    try FileManager.default.linkItem(atPath: source, toPath: folder.path("out/a.png"))
    for rule in OnExisting.allCases {
      let error = #expect(throws: UsageError.self) { try plan(["a.png"], onExisting: rule) }
      #expect(error?.description.contains("would be written over the input") == true)
    }
    // The sidecar counts too.
    try folder.file("in/b.rgba16f.json")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("out/b.rgba16f.json"), withDestinationPath: folder.path("in/b.rgba16f.json"))
    #expect(throws: UsageError.self) {
      try OutputNaming.make(
        try InputCollector.collect([try folder.file("in/b.jpg"), folder.path("in/b.rgba16f.json")]),
        out: FilePath(folder.path("out")), traits: NameTraits(.rgba16f), template: try NameTemplate("{stem}.{ext}"),
        onExisting: .replace)
    }
  }

  @Test func existingOutputsStopBeforeWorkUnlessToldOtherwise() throws {
    try folder.file("out/a.png")
    let error = #expect(throws: UsageError.self) { try plan(["a.jpg", "b.jpg"]) }
    #expect(error?.description.contains("--on-existing replace") == true)
    #expect(try plan(["a.jpg", "b.jpg"], onExisting: .skip).map(\.isSkipped) == [true, false])
    #expect(try plan(["a.jpg", "b.jpg"], onExisting: .replace).map(\.isSkipped) == [false, false])
  }

  @Test func namesAreNotLongerThanTheDiskTakes() throws {
    let error = #expect(throws: UsageError.self) {
      try plan([String(repeating: "n", count: 250) + ".jpg"], name: "{name}.{ext}")
    }
    #expect(error?.description.contains("255") == true)
  }
}
