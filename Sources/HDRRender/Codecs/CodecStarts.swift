import Glibc
import HDRCore
import Synchronization
import Threads

/// The reason why a codec process did not start.
struct StartFailure: Error {
  var message: Message
  /// True if the program is absent, is not a program or has another version: the next start would fail too.
  var isLasting = false
  /// True if it used all the time that a start may take.
  var isLate = false
  /// The exit code with which it ended before it was ready.
  var exitCode: Int32?

  /// The error numbers that concern a program's file.
  static let lasting: Set<Int32> = [ENOENT, EACCES, ENOEXEC, ENOTDIR, ELOOP, ELIBBAD]
}

/// Starts processes and prepares starts. A start that fails because of a temporary shortage is tried again after a
/// pause. One thread at a time retries, so that threads do not compete (docs/reliability.md#starts).
final class CodecStarts: Sendable {
  private static let pauses = [0.1, 1, 5]
  /// The number of items in a row without a process after which the machine counts as unable to start any.
  private static let maxLost = 3

  private let turn = Monitor(())
  /// The number of items in a row for which no process could be started.
  private let lost = Atomic<Int>(0)
  /// The number of processes at work: their resources become free when they end.
  private let working = Atomic<Int>(0)
  /// The longest time that a start may wait for those.
  private let maxSeconds: Double

  init(maxSeconds: Double) { self.maxSeconds = maxSeconds }

  /// True if so many items in a row were lost that the next one would be, too.
  var areOver: Bool { lost.load(ordering: .relaxed) >= Self.maxLost }

  /// Notes that a process is ready.
  func succeeded() { lost.store(0, ordering: .relaxed) }

  /// Runs an operation of a process.
  func whileWorking<R, E: Error>(_ work: () throws(E) -> R) throws(E) -> R {
    working.wrappingAdd(1, ordering: .relaxed)
    defer { working.wrappingSubtract(1, ordering: .relaxed) }
    return try work()
  }

  /// Runs a start, with retries.
  ///
  /// - Parameters:
  ///   - makeRoom: ends processes that wait for work.
  ///   - isUsual: true if every item needs it, so that a failure makes the next item likely to fail.
  func start<R>(
    makeRoom: () -> Void, isUsual: Bool = true, _ work: () throws(StartFailure) -> R
  ) throws(StartFailure) -> R {
    let failure: StartFailure
    do throws(StartFailure) {
      return try work()
    } catch {
      failure = error
    }
    return try turn.change { _ throws(StartFailure) in try again(failure, makeRoom, isUsual, work) }
  }

  private func again<R>(
    _ first: StartFailure, _ makeRoom: () -> Void, _ isUsual: Bool, _ work: () throws(StartFailure) -> R
  ) throws(StartFailure) -> R {
    var failure = first, tries = 1, waited = 0.0
    while !failure.isLasting, !failure.isLate, !areOver {
      if tries > Self.pauses.count, working.load(ordering: .relaxed) == 0 || waited >= maxSeconds { break }
      makeRoom()
      let pause = Self.pauses[min(tries, Self.pauses.count) - 1]
      usleep(UInt32(pause * 1e6))
      (tries, waited) = (tries + 1, waited + pause)
      do throws(StartFailure) {
        return try work()
      } catch {
        failure = error
      }
    }
    if !failure.isLasting {
      if isUsual { lost.wrappingAdd(1, ordering: .relaxed) }
      failure.message =
        "a codec process could not be started: \(failure.message)" + (tries > 1 ? "; tried \(tries) times" : "")
    }
    throw failure
  }
}
