import Glibc

/// The environment of this process.
public enum Environment {
  /// A variable; `nil` where it is not set.
  public static func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
