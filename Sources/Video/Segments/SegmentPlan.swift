import HDRCore
import PlainData
import VideoStreams

/// The least length of a segment.
package enum SegmentLength: Sendable, Hashable {
  case seconds(Double)
  case frames(Int)

  /// Parses `10s`, `0.5s` or `250f`; `nil` for others.
  package init?(_ text: String) {
    let number = String(text.dropLast())
    switch text.last {
    case "s":
      guard let seconds = decimal(number), seconds > 0, seconds <= 1e6 else { return nil }
      self = .seconds(seconds)
    case "f":
      guard let frames = Int(number), (1...ClipProbe.maxFrames).contains(frames) else { return nil }
      self = .frames(frames)
    default: return nil
    }
  }

  package var text: String {
    switch self {
    case .seconds(let seconds): shortest(seconds) + "s"
    case .frames(let frames): "\(frames)f"
    }
  }
}

/// The division of a clip into segments, each from the start or a key frame up to that of the next one. The same clip and
/// the same length give the same segments on every machine.
package struct SegmentPlan: Sendable, Hashable {
  /// The segments, in their order: all frames, each once.
  package let parts: [FramePart]

  /// - Parameter least: the length that no segment falls short of, unless the clip does.
  package init(_ facts: ClipFacts, least: SegmentLength) {
    let times = facts.times, count = times.count
    // Transport streams have no index: a search ends near a key frame, before or behind it.
    guard count > 1, !facts.isCountUnsure, facts.container != "mpegts" else {
      parts = [.all]
      return
    }
    // Behind the last frame comes the time at which another one would be shown.
    let end = times[count - 1] + max(1, (times[count - 1] - times[0]) / (count - 1))
    func isLong(_ start: Int, _ stop: Int) -> Bool {
      switch least {
      case .frames(let frames): return stop - start >= frames
      case .seconds(let seconds):
        let ticks = (stop < count ? times[stop] : end) - times[start]
        return facts.timeBase.seconds(ticks) + facts.timeBase.seconds(1) / 2 >= seconds
      }
    }
    var starts = [0]
    for key in facts.keyFrames where key > 0 && isLong(starts[starts.count - 1], key) { starts.append(key) }
    if starts.count > 1, !isLong(starts[starts.count - 1], count) { starts.removeLast() }
    parts =
      starts.count > 1
      ? zip(starts, starts.dropFirst() + [count]).map { FramePart(frames: $0..<$1, key: $0) } : [.all]
  }
}

extension FramePart {
  /// Returns these frames, decoded from the key frame before; `nil` if there is none.
  func fromEarlier(_ facts: ClipFacts) -> FramePart? {
    key > 0 ? FramePart(frames: frames, key: facts.keyFrames.last { $0 < key } ?? 0) : nil
  }
}
