/// What the header of an OpenEXR part states that the picture itself does not show: for reports.
public struct EXRPart: Sendable, Hashable {
  public struct Channel: Sendable, Hashable {
    public var name: String
    /// `half`, `float` or `uint`.
    public var type: String

    public init(name: String, type: String) {
      self.name = name
      self.type = type
    }
  }

  /// Pixels by their coordinates, which may be negative.
  public struct Window: Sendable, Hashable {
    public var left, top, width, height: Int

    public init(left: Int, top: Int, width: Int, height: Int) {
      (self.left, self.top, self.width, self.height) = (left, top, width, height)
    }
  }

  /// As its field knows the colour space: "AP1"; `nil`: there is no name for it.
  public var space: String?
  /// `nil`: none are stated, or samples are X, Y and Z.
  public var primaries: Primaries?
  public var dataWindow: Window
  public var displayWindow: Window
  /// `ZIP`, `DWAA`, `uncompressed`.
  public var compression: String
  /// In the order of the file: by their names.
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
