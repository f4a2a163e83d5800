import CodecService
import HDRCore
import HDRRecipe
import HDRRender
import ImageFiles
import Threads

/// Memory for the pictures of a batch: an item starts to decode when what it needs (`MemoryNeed`) is free. First come,
/// first served, so that a large picture is not passed for ever by small ones.
package final class MemoryBudget: Sendable {
  private struct State {
    var free: Int
    /// Tickets are given out and served in order.
    var given = 0
    var served = 0
    /// Bytes held by items that read their heads, and keep these bytes while they wait for more.
    var reading = 0
  }

  /// The largest number of bytes for one item.
  package let limit: Int
  /// The most bytes that several items hold together while they read; an item that reads alone may hold more. The rest
  /// is enough for any item, so that none of them blocks another.
  private let maxReading: Int
  private let state: Monitor<State>

  package init(bytes: Int) {
    maxReading = bytes / 8 < MemoryNeed.reading(fileBytes: 0) ? 0 : bytes / 8
    limit = bytes - maxReading
    state = Monitor(State(free: bytes))
  }

  /// Creates the budget for the items of a batch that has this much memory in all (`--memory`).
  package convenience init(ofBatch bytes: Int) { self.init(bytes: MemoryNeed.items(ofBatch: bytes)) }

  /// The setting that is too small for an item, and the least value that is enough, in whole MiB.
  package static func setting(holding bytes: Int) -> Message {
    guard bytes <= 1 << 60 else { return .setting("memory") }
    func inMiB(_ bytes: Int) -> Int { (bytes + (1 << 20) - 1) >> 20 }
    var batch = inMiB(bytes)
    // A byte more for the batch is at most a byte more for an item: no step passes a value that is enough.
    while case let missing = bytes - MemoryBudget(ofBatch: batch << 20).limit, missing > 0 { batch += inMiB(missing) }
    return "\(setting: "memory") to \(batch)M"
  }

  /// Returns the error of what needs more than `limit`.
  package func refusal(_ bytes: Int, for what: String) -> CodecError {
    .decode(
      .limit(
        what: "memory \(what) in bytes", found: bytes, allowed: limit, raise: MemoryBudget.setting(holding: bytes)))
  }

  /// Waits for memory to read a file and its head.
  ///
  /// - Returns: `false` at once for more than `limit`.
  package func takeForReading(_ bytes: Int) -> Bool {
    guard bytes <= limit else { return false }
    state.wait { [maxReading] state -> Void? in
      guard state.free >= bytes, state.reading == 0 || state.reading + bytes <= maxReading else { return nil }
      state.free -= bytes
      state.reading += bytes
      return ()
    }
    return true
  }

  /// Waits for memory.
  ///
  /// - Parameter reading: what was taken for reading; it becomes part of this.
  /// - Returns: `false` at once for more than `limit`; what was taken for reading is kept.
  package func take(_ bytes: Int, reading: Int = 0) -> Bool {
    guard bytes <= limit else { return false }
    let ticket = state.change { state in
      state.given += 1
      return state.given - 1
    }
    state.wait { state -> Void? in
      guard state.served == ticket, state.free + reading >= bytes else { return nil }
      state.free += reading - bytes
      state.reading -= reading
      state.served += 1
      return ()
    }
    return true
  }

  package func give(_ bytes: Int, reading: Int = 0) {
    state.change {
      $0.free += bytes + reading
      $0.reading -= reading
    }
  }
}

/// The part of the budget that one input holds, given back with the last of its outputs.
package final class MemoryShare: Sendable {
  private let budget: MemoryBudget
  private struct Held {
    var bytes = 0
    /// Bytes held for reading, until all memory of the input is taken.
    var reading = 0
  }
  private let held = Monitor(Held())

  package init(_ budget: MemoryBudget) { self.budget = budget }

  deinit {
    let held = held.change { $0 }
    budget.give(held.bytes, reading: held.reading)
  }

  /// Takes memory to read the input, unless some is held.
  ///
  /// - Returns: `false` for more than there is.
  package func takeForReading(_ bytes: Int) -> Bool {
    let held = held.change { $0 }
    guard held.bytes == 0, held.reading == 0 else { return true }
    guard budget.takeForReading(bytes) else { return false }
    self.held.change { $0.reading = bytes }
    return true
  }

  /// Takes all memory of the input at once: an input that holds that never waits for more, so that no two can block
  /// each other.
  ///
  /// - Returns: `false` for more than there is.
  package func take(_ bytes: Int) -> Bool {
    let held = held.change { $0 }
    guard held.bytes == 0 else { return true }
    guard budget.take(bytes, reading: held.reading) else { return false }
    self.held.change { $0 = Held(bytes: bytes) }
    return true
  }
}

extension MemoryNeed.Work {
  /// Counts what an output takes of a source.
  ///
  /// - Parameter threads: those that compute metrics.
  package init(_ choice: ResolvedOutput, of head: DecodeHead, threads: Int) {
    self.init(hasEdits: !choice.rendition.recipe.edits.isEmpty)
    judging = choice.judging.map { MemoryNeed.Metrics($0, of: head, threads: threads) }
    switch choice.product {
    case .adaptive(let options): (isAdaptive, isVideo) = (true, options.container.format.keepsFrames)
    case .rendition:
      isVideo = choice.rendition.kind.format.keepsFrames
      isWide = choice.rendition.rendersFloats
      switch choice.rendition.statements.profileTone {
      case .automatic, .fit: fitsTone = true
      default: break
      }
      keepsChannels = choice.rendition.kind.format == .exr && choice.rendition.channels != .none
    case .recompress: isVideo = true
    case .extract: break
    }
  }
}

extension MemoryNeed.Metrics {
  package init(_ metrics: Set<Metric>, of head: DecodeHead, threads: Int) {
    self.init(
      width: head.width, height: head.height, threads: threads, hasBands: metrics.contains(where: \.isInBands),
      hasHalves: metrics.contains(.ssimulacra2), hasGains: !metrics.isDisjoint(with: [.maps, .shift]))
  }
}

extension MemoryNeed.Source {
  package init(_ head: DecodeHead, fileBytes: Int) {
    self.init(
      pixels: head.pixels, mapPixels: head.mapPixels, pixelBytes: head.pixelBytes, fileBytes: fileBytes,
      answerBytes: head.answerBytes, workBytes: head.workBytes)
  }
}
