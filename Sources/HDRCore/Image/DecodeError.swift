/// The reason why a file could not be read. Each case has a stable short code for records.
package enum DecodeError: Error, Sendable, Equatable {
  /// The bytes contradict their format. `where` is the box, chunk, marker or field.
  case malformed(where: String, what: String)
  /// The file ends too early.
  case truncated(where: String)
  /// A well-formed file needs something this build does not support.
  case unsupported(feature: String, found: String)
  /// A number from the file exceeds a limit; `raise` is the setting that raises it, `nil` for a fixed limit.
  case limit(what: String, found: Int, allowed: Int, raise: Message? = nil)
  /// A codec process may not allocate another block of memory, in bytes, in addition to what it has; it does not know
  /// what is allowed, and sends 0.
  case memory(block: Int, allowed: Int)
  /// A codec library refused; `code` is the library's own.
  case library(name: String, code: Int, message: String)
  /// The file does not state something that must be known; `give` is the setting that states it.
  case undescribed(what: String, give: Message)
  /// The file could not be read at all.
  case io(String)
  /// A library that is opened at run time is missing; `package` is Debian's that has it.
  case unavailable(library: String, package: String, why: String)

  package var code: String {
    switch self {
    case .malformed: "decode.malformed"
    case .truncated: "decode.truncated"
    case .unsupported: "decode.unsupported"
    case .limit, .memory: "decode.limit"
    case .library: "decode.library"
    case .undescribed: "decode.undescribed"
    case .io: "io.read"
    case .unavailable: "decode.unavailable"
    }
  }
}

extension DecodeError: HasMessage {
  package var message: Message {
    switch self {
    case .malformed(let place, let what): "\(place): \(what)"
    case .truncated(let place): "\(place): the file ends too early; copy it again from its source"
    case .unsupported(let feature, let found): "\(feature) is not supported (found \(found))"
    case .limit(let what, let found, let allowed, let raise):
      "\(what) is \(found), more than the limit of \(allowed)" + (raise.map { "; raise \($0)" } ?? "")
    case .memory(let block, let allowed):
      "the codec process needs more than its \(allowed) bytes of memory: a block of \(block) bytes does not fit; raise "
        + "\(setting: "max-worker-memory")"
    case .library(let name, let code, let message): "\(name) refused the data: \(message) (code \(code))"
    case .undescribed(let what, _): "\(what)"
    case .io(let message): "\(message)"
    case .unavailable(let library, let package, let why):
      "this file needs \(library), which is not there (\(why)); install \(package), or use the bundle"
    }
  }
}
