/// A value that a thread of its own makes meanwhile.
package final class Later<Value: Sendable>: Sendable {
  private let made = Monitor<Value?>(nil)

  /// Starts at once.
  package init(name: String, _ make: @escaping @Sendable () -> Value) {
    WorkerThread(name: name) { [made] in
      let value = make()
      made.change { $0 = value }
    }.detach()
  }

  /// The value, which is waited for.
  package var value: Value { made.wait { $0 } }
}
