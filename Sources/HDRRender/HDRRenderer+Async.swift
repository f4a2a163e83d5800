import Synchronization
import Threads

/// The same calls for tasks: the work is done on threads of the renderer's own, as many at a time as it has threads, and
/// waiting for it blocks no thread of Swift's pool.
///
/// A cancelled task gets an ``HDRError`` of kind `.cancelled` at the end of the phase that runs; nothing is left behind.
extension HDRRenderer {
  /// See ``render(_:headroom:options:)-sync``.
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

  /// See ``write(_:to:as:options:existing:)-sync``.
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

/// Set once, from any thread.
final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)
  var isSet: Bool { flag.load(ordering: .relaxed) }
  func set() { flag.store(true, ordering: .relaxed) }
}

/// Threads for work that blocks: some at a time, and none while there is no work.
final class JobThreads: Sendable {
  private struct State {
    /// Oldest first.
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

  /// `nil`: the thread ends.
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
