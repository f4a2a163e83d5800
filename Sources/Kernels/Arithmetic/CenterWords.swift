import HDRCore

/// A place that pixels are measured from, taken off in whole pixels first: large pictures lose nothing.
public struct CenterWords: StageParameters {
  public let x: Int32, y: Int32, toX: Float, toY: Float

  /// - Parameters:
  ///   - x, y: a place in pixels, within 2^23 of 0.
  package init(_ x: Double, _ y: Double) {
    let wholeX = x.rounded(.down), wholeY = y.rounded(.down)
    (self.x, self.y) = (Int32(wholeX), Int32(wholeY))
    (toX, toY) = (Float(0.5 - (x - wholeX)), Float(0.5 - (y - wholeY)))
  }

  /// Returns the distance along the row from the place to the centre of a pixel.
  @inlinable @inline(always) func along(_ column: Int) -> Float {
    Float(Int32(truncatingIfNeeded: column) &- x) + toX
  }

  /// Returns the distance down the column from the place to the centre of a pixel.
  @inlinable @inline(always) func down(_ row: Int) -> Float { Float(Int32(truncatingIfNeeded: row) &- y) + toY }
}
