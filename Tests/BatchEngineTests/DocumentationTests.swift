import Foundation
import ImageFiles
import TestSupport
import Testing

/// Pages that must name every kind of output.
@Suite struct DocumentationTests {
  @Test(arguments: OutputKind.allCases) func kindIsDocumented(kind: OutputKind) throws {
    for page in ["docs/formats.md", "README.md"] {
      let text = try String(contentsOf: SharedData.repository.appendingPathComponent(page), encoding: .utf8)
      let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }
      #expect(rows.contains { $0.split(separator: "|")[0].contains("`\(kind.rawValue)`") }, "\(page)")
    }
  }
}
