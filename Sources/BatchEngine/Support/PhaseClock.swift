import CPlatform
import Glibc

/// The steps of one item, in order.
public enum Phase: String, Sendable, Hashable, CaseIterable {
  case read, decode, plan, render, encode, verify, write
}

/// Seconds that a phase took.
public struct PhaseSeconds: Sendable, Hashable {
  public var wall: Double
  /// User and system time. With one item in flight that of the whole process, codec threads included; with several that
  /// of the item's own thread and the render threads that worked for it.
  public var cpu: Double

  public init(wall: Double, cpu: Double) {
    self.wall = wall
    self.cpu = cpu
  }
}

/// Seconds of a clock that nobody can set.
package func monotonicSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// Measures the phases of one item on its thread.
struct PhaseClock {
  private(set) var seconds: [Phase: PhaseSeconds] = [:]
  /// Whether this item is alone in the process, so that the process's CPU time is its own.
  let isAlone: Bool

  init(isAlone: Bool) { self.isAlone = isAlone }

  private func cpuSeconds() -> Double { isAlone ? hdr_process_cpu_seconds() : hdr_thread_cpu_seconds() }

  /// Runs one phase; a phase that is run twice adds up.
  mutating func measure<R, E: Error>(_ phase: Phase, _ work: () throws(E) -> R) throws(E) -> R {
    let wall = monotonicSeconds(), cpu = cpuSeconds()
    defer {
      var sum = seconds[phase] ?? PhaseSeconds(wall: 0, cpu: 0)
      sum.wall += monotonicSeconds() - wall
      sum.cpu += cpuSeconds() - cpu
      seconds[phase] = sum
    }
    return try work()
  }

  /// Takes in what another clock of the same item measured.
  mutating func add(_ other: PhaseClock) {
    for (phase, value) in other.seconds {
      var sum = seconds[phase] ?? PhaseSeconds(wall: 0, cpu: 0)
      sum.wall += value.wall
      sum.cpu += value.cpu
      seconds[phase] = sum
    }
  }

  /// CPU time that other threads spent on a phase of this item; already counted when the item is alone.
  mutating func add(cpu: Double, to phase: Phase) {
    if !isAlone { seconds[phase]?.cpu += cpu }
  }
}
