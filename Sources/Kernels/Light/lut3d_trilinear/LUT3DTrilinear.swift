import HDRCore

/// Stage `lut3d_trilinear`: like `lut3d`, with trilinear interpolation (docs/filter-formulas.md#luts).
public enum LUT3DTrilinear: KernelStage {
  package static let operations = 256

  public typealias Parameters = LUT3DStage.Parameters

  package static func words(offset: UInt32, size: Int, scale: [Double], bias: [Double], limit: Double) -> [UInt32] {
    LUT3DStage.words(offset: offset, size: size, scale: scale, bias: bias, limit: limit)
  }

  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] { LUT3DStage.samples(table: table) }

  /// Interpolates at a point inside the cube, in node units: along x, then y, then z.
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
    let words = c.words(Parameters.self), t = c.table(at: words.nodes), size = Int(words.size)
    let last = Float(size &- 1), limit = words.limit, scale = words.scale, bias = words.bias
    for i in 0..<s.padded {
      let ux = s.red[i] * scale.r + bias.r, uy = s.green[i] * scale.g + bias.g, uz = s.blue[i] * scale.b + bias.b
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
