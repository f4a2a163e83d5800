import CodecService
import HDRCore
import HDRRender
import ImageFiles
import Threads

/// Memory for the pictures of a batch: an item starts to decode when what it needs (`MemoryNeed`) is free. First come,
/// first served, so that a large picture is not passed for ever by small ones.
final class MemoryBudget: Sendable {
  private struct State {
    var free: Int
    /// Tickets are given out and served in order.
    var given = 0
    var served = 0
  }

  let limit: Int
  private let state: Monitor<State>

  init(bytes: Int) {
    limit = bytes
    state = Monitor(State(free: bytes))
  }

  /// Waits for memory.
  ///
  /// - Returns: `false` at once for more than the whole budget.
  func take(_ bytes: Int) -> Bool {
    guard bytes <= limit else { return false }
    let ticket = state.change { state in
      state.given += 1
      return state.given - 1
    }
    state.wait { state -> Void? in
      guard state.served == ticket, state.free >= bytes else { return nil }
      state.free -= bytes
      state.served += 1
      return ()
    }
    return true
  }

  func give(_ bytes: Int) { state.change { $0.free += bytes } }
}

/// What one input holds of the budget, given back with the last of its outputs.
final class MemoryShare: Sendable {
  private let budget: MemoryBudget
  private let held = Monitor(0)

  init(_ budget: MemoryBudget) { self.budget = budget }

  deinit { budget.give(held.change { $0 }) }

  /// Takes all memory of the input at once: an input that holds memory never waits for more, so that no two can block
  /// each other.
  ///
  /// - Returns: `false` for more than the whole budget.
  func take(_ bytes: Int) -> Bool {
    guard held.change({ $0 }) == 0 else { return true }
    guard budget.take(bytes) else { return false }
    held.change { $0 = bytes }
    return true
  }
}

extension MemoryNeed.Work {
  init(_ choice: OutputChoice) {
    self.init(hasEdits: !choice.rendition.edits.isEmpty)
    switch choice.product {
    case .adaptive(let options): (isAdaptive, isVideo) = (true, options.container != .jpeg)
    case .rendition: isVideo = choice.rendition.kind.layout == .planarYCC
    case .extract: break
    }
  }
}

extension MemoryNeed.Source {
  init(_ head: DecodeHead, fileBytes: Int) {
    self.init(pixels: head.pixels, mapPixels: head.mapPixels, pixelBytes: head.pixelBytes, fileBytes: fileBytes)
  }
}
