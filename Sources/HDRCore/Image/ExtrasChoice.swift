/// The fate of a motion photo's video.
package enum MotionChoice: String, Sendable, Hashable, CaseIterable {
  /// JPEG, HEIC and AVIF outputs of the whole picture hold it.
  case keep
  case drop
  /// It becomes a file beside the output.
  case extract
}

/// The fate of a file whose origin is signed by C2PA, which no output can hold.
package enum CredentialsChoice: String, Sendable, Hashable, CaseIterable {
  case drop
  /// Such a file is not rendered.
  case refuse
  /// The manifest store becomes a file beside the output.
  case sidecar
}
