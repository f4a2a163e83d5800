import Threads

/// A value that one thread makes while others wait for it.
final class Promise<Value: Sendable>: Sendable {
  private let result = Monitor<Result<Value, GPUError>?>(nil)

  /// Gives the value, or the reason why there is none, to all who wait. Call once.
  func keep(_ made: Result<Value, GPUError>) { result.change { $0 = made } }

  /// Waits for the value.
  ///
  /// - Throws: the error of the thread that was to make it.
  func get() throws(GPUError) -> Value { try result.wait { $0 }.get() }

  /// The value; `nil` before it is made, and if it could not be.
  var value: Value? { result.change { try? $0?.get() } }
}
