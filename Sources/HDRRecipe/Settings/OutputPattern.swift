/// A set of output kinds: words in which each `*` stands for any text, as in `sdr-jpeg *-heic adaptive-* *-y4m:*`.
public struct OutputPattern: Sendable, Hashable, ExpressibleByStringLiteral {
  public var patterns: [String]

  public static let all: OutputPattern = "*"

  public init(stringLiteral text: String) { patterns = text.split(separator: " ").map(String.init) }

  public func matches(_ kind: String) -> Bool { patterns.contains { Self.matches($0[...], kind[...]) } }

  private static func matches(_ pattern: Substring, _ kind: Substring) -> Bool {
    guard let first = pattern.first else { return kind.isEmpty }
    if first == "*" { return matches(pattern.dropFirst(), kind) || !kind.isEmpty && matches(pattern, kind.dropFirst()) }
    return first == kind.first && matches(pattern.dropFirst(), kind.dropFirst())
  }

  public var isAll: Bool { self == .all }

  /// The patterns as text: `sdr-jpeg, *-heic, adaptive-*`.
  public var text: String { patterns.joined(separator: ", ") }
}
