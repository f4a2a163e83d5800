import CHDRBatch
import Glibc

/// A handle that is not an error's has this text.
private let nothing = CText("")

private func text(_ error: OpaquePointer?, _ part: KeyPath<Failure, CText>) -> UnsafePointer<CChar>? {
  UnsafePointer((Handles.find(error, Failure.self)?[keyPath: part] ?? nothing).start)
}

@c @implementation
package func hdrbatch_error_code(_ error: OpaquePointer?) -> UnsafePointer<CChar>? { text(error, \.code) }

@c @implementation
package func hdrbatch_error_kind(_ error: OpaquePointer?) -> UnsafePointer<CChar>? { text(error, \.kind) }

@c @implementation
package func hdrbatch_error_message(_ error: OpaquePointer?) -> UnsafePointer<CChar>? { text(error, \.message) }

@c @implementation
package func hdrbatch_release(_ handle: UnsafeRawPointer?) { Handles.release(handle) }

@c @implementation
package func hdrbatch_free(_ memory: UnsafeMutableRawPointer?) { free(memory) }
