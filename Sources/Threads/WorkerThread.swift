import CPlatform
import Glibc

/// A thread of its own for work that blocks: codecs, file calls, waiting for a device.
package final class WorkerThread: @unchecked Sendable {
  private var thread = pthread_t()
  private let isRunning: Bool

  /// Starts at once. When the system has no thread left the work runs here and now.
  package init(name: String, _ work: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Box(name: name, work: work))
    isRunning =
      pthread_create(
        &thread, nil,
        { argument in
          guard let argument else { return nil }
          let box = Unmanaged<Box>.fromOpaque(argument).takeRetainedValue()
          hdr_name_thread(box.name)
          box.work()
          return nil
        }, box.toOpaque()) == 0
    if !isRunning { box.takeRetainedValue().work() }
  }

  /// Waits for the end of the work. Call once.
  package func join() {
    if isRunning { pthread_join(thread, nil) }
  }

  /// Lets the thread end by itself.
  package func detach() {
    if isRunning { pthread_detach(thread) }
  }

  private final class Box: Sendable {
    let name: String
    let work: @Sendable () -> Void
    init(name: String, work: @escaping @Sendable () -> Void) {
      self.name = name
      self.work = work
    }
  }
}
