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
