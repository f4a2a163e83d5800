import HDRCore
import HDRRender
import Synchronization
import Threads

/// Takes frames from a source, makes something of each on several threads, and puts that into a sink, in their order. At
/// most one frame a thread is in flight.
final class FramePump: Sendable {
  private struct Intake {
    var count = 0
    var isOver = false
  }

  private struct Turn {
    /// The frame that is put next.
    var next = 0
    var isOver = false
    var error: HDRError?
  }

  private let intake = Mutex(Intake())
  private let turn = Monitor(Turn())

  /// Runs until the source ends, or something fails.
  ///
  /// - Parameters:
  ///   - take: called by one thread at a time.
  ///   - make: called by all threads, with the number of the frame.
  ///   - put: called by one thread at a time, in the order of frames.
  /// - Returns: the number of frames.
  /// - Throws: the error of the earliest frame.
  func run<Made: Sendable>(
    threads count: Int, take: @escaping @Sendable (_ number: Int) throws(HDRError) -> VideoFrame?,
    make: @escaping @Sendable (VideoFrame, _ number: Int) throws(HDRError) -> Made,
    put: @escaping @Sendable (Made, _ number: Int) throws(HDRError) -> Void
  ) throws(HDRError) -> Int {
    let threads = (0..<max(1, count)).map { index in
      WorkerThread(name: "frame \(index)") { [self] in
        while let (number, result) = begin(take, make) { end(number, result, put) }
      }
    }
    for thread in threads { thread.join() }
    if let error = turn.change({ $0.error }) { throw error }
    return turn.change { $0.next }
  }

  /// Takes a frame and makes another of it; `nil` behind the last one.
  private func begin<Made>(
    _ take: (Int) throws(HDRError) -> VideoFrame?, _ make: (VideoFrame, Int) throws(HDRError) -> Made
  ) -> (number: Int, result: Result<Made, HDRError>)? {
    let taken = intake.withLock { intake -> (Int, Result<VideoFrame, HDRError>)? in
      guard !intake.isOver, !turn.change({ $0.isOver }) else { return nil }
      let number = intake.count
      do throws(HDRError) {
        guard let frame = try take(number) else {
          intake.isOver = true
          return nil
        }
        intake.count += 1
        return (number, .success(frame))
      } catch {
        intake.isOver = true
        return (number, .failure(error))
      }
    }
    guard let taken else { return nil }
    do throws(HDRError) {
      return (taken.0, .success(try make(try taken.1.get(), taken.0)))
    } catch {
      return (taken.0, .failure(error))
    }
  }

  /// Waits for the turn of a frame, and puts it.
  private func end<Made>(
    _ number: Int, _ result: Result<Made, HDRError>, _ put: (Made, Int) throws(HDRError) -> Void
  ) {
    let isMine = turn.wait { state -> Bool? in state.isOver ? false : state.next == number ? true : nil }
    guard isMine else { return }
    do throws(HDRError) {
      try put(try result.get(), number)
      turn.change { $0.next += 1 }
    } catch {
      turn.change { ($0.isOver, $0.error) = (true, error) }
    }
  }
}
