import HDRCore

/// Stage `matrix3`: a 3×3 matrix on R, G, B; nothing clamped.
public enum Matrix3Stage {
  public static func words(_ m: Matrix3) -> [UInt32] { m.rows.map(\.word) }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let m0 = c.float(0), m1 = c.float(1), m2 = c.float(2), m3 = c.float(3), m4 = c.float(4), m5 = c.float(5)
    let m6 = c.float(6), m7 = c.float(7), m8 = c.float(8)
    let p = s.base
    for i in 0..<s.padded {
      let r = p[i], g = p[i &+ Strip.stride], b = p[i &+ 2 &* Strip.stride]
      p[i] = (m0 * r + m1 * g) + m2 * b
      p[i &+ Strip.stride] = (m3 * r + m4 * g) + m5 * b
      p[i &+ 2 &* Strip.stride] = (m6 * r + m7 * g) + m8 * b
    }
  }
}
