import CodecService

/// A demanded device or codec is not available: exit code 69.
package struct UnavailableError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The missing thing.
  package var what: String
  /// The fix on the command line; empty if `what` contains it.
  package var advice: String
  /// True if the machine could not start a codec process now, but perhaps later: exit code 75.
  package var mayPass: Bool

  package init(description: String, advice: String = "", mayPass: Bool = false) {
    (what, self.advice, self.mayPass) = (description, advice, mayPass)
  }

  /// Makes the error of a failed start; `isFirst` is true if no process of the program was ever ready.
  init(_ failure: StartFailure, isFirst: Bool = false) {
    // The exit code 127 means that the dynamic linker has not found a library of the program.
    let isAbsent = failure.isLasting || (isFirst && failure.exitCode == 127)
    self.init(
      description: failure.what + (isAbsent ? "" : " [codec.start]"), advice: failure.advice, mayPass: !isAbsent)
  }

  package var description: String { advice.isEmpty ? what : what + "; " + advice }

  /// The stable short code.
  package var code: String { mayPass ? Self.startCode : Self.missingCode }
  package static let startCode = "codec.start"
  package static let missingCode = "codec.missing"

  /// The error as a failed operation; every later operation fails alike.
  package var loss: CodecError { .lost(code: code, message: description, isLast: true) }
}
