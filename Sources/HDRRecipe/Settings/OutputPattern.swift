/// Which kinds of outputs something is for: words with `*` for any text, as in `sdr-jpeg *-heic adaptive-*`.
public struct OutputPattern: Sendable, Hashable, ExpressibleByStringLiteral {
  public var patterns: [String]

  public static let all: OutputPattern = "*"

  public init(stringLiteral text: String) { patterns = text.split(separator: " ").map(String.init) }

  public func matches(_ kind: String) -> Bool {
    patterns.contains { pattern in
      guard let star = pattern.firstIndex(of: "*") else { return pattern == kind }
      let head = pattern[..<star], tail = pattern[pattern.index(after: star)...]
      return kind.count >= head.count + tail.count && kind.hasPrefix(head) && kind.hasSuffix(tail)
    }
  }

  public var isAll: Bool { self == .all }

  /// `sdr-jpeg, *-heic, adaptive-*`
  public var text: String { patterns.joined(separator: ", ") }
}
