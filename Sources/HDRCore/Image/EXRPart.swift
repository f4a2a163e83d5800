/// Header fields of an OpenEXR part that the picture itself does not show, for reports.
public struct EXRPart: Sendable, Hashable {
  public struct Channel: Sendable, Hashable {
    public var name: String
    /// The sample type: `half`, `float` or `uint`.
    public var type: String

    public init(name: String, type: String) {
      self.name = name
      self.type = type
    }
  }

  /// A rectangle of pixels by their coordinates, which may be negative.
  public struct Window: Sendable, Hashable {
    public var left, top, width, height: Int

    public init(left: Int, top: Int, width: Int, height: Int) {
      (self.left, self.top, self.width, self.height) = (left, top, width, height)
    }
  }

  /// The usual name of the colour space, as "AP1"; `nil` if it has none.
  public var space: String?
  /// The primaries; `nil` if none are stated, or if samples are X, Y and Z.
  public var primaries: Primaries?
  public var dataWindow: Window
  public var displayWindow: Window
  /// The compression: `ZIP`, `DWAA`, `uncompressed`.
  public var compression: String
  /// The channels in the order of the file, which is by name.
  public var channels: [Channel]

  public init(
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
