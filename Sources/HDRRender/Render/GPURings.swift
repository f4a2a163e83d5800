import GPURender
import HDRCore
import HDRPlan
import Synchronization

/// The GPUs of a batch, each with a ring of its own. A picture goes to the one that has the fewest in flight; one that
/// fails is not used again.
package final class GPURings: Sendable {
  /// One opened device.
  struct Ring: Sendable {
    let number: Int
    let renderer: GPURenderer
    /// Its name in records.
    let label: String
  }

  /// A device that is given up.
  package struct Loss: Sendable {
    package var error: GPUError
    /// Devices that go on.
    package var left: Int
    /// Pictures that it rendered before.
    package var pictures: Int

    /// Name for messages and records.
    package var reason: String {
      guard case .mismatch = error, pictures > 0 else { return "\(error)" }
      return "\(error); it rendered \(pictures) more in this run, and only samples of them were compared"
    }
  }

  private struct Place {
    var ring: Ring
    var inFlight = 0
    var pictures = 0
  }

  private struct State {
    var places: [Place]
    var loss: Loss?
    /// Numbers of rings that have computed wrongly.
    var wrong: Set<Int> = []
  }

  private let state: Mutex<State>

  init(_ rings: [Ring]) { state = Mutex(State(places: rings.map { Place(ring: $0) })) }

  var isEmpty: Bool { state.withLock { $0.places.isEmpty } }
  /// Rings in use, in order.
  var labels: [String] { state.withLock { $0.places.map(\.ring.label) } }
  /// Why the last device was given up.
  var loss: Loss? { state.withLock { $0.loss } }

  /// The ring with the fewest pictures in flight, and of several the one that has had the fewest: one more now. `nil`
  /// when none is left.
  func take() -> Ring? {
    state.withLock { state in
      func load(_ index: Int) -> (Int, Int) { (state.places[index].inFlight, state.places[index].pictures) }
      guard let best = state.places.indices.min(by: { load($0) < load($1) }) else { return nil }
      state.places[best].inFlight += 1
      return state.places[best].ring
    }
  }

  /// Ends a use that `take` began.
  func giveBack(_ ring: Ring) {
    state.withLock { state in
      if let place = state.places.firstIndex(where: { $0.ring.number == ring.number }) {
        state.places[place].inFlight -= 1
      }
    }
  }

  /// Counts a finished picture.
  ///
  /// - Returns: whether the ring is still trusted: no other picture has shown a wrong word meanwhile.
  func finish(_ ring: Ring) -> Bool {
    state.withLock { state in
      if let place = state.places.firstIndex(where: { $0.ring.number == ring.number }) {
        state.places[place].pictures += 1
      }
      return !state.wrong.contains(ring.number)
    }
  }

  /// Gives a ring up.
  ///
  /// - Returns: `nil` when another thread has done so before.
  func drop(_ ring: Ring, because error: GPUError) -> Loss? {
    state.withLock { state in
      guard let place = state.places.firstIndex(where: { $0.ring.number == ring.number }) else { return nil }
      // Closing a device that hangs would hang too, so it stays open to the end of the process.
      _ = Unmanaged.passRetained(ring.renderer)
      let gone = state.places.remove(at: place)
      if case .mismatch = error { state.wrong.insert(ring.number) }
      let loss = Loss(error: error, left: state.places.count, pictures: gone.pictures)
      state.loss = loss
      return loss
    }
  }
}
