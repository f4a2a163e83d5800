import BatchEngine
import Glibc
import HDRRecipe
import HDRRender
import PlainData

/// The lines that a runtime of Open Job Description looks for in a task's output (docs/cli.md#streams): at column 0, in
/// ASCII. It reads standard error along with standard output, so no other line may begin with text from a file.
enum OpenJDLines {
  /// The variable that is set in every session; it makes `--progress openjd` the default.
  static let sessionVariable = "OPENJD_SESSION_WORKING_DIR"

  /// Returns the lines for the progress of a shard, and a status text.
  static func progress(done: Int, total: Int, status: String) -> String {
    let tenths = total > 0 ? min(max(done * 1000 / total, 0), 1000) : 1000
    return "openjd_progress: \(tenths / 10).\(tenths % 10)\nopenjd_status: \(ascii(status))"
  }

  /// Returns the line for the reason of a nonzero exit code.
  static func failure(_ reason: String) -> String { "openjd_fail: " + ascii(reason) }

  /// Returns one line without control characters; non-ASCII characters become `\u{…}`.
  static func ascii(_ text: String) -> String {
    var result = ""
    for scalar in printable(text).unicodeScalars {
      if scalar.isASCII { result.unicodeScalars.append(scalar) } else { result += scalar.escaped(asASCII: true) }
    }
    return result
  }

  /// Returns true if errors of a command with these arguments are written as such lines.
  static func areWanted(_ words: some Sequence<String>) -> Bool {
    var asked: String?
    var isValue = false
    for word in words {
      if isValue { asked = word }
      isValue = word == "--progress"
      if word.hasPrefix("--progress=") { asked = String(word.dropFirst("--progress=".count)) }
    }
    return (asked ?? ProgressMode.standard.rawValue) == ProgressMode.openjd.rawValue
  }

  /// Reports that the batch is stopping, unless the stream is closed: the process must end in any case.
  static func sayAbandoned() {
    var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
    guard poll(&output, 1, 0) == 1, output.revents & Int16(POLLOUT) != 0 else { return }
    Terminal.output.line(failure("stopped early with work left; run again with --resume"))
  }
}

extension ProgressMode {
  /// The default mode.
  static var standard: ProgressMode { Environment.value(OpenJDLines.sessionVariable) == nil ? .human : .openjd }
}
