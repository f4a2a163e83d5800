import HDRCore

/// Stage `matrix4`: a 4×4 matrix on R, G, B, A plus a bias; alpha into [0, 1].
public enum Matrix4Stage: KernelStage {
  public struct Parameters: StageParameters {
    public let red: Row, green: Row, blue: Row, alpha: Row
    public static var parts: [any StageParameters.Type] { [Row.self] }
  }

  /// The weights and the bias of one component.
  public struct Row: StageParameters {
    public let r: Float, g: Float, b: Float, a: Float, bias: Float

    @inlinable @inline(always) func value(_ r: Float, _ g: Float, _ b: Float, _ a: Float) -> Float {
      (((self.r * r + self.g * g) + self.b * b) + self.a * a) + bias
    }
  }

  package static func words(rows: [[Double]], bias: [Double]) -> [UInt32] {
    let rows = zip(rows, bias).map { row, bias in
      Row(r: Float(row[0]), g: Float(row[1]), b: Float(row[2]), a: Float(row[3]), bias: Float(bias))
    }
    return Parameters(red: rows[0], green: rows[1], blue: rows[2], alpha: rows[3]).list
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), p = s.base
    for i in 0..<s.padded {
      let r = p[i], g = p[i &+ Strip.stride], b = p[i &+ 2 &* Strip.stride], a = p[i &+ 3 &* Strip.stride]
      p[i] = words.red.value(r, g, b, a)
      p[i &+ Strip.stride] = words.green.value(r, g, b, a)
      p[i &+ 2 &* Strip.stride] = words.blue.value(r, g, b, a)
      let t = words.alpha.value(r, g, b, a)
      let low: Float = t > 0 ? t : 0
      p[i &+ 3 &* Strip.stride] = low < 1 ? low : 1
    }
  }
}
