import Synchronization
import Threads

/// Async versions of the calls. The work runs on the renderer's own threads, as many at a time as it has, and waiting
/// for it blocks no thread of Swift's pool.
///
/// A cancelled task gets an ``HDRError`` of kind `.cancelled` at the end of the running phase; no file is left.
extension HDRRenderer {
  /// Renders as the blocking call of that name does.
  ///
  /// ```swift
  /// async let small = renderer.render(photo.scaled(by: 0.25))
  /// ```
  public func render(
    _ image: HDRImage, headroom: Double? = nil, options: HDROptions = HDROptions()
  ) async throws(HDRError) -> HDRPixels {
    try await run { (flag) throws(HDRError) in
      try self.render(image, headroom: headroom, options: options, cancellation: flag)
    }
  }

  /// Writes as the blocking call of that name does.
  @discardableResult
  public func write(
    _ image: HDRImage, to path: String, as format: HDRFormat, options: HDROptions = HDROptions(),
    existing: ExistingFile = .refuse
  ) async throws(HDRError) -> HDRReport {
    try await run { (flag) throws(HDRError) in
      try self.write(
        image, to: FilePath(path), as: format, options: options, existing: existing, cancellation: flag)
    }
  }

  private func run<R: Sendable>(
    _ work: @escaping @Sendable (Cancellation) throws(HDRError) -> R
  ) async throws(HDRError) -> R {
    let flag = Cancellation()
    let result: Result<R, HDRError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        threads.add {
          do throws(HDRError) {
            if flag.isSet { throw .cancelled }
            continuation.resume(returning: .success(try work(flag)))
          } catch {
            continuation.resume(returning: .failure(error))
          }
        }
      }
    } onCancel: {
      flag.set()
    }
    return try result.get()
  }
}

/// A flag that any thread can set once.
final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)
  var isSet: Bool { flag.load(ordering: .relaxed) }
  func set() { flag.store(true, ordering: .relaxed) }
}

/// Threads for blocking work: a limited number at a time, and none while there is no work.
final class JobThreads: Sendable {
  private struct State {
    /// The waiting work, oldest first.
    var waiting: [@Sendable () -> Void] = []
    var threads = 0
  }

  private let most: Int
  private let state = Mutex(State())

  init(most: Int) { self.most = max(1, most) }

  /// Runs the work as soon as a thread is free.
  func add(_ work: @escaping @Sendable () -> Void) {
    let begins = state.withLock { state in
      state.waiting.append(work)
      guard state.threads < most else { return false }
      state.threads += 1
      return true
    }
    if begins { WorkerThread(name: "picture") { [self] in while let work = next() { work() } }.detach() }
  }

  /// Returns the next work; `nil` ends the thread.
  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      if state.waiting.isEmpty {
        state.threads -= 1
        return nil
      }
      return state.waiting.removeFirst()
    }
  }
}
