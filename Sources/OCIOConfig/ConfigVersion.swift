/// A version says which format a config has.
package struct ConfigVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
  package var major: Int, minor: Int
  package init(_ major: Int, _ minor: Int = 0) { (self.major, self.minor) = (major, minor) }
  package var description: String { "\(major).\(minor)" }
  package static func < (a: Self, b: Self) -> Bool { (a.major, a.minor) < (b.major, b.minor) }

  /// The newest version that is read.
  static let newest = ConfigVersion(2, 6)

  /// Takes the text of a file: `1`, `2`, `2.3`; `nil` for other texts.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let major = Int(parts[0]), let minor = parts.count > 1 ? Int(parts[1]) : 0,
      text.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    (self.major, self.minor) = (major, minor)
  }

  /// True if configs of the version are read.
  var isKnown: Bool { self == ConfigVersion(1) || major == 2 && self <= .newest }
}
