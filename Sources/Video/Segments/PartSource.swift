import HDRCore
import HDRRender
import Synchronization
import VideoStreams

/// The frames of a part of a clip, each at the time of its packet: not one more, and not one fewer.
final class PartSource: FrameSource {
  private let source: FFmpegSource
  private let facts: ClipFacts
  private let part: FramePart
  /// True if packets say which frames there are.
  private let isCounted: Bool
  private let reshapes: FrameReshapes?
  private let curves: [[UInt8]?]
  private let count = Mutex(0)

  var shape: FrameShape { source.shape }
  var timeBase: TimeBase { source.timeBase }

  /// Starts to decode.
  ///
  /// - Parameter isReference: true to decode in software, whatever else decodes.
  /// - Throws: `HDRError` if nothing is decoded.
  init(
    _ ffmpeg: FFmpeg, _ clip: InputFile, _ plan: ClipPlan, _ part: FramePart, takesDamaged: Bool = false,
    isReference: Bool = false
  ) throws(HDRError) {
    (facts, reshapes, curves) = (plan.facts, plan.reshapes, plan.curves)
    (self.part, isCounted) = (part, !facts.isCountUnsure && !takesDamaged)
    source = try FFmpegSource(
      ffmpeg, clip, format: plan.decodedFormat, video: facts.video, decoder: facts.decoder, part: part.place(in: facts),
      hardware: isReference ? .none : ffmpeg.hardware,
      takesDamaged: takesDamaged)
    guard source.shape == plan.decoded else {
      throw HDRError(clip: "size-change", "frames have another size or format than the first one")
    }
  }

  /// - Throws: `HDRError`, `video.frames` and `video.times` for other frames than the packets', `video.truncated` for
  ///   fewer.
  func next() throws(HDRError) -> VideoFrame? {
    try count.withLock { count throws(HDRError) in
      // The frames that follow are another part's: its decoder is told to end.
      if isCounted, let end = part.frames?.upperBound, end < facts.times.count, part.first + count == end { return nil }
      while var frame = try source.next() {
        if isCounted, facts.isEarlier(frame.pts, timeBase, than: part.first) { continue }
        if isCounted { try facts.check(frame.pts, timeBase, number: part.first + count, in: part) }
        if reshapes != nil || !curves.isEmpty,
          // Frames that are missing move those behind.
          let number = isCounted ? part.first + count : facts.number(at: frame.pts, timeBase)
        {
          frame.reshape = reshapes?.reshape(number)
          if curves.indices.contains(number) { frame.curves = curves[number] }
        }
        count += 1
        return frame
      }
      let wanted = part.frames?.count ?? facts.times.count
      guard !isCounted || count == wanted else {
        throw HDRError(
          clip: "truncated",
          "\(count) of \(wanted) frames were decoded; \(setting: "damaged") keep takes what can be")
      }
      guard count > 0 else { throw HDRError(clip: "truncated", "no frame was decoded") }
      return nil
    }
  }
}

extension FramePart {
  /// Returns the place at which the decoder of a part begins.
  func place(in facts: ClipFacts) -> FFmpegSource.Part {
    // The first frame needs no search, and may lie behind others that are not shown.
    key > 0 ? .since(facts.timeBase.seconds(facts.times[key])) : .all
  }
}

extension ClipFacts {
  /// Compares a decoded time with a packet's: below 0 if it is earlier.
  func order(_ time: Int, _ base: TimeBase, _ number: Int) -> Int {
    let decoded = Int128(time) * Int128(base.numerator) * Int128(timeBase.denominator)
    let listed = Int128(times[number]) * Int128(timeBase.numerator) * Int128(base.denominator)
    return decoded < listed ? -1 : decoded > listed ? 1 : 0
  }

  /// Returns true if a decoded frame is shown before a packet's.
  fileprivate func isEarlier(_ time: Int, _ base: TimeBase, than number: Int) -> Bool {
    number > 0 && number < times.count && order(time, base, number) < 0
  }

  /// Compares the time of a decoded frame with that of its packet.
  fileprivate func check(_ time: Int, _ base: TimeBase, number: Int, in part: FramePart) throws(HDRError) {
    guard number < part.frames?.upperBound ?? times.count else {
      throw HDRError(
        clip: "frames",
        "more than the \(part.frames?.count ?? times.count) frames of the file's packets were decoded")
    }
    guard order(time, base, number) == 0 else {
      throw HDRError(
        clip: "times",
        "frame \(number) was decoded for \(decimals(base.seconds(time), 6)) s, and its packet is for "
          + "\(decimals(timeBase.seconds(times[number]), 6)) s; \(setting: "damaged") keep takes the former")
    }
  }
}
