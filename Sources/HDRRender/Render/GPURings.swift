import GPURender
import HDRCore
import HDRPlan
import Threads

/// The GPUs of a batch, each with its own ring. A picture goes to the one that has the fewest in flight; one that fails
/// is not used again. A lost device is opened once more.
package final class GPURings: Sendable {
  /// An opened device.
  struct Ring: Sendable {
    let number: Int
    let renderer: GPURenderer
    /// The device's name in records.
    let label: String
    /// Opens the device once more, self-test included; `nil` for one that was.
    let open: (@Sendable () throws(GPUError) -> GPURenderer)?

    /// Opens a device.
    init(
      number: Int, label: String? = nil, _ open: @escaping @Sendable () throws(GPUError) -> GPURenderer
    ) throws(GPUError) {
      let renderer = try open()
      self.init(number: number, renderer: renderer, label: label ?? renderer.device.name, open: open)
    }

    private init(
      number: Int, renderer: GPURenderer, label: String, open: (@Sendable () throws(GPUError) -> GPURenderer)?
    ) {
      (self.number, self.renderer, self.label, self.open) = (number, renderer, label, open)
    }

    /// Returns a ring of the same device, opened anew; `nil` if that was done before or fails.
    ///
    /// - Parameter number: of the new ring; threads still hold this one.
    func reopened(number: Int) -> Ring? {
      guard let renderer = try? open?() else { return nil }
      return Ring(number: number, renderer: renderer, label: label, open: nil)
    }
  }

  /// A retired device.
  package struct LostDevice: Sendable {
    package var error: GPUError
    /// The number of devices that remain.
    package var left: Int
    /// The number of pictures that it rendered before.
    package var pictures: Int
    /// True if the device was opened again and is among those that remain.
    package var isOpenAgain = false

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
    /// The number of lost devices that are being opened again.
    var opening = 0
    var nextNumber: Int
  }

  private let state: Monitor<State>

  init(_ rings: [Ring]) {
    state = Monitor(
      State(rings: rings.map { RingState(ring: $0) }, nextNumber: (rings.map(\.number).max() ?? -1) + 1))
  }

  /// True if no ring is left, and none is being opened.
  var isEmpty: Bool { state.change { $0.rings.isEmpty && $0.opening == 0 } }
  /// True if there are rings in use, and none is of a software device.
  var areHardware: Bool {
    state.change { state in
      !state.rings.isEmpty && state.rings.allSatisfy { $0.ring.renderer.device.type != .cpu }
    }
  }
  /// The labels of rings in use, in order.
  var labels: [String] { state.change { $0.rings.map(\.ring.label) } }
  /// The last retirement of a device, with its reason.
  var lostDevice: LostDevice? { state.change { $0.lostDevice } }

  /// Returns the ring with the fewest pictures in flight, and of several the one that has had the fewest, and counts
  /// one more in flight. Waits for a device that is being opened again. Returns `nil` if none is left.
  ///
  /// - Parameter planes: if a device holds them that one is taken.
  func take(holding planes: DevicePlanes? = nil) -> Ring? {
    state.wait { state -> Ring?? in
      func load(_ index: Int) -> (Int, Int, Int) {
        let isHolder = planes.map { state.rings[index].ring.renderer.holds($0) } ?? false
        return (isHolder ? 0 : 1, state.rings[index].inFlight, state.rings[index].pictures)
      }
      guard let best = state.rings.indices.min(by: { load($0) < load($1) }) else {
        return state.opening == 0 ? .some(nil) : nil
      }
      state.rings[best].inFlight += 1
      return state.rings[best].ring
    }
  }

  /// Ends a use that `take` began.
  func giveBack(_ ring: Ring) {
    state.change { state in
      if let index = state.rings.firstIndex(where: { $0.ring.number == ring.number }) {
        state.rings[index].inFlight -= 1
      }
    }
  }

  /// Counts a finished picture.
  ///
  /// - Returns: true if the ring is still trusted: no other picture has shown a wrong word meanwhile.
  func finish(_ ring: Ring) -> Bool {
    state.change { state in
      if let index = state.rings.firstIndex(where: { $0.ring.number == ring.number }) {
        state.rings[index].pictures += 1
      }
      return !state.wrong.contains(ring.number)
    }
  }

  /// True if no picture has shown a wrong word of the ring.
  func isTrusted(_ ring: Ring) -> Bool { state.change { !$0.wrong.contains(ring.number) } }

  /// Retires a ring, and opens its device again if it was lost. A device that hangs is left: opening it may hang too.
  ///
  /// - Returns: `nil` if another thread has already done so.
  func drop(_ ring: Ring, because error: GPUError) -> LostDevice? {
    let dropped = state.change { state -> (LostDevice, newNumber: Int?)? in
      guard let index = state.rings.firstIndex(where: { $0.ring.number == ring.number }) else { return nil }
      // Closing a hung device would hang too, so it stays open to the end of the process.
      _ = Unmanaged.passRetained(ring.renderer)
      let gone = state.rings.remove(at: index)
      if case .mismatch = error { state.wrong.insert(ring.number) }
      let lostDevice = LostDevice(error: error, left: state.rings.count, pictures: gone.pictures)
      state.lostDevice = lostDevice
      guard case .deviceLost = error, ring.open != nil, !ring.renderer.hangs else { return (lostDevice, nil) }
      state.opening += 1
      state.nextNumber += 1
      return (lostDevice, state.nextNumber - 1)
    }
    guard let (lostDevice, newNumber) = dropped else { return nil }
    guard let newNumber else { return lostDevice }
    let again = ring.reopened(number: newNumber)
    return state.change { state in
      state.opening -= 1
      if let again { state.rings.append(RingState(ring: again)) }
      var lostDevice = lostDevice
      (lostDevice.left, lostDevice.isOpenAgain) = (state.rings.count, again != nil)
      state.lostDevice = lostDevice
      return lostDevice
    }
  }
}
