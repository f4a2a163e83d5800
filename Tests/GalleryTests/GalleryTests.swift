import Foundation
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// `hdrbatch gallery`: what the page is made of. The page itself: scripts/torture/gallery_test.py, in a browser.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct GalleryTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Returns the arguments that a script gives to its function.
  private func arguments(_ name: String, of function: String) throws -> [Any] {
    let text = try #require(folder.text(name)).trimmingCharacters(in: .newlines)
    #expect(text.hasPrefix(function + "(") && text.hasSuffix(")"), "\(name)")
    let list = "[" + text.dropFirst(function.count + 1).dropLast() + "]"
    return try #require(JSONSerialization.jsonObject(with: Data(list.utf8)) as? [Any])
  }

  private func render(_ more: [String] = []) throws {
    let broken = try folder.file("in/bad.jpg", "no picture"), photo = folder.path("in/a b.jpg")
    if !FileManager.default.fileExists(atPath: photo) {
      try FileManager.default.copyItem(atPath: SharedData.small("lamps.jpg"), toPath: photo)
    }
    let made = try Program.run(
      [
        "render", photo, SharedData.example("temple.heic"), broken, "--to", "pq-png", "-o", folder.path("out"),
        "--resize", "200",
        "--on-existing", "replace",
      ] + more)
    #expect(made.status == 65, "\(made.errors)")
  }

  @Test("a gallery has rows, pictures with both renditions, and failures with their command")
  func contents() throws {
    try render()
    let made = try Program.run(["gallery", folder.path("out"), "--title", "A & <b>"])
    #expect(made.status == 0 && made.errors.contains("3 items in"), "\(made.errors)")
    let data = try #require(arguments("out/gallery/data.js", of: "gallery").first as? [String: Any])
    #expect(data["title"] as? String == "A & <b>" && data["items"] as? Int == 3)
    #expect((data["counts"] as? [String: Int])?["failed"] == 1)
    let rows = try #require(arguments("out/gallery/rows/0.js", of: "galleryRows")[1] as? [[String: Any]])
    #expect(rows.map { $0["number"] as? Int } == [1, 2, 3])
    #expect(rows.map { $0["status"] as? String } == ["ok", "ok", "failed"])
    #expect((rows[2]["reproduce"] as? String)?.hasPrefix("hdrbatch reproduce --digest ") == true)
    #expect((rows[2]["message"] as? String)?.isEmpty == false)
    #expect(rows[2]["nameHex"] == nil && rows[2]["other"] == nil)
    let item = try #require(arguments("out/gallery/items/00001.js", of: "galleryItem")[1] as? [String: Any])
    let pictures = try #require(item["pictures"] as? [[String: Any]])
    #expect(pictures.map { $0["role"] as? String } == ["output", "source"])
    for picture in pictures {
      let jpeg = try #require((picture["jpeg"] as? String).flatMap { Data(base64Encoded: $0) })
      let head = try decodeImage([UInt8](jpeg), request: .metadata)
      #expect(head.gainMap != nil && head.exif == nil && max(head.image.width, head.image.height) <= 1600)
    }
    let links = try #require(item["links"] as? [[String: String]])
    #expect(links.map { $0["href"] } == ["../a%20b.png", "../../in/a%20b.jpg"])
    #expect(folder.files("out/gallery/thumbs") == ["00001.jpg", "00002.jpg"])
    let failed = try #require(arguments("out/gallery/items/00003.js", of: "galleryItem")[1] as? [String: Any])
    #expect((failed["pictures"] as? [Any])?.isEmpty == true)
    #expect(folder.text("out/gallery/index.html") == folder.text("out/gallery/gallery.html"))
    for name in ["gallery.html", "gallery.css", "page.js", "gallery.js"] {
      #expect(folder.text("out/gallery/" + name) != nil)
    }
    // Again, without sources.
    let again = try Program.run(["gallery", folder.path("out"), "--outputs-only"])
    #expect(again.status == 0, "\(again.errors)")
    let plain = try #require(arguments("out/gallery/items/00001.js", of: "galleryItem")[1] as? [String: Any])
    #expect((plain["pictures"] as? [Any])?.count == 1)
  }

  @Test("outputs of one picture name each other, so that the page can compare them")
  func outputsNameEachOther() throws {
    let made = try Program.run([
      "render", SharedData.small("lamps.jpg"), SharedData.example("temple.heic"), "-o", folder.path("out"),
      "--resize", "100", "--to", "sdr-png", "--to", "pq-png", "--gallery",
    ])
    #expect(made.status == 0, "\(made.errors)")
    let rows = try #require(arguments("out/gallery/rows/0.js", of: "galleryRows")[1] as? [[String: Any]])
    #expect(rows.map { $0["others"] as? [Int] } == [[2], [1], [4], [3]])
  }

  @Test("an output that is made again counts once, by its last row")
  func again() throws {
    for (size, words) in [("200", []), ("100", ["--on-existing", "replace"])] {
      let made = try Program.run(
        ["render", SharedData.small("lamps.jpg"), "--to", "sdr-jpeg", "-o", folder.path("out"), "--resize", size]
          + words)
      #expect(made.status == 0, "\(made.errors)")
    }
    let status = try Program.run(["status", folder.path("out")])
    #expect(status.output.hasPrefix("1 of 1 done, 0 failed, 0 to do"), "\(status.output)")
    let page = try Program.run(["gallery", folder.path("out")])
    #expect(page.status == 0 && page.errors.contains("1 items in"), "\(page.errors)")
    let rows = try #require(arguments("out/gallery/rows/0.js", of: "galleryRows")[1] as? [[String: Any]])
    #expect(rows.map { $0["width"] as? Int } == [100])
  }

  @Test("outputs of other folders and runs that ended early count too")
  func unequalRuns() throws {
    try SmallPictures.write(3, into: folder)
    let to = ["-o", folder.path("out"), "--backend", "cpu", "--to"]
    for words in [
      ["render", folder.path("in/sub")] + to + ["sdr-png"], ["render", folder.path("in/p001.png")] + to + ["sdr-jpeg"],
    ] {
      #expect(try Program.run(words).status == 0)
    }
    // The third run fails at its first picture and leaves the second one to do.
    try Data("no picture".utf8).write(to: URL(fileURLWithPath: folder.path("in/p001.png")))
    let failed = try Program.run(
      ["render", folder.path("in/p001.png"), folder.path("in/p002.png")] + to
        + ["sdr-jpeg", "--quality", "80", "--on-existing", "replace", "--fail-fast", "--jobs", "1"])
    #expect(failed.status == 65)
    let status = try Program.run(["status", folder.path("out")])
    #expect(status.output.hasPrefix("1 of 3 done, 1 failed, 1 to do; 3 attempts"), "\(status.output)")
  }

  @Test("names that are not UTF-8 are kept apart from their printed forms, and have their pictures")
  func oddNames() throws {
    let odd = Array((folder.path("in") + "/").utf8) + [0xFF, 0xFE],
      printed = Array((folder.path("in") + "/\\xff\\xfe").utf8)
    try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: true)
    for (seed, name) in [odd, printed].enumerated() {
      let stream = try #require(fopen((name + Array(".png".utf8)).map { CChar(bitPattern: $0) } + [0], "w"))
      try SmallPictures.png(seed + 1).withUnsafeBytes { _ = fwrite($0.baseAddress, 1, $0.count, stream) }
      fclose(stream)
    }
    let record = folder.path("r.jsonl")
    let made = try Program.run([
      "render", folder.path("in"), "--to", "sdr-png", "-o", folder.path("out"), "--backend", "cpu", "--record", record,
    ])
    #expect(made.status == 0, "\(made.errors)")
    let rows = try recordLines(record).filter { $0["type"] as? String == "item" }
    #expect(rows.count == 2 && Set(rows.compactMap { $0["input"] as? String }).count == 1)
    let hex = odd.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "2e706e67"
    #expect(rows.compactMap { $0["inputHex"] as? String } == [hex] && rows.count { $0["outputHex"] != nil } == 1)
    #expect(try Program.run(["gallery", folder.path("out"), "--backend", "cpu"]).status == 0)
    for number in 1...2 {
      let item = try #require(arguments("out/gallery/items/0000\(number).js", of: "galleryItem")[1] as? [String: Any])
      #expect((item["pictures"] as? [Any])?.count == 2 && (item["links"] as? [Any])?.count == 2)
    }
    let shown = try #require(arguments("out/gallery/rows/0.js", of: "galleryRows")[1] as? [[String: Any]])
    #expect(Set(shown.compactMap { $0["name"] as? String }) == ["\\xff\\xfe.png"])
    #expect(shown.compactMap { $0["nameHex"] as? String } == ["fffe2e706e67"])
  }

  @Test("names of rows follow the folder of the inputs, and a row's command works in the folder of the outputs")
  func placesAreRelative() throws {
    try SmallPictures.write(2, into: folder)
    try folder.file("in/sub/bad.png", "no picture")
    let made = try Program.run(
      ["render", "in", "-o", "out", "--to", "sdr-png", "--backend", "cpu", "--gallery"], in: folder.path("."))
    #expect(made.status == 65, "\(made.errors)")
    let data = try #require(arguments("out/gallery/data.js", of: "gallery").first as? [String: Any])
    let rows = try #require(arguments("out/gallery/rows/0.js", of: "galleryRows")[1] as? [[String: Any]])
    let inputs = try #require(data["inputs"] as? String), names = rows.compactMap { $0["name"] as? String }
    #expect(data["inputsHex"] == nil && inputs.hasPrefix("/") && inputs.hasSuffix("/") && names.contains("sub/bad.png"))
    for name in names { #expect(FileManager.default.fileExists(atPath: inputs + name), "\(name)") }
    let failed = try #require(rows.first { $0["status"] as? String == "failed" })
    let words = try #require(failed["reproduce"] as? String).split(separator: " ").map(String.init)
    #expect(words.suffix(2) == ["--out", "."])
    let again = try Program.run(Array(words.dropFirst()), in: folder.path("out"))
    let said = again.output + again.errors
    #expect(again.status == 65 && said.contains(failed["code"] as? String ?? "?"), "\(said)")
  }

  @Test("a second run's outputs are shown beside those of one path, where their bytes differ")
  func secondRun() throws {
    for (name, kind) in [("new", "sdr-png"), ("old", "sdr-jpeg"), ("equal", "sdr-png")] {
      let made = try Program.run([
        "render", SharedData.small("lamps.jpg"), SharedData.example("temple.heic"), "-o", folder.path(name), "--resize",
        "100", "--to", kind, "--backend", "cpu",
      ])
      #expect(made.status == 0, "\(made.errors)")
    }
    func page(against run: String) throws -> (data: [String: Any], rows: [[String: Any]], item: [String: Any]) {
      let made = try Program.run(["gallery", folder.path("new"), "--against", folder.path(run), "--backend", "cpu"])
      #expect(made.status == 0, "\(made.errors)")
      return (
        try #require(arguments("new/gallery/data.js", of: "gallery").first as? [String: Any]),
        try #require(arguments("new/gallery/rows/0.js", of: "galleryRows")[1] as? [[String: Any]]),
        try #require(arguments("new/gallery/items/00001.js", of: "galleryItem")[1] as? [String: Any])
      )
    }
    try FileManager.default.removeItem(atPath: folder.path("old/temple.jpg"))
    let old = try page(against: "old")
    #expect(old.data["against"] as? String == folder.path("old"))
    #expect((old.data["counts"] as? [String: Int])?["changed"] == 1)
    #expect(old.rows.map { $0["other"] as? String } == ["changed", "none"])
    #expect((old.item["pictures"] as? [[String: Any]])?.map { $0["role"] as? String } == ["output", "source", "other"])
    #expect((old.item["links"] as? [[String: String]])?.last?["href"] == "../../old/lamps.jpg")
    let equal = try page(against: "equal")
    #expect((equal.data["counts"] as? [String: Int])?["changed"] == 0)
    #expect(equal.rows.map { $0["other"] as? String } == ["same", "same"])
    #expect((equal.item["pictures"] as? [Any])?.count == 2)
    #expect((equal.item["links"] as? [[String: String]])?.last?["href"] == "../../equal/lamps.png")
    let none = try Program.run(["gallery", folder.path("new"), "--against", folder.path("in")])
    #expect(none.status == 64, "\(none.errors)")
  }

  @Test("--gallery makes a gallery afterwards, and its pictures are no inputs")
  func afterwards() throws {
    try render(["--gallery"])
    #expect(folder.text("out/gallery/data.js") != nil)
    let next = try Program.run(["render", folder.url.path, "--to", "sdr-jpeg", "-o", folder.path("next"), "--dry-run"])
    #expect(next.status == 0 && !next.output.contains("thumbs"), "\(next.output)")
    let none = try Program.run([
      "render", SharedData.small("lamps.jpg"), "--to", "pq-png", "-o", folder.path("x"), "--gallery", "--journal",
      "none",
    ])
    #expect(none.status == 64 && none.errors.contains("--journal none"), "\(none.errors)")
  }

  @Test("a folder with other files is left alone, and one without journals is said")
  func refusals() throws {
    try render()
    try folder.file("page/mine.txt")
    let other = try Program.run(["gallery", folder.path("out"), "-o", folder.path("page")])
    #expect(other.status == 64 && other.errors.contains("mine.txt"), "\(other.errors)")
    let none = try Program.run(["gallery", folder.path("in")])
    #expect(none.status == 64 && none.errors.contains("journals"), "\(none.errors)")
  }
}
