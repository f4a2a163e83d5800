import CPlatform
import Glibc

/// A process of the codec program that was started, and has said nothing yet.
package struct SpawnedCodec: Sendable {
  package let pid: Int32

  /// A start that failed.
  package struct Failure: Error {
    package var number: Int32
    /// The step that failed; `nil` for the program itself.
    package var step: String?
  }

  /// - Parameters:
  ///   - arguments: its name first.
  ///   - descriptors: what it gets as its descriptors, from 0 on; -1: /dev/null.
  package init(_ program: FilePath, _ arguments: [String], _ descriptors: [Int32]) throws(Failure) {
    // A crash must end the process at once, with its own signal.
    var environment = ["SWIFT_BACKTRACE=enable=no", "LC_ALL=C"]
    // The library path of this process is passed on, so that both load the same libraries; LD_PRELOAD never is.
    if let value = Environment.value("LD_LIBRARY_PATH") { environment.append("LD_LIBRARY_PATH=" + value) }
    var pid: Int32 = 0, failed: UnsafePointer<CChar>?
    let command = OwnProgram.current.command(program, arguments)
    let result = Self.withStrings(command.arguments) { arguments in
      Self.withStrings(environment) { environment in
        command.file.withCString {
          hdr_spawn_codec($0, arguments, environment, descriptors, Int32(descriptors.count), &pid, &failed)
        }
      }
    }
    guard result == 0 else { throw Failure(number: result, step: failed.map { String(cString: $0) }) }
    self.pid = pid
  }

  private static func withStrings<R>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> R
  ) -> R {
    let copies = strings.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return copies.withUnsafeBufferPointer { body($0.baseAddress!) }
  }
}
