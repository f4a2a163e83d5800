import HDRCore

/// Stage `clamp`: clamps each channel to [low, high]; its input has no NaN.
public enum ClampStage: KernelStage {
  public struct Parameters: StageParameters {
    public let low: Float, high: Float
  }

  package static func words(low: Double, high: Double) -> [UInt32] {
    Parameters(low: Float(low), high: Float(high)).list
  }

  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] { [words(low: -0.3, high: 2.5)] }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), low = words.low, high = words.high
    for channel in 0..<3 {
      let p = s.plane(channel)
      for i in 0..<s.padded {
        let a: Float = p[i] > low ? p[i] : low
        p[i] = a < high ? a : high
      }
    }
  }
}
