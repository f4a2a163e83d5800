import BatchEngine
import CPlatform
import CodecService
import Glibc

/// CPU time of the whole process, all threads, in seconds.
package struct CPUSeconds: Sendable, Hashable {
  package var user = 0.0
  package var system = 0.0
  package var total: Double { user + system }

  /// The medians of total and user time over `samples`.
  static func middle<Sample>(_ samples: [Sample], _ value: (Sample) -> CPUSeconds) -> CPUSeconds {
    let total = Spread(samples.map { value($0).total }).median
    let user = min(total, Spread(samples.map { value($0).user }).median)
    return CPUSeconds(user: user, system: total - user)
  }
}

/// The CPU and wall time of one run, step by step.
struct CPUSample {
  var cpu = CPUSeconds()
  var wall = 0.0
  var steps: [String: CPUSeconds] = [:]

  /// A point in time, for steps that begin where others end.
  struct Moment {
    fileprivate let usage = Self.processSeconds(), total = hdr_process_cpu_seconds(), wall = monotonicSeconds()

    private static func processSeconds() -> CPUSeconds {
      var usage = rusage()
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) * 1e-6 }
      return CPUSeconds(user: seconds(usage.ru_utime), system: seconds(usage.ru_stime))
    }
  }

  /// Adds the time that a step has taken since `start`.
  mutating func add(_ step: String, since start: Moment) {
    let now = Moment(), seconds = now.total - start.total
    // The sum is exact to a nanosecond; the kernel divides it into user and system by ticks.
    let system = min(max(now.usage.system - start.usage.system, 0), seconds)
    wall += now.wall - start.wall
    cpu.user += seconds - system
    cpu.system += system
    steps[step, default: CPUSeconds()].user += seconds - system
    steps[step, default: CPUSeconds()].system += system
  }

  /// Runs one step and adds what it took.
  mutating func measure<R, E: Error>(_ step: String, _ work: () throws(E) -> R) throws(E) -> R {
    let start = Moment()
    defer { add(step, since: start) }
    return try work()
  }
}
