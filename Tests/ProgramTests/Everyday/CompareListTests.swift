import Foundation
import TestSupport
import Testing

/// Tests how `hdrbatch compare` finds many pairs: lists, and names by templates.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct CompareListTests {
  let folder: TemporaryFolder
  let lamps = SharedData.small("lamps.jpg"), temple = SharedData.example("temple.heic")
  init() throws { folder = try TemporaryFolder() }

  private func compare(_ list: String, _ more: [String] = []) throws -> Program.Result {
    let path = try folder.file("pairs.tsv", list)
    return try Program.run(["compare", "--list", path, "--metrics", "words"] + more)
  }

  @Test("a list has a pair a line, with CR LF, a head, remarks and further columns, and its files may be missing")
  func listsArePairs() throws {
    let list = "\u{FEFF}A\tB\tverdict\r\n# remark\r\n\(lamps)\t\(lamps)\tequal\r\n\r\n\(temple)\t/nonexistent/x.png"
    let found = try compare(list)
    #expect(found.status == 65, "\(found.errors)")
    #expect(found.output.contains("2 pairs: 1 equal, 1 failed"), "\(found.output)")
  }

  @Test(
    "a line without two paths is said with its number, before any work",
    arguments: [
      ("a.png\tb.png\na.png\n", "line 2: needs the paths of A and B"), ("a.png b.png\r\n", "line 1: needs"),
      ("a\tb\n\tb\nb\t\n", "line 2, and 1 more lines: needs"), ("a\u{0}c\tb\n", "line 1: needs"),
      ("# nothing\r\n", "nothing to do: no pairs in"),
    ])
  func wrongLinesAreSaid(list: String, message: String) throws {
    let found = try compare(list)
    #expect(found.status == 64 && found.output.isEmpty)
    #expect(found.errors.contains(message), "\(found.errors)")
    #expect(found.errors.split(separator: "\n").count == 1, "\(found.errors)")
  }

  @Test("a million lines are read, and the last one that is wrong is said")
  func longListsAreRead() throws {
    let found = try compare(String(repeating: "a.png\tb.png\n", count: 1_000_000) + "x\n")
    #expect(found.status == 64 && found.errors.contains("line 1000001: needs"), "\(found.errors.prefix(500))")
  }

  @Test("a list stands alone, is there, and is no report")
  func listsStandAlone() throws {
    let path = try folder.file("pairs.tsv", "\(lamps)\t\(lamps)\n")
    for (words, message) in [
      (["--list", path, lamps], "leave A, B and --baseline out"), (["--list", path, "--baseline"], "leave A, B and"),
      (["--list", "/nonexistent/list"], "list /nonexistent/list: No such file"), ([], "compare needs A and B"),
      ([lamps], "compare needs A and B"), (["--list", path, "--csv", path], "is an input"),
      (["--list", path, "--pair-by", "name"], "--pair-by is for folders"),
    ] {
      let found = try Program.run(["compare"] + words)
      #expect(found.status == 64 && found.errors.contains(message), "\(found.errors)")
    }
    #expect(folder.text("pairs.tsv") == "\(lamps)\t\(lamps)\n")
  }

  @Test("heat maps of a list have the number of their line in front")
  func mapsOfListsDiffer() throws {
    let list = try folder.file("pairs.tsv", "\(lamps)\t\(lamps)\n\(lamps)\t\(lamps)\n")
    let words = ["--list", list, "--map", folder.path("maps"), "--metrics", "dE-seen", "--headrooms", "1"]
    let found = try Program.run(["compare"] + words)
    #expect(found.status == 0, "\(found.errors)")
    #expect(folder.files("maps").sorted() == ["1-lamps.jpg@1.png", "2-lamps.jpg@1.png"])
  }

  @Test("a template of names joins folders, with any extension and target")
  func templatesJoinFolders() throws {
    for name in ["a/day/x.png", "a/day/y.png", "b/day/x-pq-avif.avif", "b/day/y-sdr-jpeg.jpg", "b/z.jpg"] {
      _ = try folder.file(name, "no picture")
    }
    let folders = ["compare", folder.path("a"), folder.path("b"), "--pair-by"]
    let found = try Program.run(folders + ["{stem}-{target}.{ext}"])
    #expect(found.status == 65 && found.output.contains("3 pairs: 2 failed, 1 unpaired"), "\(found.output)")
    for (template, message) in [
      ("{stem}-{size}.png", "--pair-by '{stem}-{size}.png': no field {size}"), ("x{ext}", "needs {stem}"),
      ("stems", "--pair-by has no value \"stems\""),
    ] {
      let wrong = try Program.run(folders + [template])
      #expect(wrong.status == 64 && wrong.errors.contains(message), "\(wrong.errors)")
    }
    _ = try folder.file("b/day/x-sdr-jpeg.jpg", "no picture")
    let two = try Program.run(folders + ["{stem}-{target}.{ext}"])
    #expect(two.status == 64 && two.errors.contains("day/x.png has two partners"), "\(two.errors)")
  }

  @Test("sequences are joined by the numbers of frames, and a frame that one lacks has no partner")
  func sequencesAreJoined() throws {
    for name in ["a/x.0001.png", "a/x.0002.png", "a/x.0003.png", "b/y.2.png", "b/y.3.png", "b/y.4.png"] {
      _ = try folder.file(name, "no picture")
    }
    func compare(_ a: String, _ b: String) throws -> Program.Result {
      try Program.run(["compare", folder.path(a), folder.path(b)])
    }
    for (a, b, counts) in [
      ("a/x.%04d.png", "b/y.%d.png", "4 pairs: 2 failed, 2 unpaired"),
      ("a/x.[0001-0002].png", "b/y.[1-2].png", "2 pairs: 1 failed, 1 unpaired"),
      ("a/x.[0009].png", "b/y.[9].png", "1 pair: 1 failed"),
    ] {
      let found = try compare(a, b)
      #expect(found.status == 65 && found.output.contains(counts), "\(found.output)\(found.errors)")
    }
    let one = try compare("a/x.%04d.png", "b")
    #expect(one.status == 64 && one.errors.contains("is a sequence, so the other is one too"), "\(one.errors)")
    let none = try compare("a/x.%04d.png", "b/z.%d.png")
    #expect(none.status == 64 && none.errors.contains("no such frame is there"), "\(none.errors)")
  }
}
