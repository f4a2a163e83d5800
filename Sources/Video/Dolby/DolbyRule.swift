/// A rule says what becomes of the Dolby Vision of clips.
package enum DolbyRule: String, Sendable, Hashable, CaseIterable {
  /// Applied where the base layer is nothing without it; else the base layer is used, and Dolby Vision dropped.
  case auto
  /// Frames are reshaped to what their mastering display showed.
  case apply
  /// The base layer is used.
  case drop
  /// Samples and RPUs are passed on.
  case keep
}
