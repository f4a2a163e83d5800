/// The fate of a motion photo's video.
package enum MotionChoice: String, Sendable, Hashable, CaseIterable {
  /// JPEG, HEIC and AVIF outputs of the whole picture hold it.
  case keep
  case drop
  /// It becomes a file beside the output.
  case extract
}
