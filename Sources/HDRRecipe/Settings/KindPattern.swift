/// A set of output kinds: words in which each `*` stands for any text, as in `sdr-jpeg *-heic adaptive-* *-y4m:*`.
package struct KindPattern: Sendable, Hashable, ExpressibleByStringLiteral {
  package var patterns: [String]

  package static let all: KindPattern = "*"

  package init(stringLiteral text: String) { patterns = text.split(separator: " ").map(String.init) }

  package func matches(_ kind: String) -> Bool { patterns.contains { Self.matches($0[...], kind[...]) } }

  private static func matches(_ pattern: Substring, _ kind: Substring) -> Bool {
    guard let first = pattern.first else { return kind.isEmpty }
    if first == "*" { return matches(pattern.dropFirst(), kind) || !kind.isEmpty && matches(pattern, kind.dropFirst()) }
    return first == kind.first && matches(pattern.dropFirst(), kind.dropFirst())
  }

  package var isAll: Bool { self == .all }

  /// The patterns as text: `sdr-jpeg, *-heic, adaptive-*`.
  package var text: String { patterns.joined(separator: ", ") }
}
