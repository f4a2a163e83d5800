import HDRCore

/// Up to `capacity` consecutive pixels of one output row, as planes of binary32 that stay in the first-level cache.
///
/// Stage loops run over `padded` pixels, a multiple of 16, so that vector loops have no tail; pixels beyond `count`
/// hold finite values that are never stored.
public struct Strip {
  public static let capacity = 512
  /// The floats from plane to plane: not a multiple of 4 KiB, or stores to one plane would stall loads of another.
  public static let stride = capacity + 80
  /// The floats of one strip's memory: four planes and fourteen planes of scratch.
  public static let floats = 18 * stride

  /// R, then G, B and A at `stride`, then scratch.
  public let base: UnsafeMutablePointer<Float>
  public let count: Int
  /// The output pixel of the first element.
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
  /// Puts a pixel beside the others in the last four planes of scratch. If its channels were written to the strip's
  /// planes one by one, they would be computed one by one too.
  @inlinable @inline(always) func put(_ pixel: SIMD4<Float>, _ i: Int) {
    UnsafeMutableRawPointer(scratch(10) + 4 &* i).storeBytes(of: pixel, as: SIMD4<Float>.self)
  }
  /// Spreads all pixels of `put` over the planes, and gives those after the last one a finite value.
  @inlinable @inline(always) func spread() {
    let pixels = scratch(10), r = red, g = green, b = blue, a = alpha
    for i in 0..<count {
      r[i] = pixels[4 &* i]
      g[i] = pixels[4 &* i &+ 1]
      b[i] = pixels[4 &* i &+ 2]
      a[i] = pixels[4 &* i &+ 3]
    }
    for channel in 0..<4 {
      let p = plane(channel)
      for i in count..<padded { p[i] = 0 }
    }
  }
  @inlinable @inline(always) public func scratch(_ index: Int) -> UnsafeMutablePointer<Float> {
    base + (4 + index) * Strip.stride
  }
}

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

  public init(_ plane: SamplePlane) {
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
  public var mapping: SourceMapping
  /// Memory in which a stage may store the strip's next rows; `nil`: it makes one row at a time.
  public var ahead: UnsafeMutablePointer<RowsAhead>?
  /// The runner of a user's kernel.
  public var kernel: Unmanaged<KernelRunner>?

  public init(
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

/// Rows that a load makes together with the first of them, because they share samples. They are kept until their strips
/// are rendered.
public struct RowsAhead {
  /// The largest number of rows kept.
  public static let most = 3
  public static let floats = most * 4 * Strip.stride

  public let memory: UnsafeMutablePointer<Float>
  /// The row after the last one of the strips that are rendered downwards.
  public var end = 0
  @usableFromInline var x = -1
  @usableFromInline var rows = 0..<0

  @inlinable public init(memory: UnsafeMutablePointer<Float>) { self.memory = memory }

  /// Drops the kept rows: another pass begins.
  public mutating func clear() { x = -1 }

  @inlinable @inline(always) func plane(_ row: Int, _ channel: Int) -> UnsafeMutablePointer<Float> {
    memory + (4 &* row &+ channel) &* Strip.stride
  }

  /// Marks the rows after a strip's as made.
  @inlinable @inline(always) mutating func keep(after s: Strip) {
    x = s.x
    rows = s.y &+ 1..<s.y &+ 1 &+ RowsAhead.most
  }

  /// Fills a strip if its row was made already.
  @inlinable @inline(always) func fill(_ s: Strip, channels: Int) -> Bool {
    guard x == s.x, rows.contains(s.y) else { return false }
    for channel in 0..<channels {
      s.plane(channel).update(from: plane(s.y &- rows.lowerBound, channel), count: s.count)
    }
    return true
  }
}

/// Collects the words of a plan.
public struct PlanWords {
  public private(set) var constants: [UInt32] = []
  public private(set) var tables: [UInt32] = []
  /// The number of values that were computed for tables.
  public private(set) var evaluations = 0
  private var known: [[UInt32]: Int] = [:]
  /// The deadline for making the plan.
  var deadline = Deadline.none

  public init() {}

  /// Adds a stage's parameters and returns the stage.
  public mutating func stage(_ kind: StageKind, _ words: [UInt32], kernel: UserKernel? = nil) -> Stage {
    defer { constants += words }
    return Stage(kind: kind, constants: constants.count, kernel: kernel)
  }

  public mutating func sink(
    _ kind: SinkKind, _ words: [UInt32], channels: Int = 4, chroma: ChromaSubsampling = .s444, bitDepth: Int = 16
  ) -> Sink {
    defer { constants += words }
    return Sink(kind: kind, constants: constants.count, channels: channels, chroma: chroma, bitDepth: bitDepth)
  }

  /// Checks the deadline between tables and steps.
  func checkTime() throws(PlanError) { if deadline.isPassed { throw .late } }

  /// Counts values that are computed on the way to a table.
  mutating func count(evaluations more: Int) { evaluations += more }

  /// Adds a table and returns its word offset; equal tables are stored once. Offsets are multiples of 4 words.
  public mutating func table(_ words: [UInt32]) -> UInt32 {
    count(evaluations: words.count)
    if let offset = known[words] { return UInt32(offset) }
    while tables.count % 4 != 0 { tables.append(0) }
    let offset = tables.count
    tables += words
    known[words] = offset
    return UInt32(offset)
  }
}

extension Double {
  /// The nearest binary32. Numbers in files beyond any light are cut at 2^36, and NaN is 0: no sum or product of a few
  /// of them overflows, and lanes compare without NaN (docs/exact-arithmetic.md#contract).
  @inlinable public var lane: Float { isNaN ? 0 : Float(Swift.min(Swift.max(self, -0x1p36), 0x1p36)) }

  /// The bit pattern of `lane`.
  @inlinable public var word: UInt32 { lane.bitPattern }
}

extension Bool {
  /// The bit as a word: 1 or 0.
  @inlinable public var word: UInt32 { self ? 1 : 0 }
}

extension Int {
  /// The low 32 bits, two's complement.
  @inlinable public var word: UInt32 { UInt32(truncatingIfNeeded: self) }
}
