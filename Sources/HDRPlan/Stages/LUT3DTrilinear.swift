import HDRCore

/// Stage `lut3d_trilinear`: as `lut3d`, with trilinear interpolation (docs/filter-formulas.md#luts).
public enum LUT3DTrilinear {
  /// The words of `LUT3DStage`.
  public static func words(offset: UInt32, size: Int, scale: [Double], bias: [Double], limit: Double) -> [UInt32] {
    LUT3DStage.words(offset: offset, size: size, scale: scale, bias: bias, limit: limit)
  }

  /// Value at a point inside the cube, in node units: along x, then y, then z.
  @inlinable @inline(always) static func value(
    _ t: UnsafePointer<Float>, _ size: Int, _ x: Float, _ y: Float, _ z: Float
  ) -> SIMD4<Float> {
    let lastCell = Float(size &- 2)
    let cx = LUT3DStage.cell(x, lastCell), cy = LUT3DStage.cell(y, lastCell), cz = LUT3DStage.cell(z, lastCell)
    let fx = x - cx, fy = y - cy, fz = z - cz, gx = 1 - fx, gy = 1 - fy, gz = 1 - fz
    let dy = size, dz = size &* size
    let first = LUT3DStage.node(cx) &+ LUT3DStage.node(cy) &* dy &+ LUT3DStage.node(cz) &* dz
    @inline(always) func vertex(_ i: Int) -> SIMD4<Float> {
      UnsafeRawPointer(t + 4 &* i).loadUnaligned(as: SIMD4<Float>.self)
    }
    @inline(always) func edge(_ i: Int) -> SIMD4<Float> { vertex(i) * gx + vertex(i &+ 1) * fx }
    @inline(always) func face(_ i: Int) -> SIMD4<Float> { edge(i) * gy + edge(i &+ dy) * fy }
    return face(first) * gz + face(first &+ dz) * fz
  }

  @inlinable @inline(always) static func distance(_ u: Float, _ q: Float, _ limit: Float) -> Float {
    let d = u - q
    let atLeast: Float = d > -limit ? d : -limit
    return atLeast < limit ? atLeast : limit
  }

  @inlinable @inline(always) static func inside(_ u: Float, _ last: Float) -> Float {
    let low: Float = u > 0 ? u : 0
    return low < last ? low : last
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let t = c.table(0), size = c.int(1), last = Float(size &- 1), limit = c.float(8)
    let sx = c.float(2), sy = c.float(3), sz = c.float(4), bx = c.float(5), by = c.float(6), bz = c.float(7)
    for i in 0..<s.padded {
      let ux = s.red[i] * sx + bx, uy = s.green[i] * sy + by, uz = s.blue[i] * sz + bz
      let x = inside(ux, last), y = inside(uy, last), z = inside(uz, last)
      let v = value(t, size, x, y, z)
      var sum = v
      let dx = distance(ux, x, limit), dy = distance(uy, y, limit), dz = distance(uz, z, limit)
      if dx != 0 { sum += (v - value(t, size, dx > 0 ? x - 1 : x + 1, y, z)) * (dx > 0 ? dx : -dx) }
      if dy != 0 { sum += (v - value(t, size, x, dy > 0 ? y - 1 : y + 1, z)) * (dy > 0 ? dy : -dy) }
      if dz != 0 { sum += (v - value(t, size, x, y, dz > 0 ? z - 1 : z + 1)) * (dz > 0 ? dz : -dz) }
      s.red[i] = sum.x
      s.green[i] = sum.y
      s.blue[i] = sum.z
    }
  }
}
