import HDRCore
import HDRRender

/// An error as callers hold it.
final class Failure: Sendable {
  let code: CText
  let kind: CText
  let message: CText

  init(_ error: HDRError) {
    code = CText(error.code)
    kind = CText(error.kind.rawValue)
    message = CText((error.file.map { $0 + ": " } ?? "") + error.message.text(dashes: false))
  }
}

package typealias ErrorPlace = UnsafeMutablePointer<OpaquePointer?>

/// Answers a call: with what `body` makes, else with `failed` and an error where the caller wants it.
func answer<R>(_ place: ErrorPlace?, else failed: R, _ body: () throws(HDRError) -> R) -> R {
  place?.pointee = nil
  do throws(HDRError) {
    return try body()
  } catch {
    place?.pointee = place == nil ? nil : Handles.add(Failure(error))
    return failed
  }
}

extension HDRError {
  /// Makes the error of a call that can mean nothing.
  static func argument(_ message: String) -> HDRError { HDRError(code: "argument", message: "\(message)") }
}
