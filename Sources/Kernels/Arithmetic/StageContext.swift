import HDRCore

/// A channel of a source in memory.
public struct ChannelView {
  public var base: UnsafeRawPointer
  public var rowBytes: Int
  public var stepBytes: Int
  public var width: Int
  public var height: Int

  public init(base: UnsafeRawPointer, rowBytes: Int, stepBytes: Int, width: Int, height: Int) {
    self.base = base
    self.rowBytes = rowBytes
    self.stepBytes = stepBytes
    self.width = width
    self.height = height
  }

  package init(_ plane: SamplePlane) {
    self.init(
      base: UnsafeRawPointer(plane.buffer.base + plane.offset), rowBytes: plane.rowBytes, stepBytes: plane.stepBytes,
      width: plane.width, height: plane.height)
  }
}

/// The data that a stage reads besides the strip.
public struct StageContext {
  /// The stage's parameters.
  public var constants: UnsafePointer<UInt32>
  /// All tables of the plan.
  public var tables: UnsafePointer<UInt32>
  /// Four channels (R G B A or Y Cb Cr A) for each source, source-major.
  public var channels: UnsafePointer<ChannelView>
  @usableFromInline package var mapping: SourceMapping
  /// Memory in which a stage may store the strip's next rows; `nil`: it makes one row at a time.
  public var ahead: UnsafeMutablePointer<RowsAhead>?
  /// The runner of a user's kernel.
  public var kernel: Unmanaged<KernelRunner>?

  package init(
    constants: UnsafePointer<UInt32>, tables: UnsafePointer<UInt32>, channels: UnsafePointer<ChannelView>,
    mapping: SourceMapping, ahead: UnsafeMutablePointer<RowsAhead>? = nil, kernel: Unmanaged<KernelRunner>? = nil
  ) {
    self.constants = constants
    self.tables = tables
    self.channels = channels
    self.mapping = mapping
    self.ahead = ahead
    self.kernel = kernel
  }

  /// Returns the stored pixel of output pixel (x, y).
  @inlinable @inline(always) public func source(_ x: Int, _ y: Int) -> (x: Int, y: Int) {
    (
      mapping.x0 &+ x &* mapping.columnX &+ y &* mapping.rowX,
      mapping.y0 &+ x &* mapping.columnY &+ y &* mapping.rowY
    )
  }
}
