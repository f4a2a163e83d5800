import Glibc
import Synchronization
import Threads

/// Why a codec process did not start.
struct StartFailure: Error {
  var what: String
  /// What to do on the command line; empty where `what` says it.
  var advice = ""
  /// The program is absent, is no program or is of another version: the next start would fail too.
  var isLasting = false
  /// It had all the time that a start may take.
  var isLate = false
  /// With which it ended before it was ready.
  var exitCode: Int32?

  /// Error numbers that are about the file of a program.
  static let lasting: Set<Int32> = [ENOENT, EACCES, ENOEXEC, ENOTDIR, ELOOP, ELIBBAD]
}

/// Starts of processes, and what starts need. A start that fails for want of something that the machine may have a
/// little later is tried again after a pause, by one thread at a time, so that threads do not take it from each other
/// (docs/reliability.md#starts).
final class CodecStarts: Sendable {
  private static let pauses = [0.1, 1, 5]
  /// Items in a row that could not be started before the machine is taken to start nothing any more.
  private static let mostLost = 3

  private let turn = Monitor(())
  /// Items in a row that no process could be started for.
  private let lost = Atomic<Int>(0)
  /// Processes at work: when they end, what they have is free.
  private let working = Atomic<Int>(0)
  /// How long a start may wait for those.
  private let mostSeconds: Double

  init(mostSeconds: Double) { self.mostSeconds = mostSeconds }

  /// Whether so many items in a row were lost that the next one would be, too.
  var areOver: Bool { lost.load(ordering: .relaxed) >= Self.mostLost }

  /// Notes that a process is ready.
  func succeeded() { lost.store(0, ordering: .relaxed) }

  /// Runs an operation of a process.
  func whileWorking<R, E: Error>(_ work: () throws(E) -> R) throws(E) -> R {
    working.wrappingAdd(1, ordering: .relaxed)
    defer { working.wrappingSubtract(1, ordering: .relaxed) }
    return try work()
  }

  /// - Parameters:
  ///   - makeRoom: ends processes that wait for work.
  ///   - isUsual: every item needs it: when it cannot be had, the next item is as good as lost.
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
      if tries > Self.pauses.count, working.load(ordering: .relaxed) == 0 || waited >= mostSeconds { break }
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
      failure.what =
        "a codec process could not be started: \(failure.what)" + (tries > 1 ? "; tried \(tries) times" : "")
    }
    throw failure
  }
}
