import HDRCore

/// Stage `cross_polynomial`: each of R, G and B a polynomial of all three, with squares and products; magnitudes within
/// 2^20 before and after. Alpha stays.
public enum CrossPolynomial: KernelStage {
  package static let operations = 256

  public struct Parameters: StageParameters {
    public let red: Terms, green: Terms, blue: Terms
    public static var parts: [any StageParameters.Type] { [Terms.self] }

    @inlinable @inline(always) subscript(channel: Int) -> Terms { channel == 0 ? red : channel == 1 ? green : blue }
  }

  /// The coefficients of r, g, b, r², g², b², rg, gb, br and 1.
  public struct Terms: StageParameters {
    public let c0: Float, c1: Float, c2: Float, c3: Float, c4: Float, c5: Float, c6: Float, c7: Float, c8: Float
    public let c9: Float

    init(_ c: [Double]) {
      (c0, c1, c2, c3, c4) = (c[0].lane, c[1].lane, c[2].lane, c[3].lane, c[4].lane)
      (c5, c6, c7, c8, c9) = (c[5].lane, c[6].lane, c[7].lane, c[8].lane, c[9].lane)
    }
  }

  /// Makes the words of three lists of ten coefficients.
  package static func words(_ coefficients: [[Double]]) -> [UInt32] {
    let list = coefficients.map { Terms($0) }
    return Parameters(red: list[0], green: list[1], blue: list[2]).list
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), p = s.base, n = s.padded
    for channel in 0..<3 {
      let t = words[channel], out = s.scratch(channel)
      for i in 0..<n {
        let r = PolynomialStage.limited(p[i], -1_048_576, 1_048_576)
        let g = PolynomialStage.limited(p[i &+ Strip.stride], -1_048_576, 1_048_576)
        let b = PolynomialStage.limited(p[i &+ 2 &* Strip.stride], -1_048_576, 1_048_576)
        let line = (t.c0 * r + t.c1 * g) + t.c2 * b
        let squares = (t.c3 * (r * r) + t.c4 * (g * g)) + t.c5 * (b * b)
        let products = (t.c6 * (r * g) + t.c7 * (g * b)) + t.c8 * (b * r)
        out[i] = PolynomialStage.limited(((line + squares) + products) + t.c9, -1_048_576, 1_048_576)
      }
    }
    for channel in 0..<3 { s.plane(channel).update(from: s.scratch(channel), count: n) }
  }
}
