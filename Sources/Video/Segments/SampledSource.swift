import Glibc
import HDRCore
import HDRRender
import Synchronization
import VideoStreams

/// The frames of a source, some of which are compared with those of another decoder.
package final class SampledSource: FrameSource {
  private struct State {
    var number: Int
    /// The other decoder, while frames are compared.
    var reference: (any FrameSource)?
  }

  private let source: any FrameSource
  private let sampled: [Range<Int>]
  private let reference: @Sendable (Range<Int>) throws(HDRError) -> any FrameSource
  private let state: Mutex<State>

  package var shape: FrameShape { source.shape }
  package var timeBase: TimeBase { source.timeBase }

  /// - Parameters:
  ///   - first: the number of the source's first frame in its clip.
  ///   - sampled: the numbers of the frames that are compared, in ranges that do not overlap.
  ///   - reference: makes the other decoder of a range.
  package init(
    _ source: any FrameSource, first: Int, sampled: [Range<Int>],
    reference: @escaping @Sendable (Range<Int>) throws(HDRError) -> any FrameSource
  ) {
    (self.source, self.sampled, self.reference) = (source, sampled, reference)
    state = Mutex(State(number: first))
  }

  /// - Throws: `HDRError`, `video.sample` for the first frame that differs.
  package func next() throws(HDRError) -> VideoFrame? {
    try state.withLock { state throws(HDRError) in
      let frame = try source.next(), number = state.number
      guard let range = sampled.first(where: { $0.contains(number) }) else {
        state.number += 1
        return frame
      }
      if number == range.lowerBound { state.reference = try reference(range) }
      guard let other = state.reference else { return frame }
      let wanted = try other.next()
      guard let frame, let wanted else {
        // Behind the last frame of a clip whose frames are not counted.
        guard frame == nil, wanted == nil else { throw Self.differs(number, "only one decoder has it") }
        return nil
      }
      if let place = Self.difference(frame, wanted) {
        throw Self.differs(number, "from byte \(place) of its samples on")
      }
      state.number += 1
      if state.number == range.upperBound { state.reference = nil }
      return frame
    }
  }

  /// Returns the place of the first byte that differs; `nil`: none does.
  private static func difference(_ frame: VideoFrame, _ wanted: VideoFrame) -> Int? {
    let (found, other) = (frame.samples, wanted.samples), count = min(found.byteCount, other.byteCount)
    guard found.byteCount != other.byteCount || memcmp(found.base, other.base, count) != 0 else { return nil }
    let bytes = UnsafeRawBufferPointer(start: found.base, count: count)
    let others = UnsafeRawBufferPointer(start: other.base, count: count)
    return bytes.indices.first { bytes[$0] != others[$0] } ?? count
  }

  private static func differs(_ number: Int, _ what: String) -> HDRError {
    HDRError(
      clip: "sample",
      "frame \(number) is decoded otherwise than in software, \(what): leave out \(setting: "hwaccel")")
  }
}

/// Frames of a clip that are decoded in software, too.
struct FrameSample: Sendable, Hashable {
  /// Every such part is compared.
  var every: Int
  var parts: [FramePart]

  /// Returns the numbers of the frames of a part of the clip that are compared.
  func ranges(in part: FramePart) -> [Range<Int>] {
    parts.map { $0.frames ?? 0..<Int.max }.filter { range in part.frames?.overlaps(range) ?? true }
  }

  /// The number of compared frames of a clip.
  func count(in facts: ClipFacts) -> Int { parts.reduce(0) { $0 + ($1.frames?.count ?? facts.times.count) } }
}

extension ClipJob {
  /// Returns the frames of a clip that are compared; `nil`: none are.
  func sample(of clip: InputFile, _ plan: ClipPlan) -> FrameSample? {
    guard let every = options.sample else { return nil }
    let parts = parts(of: clip, plan, least: options.segments?.least ?? .seconds(10))
    return FrameSample(every: every, parts: parts.indices.filter { $0 % every == 0 }.map { parts[$0] })
  }

  /// Starts to decode a part of a clip; frames that are sampled are compared.
  func source(_ clip: InputFile, _ plan: ClipPlan, _ part: FramePart) throws(HDRError) -> any FrameSource {
    let (ffmpeg, takesDamaged) = (ffmpeg, options.takesDamaged)
    let source = try PartSource(ffmpeg, clip, plan, part, takesDamaged: takesDamaged)
    guard let sample = plan.sample else { return source }
    return SampledSource(source, first: part.first, sampled: sample.ranges(in: part)) { range throws(HDRError) in
      let part = sample.parts.first { $0.frames == range } ?? .all
      return try PartSource(ffmpeg, clip, plan, part, takesDamaged: takesDamaged, isReference: true)
    }
  }
}
