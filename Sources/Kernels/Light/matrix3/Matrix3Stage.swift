import HDRCore

/// Stage `matrix3`: a 3×3 matrix on R, G, B; nothing clamped.
public enum Matrix3Stage: KernelStage {
  /// The matrix row by row.
  public struct Parameters: StageParameters {
    public let m0: Float, m1: Float, m2: Float, m3: Float, m4: Float, m5: Float, m6: Float, m7: Float, m8: Float

    init(_ m: Matrix3) {
      // Coefficients below this are rounding errors of 0, with which light would become subnormal.
      let least = 0x1p-60 * (m.rows.map(abs).max() ?? 0)
      let m = m.rows.map { abs($0) < least ? 0 : $0.lane }
      (m0, m1, m2, m3, m4, m5, m6, m7, m8) = (m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8])
    }
  }

  package static func words(_ m: Matrix3) -> [UInt32] { Parameters(m).list }

  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] {
    [words(Primaries.bt2020.matrix(to: .bt709) ?? .identity)]
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    apply(s, c.words(Parameters.self))
  }

  @inlinable @inline(always) static func apply(_ s: Strip, _ m: Parameters) {
    let p = s.base
    for i in 0..<s.padded {
      let r = p[i], g = p[i &+ Strip.stride], b = p[i &+ 2 &* Strip.stride]
      p[i] = (m.m0 * r + m.m1 * g) + m.m2 * b
      p[i &+ Strip.stride] = (m.m3 * r + m.m4 * g) + m.m5 * b
      p[i &+ 2 &* Strip.stride] = (m.m6 * r + m.m7 * g) + m.m8 * b
    }
  }
}
