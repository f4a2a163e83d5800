import BatchEngine
import Foundation
import PlainData
import TestFiles
import TestSupport
import Testing

/// `--resume` after the recipe has changed: what it changes is made again, and nothing else.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct ResumedRecipeTests {
  let folder: TemporaryFolder
  init() throws {
    folder = try TemporaryFolder()
    try SmallPictures.write(3, into: folder)
  }

  /// Renders all, and gives the names of the outputs that were written, and the messages.
  private func render(_ recipe: String, _ words: [String] = ["--resume"]) throws -> (made: [String], errors: String) {
    let path = try folder.file("r.yaml", recipe), record = folder.path("r.jsonl")
    let run = try Program.run(
      ["render", folder.path("in"), "-o", folder.path("out"), "--backend", "cpu", "--recipe", path, "--record", record]
        + words)
    #expect(run.status == 0, "\(run.errors)")
    let rows = try recordLines(record).filter {
      $0["type"] as? String == "item" && $0["status"] as? String != "skipped"
    }
    return (
      rows.compactMap { ($0["output"] as? String).map { URL(fileURLWithPath: $0).lastPathComponent } }.sorted(),
      run.errors
    )
  }

  private func journals() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: folder.url.appendingPathComponent("out/.hdrbatch/journal"), includingPropertiesForKeys: nil)
  }

  static let jpegs = ["p000.jpg", "p001.jpg", "p002.jpg"], pngs = ["p000.png", "p001.png", "p002.png"]
  static let plain = "outputs: [{to: sdr-jpeg}, {to: sdr-png}]"

  @Test("of a recipe's outputs those are made again that changed, and a line says how many")
  func oneOutput() throws {
    #expect(try render(Self.plain).made.count == 6)
    let quality = "outputs: [{to: sdr-jpeg, quality: 50}, {to: sdr-png}]", changed = try render(quality)
    #expect(changed.made == Self.jpegs)
    #expect(changed.errors.contains("notice: recipe changed: 3 of 6 are made again"), "\(changed.errors)")
    let same = try render(quality)
    #expect(same.made == [] && !same.errors.contains("made again"), "\(same.errors)")
    // A setting of the recipe that one output alone has, and a new output.
    let more = "quality: 60\noutputs: [{to: sdr-jpeg}, {to: sdr-png}, {to: sdr-tiff}]"
    #expect(try render(more).made == (Self.jpegs + ["p000.tif", "p001.tif", "p002.tif"]).sorted())
    // Steps of one output, then of all.
    let step = "quality: 60\noutputs: [{to: sdr-jpeg}, {to: sdr-png, steps: [flip]}, {to: sdr-tiff}]"
    #expect(try render(step).made == Self.pngs)
    #expect(
      try render("steps: [{exposure: {ev: 1}}]\n" + Self.plain).errors.contains("recipe changed: 6 of 6 are made again")
    )
  }

  @Test("what decides no pixel of an output makes nothing again")
  func names() throws {
    try folder.file("mark.cube", "LUT_1D_SIZE 2\n0 0 0\n1 1 1\n")
    #expect(try render(Self.plain).made.count == 6)
    // The name of a step, the order of outputs, an override of other inputs.
    let other = "outputs: [{to: sdr-png}, {to: sdr-jpeg}]\noverrides: [{match: 'x*', quality: 3}]"
    #expect(try render(other).made == [])
    let own = "outputs: [{to: sdr-png}, {to: sdr-jpeg}]\noverrides: [{match: 'p001*', quality: 3}]"
    #expect(try render(own).made == ["p001.jpg"])
  }

  @Test("a second picture that changed makes those outputs again that show it")
  func secondPicture() throws {
    let recipe = """
      inputs: {mark: mark.png}
      outputs: [{to: sdr-jpeg}, {to: sdr-png, steps: [{source-over: {input: mark}}]}]
      """
    try SmallPictures.png(7).write(to: folder.url.appendingPathComponent("mark.png"))
    #expect(try render(recipe).made.count == 6)
    try SmallPictures.png(8).write(to: folder.url.appendingPathComponent("mark.png"))
    #expect(try render(recipe).made == Self.pngs)
  }

  @Test("back at an earlier recipe, the files of the later one are not taken for its own")
  func backAgain() throws {
    func of(_ ev: Int) -> String { "steps: [{exposure: {ev: \(ev)}}]\noutputs: [{to: rgba16f}]" }
    #expect(try render(of(1)).made.count == 3)
    let first = try Data(contentsOf: folder.url.appendingPathComponent("out/p001.rgba16f"))
    // Of the same size.
    #expect(try render(of(2)).made.count == 3)
    let back = try render(of(1))
    #expect(back.made.count == 3 && back.errors.contains("recipe changed: 3 of 3"), "\(back.errors)")
    #expect(try Data(contentsOf: folder.url.appendingPathComponent("out/p001.rgba16f")) == first)
  }

  @Test("journals without digests of outputs know the recipe as a whole")
  func olderJournals() throws {
    #expect(try render(Self.plain).made.count == 6)
    for file in try journals() {
      let rows = try recordLines(file.path).map { row in
        String(decoding: try JSONSerialization.data(withJSONObject: row), as: UTF8.self)
      }
      var bytes: [UInt8] = []
      for row in rows {
        guard case .object(let fields) = try JSON(parsing: Array(row.utf8)) else { continue }
        bytes += Journal.line(.object(fields.filter { !["settingsDigest", "crc"].contains($0.key) }))
      }
      try Data(bytes).write(to: file)
    }
    #expect(try render(Self.plain).made == [])
    let changed = try render("outputs: [{to: sdr-jpeg, quality: 50}, {to: sdr-png}]")
    #expect(changed.made.count == 6)
    #expect(changed.errors.contains("recipe changed: 6 of 6 are made again"), "\(changed.errors)")
  }
}
