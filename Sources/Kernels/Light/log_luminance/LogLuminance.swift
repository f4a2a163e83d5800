import HDRCore

/// Stage `log_luminance`: log2 of the luminance, at least a floor, as R, G and B.
public enum LogLuminance: KernelStage {
  package static let operations = 256

  public struct Parameters: StageParameters {
    public let weights: RGBWords<Float>, least: Float
  }

  /// - Parameter floor: the smallest result.
  package static func words(weights: [Double], floor: Double) -> [UInt32] {
    Parameters(weights: RGBWords(weights), least: Float(ExactMath.exp2(floor))).list
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), weights = words.weights, least = words.least, p = s.base
    for i in 0..<s.padded {
      let y = (weights.r * p[i] + weights.g * p[i &+ Strip.stride]) + weights.b * p[i &+ 2 &* Strip.stride]
      let l = E32.log2(y > least ? y : least)
      p[i] = l
      p[i &+ Strip.stride] = l
      p[i &+ 2 &* Strip.stride] = l
    }
  }
}
