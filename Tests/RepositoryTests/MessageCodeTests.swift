import Foundation
import TestSupport
import Testing

/// The codes of errors, warnings and advice in the sources against the page that explains them.
@Suite struct MessageCodeTests {
  @Test("docs/troubleshooting.md explains every code that the sources have, and no other")
  func everyCodeIsExplained() throws {
    let sources = try SourceTree.allFiles("Sources", extension: "swift")
    var codes: Set<String> = [], patterns: [Regex<Substring>] = []
    for text in sources.map(\.text) {
      codes.formUnion(text.matches(of: /"([a-z][a-z0-9]*\.[a-z0-9]+(?:-[a-z0-9]+)*)"/).map { String($0.output.1) })
      codes.formUnion(text.matches(of: /\(\s*clip:\s*"([a-z-]+)"/).map { "video." + $0.output.1 })
      codes.formUnion(text.matches(of: /lost\("([a-z]+)", "/).map { "codec." + $0.output.1 })
      // Codes with a part that is computed: any row may stand for it.
      let made = text.matches(of: /Warning\(\s*"((?:[a-z0-9.-]|\\\([\w.]+(?:\(\))?\))+)"/).map(\.output.1)
      for code in made where code.contains("\\") {
        let pattern = code.replacing(".", with: "\\.").replacing(/\\\((?:\w|\\\.)+(?:\(\))?\)/, with: "[a-z0-9]+")
        patterns.append(try Regex(String(pattern)))
      }
    }
    #expect(codes.count > 300 && patterns.count >= 7)
    // Names of files, stages and numbers look like codes.
    let others = codes.filter { Self.isNoCode($0) && !$0.hasPrefix("request.") }
    let explained = try Self.explained()
    let missing = codes.subtracting(explained).subtracting(others)
    #expect(missing.isEmpty, "docs/troubleshooting.md lacks \(missing.sorted())")
    let made = explained.subtracting(codes)
    for code in made { #expect(patterns.contains { code.wholeMatch(of: $0) != nil }, "nothing has the code \(code)") }
    for pattern in patterns { #expect(explained.contains { $0.wholeMatch(of: pattern) != nil }) }
  }

  /// Returns the codes in the first columns of the page's tables, in its lists, and in that of gain maps.
  private static func explained() throws -> Set<String> {
    let lines = try ["docs/troubleshooting.md", "docs/data/gain-map-warnings.md"]
      .flatMap { try SourceTree.text($0).split(separator: "\n") }
    let cells = lines.map { $0.hasPrefix("|") ? $0.dropFirst().prefix { $0 != "|" } : $0 }
    return Set(
      cells.flatMap { $0.matches(of: /`([a-z][a-z0-9]*\.[a-z0-9]+(?:-[a-z0-9]+)*)`/) }.map { String($0.output.1) })
  }

  private static func isNoCode(_ text: String) -> Bool {
    let endings = [
      "avif", "css", "glsl", "heic", "html", "jpg", "js", "json", "jsonl", "rgba16f", "rgba8", "tsv", "yaml",
    ]
    let end = text.drop { $0 != "." }.dropFirst()
    return endings.contains(String(end)) || end == "last"
      || ["memory.max", "p99.9", "p99.99", "v2.1", "libjxl0.7"].contains(text)
  }
}
