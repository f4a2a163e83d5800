import HDRCore

/// Stage `color_threshold`: R, G, B to 1 or 0.
public enum ThresholdStage: KernelStage {
  public struct Parameters: StageParameters {
    public let threshold: Float
  }

  package static func words(_ threshold: Double) -> [UInt32] { Parameters(threshold: Float(threshold)).list }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let threshold = c.words(Parameters.self).threshold
    for channel in 0..<3 {
      let p = s.plane(channel)
      for i in 0..<s.padded { p[i] = p[i] < threshold ? 0 : 1 }
    }
  }
}
