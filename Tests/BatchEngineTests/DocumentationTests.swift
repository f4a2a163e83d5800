import BatchEngine
import Foundation
import HDRCore
import ImageFiles
import TestSupport
import Testing

/// Pages that must name every kind of output and every warning about gain maps.
@Suite struct DocumentationTests {
  @Test(arguments: OutputKind.allCases) func kindIsDocumented(kind: OutputKind) throws {
    for page in ["docs/formats.md", "README.md"] {
      let text = try String(contentsOf: SharedData.repository.appendingPathComponent(page), encoding: .utf8)
      let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }
      #expect(rows.contains { $0.split(separator: "|")[0].contains("`\(kind.rawValue)`") }, "\(page)")
    }
  }

  @Test(arguments: GainMapWarnings.all) func warningIsDocumented(warning: GainMapWarnings.Entry) throws {
    let page = try String(
      contentsOf: SharedData.repository.appendingPathComponent("docs/gain-maps.md"), encoding: .utf8)
    #expect(page.contains("\n| `\(warning.code)` | \(warning.effect.rawValue) | \(warning.meaning) |\n"))
  }

  @Test(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
  func optionsAreDocumented() throws {
    let page = try String(
      contentsOf: SharedData.repository.appendingPathComponent("docs/data/options.md"), encoding: .utf8)
    #expect(
      page == (try Program.run(["options"]).output), "write what `hdrbatch options` prints to docs/data/options.md")
  }

  @Test func filtersAreDocumented() throws {
    let page = try String(contentsOf: SharedData.repository.appendingPathComponent("docs/filters.md"), encoding: .utf8)
    let table = page.split(separator: "\n").filter { $0.hasPrefix("|") }.map(String.init)
    #expect(table == (try FilterList().markdown), "paste what `hdrbatch filters --markdown` prints")
  }
}
