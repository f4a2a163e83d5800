import Synchronization

/// Divides the numbers from 0 to `count` - 1 among this thread and up to `threads` - 1 new ones, and waits for all.
///
/// - Parameter work: runs once on each thread; `next` returns the next free number, in rising order, `nil` at the end.
package func shareOut(_ count: Int, among threads: Int, _ work: @Sendable (_ next: () -> Int?) -> Void) {
  let taken = Taken()
  withoutActuallyEscaping(work) { work in
    let crew = (0..<max(0, min(threads, count) - 1)).map { index in
      WorkerThread(name: "piece \(index + 1)") { work { taken.next(below: count) } }
    }
    work { taken.next(below: count) }
    for thread in crew { thread.join() }
  }
}

private final class Taken: Sendable {
  private let numbers = Atomic<Int>(0)

  func next(below count: Int) -> Int? {
    let number = numbers.wrappingAdd(1, ordering: .relaxed).oldValue
    return number < count ? number : nil
  }
}
