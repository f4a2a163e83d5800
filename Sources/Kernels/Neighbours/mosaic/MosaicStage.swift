import HDRCore

/// Stage `mosaic`, a load: source 0's pixel at the nearest of points, one in each cell of a grid; transparent black where
/// that is further away than a reach.
public enum MosaicStage: KernelStage {
  package static let readsColumns = true
  package static let readsScattered = true
  package static let operations = 256

  public enum Points: Int, Sendable, Hashable, CaseIterable {
    /// A place in each cell by a hash of the cell.
    case scattered
    /// The upper left corner of cells in even rows, the middle of their upper side in odd rows.
    case hexagons
  }

  public struct Parameters: StageParameters {
    public let channels: UInt32, points: Choice<Points>, width: UInt32, height: UInt32
    /// The scale and offset from a pixel's number to cells.
    public let scaleX: Float, offsetX: Float, scaleY: Float, offsetY: Float
    /// The sides and the centre that take cells to pixel numbers.
    public let sideX: Float, sideY: Float, centerX: Float, centerY: Float
    /// The largest squared distance, in pixels.
    public let reach: Float

    package init(
      channels: UInt32, points: Choice<Points>, width: UInt32, height: UInt32, scaleX: Float, offsetX: Float,
      scaleY: Float, offsetY: Float, sideX: Float, sideY: Float, centerX: Float, centerY: Float, reach: Float
    ) {
      (
        self.channels, self.points, self.width, self.height, self.scaleX, self.offsetX, self.scaleY, self.offsetY,
        self.sideX, self.sideY, self.centerX, self.centerY, self.reach
      ) = (channels, points, width, height, scaleX, offsetX, scaleY, offsetY, sideX, sideY, centerX, centerY, reach)
    }
  }

  /// Returns the place of a point in its cell, 0...1 of its sides.
  @inlinable @inline(always) static func point(_ points: Points, _ x: Int32, _ y: Int32) -> (x: Float, y: Float) {
    if points == .hexagons { return (0.5 * Float(y & 1), 0) }
    let column = UInt32(bitPattern: x), row = UInt32(bitPattern: y)
    return (Dither.noise(column, row, 0) + 0.5, Dither.noise(column, row, 1) + 0.5)
  }

  /// Returns the pixel of `size` that is nearest to a place.
  @inlinable @inline(always) static func nearest(_ place: Float, _ size: Int) -> Int {
    let most = Float(Int32(truncatingIfNeeded: size &- 1)), low: Float = place > 0 ? place : 0
    return LUT3DStage.node(LUT3DStage.cell((low < most ? low : most) + 0.5, most))
  }

  /// - Parameter pixel: reads R G B A of four halves.
  @inlinable @inline(always) public static func run(
    _ s: Strip, _ c: StageContext, pixel: (UnsafeRawPointer) -> SIMD4<Float>
  ) {
    let words = c.words(Parameters.self), channels = Int(words.channels), points = words.points.value
    let width = Int(words.width), height = Int(words.height), sideX = words.sideX, sideY = words.sideY
    let v = Float(Int32(truncatingIfNeeded: s.y)) * words.scaleY + words.offsetY
    let row = WarpProjective.roundedDown(v), fv = v - row, cellY = Int32(row)
    let cellX = UnsafeMutableRawPointer(s.scratch(0)).assumingMemoryBound(to: Int32.self), fu = s.scratch(1)
    let least = s.scratch(2), placeX = s.scratch(3), placeY = s.scratch(4)
    for i in 0..<s.padded {
      let u = Float(Int32(truncatingIfNeeded: s.x &+ i)) * words.scaleX + words.offsetX
      let column = WarpProjective.roundedDown(u)
      cellX[i] = Int32(column)
      fu[i] = u - column
      least[i] = 1e30
      placeX[i] = 0
      placeY[i] = 0
    }
    for dy in Int32(-1)...1 {
      for dx in Int32(-1)...1 {
        for i in 0..<s.padded {
          let at = point(points, cellX[i] &+ dx, cellY &+ dy)
          let x = Float(dx) + at.x, y = Float(dy) + at.y
          let ex = (x - fu[i]) * sideX, ey = (y - fv) * sideY, d = ex * ex + ey * ey, isNearer = d < least[i]
          least[i] = isNearer ? d : least[i]
          placeX[i] = isNearer ? Float(cellX[i] &+ dx) + at.x : placeX[i]
          placeY[i] = isNearer ? Float(cellY &+ dy) + at.y : placeY[i]
        }
      }
    }
    for i in 0..<s.count {
      let x = nearest(placeX[i] * sideX + words.centerX, width)
      let y = nearest(placeY[i] * sideY + words.centerY, height)
      var color = Bilinear.sample(c.channels, x, y, channels, pixel)
      if channels != 4 { color.w = 1 }
      s.put(least[i] > words.reach ? SIMD4() : color, i)
    }
    s.spread()
  }
}
