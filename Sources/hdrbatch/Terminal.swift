import BatchEngine
import Glibc
import HDRCore
import HDRRecipe
import HDRRender

/// An unbuffered output stream: each call is one write, so that lines of threads never mix.
struct Terminal: Sendable {
  private let descriptor: Int32

  /// The stream of records for machines.
  static let output = Terminal(descriptor: STDOUT_FILENO)
  /// The stream of messages.
  static let error = Terminal(descriptor: STDERR_FILENO)

  /// True for a terminal that understands `\r`.
  var isInteractive: Bool {
    guard isatty(descriptor) == 1 else { return false }
    return getenv("TERM").map { String(cString: $0) != "dumb" } ?? false
  }

  /// The number of columns of the window, 80 if unknown.
  var columns: Int {
    var size = winsize()
    return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  /// Prints a message that needs no action.
  static func note(_ text: String) { error.line("hdrbatch: notice: " + text) }

  func line(_ text: String) { write(text + "\n") }

  func write(_ text: String) {
    let bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + written, $0.count - written) }
      if count < 0 && errno == EINTR { continue }
      // The pipe is closed: nothing can be reported.
      if count <= 0 { return }
      written += count
    }
  }
}

extension Terminal {
  /// Returns a message as a line, with its settings as options.
  static func text(_ message: Message) -> String { printable(message).text(dashes: true) }
}
