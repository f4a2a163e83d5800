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
  /// of the item's own thread and the render threads that worked for it. What a codec process did is its whole time.
  public var cpu: Double

  public init(wall: Double, cpu: Double) {
    self.wall = wall
    self.cpu = cpu
  }
}

/// Seconds of a monotonic clock.
package func monotonicSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// Measures phases on the thread that runs them.
package struct PhaseClock: Sendable {
  package private(set) var seconds: [Phase: PhaseSeconds] = [:]
  /// Whether this item is alone in the process, so that the process's CPU time is its own.
  package let isAlone: Bool

  package init(isAlone: Bool) { self.isAlone = isAlone }

  private func cpuSeconds() -> Double { isAlone ? hdr_process_cpu_seconds() : hdr_thread_cpu_seconds() }

  private mutating func add(_ value: PhaseSeconds, to phase: Phase) {
    var sum = seconds[phase] ?? PhaseSeconds(wall: 0, cpu: 0)
    sum.wall += value.wall
    sum.cpu += value.cpu
    seconds[phase] = sum
  }

  /// Runs one phase; a phase that is run twice adds up.
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
    var told: [Phase: PhaseSeconds] = [:], isElsewhere = false
    defer {
      var rest = PhaseSeconds(wall: monotonicSeconds() - wall, cpu: cpuSeconds() - cpu)
      for (part, value) in told {
        rest.wall -= value.wall
        if !isElsewhere { rest.cpu -= value.cpu }
        add(value, to: part)
      }
      add(PhaseSeconds(wall: max(0, rest.wall), cpu: max(0, rest.cpu)), to: phase)
    }
    let answer = try work()
    (told, isElsewhere) = (answer.seconds, answer.isElsewhere)
    return answer
  }

  /// Takes out of a phase what was waited for others meanwhile.
  package mutating func leaveOut(wall: Double, of phase: Phase) {
    if let whole = seconds[phase]?.wall { seconds[phase]?.wall = max(0, whole - wall) }
  }

  /// Takes in what another clock of the same item measured.
  package mutating func add(_ other: PhaseClock) {
    for (phase, value) in other.seconds { add(value, to: phase) }
  }

  /// CPU time that other threads spent on a phase of this item; already counted when the item is alone.
  package mutating func add(cpu: Double, to phase: Phase) {
    if !isAlone { seconds[phase]?.cpu += cpu }
  }
}
