import HDRCore
import Synchronization

/// Curves and LUTs on the device, kept for plans with the same words.
final class TableCache: @unchecked Sendable {
  /// A plan's hold on its tables.
  final class Entry: @unchecked Sendable {
    fileprivate let words: [UInt32]
    let buffer: GPUBuffer
    fileprivate var users = 0
    fileprivate var lastUse = 0
    fileprivate init(words: [UInt32], buffer: GPUBuffer) {
      self.words = words
      self.buffer = buffer
    }
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
  func acquire(_ words: [UInt32]) throws(GPUError) -> Entry? {
    if words.isEmpty { return nil }
    let result: Result<Entry, GPUError> = state.withLock { state in
      state.clock += 1
      // Equal storage compares at once; equal content costs one pass over it, less than an upload.
      var entry = state.entries.first { $0.words == words }
      if entry == nil {
        evict(&state, for: words.count * 4)
        do throws(GPUError) {
          let made = Entry(words: words, buffer: try upload(words))
          state.entries.append(made)
          entry = made
        } catch {
          return .failure(error)
        }
      }
      entry!.users += 1
      entry!.lastUse = state.clock
      return .success(entry!)
    }
    return try result.get()
  }

  func release(_ entry: Entry?) {
    state.withLock { _ in entry?.users -= 1 }
  }

  /// Frees unused entries, the longest unused first.
  private func evict(_ state: inout State, for bytes: Int) {
    var held = state.entries.reduce(bytes) { $0 + $1.buffer.bytes }
    while held > capacityBytes || state.entries.count > 31,
      let victim = state.entries.filter({ $0.users == 0 }).min(by: { $0.lastUse < $1.lastUse })
    {
      held -= victim.buffer.bytes
      state.entries.removeAll { $0 === victim }
    }
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
