import HDRCore

/// Up to `capacity` consecutive pixels of one output row, as planes of binary32 that stay in the first-level cache.
///
/// Stage loops run over `padded` pixels, a multiple of 16, so that vector loops have no tail; pixels beyond `count`
/// hold finite values that are never stored.
public struct Strip {
  public static let capacity = 512
  /// Floats from one plane to the next: not a multiple of 4 KiB, or stores to one plane would stall loads of another.
  public static let stride = capacity + 80
  /// Floats of one strip's memory: four planes and fourteen planes of scratch.
  public static let floats = 18 * stride

  /// R, then G, B and A at `stride`, then scratch.
  public let base: UnsafeMutablePointer<Float>
  public let count: Int
  /// Output pixel of the first element.
  public let x: Int
  public let y: Int

  @inlinable public init(base: UnsafeMutablePointer<Float>, count: Int, x: Int, y: Int) {
    self.base = base
    self.count = count
    self.x = x
    self.y = y
  }

  @inlinable @inline(always) public var padded: Int { (count &+ 15) & ~15 }
  @inlinable @inline(always) public var red: UnsafeMutablePointer<Float> { base }
  @inlinable @inline(always) public var green: UnsafeMutablePointer<Float> { base + Strip.stride }
  @inlinable @inline(always) public var blue: UnsafeMutablePointer<Float> { base + 2 * Strip.stride }
  @inlinable @inline(always) public var alpha: UnsafeMutablePointer<Float> { base + 3 * Strip.stride }
  @inlinable @inline(always) public func plane(_ index: Int) -> UnsafeMutablePointer<Float> {
    base + index * Strip.stride
  }
  @inlinable @inline(always) public func scratch(_ index: Int) -> UnsafeMutablePointer<Float> {
    base + (4 + index) * Strip.stride
  }
}

/// One channel of a source in memory.
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

  public init(_ plane: SamplePlane) {
    self.init(
      base: UnsafeRawPointer(plane.buffer.base + plane.offset), rowBytes: plane.rowBytes, stepBytes: plane.stepBytes,
      width: plane.width, height: plane.height)
  }
}

/// What a stage sees besides the strip.
public struct StageContext {
  /// The stage's parameters.
  public var constants: UnsafePointer<UInt32>
  /// All tables of the plan.
  public var tables: UnsafePointer<UInt32>
  /// Four channels (R G B A or Y Cb Cr A) for each source, source-major.
  public var channels: UnsafePointer<ChannelView>
  public var mapping: SourceMapping

  public init(
    constants: UnsafePointer<UInt32>, tables: UnsafePointer<UInt32>, channels: UnsafePointer<ChannelView>,
    mapping: SourceMapping
  ) {
    self.constants = constants
    self.tables = tables
    self.channels = channels
    self.mapping = mapping
  }

  @inlinable @inline(always) public func float(_ word: Int) -> Float { Float(bitPattern: constants[word]) }
  @inlinable @inline(always) public func int(_ word: Int) -> Int { Int(Int32(bitPattern: constants[word])) }
  @inlinable @inline(always) public func table(_ word: Int) -> UnsafePointer<Float> {
    UnsafeRawPointer(tables + Int(constants[word])).assumingMemoryBound(to: Float.self)
  }

  /// Stored pixel of output pixel (x, y).
  @inlinable @inline(always) public func source(_ x: Int, _ y: Int) -> (x: Int, y: Int) {
    (
      mapping.x0 &+ x &* mapping.columnX &+ y &* mapping.rowX,
      mapping.y0 &+ x &* mapping.columnY &+ y &* mapping.rowY
    )
  }
}

/// Collects the words of a plan.
public struct PlanWords {
  public private(set) var constants: [UInt32] = []
  public private(set) var tables: [UInt32] = []
  private var known: [[UInt32]: Int] = [:]

  public init() {}

  /// Adds a stage's parameters and returns the stage.
  public mutating func stage(_ kind: StageKind, _ words: [UInt32]) -> Stage {
    defer { constants += words }
    return Stage(kind: kind, constants: constants.count)
  }

  public mutating func sink(
    _ kind: SinkKind, _ words: [UInt32], channels: Int = 4, chroma: ChromaSubsampling = .s444, bitDepth: Int = 16
  ) -> Sink {
    defer { constants += words }
    return Sink(kind: kind, constants: constants.count, channels: channels, chroma: chroma, bitDepth: bitDepth)
  }

  /// Word offset of a table; equal tables are stored once. Offsets are multiples of 4 words.
  public mutating func table(_ words: [UInt32]) -> UInt32 {
    if let offset = known[words] { return UInt32(offset) }
    while tables.count % 4 != 0 { tables.append(0) }
    let offset = tables.count
    tables += words
    known[words] = offset
    return UInt32(offset)
  }
}

extension Double {
  /// Bit pattern of the nearest binary32.
  @inlinable public var word: UInt32 { Float(self).bitPattern }
}

extension Int {
  /// The low 32 bits, two's complement.
  @inlinable public var word: UInt32 { UInt32(truncatingIfNeeded: self) }
}
