import CodecService

/// A demanded device or codec is not here: exit code 69.
package struct UnavailableError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is not here.
  package var what: String
  /// What to do on the command line; empty where `what` says it.
  package var advice: String
  /// The machine could start no codec process, and may a little later: exit code 75.
  package var mayPass: Bool

  package init(description: String, advice: String = "", mayPass: Bool = false) {
    (what, self.advice, self.mayPass) = (description, advice, mayPass)
  }

  /// - Parameter isFirst: no process of the program was ever ready.
  init(_ failure: StartFailure, isFirst: Bool = false) {
    // 127: the dynamic linker has not found what the program needs.
    let isAbsent = failure.isLasting || (isFirst && failure.exitCode == 127)
    self.init(
      description: failure.what + (isAbsent ? "" : " [codec.start]"), advice: failure.advice, mayPass: !isAbsent)
  }

  package var description: String { advice.isEmpty ? what : what + "; " + advice }

  /// Stable short code.
  package var code: String { mayPass ? Self.startCode : Self.missingCode }
  package static let startCode = "codec.start"
  package static let missingCode = "codec.missing"

  /// The same of an operation; every later one meets it.
  package var loss: CodecError { .lost(code: code, message: description, isLast: true) }
}
