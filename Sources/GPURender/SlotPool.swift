import Threads

/// Hands out ring slots to item threads, one owner each, and bounds the memory that all slots hold.
final class SlotPool: Sendable {
  private struct State {
    var free: [RingSlot] = []
    /// The number of slots that were made.
    var made = 0
    /// The bytes that each slot in use may hold.
    var granted: [ObjectIdentifier: Int] = [:]
    /// The bytes that pictures hold between their bands (`DevicePlanes`), beside those of slots.
    var held = 0
    /// The numbers of the next thread that waits, and of the one whose turn it is.
    var nextTurn = 0, turn = 0

    var bytes: Int { granted.values.reduce(0, +) + free.reduce(0) { $0 + $1.deviceBytes } }
  }

  /// Buffers that bands were read back into, for the next bands.
  let spares: SpareBuffers
  private let context: GPUContext
  private let most: Int
  private let bytes: Int
  private let mostHeld: Int
  private let workGroup: (x: Int, y: Int)
  private let state = Monitor(State())

  /// - Parameters:
  ///   - most: the most slots; they are made when they are needed.
  ///   - bytes: the device memory of all slots. A band that takes more is rendered alone.
  ///   - held: the device memory that pictures may hold between their bands, beside that.
  init(_ context: GPUContext, most: Int, bytes: Int, held: Int, workGroup: (x: Int, y: Int)) throws(GPUError) {
    self.context = context
    self.most = most
    self.bytes = bytes
    mostHeld = held
    self.workGroup = workGroup
    spares = SpareBuffers(most: most)
    let first = try RingSlot(context, workGroup: workGroup)
    state.change { ($0.free, $0.made) = ([first], 1) }
  }

  /// Returns a slot for a band of so many bytes, or `nil`: for an item thread that still holds slots and so must not
  /// wait for others. Threads that wait come first.
  func tryAcquire(_ bytes: Int) throws(GPUError) -> RingSlot? {
    try state.change { state -> Result<RingSlot?, GPUError> in
      state.turn == state.nextTurn ? take(bytes, &state) : .success(nil)
    }.get()
  }

  /// Waits for a slot for a band of so many bytes.
  ///
  /// - Throws: `.deviceLost`; `wakeAll` wakes a waiting thread to see it.
  func acquire(_ bytes: Int) throws(GPUError) -> RingSlot {
    let own = state.change { state in
      defer { state.nextTurn += 1 }
      return state.nextTurn
    }
    return try state.wait { state -> Result<RingSlot, GPUError>? in
      guard state.turn == own else { return nil }
      let result = Result { () throws(GPUError) in
        try context.checkAlive()
        return try take(bytes, &state).get()
      }
      switch result {
      case .success(nil): return nil
      case .success(let slot?):
        state.turn += 1
        return .success(slot)
      case .failure(let error):
        state.turn += 1
        return .failure(error)
      }
    }.get()
  }

  /// Takes a slot; `nil` if none is free, or the memory is in use.
  private func take(_ wanted: Int, _ state: inout State) -> Result<RingSlot?, GPUError> {
    // The smallest that holds the band, else a new one, else the largest.
    let fitting = state.free.indices.filter { state.free[$0].deviceBytes >= wanted }
    let smallest = fitting.min { state.free[$0].deviceBytes < state.free[$1].deviceBytes }
    if smallest == nil, state.made < most {
      do throws(GPUError) {
        state.free.append(try RingSlot(context, workGroup: workGroup))
        state.made += 1
      } catch {
        // Those that are there go on.
        if state.free.isEmpty, state.granted.isEmpty { return .failure(error) }
      }
    }
    let largest = state.free.indices.max { state.free[$0].deviceBytes < state.free[$1].deviceBytes }
    guard let index = smallest ?? largest else { return .success(nil) }
    let slot = state.free.remove(at: index), grant = max(wanted, slot.deviceBytes)
    for other in state.free where state.bytes + grant > bytes { other.shrink() }
    guard state.bytes + grant <= bytes || state.granted.isEmpty else {
      state.free.append(slot)
      return .success(nil)
    }
    state.granted[ObjectIdentifier(slot)] = grant
    return .success(slot)
  }

  func release(_ slot: RingSlot) {
    state.change { state in
      state.granted[ObjectIdentifier(slot)] = nil
      state.free.append(slot)
    }
  }

  /// Counts memory that a picture holds beside the slots, until `letGo`.
  ///
  /// - Returns: false if there is no room for it.
  func hold(_ bytes: Int) -> Bool {
    state.change { state in
      guard bytes <= mostHeld - state.held else { return false }
      state.held += bytes
      return true
    }
  }

  /// Ends what `hold` began.
  func letGo(_ bytes: Int) { state.change { $0.held -= bytes } }

  /// Wakes all who wait for a slot, so that they see that the device is lost.
  func wakeAll() { state.change { _ in } }

  /// Gives back the memory of all that is not in use.
  func shrink() {
    state.change { state in for slot in state.free { slot.shrink() } }
    spares.removeAll()
  }
}

/// Host memory that bands were read back into. A band's is its thread's until it is copied out, and then serves others.
final class SpareBuffers: Sendable {
  private let most: Int
  private let buffers = Monitor<[GPUBuffer]>([])

  init(most: Int) { self.most = most }

  /// Returns the smallest buffer of at least so many bytes; `nil` if there is none.
  func take(_ bytes: Int) -> GPUBuffer? {
    buffers.change { buffers in
      let fitting = buffers.indices.filter { buffers[$0].bytes >= bytes }
      return fitting.min { buffers[$0].bytes < buffers[$1].bytes }.map { buffers.remove(at: $0) }
    }
  }

  /// Keeps a buffer; of too many the smallest is freed.
  func give(_ buffer: GPUBuffer) {
    let freed = buffers.change { buffers -> GPUBuffer? in
      buffers.append(buffer)
      guard buffers.count > most else { return nil }
      return buffers.indices.min { buffers[$0].bytes < buffers[$1].bytes }.map { buffers.remove(at: $0) }
    }
    // It is freed here, outside the lock.
    withExtendedLifetime(freed) {}
  }

  func removeAll() {
    let freed = buffers.change { buffers in
      defer { buffers = [] }
      return buffers
    }
    withExtendedLifetime(freed) {}
  }
}
