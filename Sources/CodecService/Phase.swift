import CPlatform
import Glibc

/// The steps of one item, in order.
package enum Phase: String, Sendable, Hashable, CaseIterable {
  case read, decode, plan, render, encode, verify, write
}

/// The seconds that a phase took.
package struct PhaseSeconds: Sendable, Hashable {
  package var wall: Double
  /// User and system time. With one item in flight it is the whole process's, codec threads included. With several it
  /// is the time of the item's own thread and of the render threads that worked for it. For work in a codec process it
  /// is that process's whole time.
  package var cpu: Double

  package init(wall: Double, cpu: Double) {
    self.wall = wall
    self.cpu = cpu
  }
}

/// Returns the seconds of a monotonic clock.
package func monotonicSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// Measures phases on the thread that runs them.
package struct PhaseClock: Sendable {
  package private(set) var seconds: [Phase: PhaseSeconds] = [:]
  /// True if this item is alone in the process, so that the process's CPU time is the item's.
  package let isAlone: Bool

  package init(isAlone: Bool) { self.isAlone = isAlone }

  private func cpuSeconds() -> Double { isAlone ? hdr_process_cpu_seconds() : hdr_thread_cpu_seconds() }

  private mutating func add(_ value: PhaseSeconds, to phase: Phase) {
    var sum = seconds[phase] ?? PhaseSeconds(wall: 0, cpu: 0)
    sum.wall += value.wall
    sum.cpu += value.cpu
    seconds[phase] = sum
  }

  /// Runs and measures one phase; the times of a phase that runs twice add up.
  package mutating func measure<R, E: Error>(_ phase: Phase, _ work: () throws(E) -> R) throws(E) -> R {
    let wall = monotonicSeconds(), cpu = cpuSeconds()
    defer { add(PhaseSeconds(wall: monotonicSeconds() - wall, cpu: cpuSeconds() - cpu), to: phase) }
    return try work()
  }

  /// Runs work that divides its own time into phases; the remaining time counts as `phase`.
  package mutating func measureParts<R, E: Error>(
    of phase: Phase, _ work: () throws(E) -> CodecAnswer<R>
  ) throws(E) -> CodecAnswer<R> {
    let wall = monotonicSeconds(), cpu = cpuSeconds()
    var parts: [Phase: PhaseSeconds] = [:], isElsewhere = false
    defer {
      var rest = PhaseSeconds(wall: monotonicSeconds() - wall, cpu: cpuSeconds() - cpu)
      for (part, value) in parts {
        rest.wall -= value.wall
        if !isElsewhere { rest.cpu -= value.cpu }
        add(value, to: part)
      }
      add(PhaseSeconds(wall: max(0, rest.wall), cpu: max(0, rest.cpu)), to: phase)
    }
    let answer = try work()
    (parts, isElsewhere) = (answer.seconds, answer.isElsewhere)
    return answer
  }

  /// Subtracts from a phase the wall time that it waited for other items.
  package mutating func leaveOut(wall: Double, of phase: Phase) {
    if let whole = seconds[phase]?.wall { seconds[phase]?.wall = max(0, whole - wall) }
  }

  /// Adds the times that another clock of the same item measured.
  package mutating func add(_ other: PhaseClock) {
    for (phase, value) in other.seconds { add(value, to: phase) }
  }

  /// Adds CPU time that other threads spent on a phase of this item; it is already counted if the item is alone.
  package mutating func add(cpu: Double, to phase: Phase) {
    if !isAlone { seconds[phase]?.cpu += cpu }
  }
}
