import HDRCore
import HDRRender
import VideoStreams

/// The times of a clip's frames, in the order in which they are shown.
struct FrameTimes: Sendable, Hashable {
  let times: [Int]
  let base: TimeBase

  init(_ times: [Int], _ base: TimeBase) { (self.times, self.base) = (times, base) }

  func seconds(_ frame: Int) -> Double { base.seconds(times[frame]) }

  /// The last frame that is shown so many seconds behind the first one, or earlier.
  ///
  /// - Returns: the first frame for times before it.
  func frame(at seconds: Double) -> Int {
    guard let first = times.first else { return 0 }
    // A billionth, as times of frames are no binary fractions.
    let next = times.firstIndex { base.seconds($0 - first) > seconds + 1e-9 } ?? times.count
    return max(0, next - 1)
  }

  /// The frame shown when a share of the time from the first frame to the last one is over.
  func frame(atShare share: Double) -> Int {
    guard let first = times.first, let last = times.last else { return 0 }
    return frame(at: base.seconds(last - first) * share)
  }

  /// Returns how a time lies to that of a frame: 0 if it is the frame's own, to half the way to its neighbours.
  func order(_ time: Double, of frame: Int) -> Int {
    let own = seconds(frame)
    let before = frame > 0 ? (own - seconds(frame - 1)) / 2 : .infinity
    let behind = frame + 1 < times.count ? (seconds(frame + 1) - own) / 2 : .infinity
    return time < own - before ? -1 : time > own + behind ? 1 : 0
  }
}

extension PosterPlace {
  /// Returns the frame of a poster, from 0.
  ///
  /// - Parameter best: the frame that shows the clip best, which others do not need.
  /// - Throws: `HDRError`, `video.poster` for a frame that is not there.
  func frame(_ times: FrameTimes, best: Int) throws(HDRError) -> Int {
    switch self {
    case .share(let share): return times.frame(atShare: share)
    case .seconds(let seconds): return times.frame(at: seconds)
    case .best: return best
    case .frame(let number):
      guard number <= times.times.count else {
        throw HDRError(
          clip: "poster", "there is no frame \(number): the clip has \(times.times.count)", kind: .request)
      }
      return number - 1
    }
  }
}

extension SheetGrid {
  /// The frames of the tiles, from 0, each in the middle of its part of the clip; short clips show some several times.
  func frames(_ times: FrameTimes) -> [Int] {
    (0..<count).map { times.frame(atShare: (Double($0) + 0.5) / Double(count)) }
  }
}
