import CodecService
import HDRCore

/// A demanded device or codec is not available: exit code 69.
package struct UnavailableError: Error, Sendable, Equatable, HasMessage {
  /// The missing thing and the fix.
  package var reason: Message
  /// True if the machine could not start a codec process now, but perhaps later: exit code 75.
  package var mayPass: Bool

  package init(_ reason: Message, mayPass: Bool = false) { (self.reason, self.mayPass) = (reason, mayPass) }

  /// Makes the error of a failed start; `isFirst` is true if no process of the program was ever ready.
  init(_ failure: StartFailure, isFirst: Bool = false) {
    // The exit code 127 means that the dynamic linker has not found a library of the program.
    self.init(failure.message, mayPass: !failure.isLasting && !(isFirst && failure.exitCode == 127))
  }

  package var message: Message { mayPass ? "\(reason) [\(code)]" : reason }

  /// The stable short code.
  package var code: String { mayPass ? Self.startCode : Self.missingCode }
  package static let startCode = "codec.start"
  package static let missingCode = "codec.missing"

  /// The error as a failed operation; every later operation fails alike.
  package var loss: CodecError { .lost(code: code, message: reason, isLast: true) }
}
