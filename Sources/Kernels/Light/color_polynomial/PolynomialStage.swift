import HDRCore

/// Stage `color_polynomial`: a cubic polynomial for each of R, G, B, A by Horner's rule; magnitudes within 2^20 before
/// and after, alpha into [0, 1].
public enum PolynomialStage: KernelStage {
  package static let operations = 256

  public struct Parameters: StageParameters {
    public let red: Cubic, green: Cubic, blue: Cubic, alpha: Cubic
    public static var parts: [any StageParameters.Type] { [Cubic.self] }

    @inlinable @inline(always) subscript(channel: Int) -> Cubic {
      channel == 0 ? red : channel == 1 ? green : channel == 2 ? blue : alpha
    }
  }

  public struct Cubic: StageParameters {
    public let a0: Float, a1: Float, a2: Float, a3: Float
  }

  /// Makes the words of four lists of a0, a1, a2, a3.
  package static func words(_ coefficients: [[Double]]) -> [UInt32] {
    let list = coefficients.map { Cubic(a0: Float($0[0]), a1: Float($0[1]), a2: Float($0[2]), a3: Float($0[3])) }
    return Parameters(red: list[0], green: list[1], blue: list[2], alpha: list[3]).list
  }

  @inlinable @inline(always) static func limited(_ x: Float, _ low: Float, _ high: Float) -> Float {
    let a: Float = x > low ? x : low
    return a < high ? a : high
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self)
    for channel in 0..<4 {
      let cubic = words[channel], p = s.plane(channel)
      let low: Float = channel == 3 ? 0 : -1_048_576, high: Float = channel == 3 ? 1 : 1_048_576
      for i in 0..<s.padded {
        let x = limited(p[i], -1_048_576, 1_048_576)
        p[i] = limited(((cubic.a3 * x + cubic.a2) * x + cubic.a1) * x + cubic.a0, low, high)
      }
    }
  }
}
