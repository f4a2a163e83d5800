import BatchEngine
import Foundation
import HDRCore
import ImageFiles
import TestSupport
import Testing

/// Pages that must name every kind of output and every warning about gain maps.
@Suite struct DocumentationTests {
  @Test(arguments: OutputKind.allCases) func kindIsDocumented(kind: OutputKind) throws {
    let rows = try SourceTree.text("docs/formats.md").split(separator: "\n").filter { $0.hasPrefix("| `") }
    #expect(rows.contains { $0.split(separator: "|")[0].contains("`\(kind.rawValue)`") })
  }

  @Test(arguments: GainMapWarnings.all) func warningIsDocumented(warning: GainMapWarnings.Entry) throws {
    let page = try String(
      contentsOf: SharedData.repository.appendingPathComponent("docs/data/gain-map-warnings.md"), encoding: .utf8)
    #expect(page.contains("\n| `\(warning.code)` | \(warning.effect.rawValue) | \(warning.meaning) |\n"))
  }

  @Test("the page names every extension by which files of folders are taken, and no other")
  func extensionsAreDocumented() throws {
    let page = try String(
      contentsOf: SharedData.repository.appendingPathComponent("docs/cli.md"), encoding: .utf8)
    let list = try #require(page.firstMatch(of: /taken by its extension[^:]*:([^.]*)\./)).output.1
    let words = list.matches(of: /`(\w+)`/).map { String($0.output.1) }
    #expect(words.sorted() == readableExtensions.sorted())
  }

  @Test(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
  func optionsAreDocumented() throws {
    let page = try String(
      contentsOf: SharedData.repository.appendingPathComponent("docs/data/options.md"), encoding: .utf8)
    #expect(
      page == (try Program.run(["options"]).output), "write what `hdrbatch options` prints to docs/data/options.md")
  }

  @Test(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
  func viewsAreDocumented() throws {
    let page = try String(
      contentsOf: SharedData.repository.appendingPathComponent("docs/data/views.md"), encoding: .utf8)
    #expect(
      page == (try Program.run(["doctor", "--views"]).output),
      "write what `hdrbatch doctor --views` prints to docs/data/views.md")
  }

  @Test("every promise has a test that bears its number")
  func everyPromiseIsTested() throws {
    let page = try String(
      contentsOf: SharedData.repository.appendingPathComponent("docs/reliability.md"), encoding: .utf8)
    let promises = page.matches(of: #/(?m)^(\d+)\. /#).compactMap { Int($0.output.1) }
    #expect(promises == Array(1...26))
    let tests = SharedData.repository.appendingPathComponent("Tests")
    var tested: Set<Int> = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: tests.path) where path.hasSuffix(".swift") {
      let text = try String(contentsOf: tests.appendingPathComponent(path), encoding: .utf8)
      for match in text.matches(of: /func promise(\d\d)(?:(And|To)(\d\d))?_/) {
        guard let first = Int(match.output.1) else { continue }
        let last = match.output.3.flatMap { Int($0) } ?? first
        tested.formUnion(match.output.2 == "To" ? Array(first...last) : [first, last])
      }
    }
    #expect(Set(promises).subtracting(tested).isEmpty)
  }

  @Test func filtersAreDocumented() throws {
    let page = try String(
      contentsOf: SharedData.repository.appendingPathComponent("docs/data/filters.md"), encoding: .utf8)
    let table = page.split(separator: "\n").filter { $0.hasPrefix("|") }.map(String.init)
    #expect(table == (try FilterList().markdown), "paste what `hdrbatch filters --markdown` prints")
  }

  @Test("typed filters of Swift and Python are those of the list")
  func typedFiltersAreThoseOfTheList() throws {
    let source = FilterSource()
    for (path, lines, word) in [
      ("Sources/HDRRender/HDRFilter+Typed.swift", source.swift, "swift"),
      ("Python/hdrbatch/filters.py", source.python, "python"),
    ] {
      let text = try String(contentsOf: SharedData.repository.appendingPathComponent(path), encoding: .utf8)
      #expect(
        text == lines.map { $0 + "\n" }.joined(), "write `hdrbatch filters --\(word)` to \(path)")
    }
  }

  @Test func coreImageNamesAreDocumented() throws {
    let page = try String(
      contentsOf: SharedData.repository.appendingPathComponent("docs/data/core-image.md"), encoding: .utf8)
    let table = page.split(separator: "\n").filter { $0.hasPrefix("|") }.map(String.init)
    #expect(table == (try CoreImageList().markdown), "paste what `hdrbatch filters --core-image --markdown` prints")
  }

  @Test("docs/data/video-keys.tsv has the keys of a clip's record, in this order")
  func clipKeysAreDocumented() throws {
    let source = try SourceTree.text("Sources/Video/Clip/ClipRecord.swift")
    let made = try #require(source.components(separatedBy: "package var json: JSON {").last)
    let keys = made.matches(of: /(?m)^      "(\w+)":/).map { String($0.output.1) }
    let rows = try SourceTree.text("docs/data/video-keys.tsv").split(separator: "\n").dropFirst()
    let listed = rows.flatMap { row in
      row.prefix { $0 != "\t" }.replacing(", ", with: ",").split(separator: ",").map(String.init)
    }
    #expect(keys.count > 40 && listed == keys)
  }

  @Test("scripts/README.md names every script, and no other")
  func scriptsAreListed() throws {
    let folder = SharedData.repository.appendingPathComponent("scripts")
    let page = try String(contentsOf: folder.appendingPathComponent("README.md"), encoding: .utf8)
    let listed = page.matches(of: /(?m)^\| `([^`]+)` \|/).map { String($0.output.1) }
    let here = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { path in
      // Lists, parts of archives, and what Python leaves.
      let isOther = ["md", "tsv", "pyc"].contains { path.hasSuffix("." + $0) } || path.contains("-parts/")
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: folder.appendingPathComponent(path).path, isDirectory: &isFolder)
      return !isOther && !isFolder.boolValue
    }
    #expect(listed.sorted() == here.sorted())
  }
}
