import Glibc

/// The environment of this process.
package enum Environment {
  /// Returns a variable; `nil` if it is not set.
  package static func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
