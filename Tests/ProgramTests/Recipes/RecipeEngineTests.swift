import BatchEngine
import CPURender
import Foundation
import HDRCore
import HDRPlan
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// Tests recipes beyond common steps: steps of one output, of one rendition, values by the picture, no picture at all.
@Suite(.enabled(if: Program.url != nil && SharedData.hasImages, "skipped: no program or no data"))
struct RecipeEngineTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// An SDR base with a gain map, 600x400.
  var photo: String {
    SharedData.root.appendingPathComponent("data/images/gainmap_jpeg/small_uhdr.jpg").path
  }

  @discardableResult
  func render(_ recipe: String, _ words: [String] = [], _ out: String = "out") throws -> [[String: Any]] {
    let path = try folder.file("r.yaml", recipe), record = folder.path("\(out).jsonl")
    let result = try Program.run(
      ["render", "--recipe", path, "--out", folder.path(out), "--backend", "cpu", "--record", record] + words)
    #expect(result.status == 0, "\(result.errors)")
    return try recordLines(record).filter { $0["type"] as? String == "item" }
  }

  func refused(_ recipe: String, _ words: [String] = []) throws -> String {
    let path = try folder.file("r.yaml", recipe)
    let result = try Program.run(["render", "--recipe", path, "--out", folder.path("refused")] + words)
    #expect(result.status == 64)
    #expect(folder.files("refused").isEmpty)
    return result.errors
  }

  func edits(_ item: [String: Any]) -> [String] {
    (item["edits"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
  }

  /// Mean light of a file at a headroom.
  func mean(_ path: String, _ headroom: Headroom) throws -> Double {
    let source = try decodeImage([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
    let recipe = RenderRecipe(
      target: OutputSignal(primaries: 9, encoding: .linear, sink: .rgba16f), display: .headroom(headroom), tone: .none,
      gamut: .none)
    let image = CPUBackend.best.render(try Planner.plan(source, recipe), threads: 2)
    var sum = 0.0
    for plane in image.channels {
      for y in 0..<image.height {
        for x in 0..<image.width {
          let code = (plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes).load(as: UInt16.self)
          sum += Double(Float(Float16(bitPattern: code)))
        }
      }
    }
    return sum / Double(3 * image.width * image.height)
  }

  @Test("an output's own steps come after the common ones and are its alone") func ownSteps() throws {
    let items = try render(
      """
      steps: [{exposure: {ev: 1}}]
      outputs:
        - {to: pq-png, steps: [{crop: {rect: [0, 0, 30, 20]}}, flip]}
        - {to: sdr-png, name: '{stem}-sdr.{ext}'}
      """, [photo, "--filter", "gaussianBlur=radius:1"])
    #expect(items.map(edits) == [["exposure", "gaussian-blur", "crop", "flip"], ["exposure", "gaussian-blur"]])
    #expect(items.map { $0["width"] as? Int } == [30, 600])
  }

  @Test("an expression is worked out for each picture and output") func expressions() throws {
    let items = try render(
      """
      steps:
        - crop: {rect: [0, 0, "=width / 4", "=min(height, 50)"]}
        - exposure: {ev: "=headroom - 1"}
      outputs:
        - {to: pq-png, headroom: 3}
        - {to: sdr-png, name: '{stem}-sdr.{ext}'}
      """, [photo])
    #expect(items.map { $0["width"] as? Int } == [150, 150])
    #expect(items.map { $0["height"] as? Int } == [50, 50])
    let headrooms = items.map { item in
      ((item["edits"] as? [[String: Any]])?.last?["headroom"] as? Double ?? 0)
        / ((item["edits"] as? [[String: Any]])?.first?["headroom"] as? Double ?? 1)
    }
    // Two stops for a display of headroom 3, none for SDR.
    #expect(abs(headrooms[0] - 4) < 1e-6 && abs(headrooms[1] - 1) < 1e-6, "\(headrooms)")
  }

  @Test("a value out of range fails its picture and says why") func outOfRange() throws {
    let path = try folder.file("r.yaml", "steps: [{exposure: {ev: '=width'}}]\noutputs: [{to: pq-png}]")
    let result = try Program.run(["render", photo, "--recipe", path, "--out", folder.path("o"), "--backend", "cpu"])
    #expect(result.status == 65)
    #expect(result.errors.contains("ev of exposure is -20...20, not 600"), "\(result.errors)")
  }

  @Test("sdr and hdr steps edit one rendition each") func ownRenditions() throws {
    let before = (sdr: try mean(photo, .sdr), hdr: try mean(photo, Headroom(stops: 16)))
    let items = try render(
      """
      sdr: [{exposure: {ev: -1}}]
      hdr: [{exposure: {ev: 1}}]
      outputs:
        - to: adaptive-jpeg
          quality: 98
        - {to: pq-png, name: '{stem}-hdr.{ext}'}
      """, [photo])
    #expect(items.map(edits) == [["exposure"], ["exposure"]])
    let path = folder.path("out/small_uhdr.jpg")
    #expect(abs(try mean(path, .sdr) / before.sdr - 0.5) < 0.02)
    #expect(abs(try mean(path, Headroom(stops: 16)) / before.hdr - 2) < 0.08)
    #expect(abs(try mean(folder.path("out/small_uhdr-hdr.png"), Headroom(stops: 16)) / before.hdr - 2) < 0.08)
  }

  @Test("map: keep edits the base and leaves the map's bytes") func keptMap() throws {
    let items = try render(
      "sdr: [{exposure: {ev: -1}}]\nmap: keep\noutputs: [{to: adaptive-jpeg, quality: 98}]", [photo])
    #expect(items[0]["operatorReason"] as? String == "base edited, map and its metadata kept")
    let path = folder.path("out/small_uhdr.jpg")
    #expect(abs(try mean(path, .sdr) / mean(photo, .sdr) - 0.5) < 0.02)
    let files = try [photo, path].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    let maps = try files.map { try decodeImage([UInt8]($0)).gainMap }
    #expect(maps[0]?.metadata.max == maps[1]?.metadata.max)
    let rows = maps.map { map -> [UInt8] in
      guard let plane = map?.image.channels.first else { return [] }
      return (0..<600).map { (plane.buffer.base + plane.offset + $0).load(as: UInt8.self) }
    }
    #expect(rows[0] == rows[1] && rows[0].count == 600)
  }

  @Test("a recipe with a size needs no input picture") func canvas() throws {
    let recipe = """
      size: [64, 40]
      steps: [{checkerboard: {width: "=width / 8"}}]
      outputs:
        - {to: pq-png, steps: [{exposure: {ev: 2}}]}
        - {to: sdr-png, name: '{stem}-sdr.{ext}'}
      """
    let items = try render(recipe)
    #expect(folder.files("out") == ["r-sdr.png", "r.png"])
    #expect(items.map { $0["width"] as? Int } == [64, 64])
    #expect(abs((items[0]["contentHeadroom"] as? Double ?? 0) - 4) < 1e-6)
    #expect(try render(recipe, ["--resume"]).map { $0["status"] as? String } == ["skipped", "skipped"])
    #expect(try refused(recipe, [photo]).contains("leave out INPUT"))
    // By a manifest.
    let manifest = folder.path("m.jsonl")
    let planned = try Program.run(
      ["plan", "--recipe", folder.path("r.yaml"), "--out", folder.path("planned"), "-o", manifest])
    #expect(planned.status == 0, "\(planned.errors)")
    #expect(try Program.run(["run", "--manifest", manifest, "--backend", "cpu"]).status == 0)
    for name in ["r.png", "r-sdr.png"] {
      let paths = ["out/", "planned/"].map { folder.path($0 + name) }
      #expect(FileManager.default.contentsEqual(atPath: paths[0], andPath: paths[1]))
    }
  }

  @Test("only renders pictures of the kind that is asked for, for each output") func only() throws {
    try SmallPictures.write(2, into: folder)
    let items = try render(
      """
      outputs:
        - {to: pq-png, only: adaptive}
        - {to: sdr-jpeg, only: sdr, name: '{stem}-sdr.{ext}'}
        - {to: rgba16f}
      """, [photo, folder.path("in")])
    let files = folder.files("out").filter { !$0.hasSuffix(".json") }
    #expect(
      files == [
        "p001-sdr.jpg", "p001.rgba16f", "small_uhdr.png", "small_uhdr.rgba16f", "sub/p000-sdr.jpg", "sub/p000.rgba16f",
      ])
    let codes = items.compactMap { $0["code"] as? String }
    #expect(codes == ["input.kind", "input.kind", "input.kind"])
  }

  /// A recipe, and what its message must hold.
  @Test(arguments: [
    ("sdr: [flip]\noutputs: [{to: pq-png}]", "no output has that rendition"),
    ("outputs: [{to: pq-png, sdr: [flip]}]", "pq-png has no SDR rendition: write steps"),
    ("sdr: [exposure]\nstrategy: hdr\noutputs: [{to: adaptive-jpeg}]", "sdr and hdr steps edit both renditions"),
    ("map: keep\noutputs: [{to: adaptive-jpeg}]", "write sdr steps"),
    ("sdr: [flip]\nmap: keep\noutputs: [{to: adaptive-jpeg}]", "flip moves pixels"),
    ("sdr: [exposure]\nmap: keep\noutputs: [{to: sdr-png}]", "map: keep has no effect"),
    ("size: [8, 8]\nsteps: [checkerboard]\noutputs: [{to: adaptive-jpeg}]", "adaptive-jpeg needs an input picture"),
    ("size: [8, 8]\noutputs: [{to: pq-png}]", "write steps, such as a generator"),
  ])
  func recipesThatContradictThemselvesAreRefused(recipe: String, message: String) throws {
    let errors = try refused(recipe, recipe.hasPrefix("size") ? [] : [photo])
    #expect(errors.contains(message), "\(errors)")
    #expect(errors.contains("r.yaml:"))
  }
}
