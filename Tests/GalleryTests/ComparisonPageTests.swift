import Foundation
import ImageFiles
import TestSupport
import Testing

/// `hdrbatch compare --html`: what the page is made of.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct ComparisonPageTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Returns the arguments that a script gives to its function.
  private func arguments(_ name: String, of function: String) throws -> [Any] {
    let text = try #require(folder.text(name), "\(name)").trimmingCharacters(in: .newlines)
    #expect(text.hasPrefix(function + "(") && text.hasSuffix(")"), "\(name)")
    let list = "[" + text.dropFirst(function.count + 1).dropLast() + "]"
    return try #require(JSONSerialization.jsonObject(with: Data(list.utf8)) as? [Any])
  }

  private func render(_ name: String, _ more: [String] = []) throws {
    let made = try Program.run(
      ["render", SharedData.small("lamps.jpg"), "-o", folder.path(name), "--to", "pq-png", "--resize", "200"] + more)
    #expect(made.status == 0, "\(made.errors)")
  }

  private func compare(_ more: [String] = []) throws -> Program.Result {
    try Program.run(["compare", folder.path("a"), folder.path("b"), "--html", folder.path("page")] + more)
  }

  @Test("a page has rows with verdicts, and of pairs that differ their pictures, differences, maps and worst parts")
  func pairsAreShown() throws {
    try render("a/x.png")
    try render("b/x.png", ["--filter", "gaussian-blur=radius:3"])
    try render("a/same.png")
    try render("b/same.png")
    try render("b/<b> 1.png")
    let found = try compare(["--accept", "near", "--worst", "2"])
    #expect(found.status == 65, "\(found.errors)")
    let data = try #require(arguments("page/data.js", of: "compare").first as? [String: Any])
    #expect(data["pairs"] as? Int == 3)
    #expect((data["counts"] as? [String: Int])?["rejected"] == 1)
    let rows = try #require(arguments("page/rows/0.js", of: "compareRows")[1] as? [[String: Any]])
    #expect(rows.map { $0["number"] as? Int } == [1, 2, 3])
    #expect(rows.map { $0["verdict"] as? String } == ["unpaired", "accepted", "rejected"])
    #expect(rows[1]["p95"] as? Double == 0 && rows[1]["psnr"] as? String == "inf")
    #expect((rows[2]["p95"] as? Double ?? 0) > 1 && (rows[2]["message"] as? String ?? "").contains("dE-seen"))
    let item = try #require(arguments("page/items/00003.js", of: "comparePair")[1] as? [String: Any])
    let links = try #require(item["links"] as? [[String: String]])
    #expect(links.map { $0["href"] } == ["../a/x.png", "../b/x.png"])
    #expect(((item["record"] as? [String: Any])?["metadata"] as? [Any])?.isEmpty == false)
    let rendition = try #require((item["renditions"] as? [[String: Any]])?.first)
    let crops = try #require(rendition["crops"] as? [[String: Any]])
    #expect(crops.count == 2)
    let files =
      try ["heat", "difference"].map { try #require(rendition[$0] as? String) }
      + crops.map { try #require($0["file"] as? String) }
    for file in files {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path("page/" + file)))
      #expect(try decodeImage([UInt8](bytes)).image.width > 100, "\(file)")
    }
    let pictures = try #require(arguments("page/pictures/00003.js", of: "comparePictures")[1] as? [[String: Any]])
    #expect(pictures.map { $0["role"] as? String } == ["A", "B"])
    for picture in pictures {
      let jpeg = try #require((picture["jpeg"] as? String).flatMap { Data(base64Encoded: $0) })
      #expect(try decodeImage([UInt8](jpeg), request: .metadata).gainMap != nil)
    }
    // Nothing is drawn of equal pairs.
    #expect(folder.text("page/pictures/00002.js") == nil)
    for name in ["compare.html", "compare.css", "compare.js", "page.js", "gallery.css"] {
      #expect(folder.text("page/" + name) != nil)
    }
    // A page among inputs is none of them, and is made again.
    let again = try Program.run([
      "compare", folder.path("a"), folder.path("b"), "--html", folder.path("b/page"), "--backend", "cpu",
    ])
    #expect(again.output.contains("3 pairs:"), "\(again.output)")
    let third = try compare()
    #expect(third.output.contains("3 pairs:"), "\(third.output)")
  }

  @Test("a difference of PQ signals lies around grey, eight times as large")
  func differencesLieAroundGrey() throws {
    try render("a/x.png")
    try render("b/x.png", ["--filter", "exposure=ev:0.1"])
    #expect(try compare(["--metrics", "bias"]).status == 0)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path("page/maps/00001@full-difference.jpg")))
    let image = try decodeImage([UInt8](bytes)).image, plane = image.channels[0]
    let codes = (0..<image.height).flatMap { y in
      (0..<image.width).map { x in
        Int((plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes).load(as: UInt8.self))
      }
    }
    // 0.1 stops are 0.006 to 0.008 of PQ's range where there is light: 12 to 17 codes brighter.
    let mean = Double(codes.reduce(0, +)) / Double(codes.count)
    #expect(mean > 135 && mean < 146, "\(mean)")
  }

  @Test("a page that cannot be written is one line and 74, and no half file is left")
  func unwrittenPagesAreSaid() throws {
    try render("a/x.png")
    try render("b/x.png", ["--filter", "gaussian-blur=radius:3"])
    // A folder stands where the first map should.
    _ = try folder.file("page/maps/00001@full.png/x")
    let found = try compare()
    #expect(found.status == 74 && found.output.contains("1 pair: 1 differs"), "\(found.output)")
    #expect(found.errors.components(separatedBy: "hdrbatch: error:").count == 2, "\(found.errors)")
    #expect(folder.text("page/data.js") == nil && folder.text("page/compare.html") == nil)
    #expect(folder.files("page/maps") == ["00001@full.png/x"] && folder.files("page/items").isEmpty)
  }

  @Test("a folder with other files, and one that is A or B, are left alone")
  func othersAreLeftAlone() throws {
    try render("a/x.png")
    try render("b/x.png")
    _ = try folder.file("page/mine.txt")
    let other = try compare()
    #expect(other.status == 64 && other.errors.contains("mine.txt"), "\(other.errors)")
    let own = try Program.run(["compare", folder.path("a"), folder.path("b"), "--html", folder.path("b")])
    #expect(own.status == 64 && own.errors.contains("--html is A or B"), "\(own.errors)")
  }
}
