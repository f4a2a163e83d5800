/// A transform that OCIO has built in, by its name, as `ACEScct_to_ACES2065-1`.
package struct BuiltinStyle: Sendable, Hashable {
  /// The name as OCIO spells it; configs may spell it in other cases.
  package let name: String
  /// The version of configs, as 2.1, from which it may be used.
  package let since: ConfigVersion
}

/// The version of a config's format.
package struct ConfigVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
  package var major: Int, minor: Int
  package init(_ major: Int, _ minor: Int = 0) { (self.major, self.minor) = (major, minor) }
  package var description: String { "\(major).\(minor)" }
  package static func < (a: Self, b: Self) -> Bool { (a.major, a.minor) < (b.major, b.minor) }
}
