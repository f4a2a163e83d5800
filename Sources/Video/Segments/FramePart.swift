/// A part of a clip that is decoded and encoded by itself: frames that follow each other.
package struct FramePart: Sendable, Hashable {
  /// The numbers of its frames; `nil`: all frames of the clip.
  package var frames: Range<Int>?
  /// The number of the frame at which decoding begins: a key frame, at most the first of `frames`.
  package var key = 0

  /// The whole clip.
  package static let all = FramePart(frames: nil)

  package init(frames: Range<Int>?, key: Int = 0) { (self.frames, self.key) = (frames, key) }

  /// The number of its first frame.
  package var first: Int { frames?.lowerBound ?? 0 }
}

/// Progress calls the work on a clip by these names.
package enum ClipStage: String, Sendable {
  case measure, convert, join
}
