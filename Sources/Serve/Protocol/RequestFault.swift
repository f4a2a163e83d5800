import BatchEngine
import HDRCore
import HDRRecipe
import HDRRender
import PlainData

/// The reason why a request gets no result.
package struct RequestFault: Error, Sendable, Equatable {
  package var id: Request.ID?
  package var code: String
  package var message: String
  package var kind: String
  /// The exit code that the command would have ended with.
  package var exit: ExitStatus
  /// True if the same request may succeed later.
  package var mayRetry: Bool

  package init(
    _ code: String, _ message: String, kind: String = "request", exit: ExitStatus = .usage, mayRetry: Bool = false
  ) {
    (self.code, self.message, self.kind, self.exit, self.mayRetry) = (code, message, kind, exit, mayRetry)
  }

  /// Makes the fault of an item.
  package init(_ error: HDRError) {
    self.init(
      error.code, (error.file.map { "\($0): " } ?? "") + error.message.text(dashes: true), kind: error.kind.rawValue,
      exit: error.status, mayRetry: error.code == UnavailableError.startCode || error.kind == .output)
  }

  /// Makes the fault of options or a recipe.
  package init(_ error: UsageError) { self.init("request.options", error.message.text(dashes: true)) }

  package static var busy: RequestFault {
    RequestFault(
      "serve.busy", "the queue is full: ask again later", kind: "busy", exit: .stoppedEarly, mayRetry: true)
  }
  package static var draining: RequestFault {
    RequestFault(
      "serve.draining", "the server ends: ask another", kind: "busy", exit: .stoppedEarly, mayRetry: true)
  }
  package static var cancelled: RequestFault {
    RequestFault("cancelled", "cancelled: nothing was written", kind: "cancelled", exit: .failedItems)
  }

  package var json: JSON {
    [
      "code": .string(code), "message": .string(message), "kind": .string(kind), "exit": .int(Int(exit.code)),
      "retry": .bool(mayRetry),
    ]
  }
}
