import HDRRender
import Synchronization

/// The objects that callers hold, each by a number in the form of a pointer, which nobody follows. A pointer that was
/// released, is of another kind or was never given finds nothing.
enum Handles {
  private struct State {
    var objects: [UInt: any Sendable] = [:]
    var last: UInt = 0
  }

  private static let state = Mutex(State())

  /// Keeps an object until it is released.
  static func add(_ object: some Sendable) -> OpaquePointer? {
    state.withLock { state in
      // No pointer into memory, and never given twice.
      state.last += 16
      state.objects[state.last] = object
      return OpaquePointer(bitPattern: state.last)
    }
  }

  /// Returns an object that is held; `nil` if there is none of the type.
  static func find<Held>(_ handle: OpaquePointer?, _ type: Held.Type = Held.self) -> Held? {
    state.withLock { $0.objects[UInt(bitPattern: handle)] } as? Held
  }

  /// Returns an object that is held.
  ///
  /// - Throws: `HDRError` `argument`, which names the parameter.
  static func get<Held>(_ handle: OpaquePointer?, _ parameter: StaticString) throws(HDRError) -> Held {
    guard let object = find(handle, Held.self) else {
      throw .argument("\(parameter) is \(handle == nil ? "NULL" : "released, or no such handle")")
    }
    return object
  }

  /// Forgets an object. It ends with the last call that uses it.
  static func release(_ handle: UnsafeRawPointer?) {
    // What ends here ends outside the lock.
    _ = state.withLock { $0.objects.removeValue(forKey: UInt(bitPattern: handle)) }
  }
}
