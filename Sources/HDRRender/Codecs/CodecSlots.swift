import CodecService
import FileParts
import HDRCore
import Synchronization
import Threads

/// The codec slots of a run: as many as operations at a time. It chooses a slot for each, starts processes in them, and
/// limits the memory that slots keep.
final class CodecSlots: Sendable {
  private struct State {
    var idle: [CodecSlot] = []
    /// The number of slots at work, of each role.
    var working: [CodecRole: Int] = [:]
    /// The number of those in which processes are started for operations to come.
    var starting: [CodecRole: Int] = [:]
    /// The memory that all slots keep, idle or not.
    var keptBytes = 0
    /// The libraries that processes open at their start: those that files have needed so far.
    var libraries: RunTimeLibraries
  }

  /// Sums over processes that have ended.
  private final class Totals: Sendable {
    private let sums = Mutex<(cpu: Double, peak: Int)>((0, 0))
    func add(_ cpuSeconds: Double, _ peakBytes: Int) {
      sums.withLock { $0 = ($0.cpu + cpuSeconds, max($0.peak, peakBytes)) }
    }
    var value: (cpu: Double, peak: Int) { sums.withLock { $0 } }
  }

  let options: IsolationOptions
  /// The bytes that a slot shares; `maxArenaBytes` is the limit for the pictures of an item.
  let arenaBytes: Int
  let maxArenaBytes: Int
  private let state: Monitor<State>
  private let totals = Totals()
  let starts: CodecStarts

  /// The locks of the first process. No later process has fewer.
  let locks: ProcessLocks
  let lock: CodecLock
  /// The missing part of the requested isolation.
  let reduction: String?

  /// Starts a first process, a decoder, and checks its locks.
  ///
  /// - Throws: `UnavailableError`.
  init(
    _ options: IsolationOptions, limits: DecodeLimits, libraries: RunTimeLibraries
  ) throws(UnavailableError) {
    self.options = options
    let arenaBytes = MemoryNeed.arena(
      maxPixels: limits.maxPixels, addressSpace: AddressSpace.limit, jobs: options.jobs)
    let totals = totals
    self.arenaBytes = arenaBytes
    maxArenaBytes = MemoryNeed.arena(maxPixels: limits.maxPixels)
    starts = CodecStarts(maxSeconds: Double(options.limits.seconds))
    let slot: CodecSlot, process: CodecProcessHandle
    do throws(StartFailure) {
      (slot, process) = try starts.start(makeRoom: {}) { () throws(StartFailure) in
        let slot = try CodecSlot(.decode, byteCount: arenaBytes)
        return (slot, try CodecProcessHandle(options, slot.arena, libraries) { totals.add($0, $1) })
      }
    } catch {
      throw UnavailableError(error, isFirst: true)
    }
    slot.process = process
    state = Monitor(State(idle: [slot], libraries: libraries))
    (locks, lock, reduction) = (process.locks, process.lock, process.reduction)
  }

  /// Ends the processes that wait for work.
  ///
  /// - Returns: CPU seconds of all processes that have ended, and the largest resident size of one.
  func close() -> (cpuSeconds: Double, peakBytes: Int) {
    let idle = state.change { state in
      defer { state.idle = [] }
      return state.idle
    }
    for slot in idle { slot.process = nil }
    let (cpuSeconds, peakBytes) = totals.value
    return (cpuSeconds, peakBytes)
  }

  // MARK: Choice

  /// The most seconds that an operation waits for a slot at work, which may hang.
  private static let mostWait = 0.5

  /// Takes a free slot of a role: the one that has the subject, else one without pictures, so that no process can reach
  /// the pictures of another item, and with a process that is ready; else a new one. While as many slots work as there are
  /// threads, or a process is started already, it waits for one of them: a start would take its time from them, and takes
  /// longer than a small file.
  ///
  /// - Parameters:
  ///   - libraries: those that the process needs.
  ///   - isRetry: true to leave processes to others, as the operation will start one.
  ///   - room: bytes of shared memory that must all be free; 0: any.
  func checkOut(
    _ role: CodecRole, _ subject: CodecSubject, _ libraries: RunTimeLibraries = [], isRetry: Bool = false, room: Int = 0
  ) throws(StartFailure) -> CodecSlot {
    /// Returns a slot; `nil` to wait, and `.some(nil)` for a new one.
    func choose(_ state: inout State, mayWait: Bool) -> CodecSlot?? {
      func take(where fits: (CodecSlot) -> Bool) -> CodecSlot? {
        guard let index = state.idle.lastIndex(where: { $0.role == role && fits($0) }) else { return nil }
        state.working[role, default: 0] += 1
        return state.idle.remove(at: index)
      }
      func isFree(_ slot: CodecSlot) -> Bool { slot.arena.usedBytes == 0 && slot.arena.byteCount >= room }
      if room == 0, let known = take(where: { $0.has(subject) }) { return known }
      if let best = take(where: { isFree($0) && $0.isReady(libraries) != isRetry }) { return best }
      if mayWait, !isRetry, state.starting[role, default: 0] > 0 { return nil }
      if let any = take(where: isFree) { return any }
      let isUseful = state.working[role, default: 0] > 0 && state.working.values.reduce(0, +) >= Allotment.threads
      return mayWait && isUseful ? nil : .some(nil)
    }
    let mayWait = room == 0 && options.isolation != .fresh
    let waited = state.wait(seconds: mayWait ? Self.mostWait : 0) { choose(&$0, mayWait: mayWait) }
    if let found = waited ?? state.change({ choose(&$0, mayWait: false) }) ?? nil { return found }
    let bytes = max(arenaBytes, room)
    // A lack of room for a large picture does not predict the next one.
    let slot = try starts.start(makeRoom: makeRoom, isUsual: bytes == arenaBytes) { () throws(StartFailure) in
      try CodecSlot(role, byteCount: bytes)
    }
    state.change { $0.working[role, default: 0] += 1 }
    return slot
  }

  /// Starts processes in the idle slots whose processes have ended or read no other input. Operations that need one
  /// meanwhile wait for it.
  func startEnded() throws(StartFailure) {
    // With `fresh` each operation starts its own.
    guard options.isolation != .fresh else { return }
    func take(_ state: inout State) -> CodecSlot? {
      guard let index = state.idle.lastIndex(where: { !$0.isReady([]) && $0.arena.usedBytes == 0 }) else { return nil }
      state.working[state.idle[index].role, default: 0] += 1
      state.starting[state.idle[index].role, default: 0] += 1
      return state.idle.remove(at: index)
    }
    while let slot = state.change(take) {
      defer {
        checkIn(slot)
        state.change { $0.starting[slot.role, default: 1] -= 1 }
      }
      slot.retire()
      _ = try process(of: slot, [], isFresh: false)
    }
  }

  /// Returns a slot. Slots with enough items or much memory are not kept, as the next file may need little. If all
  /// together keep too much, those that keep most are dropped.
  func checkIn(_ slot: CodecSlot) {
    let privateBytes = slot.process?.privateBytes ?? 0
    let isLarge = slot.arena.grownBytes > MemoryNeed.keptArena && slot.arena.usedBytes == 0
    if isLarge || slot.process?.shouldRetire(options.limits, privateBytes: privateBytes) == true { slot.retire() }
    var bytes = slot.process == nil ? 0 : privateBytes
    if !isLarge { bytes += slot.touchedBytes }
    let dropped = state.change { state -> [CodecSlot] in
      state.working[slot.role, default: 1] -= 1
      state.keptBytes += bytes - slot.keptBytes
      slot.keptBytes = bytes
      if !isLarge { state.idle.append(slot) }
      var dropped: [CodecSlot] = []
      while state.keptBytes > options.limits.keptBytes,
        let largest = state.idle.indices.max(by: { state.idle[$0].keptBytes < state.idle[$1].keptBytes })
      {
        let slot = state.idle.remove(at: largest)
        state.keptBytes -= slot.keptBytes
        dropped.append(slot)
      }
      return dropped
    }
    for slot in dropped { slot.retire() }
  }

  /// Drops all slots that wait for work, with their processes. Pictures that are in use stay valid.
  private func makeRoom() {
    let idle = state.change { state in
      defer { state.idle = [] }
      for slot in state.idle { state.keptBytes -= slot.keptBytes }
      return state.idle
    }
    for slot in idle { slot.retire() }
  }

  /// Returns the size of an arena for so many bytes of pictures; `nil` if it exceeds the maximum.
  func room(holding bytes: Int) -> Int? {
    let room = MemoryNeed.arena(holding: bytes)
    return room <= maxArenaBytes ? max(room, arenaBytes) : nil
  }

  /// Returns memory of an encoder, next to `near` if possible; `nil` if none is free.
  func pixelMemory(_ byteCount: Int, near: PixelBuffer?) -> PixelBuffer? {
    state.change { state -> PixelBuffer? in
      let encoders = state.idle.filter { $0.role == .encode }
      let subject = near.map { CodecSubject.pixels($0) } ?? .nothing
      let free = encoders.filter { $0.arena.usedBytes == 0 }
      var slot = encoders.last { $0.has(subject) } ?? free.last { $0.process != nil } ?? free.last
      if slot == nil, let new = try? CodecSlot(.encode, byteCount: arenaBytes) {
        state.idle.append(new)
        slot = new
      }
      guard let slot, let region = slot.arena.take(byteCount) else { return nil }
      return try? region.buffer(region.range.lowerBound, byteCount)
    }
  }

  // MARK: Processes

  /// Returns the process of a slot that has the libraries, started if necessary; one that has done nothing if `isFresh`.
  func process(
    of slot: CodecSlot, _ needed: RunTimeLibraries, isFresh: Bool
  ) throws(StartFailure) -> CodecProcessHandle {
    if let process = slot.process, !isFresh || process.operations == 0, process.libraries.isSuperset(of: needed) {
      return process
    }
    slot.retire()
    let libraries = state.change { state in
      state.libraries.formUnion(needed)
      return state.libraries
    }
    // The memory that the process inherits is empty.
    slot.arena.forgetFree()
    for memory in slot.outputs { memory.clear() }
    let process = try starts.start(makeRoom: makeRoom) { () throws(StartFailure) in
      try CodecProcessHandle(options, slot.arena, libraries) { [totals] in totals.add($0, $1) }
    }
    starts.succeeded()
    guard process.lock >= lock else {
      throw StartFailure(
        message: "\(process.reduction ?? ""), less than the first one had [codec.sandbox]", isLasting: true)
    }
    slot.process = process
    return process
  }

  /// Returns the error of an operation without a process. It costs its item; if there is no program, or no process
  /// could be started for several items in a row, the next item would fail too.
  func notStarted(_ failure: StartFailure) -> CodecError {
    .lost(
      code: UnavailableError(failure).code, message: failure.message, isLast: failure.isLasting || starts.areOver)
  }
}
