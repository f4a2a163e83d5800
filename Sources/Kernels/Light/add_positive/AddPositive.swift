import HDRCore

/// Stage `add_positive`: adds `amount` times the positive part of a weighted sum of R, G, B to each of them: the
/// correction of Report ITU-R BT.2446 §4 that darkens reds, and its inverse.
public enum AddPositive: KernelStage {
  public struct Parameters: StageParameters {
    public let weights: RGBWords<Float>, amount: Float
  }

  package static func words(weights: [Double], amount: Double) -> [UInt32] {
    Parameters(weights: RGBWords(weights), amount: Float(amount)).list
  }

  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] {
    [words(weights: [0.7, -0.6, -0.1], amount: -0.07)]
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), weights = words.weights, amount = words.amount, p = s.base
    for i in 0..<s.padded {
      let r = p[i], g = p[i &+ Strip.stride], b = p[i &+ 2 &* Strip.stride]
      let sum = (weights.r * r + weights.g * g) + weights.b * b
      let positive: Float = sum > 0 ? sum : 0
      let d = positive * amount
      p[i] = r + d
      p[i &+ Strip.stride] = g + d
      p[i &+ 2 &* Strip.stride] = b + d
    }
  }
}
