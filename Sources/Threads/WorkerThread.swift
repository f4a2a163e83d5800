import CPlatform
import Glibc

/// A thread of its own for work that blocks: codecs, file calls, waiting for a device.
package final class WorkerThread: @unchecked Sendable {
  private var thread = pthread_t()
  /// True if the system gave a thread.
  package let isRunning: Bool

  /// Pauses in microseconds before each new try, when the system has no thread left.
  private static let pauses: [UInt32] = [1000, 10_000, 100_000]

  /// Starts the work at once. Without a thread the work runs on the caller's thread, unless it is a service.
  ///
  /// - Parameter isService: the work serves other threads as long as they need it; without a thread it is left out.
  package init(name: String, isService: Bool = false, _ work: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Box(name: name, work: work))
    var result = Self.start(&thread, box)
    for pause in Self.pauses where result == EAGAIN {
      usleep(pause)
      result = Self.start(&thread, box)
    }
    isRunning = result == 0
    guard !isRunning else { return }
    let left = box.takeRetainedValue()
    if !isService { left.work() }
  }

  private static func start(_ thread: inout pthread_t, _ box: Unmanaged<Box>) -> Int32 {
    pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        let box = Unmanaged<Box>.fromOpaque(argument).takeRetainedValue()
        hdr_name_thread(box.name)
        box.work()
        return nil
      }, box.toOpaque())
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
