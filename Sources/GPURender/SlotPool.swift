import Glibc

/// Hands out ring slots to item threads, one owner each.
final class SlotPool: @unchecked Sendable {
  private let context: GPUContext
  private var free: [RingSlot]
  /// The number of slots.
  let count: Int
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let returned = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init(_ context: GPUContext, _ slots: [RingSlot]) {
    self.context = context
    free = slots
    count = slots.count
    mutex.initialize(to: pthread_mutex_t())
    returned.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(returned, nil)
  }

  deinit {
    pthread_cond_destroy(returned)
    pthread_mutex_destroy(mutex)
    returned.deallocate()
    mutex.deallocate()
  }

  /// Returns a free slot or `nil`, for an item thread that still holds slots and so must not wait for others.
  func tryAcquire() -> RingSlot? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return free.popLast()
  }

  /// Waits for a free slot.
  ///
  /// - Throws: `.deviceLost`; `wakeAll` wakes a waiting thread to see it.
  func acquire() throws(GPUError) -> RingSlot {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      try context.checkAlive()
      if let slot = free.popLast() { return slot }
      pthread_cond_wait(returned, mutex)
    }
  }

  func release(_ slot: RingSlot) {
    pthread_mutex_lock(mutex)
    free.append(slot)
    pthread_cond_signal(returned)
    pthread_mutex_unlock(mutex)
  }

  /// Wakes all who wait for a slot, so that they see that the device is lost.
  func wakeAll() {
    pthread_mutex_lock(mutex)
    pthread_cond_broadcast(returned)
    pthread_mutex_unlock(mutex)
  }

  /// Calls `body` with every free slot.
  func forEachFree(_ body: (RingSlot) -> Void) {
    pthread_mutex_lock(mutex)
    for slot in free { body(slot) }
    pthread_mutex_unlock(mutex)
  }
}
