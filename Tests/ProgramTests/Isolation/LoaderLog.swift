import Foundation

/// The loader's log with `LD_DEBUG=bindings`: every function of a library at its first call.
enum LoaderLog {
  /// Functions that a program has called, and the paths of their libraries.
  static func calls(_ log: String, by program: String) -> [(function: String, library: String)] {
    log.split(separator: "\n").compactMap { line in
      guard line.contains("/\(program) [0] to "), let target = line.components(separatedBy: " to ").last,
        let function = target.split(separator: "`").last?.split(separator: "'").first
      else { return nil }
      return (String(function), target)
    }
  }
}
