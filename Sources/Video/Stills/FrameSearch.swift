import HDRCore
import HDRRender
import VideoStreams

/// Decodes a few frames of a clip. Each group of frames that lie close together is decoded from the keyframe before it.
struct FrameSearch {
  let ffmpeg: FFmpeg
  let clip: InputFile
  let plan: ClipPlan
  let times: FrameTimes
  let takesDamaged: Bool

  /// The most frames between two of a group: to decode them costs no more than to start another decoder.
  private static let gap = 24

  /// Calls a function with each of the frames.
  ///
  /// - Parameter frames: rising, each once.
  /// - Throws: `HDRError`, `video.frames` if a frame is not found at its time.
  func find(_ frames: [Int], _ found: (VideoFrame, Int) throws(HDRError) -> Void) throws(HDRError) {
    var group: [Int] = []
    for frame in frames {
      if let last = group.last, frame - last > Self.gap {
        try decode(group, found)
        group = []
      }
      group.append(frame)
    }
    try decode(group, found)
  }

  private func decode(
    _ frames: [Int], _ found: (VideoFrame, Int) throws(HDRError) -> Void
  ) throws(HDRError) {
    var left = frames[...]
    do throws(HDRError) {
      try decode(&left, fromStart: false, found)
    } catch {
      // A container that is badly searched is read from its start.
      guard Self.ofSearch.contains(error.code), let first = left.first, first > 0 else { throw error }
    }
    if !left.isEmpty { try decode(&left, fromStart: true, found) }
    guard left.isEmpty else {
      throw HDRError(clip: "frames", "frame \(left[left.startIndex]) is not where the file's packets say that it is")
    }
  }

  private static let ofSearch = ["video.frames", "video.times", "video.truncated"]

  /// Decodes until the frames are found.
  private func decode(
    _ left: inout ArraySlice<Int>, fromStart: Bool, _ found: (VideoFrame, Int) throws(HDRError) -> Void
  ) throws(HDRError) {
    guard let first = left.first, let last = left.last else { return }
    // Bare streams have no times to search by.
    let part =
      plan.facts.isCountUnsure
      ? FramePart.all : FramePart(frames: first..<last + 1, key: fromStart ? 0 : max(0, first - 1))
    let source = try PartSource(ffmpeg, clip, plan, part, takesDamaged: takesDamaged)
    while let frame = left.first, let next = try source.next() {
      switch times.order(source.timeBase.seconds(next.pts), of: frame) {
      case 0:
        try found(next, frame)
        left.removeFirst()
      case 1: return
      default: break
      }
    }
  }
}
