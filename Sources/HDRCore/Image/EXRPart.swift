/// Header fields of an OpenEXR part that the picture itself does not show, for reports.
package struct EXRPart: Sendable, Hashable {
  package struct Channel: Sendable, Hashable {
    package var name: String
    /// The sample type: `half`, `float` or `uint`.
    package var type: String

    package init(name: String, type: String) {
      self.name = name
      self.type = type
    }
  }

  /// A rectangle of pixels by their coordinates, which may be negative.
  package struct Window: Sendable, Hashable {
    package var left, top, width, height: Int

    package init(left: Int, top: Int, width: Int, height: Int) {
      (self.left, self.top, self.width, self.height) = (left, top, width, height)
    }
  }

  /// The name of the colour space in the list of spaces, as "ACEScg"; `nil` if it has none.
  package var space: String?
  /// The primaries; `nil` if none are stated, or if samples are X, Y and Z.
  package var primaries: Primaries?
  package var dataWindow: Window
  package var displayWindow: Window
  /// The compression: `ZIP`, `DWAA`, `uncompressed`.
  package var compression: String
  /// The channels in the order of the file, which is by name.
  package var channels: [Channel]

  package init(
    space: String? = nil, primaries: Primaries? = nil, dataWindow: Window, displayWindow: Window, compression: String,
    channels: [Channel]
  ) {
    self.space = space
    self.primaries = primaries
    self.dataWindow = dataWindow
    self.displayWindow = displayWindow
    self.compression = compression
    self.channels = channels
  }
}
