import GPURender
import HDRCore
import HDRPlan
import Synchronization

/// The GPUs of a batch, each with its own ring. A picture goes to the one that has the fewest in flight; one that fails
/// is not used again.
package final class GPURings: Sendable {
  /// An opened device.
  struct Ring: Sendable {
    let number: Int
    let renderer: GPURenderer
    /// The device's name in records.
    let label: String
  }

  /// A retired device.
  package struct LostDevice: Sendable {
    package var error: GPUError
    /// The number of devices that remain.
    package var left: Int
    /// The number of pictures that it rendered before.
    package var pictures: Int

    /// The reason for messages and records.
    package var reason: String {
      guard case .mismatch = error, pictures > 0 else { return "\(error)" }
      return "\(error); it rendered \(pictures) more in this run, and only samples of them were compared"
    }
  }

  private struct RingState {
    var ring: Ring
    var inFlight = 0
    var pictures = 0
  }

  private struct State {
    var rings: [RingState]
    var lostDevice: LostDevice?
    /// The numbers of rings that have computed wrongly.
    var wrong: Set<Int> = []
  }

  private let state: Mutex<State>

  init(_ rings: [Ring]) { state = Mutex(State(rings: rings.map { RingState(ring: $0) })) }

  var isEmpty: Bool { state.withLock { $0.rings.isEmpty } }
  /// The labels of rings in use, in order.
  var labels: [String] { state.withLock { $0.rings.map(\.ring.label) } }
  /// The last retirement of a device, with its reason.
  var lostDevice: LostDevice? { state.withLock { $0.lostDevice } }

  /// Returns the ring with the fewest pictures in flight, and of several the one that has had the fewest, and counts
  /// one more in flight. Returns `nil` if none is left.
  func take() -> Ring? {
    state.withLock { state in
      func load(_ index: Int) -> (Int, Int) { (state.rings[index].inFlight, state.rings[index].pictures) }
      guard let best = state.rings.indices.min(by: { load($0) < load($1) }) else { return nil }
      state.rings[best].inFlight += 1
      return state.rings[best].ring
    }
  }

  /// Ends a use that `take` began.
  func giveBack(_ ring: Ring) {
    state.withLock { state in
      if let index = state.rings.firstIndex(where: { $0.ring.number == ring.number }) {
        state.rings[index].inFlight -= 1
      }
    }
  }

  /// Counts a finished picture.
  ///
  /// - Returns: true if the ring is still trusted: no other picture has shown a wrong word meanwhile.
  func finish(_ ring: Ring) -> Bool {
    state.withLock { state in
      if let index = state.rings.firstIndex(where: { $0.ring.number == ring.number }) {
        state.rings[index].pictures += 1
      }
      return !state.wrong.contains(ring.number)
    }
  }

  /// Retires a ring.
  ///
  /// - Returns: `nil` if another thread has already done so.
  func drop(_ ring: Ring, because error: GPUError) -> LostDevice? {
    state.withLock { state in
      guard let index = state.rings.firstIndex(where: { $0.ring.number == ring.number }) else { return nil }
      // Closing a hung device would hang too, so it stays open to the end of the process.
      _ = Unmanaged.passRetained(ring.renderer)
      let gone = state.rings.remove(at: index)
      if case .mismatch = error { state.wrong.insert(ring.number) }
      let lostDevice = LostDevice(error: error, left: state.rings.count, pictures: gone.pictures)
      state.lostDevice = lostDevice
      return lostDevice
    }
  }
}
