import HDRCore
import Synchronization

/// Curves and LUTs on the device, kept for plans with the same words.
final class TableCache: @unchecked Sendable {
  /// A plan's hold on its tables.
  struct Hold {
    let buffer: GPUBuffer
    fileprivate let entry: Entry
  }

  fileprivate final class Entry: @unchecked Sendable {
    let words: [UInt32]
    let buffer = Promise<GPUBuffer>()
    var users = 0
    var lastUse = 0
    var bytes: Int { words.count * 4 }
    init(words: [UInt32]) { self.words = words }
  }

  private struct State {
    var entries: [Entry] = []
    var clock = 0
  }

  private let context: GPUContext
  private let capacityBytes: Int
  private let state = Mutex(State())

  init(_ context: GPUContext, capacityBytes: Int) {
    self.context = context
    self.capacityBytes = capacityBytes
  }

  /// Returns the device's copy of tables, uploaded at first use; `nil` for no tables. Give it back with `release`.
  ///
  /// Other threads wait for an upload only if they need these tables.
  func acquire(_ words: [UInt32]) throws(GPUError) -> Hold? {
    if words.isEmpty { return nil }
    let (entry, isOwn, evicted) = state.withLock { state -> (Entry, Bool, [Entry]) in
      state.clock += 1
      // Equal storage compares at once; equal content costs one pass over it, less than an upload.
      let known = state.entries.first { $0.words == words }
      let evicted = known == nil ? evict(&state, for: words.count * 4) : []
      let entry = known ?? Entry(words: words)
      if known == nil { state.entries.append(entry) }
      entry.users += 1
      entry.lastUse = state.clock
      return (entry, known == nil, evicted)
    }
    // Their memory is freed here, outside the lock and before more is taken.
    withExtendedLifetime(evicted) {}
    do throws(GPUError) {
      if isOwn { entry.buffer.keep(.success(try upload(words))) }
      return Hold(buffer: try entry.buffer.get(), entry: entry)
    } catch {
      state.withLock { state in
        entry.users -= 1
        // The next plan tries again.
        if isOwn { state.entries.removeAll { $0 === entry } }
      }
      if isOwn { entry.buffer.keep(.failure(error)) }
      throw error
    }
  }

  func release(_ hold: Hold?) {
    state.withLock { _ in hold?.entry.users -= 1 }
  }

  /// Removes unused entries, the longest unused first, and returns them.
  private func evict(_ state: inout State, for bytes: Int) -> [Entry] {
    var held = state.entries.reduce(bytes) { $0 + $1.bytes }
    var evicted: [Entry] = []
    while held > capacityBytes || state.entries.count > 31,
      let victim = state.entries.filter({ $0.users == 0 }).min(by: { $0.lastUse < $1.lastUse })
    {
      held -= victim.bytes
      evicted.append(victim)
      state.entries.removeAll { $0 === victim }
    }
    return evicted
  }

  private func upload(_ words: [UInt32]) throws(GPUError) -> GPUBuffer {
    let bytes = words.count * 4
    let host = try GPUBuffer(context, context.isUnified ? .unified : .staging, bytes: bytes, what: "tables")
    words.withUnsafeBytes { host.mapped?.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
    if context.isUnified { return host }
    let buffer = try GPUBuffer(context, .device, bytes: bytes, what: "tables")
    let commands = try CommandPool(context, context.upload.family)
    context.functions.copy(try commands.begin(), host.handle, to: buffer.handle, bytes: bytes)
    try commands.end()
    let timeline = try Timeline(context)
    try timeline.submit(context.upload, commands, after: 0)
    try timeline.wait()
    return buffer
  }
}
