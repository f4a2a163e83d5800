import Glibc

/// The environment of this process.
package enum Environment {
  /// Returns a variable; `nil` if it is not set.
  package static func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// All variables that the process was started with.
  static let all: [String: String] = {
    guard let file = fopen("/proc/self/environ", "re") else { return [:] }
    defer { fclose(file) }
    var bytes: [UInt8] = [], part = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&part, 1, part.count, file), count > 0 { bytes += part[..<count] }
    var found: [String: String] = [:]
    for entry in bytes.split(separator: 0) {
      let sides = entry.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      if sides.count == 2 {
        found[String(decoding: sides[0], as: UTF8.self)] = String(decoding: sides[1], as: UTF8.self)
      }
    }
    return found
  }()
}
