import Foundation
import TestSupport
import Testing

/// Tests options of reading that are of one side of a comparison.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct CompareSidesTests {
  let folder: TemporaryFolder
  let png: String
  init() throws {
    folder = try TemporaryFolder()
    png = folder.path("lamps.png")
    let made = try Program.run(
      ["render", SharedData.small("lamps.jpg"), "-o", png, "--to", "pq-png", "--resize", "100"])
    #expect(made.status == 0, "\(made.errors)")
  }

  /// Compares the picture with itself and returns the mean of dE ITP.
  private func difference(_ words: [String]) throws -> Double {
    let found = try Program.run(["compare", png, png, "--metrics", "dE-ITP", "--json", "-"] + words)
    #expect(found.status == 0, "\(found.output)\(found.errors)")
    let line = try #require(found.output.split(separator: "\n").first { $0.contains(#""type":"pair""#) })
    let pair = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    let rendition = try #require((pair["headrooms"] as? [[String: Any]])?.last)
    return try #require((rendition["dE-ITP"] as? [String: Any])?["mean"] as? Double)
  }

  @Test("--a.NAME and --b.NAME are of one side, in place of what both have")
  func optionsAreOfOneSide() throws {
    let hlg = ["cicp", "9/18"]
    let inA = try difference(["--a." + hlg[0], hlg[1]]), inB = try difference(["--b.cicp=9/18"])
    #expect(inA > 5 && abs(inA - inB) < 1e-9)
    #expect(try difference(["--cicp", "9/18"]) == 0)
    #expect(try difference(["--cicp", "9/18", "--b.cicp", "9/16"]) == inA)
    #expect(try difference(["--a.cicp", "9/18", "--b.cicp", "9/18"]) == 0)
  }

  @Test("the page shows each side as it was read")
  func pagesReadSides() throws {
    let page = folder.path("page")
    let found = try Program.run(["compare", png, png, "--a.cicp", "9/18", "--html", page])
    #expect(found.status == 0, "\(found.errors)")
    let text = try #require(folder.text("page/pictures/00001.js"))
    let pictures = text.matches(of: /"role":"([AB])","name":"lamps.png","primaries":"\w+".*?"jpeg":"([^"]+)"/)
    #expect(pictures.map { String($0.output.1) } == ["A", "B"])
    #expect(pictures.first?.output.2 != pictures.last?.output.2)
  }

  @Test(
    "options of a side are refused where they would mean nothing, and said in help",
    arguments: [
      (["--a.image", "all"], "--image all has no effect"), (["--a.exr-luminance", "none"], "--a.exr-luminance"),
      (["--a.quality", "3"], "unknown option --a.quality"), (["--c.cicp", "9/16"], "unknown option --c.cicp"),
    ])
  func wrongOptionsAreRefused(words: [String], message: String) throws {
    let found = try Program.run(["compare", png, png] + words)
    #expect(found.status == 64 && found.errors.contains(message), "\(found.status) \(found.errors)")
    #expect(found.errors.split(separator: "\n").count == 1, "\(found.errors)")
  }

  @Test("help says that options of reading are of both sides or of one")
  func helpNamesSides() throws {
    let help = try Program.run(["compare", "--help"]).output.split(whereSeparator: \.isWhitespace)
    #expect(help.joined(separator: " ").contains("--a.NAME and --b.NAME are of one"))
    #expect(try Program.run(["compare", "--help-all"]).output.contains("--b.raw-exposure STOPS"))
  }
}
