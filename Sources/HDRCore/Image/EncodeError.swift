/// The reason why an output could not be made.
package enum EncodeError: Error, Sendable, Equatable {
  case unsupported(feature: String, found: String)
  case library(name: String, code: Int, message: String)
  /// The written bytes, read again, differ from the data that was to be written.
  case verification(String)
  case io(String)

  package var code: String {
    switch self {
    case .unsupported: "encode.unsupported"
    case .library: "encode.library"
    case .verification: "encode.verification"
    case .io: "io.write"
    }
  }
}

extension EncodeError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unsupported(let feature, let found): "\(feature) is not supported (asked for \(found))"
    case .library(let name, let code, let message): "\(name) failed: \(message) (code \(code))"
    case .verification(let what): "the written file does not read back as it should: \(what)"
    case .io(let message): message
    }
  }
}
