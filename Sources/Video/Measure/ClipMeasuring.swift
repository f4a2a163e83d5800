import HDRCore
import HDRRender
import Synchronization
import VideoStreams

/// The first pass over a clip: the light of its frames, or of those of a part. What several passes measure is appended
/// (`ClipLight.append`), and is what one pass measures.
struct ClipMeasuring: Sendable {
  private let light: FrameLight
  private let tools: RenderTools
  private let threads: Int
  private let hooks: @Sendable () -> RenderHooks
  private let progress: @Sendable (_ frame: Int) -> Void

  /// - Parameter progress: called behind each frame, by one thread at a time.
  init(
    _ light: FrameLight, _ tools: RenderTools, threads: Int, hooks: @escaping @Sendable () -> RenderHooks,
    progress: @escaping @Sendable (_ frame: Int) -> Void
  ) {
    (self.light, self.tools, self.threads, self.hooks, self.progress) = (light, tools, threads, hooks, progress)
  }

  /// Measures all frames of a source.
  ///
  /// - Parameter first: the number of its first frame in the clip.
  func measure(_ source: any FrameSource, first: Int) throws(HDRError) -> ClipLight {
    let found = Mutex(ClipLight()), base = source.timeBase
    let (light, tools, hooks, progress) = (light, tools, hooks, progress)
    _ = try FramePump().run(threads: threads) { _ throws(HDRError) in
      try hooks().check()
      return try source.next()
    } make: { frame, number throws(HDRError) in
      try light.sums(of: frame, number: first + number, seconds: base.seconds(frame.pts), tools, hooks())
    } put: { sums, number throws(HDRError) in
      try found.withLock { found throws(HDRError) in try found.take(sums) }
      progress(number + 1)
    }
    return found.withLock { $0 }
  }
}

extension ClipLight {
  /// Appends a frame.
  mutating func take(_ sums: FrameSums) throws(HDRError) {
    do throws(DecodeError) { try append(sums) } catch { throw HDRError(error) }
  }
}
