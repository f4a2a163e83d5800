import Glibc

/// A value protected by a lock, with a condition to wait on. For threads that block; not for Swift concurrency.
package final class Monitor<State>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var state: State

  package init(_ state: State) {
    self.state = state
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    // Deadlines must not move when the clock is set.
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Runs `body` under the lock, then wakes all waiters.
  package func change<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
    return try body(&state)
  }

  /// Waits until `body` returns a value; calls it again after every change.
  package func wait<R>(until body: (inout State) -> R?) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&state) {
        pthread_cond_broadcast(condition)
        return result
      }
      pthread_cond_wait(condition, mutex)
    }
  }

  /// Waits as `wait(until:)` does, for at most `seconds`; returns `nil` after that.
  package func wait<R>(seconds: Double, until body: (inout State) -> R?) -> R? {
    var deadline = timespec()
    clock_gettime(CLOCK_MONOTONIC, &deadline)
    let total = Double(deadline.tv_nsec) * 1e-9 + max(0, seconds)
    deadline.tv_sec += Int(total)
    deadline.tv_nsec = Int((total - Double(Int(total))) * 1e9)
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&state) {
        pthread_cond_broadcast(condition)
        return result
      }
      if pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT { return body(&state) }
    }
  }
}
