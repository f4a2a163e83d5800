import Synchronization

/// Divides the numbers from 0 to `count` - 1 among this thread and up to `threads` - 1 new ones, and waits for all.
///
/// - Parameter work: runs once on each thread; `next` returns the next free number, in rising order, `nil` at the end.
package func shareOut(_ count: Int, among threads: Int, _ work: @Sendable (_ next: () -> Int?) -> Void) {
  let numbers = NumberDispenser()
  withoutActuallyEscaping(work) { work in
    let newThreads = (0..<max(0, min(threads, count) - 1)).map { index in
      WorkerThread(name: "piece \(index + 1)") { work { numbers.next(below: count) } }
    }
    work { numbers.next(below: count) }
    for thread in newThreads { thread.join() }
  }
}

private final class NumberDispenser: Sendable {
  private let numbers = Atomic<Int>(0)

  func next(below count: Int) -> Int? {
    let number = numbers.wrappingAdd(1, ordering: .relaxed).oldValue
    return number < count ? number : nil
  }
}
