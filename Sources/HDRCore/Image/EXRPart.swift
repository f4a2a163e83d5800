/// Header fields of an OpenEXR part that the picture itself does not show: for reports, and for OpenEXR that is made of
/// it.
package struct EXRPart: Sendable, Hashable {
  package struct Channel: Sendable, Hashable {
    package var name: String
    /// The sample type: `half`, `float` or `uint`.
    package var type: String
    /// True if the picture is made of it.
    package var isShown: Bool

    package init(name: String, type: String, isShown: Bool = false) {
      (self.name, self.type, self.isShown) = (name, type, isShown)
    }
  }

  /// A rectangle of pixels by their coordinates, which may be negative.
  package struct Window: Sendable, Hashable {
    package var left, top, width, height: Int

    package init(left: Int, top: Int, width: Int, height: Int) {
      (self.left, self.top, self.width, self.height) = (left, top, width, height)
    }
  }

  /// An attribute of the header with the bytes of its value.
  package struct Attribute: Sendable, Hashable {
    package var name: String
    package var type: String
    package var value: [UInt8]

    package init(name: String, type: String, value: [UInt8]) {
      (self.name, self.type, self.value) = (name, type, value)
    }
  }

  /// The fields that every part of a file has.
  package struct Outline: Sendable, Hashable {
    /// The number of the part, from 1.
    package var number: Int
    package var name: String?
    /// The kind of chunks: `scan lines`, `tiles`, `deep scan lines` or `deep tiles`.
    package var storage: String
    /// True if smaller levels follow the picture.
    package var hasLevels: Bool
    package var dataWindow: Window
    package var displayWindow: Window
    /// The compression: `ZIP`, `DWAA`, `uncompressed`.
    package var compression: String
    /// The channels in the order of the file, which is by name.
    package var channels: [Channel]

    package init(
      number: Int = 1, name: String? = nil, storage: String = "scan lines", hasLevels: Bool = false,
      dataWindow: Window, displayWindow: Window, compression: String, channels: [Channel]
    ) {
      (self.number, self.name, self.storage, self.hasLevels) = (number, name, storage, hasLevels)
      (self.dataWindow, self.displayWindow) = (dataWindow, displayWindow)
      (self.compression, self.channels) = (compression, channels)
    }
  }

  /// The name of the colour space in the list of spaces, as "ACEScg"; `nil` if it has none.
  package var space: String?
  /// The identifier of a space that the list has not (`colorInteropID`); `nil`: none.
  package var otherID: String?
  /// The primaries; `nil` if none are stated, or if samples are X, Y and Z.
  package var primaries: Primaries?
  package var outline: Outline
  /// The layer of the picture; empty for channels without one.
  package var layer = ""
  /// The width of a pixel over its height.
  package var pixelAspectRatio = 1.0
  /// Attributes that describe no samples, in the order of the file.
  package var attributes: [Attribute] = []
  /// The other parts of the file.
  package var others: [Outline] = []

  package init(space: String? = nil, otherID: String? = nil, primaries: Primaries? = nil, outline: Outline) {
    (self.space, self.otherID, self.primaries, self.outline) = (space, otherID, primaries, outline)
  }
}
