import HDRCore

/// Stage `clamp_each`: R, G, B, A between bounds of their own; alpha's in [0, 1].
public enum ClampEach: KernelStage {
  public struct Parameters: StageParameters {
    public let low: RGBAWords<Float>, high: RGBAWords<Float>
  }

  package static func words(low: [Double], high: [Double]) -> [UInt32] {
    func bounds(_ values: [Double]) -> RGBAWords<Float> {
      RGBAWords(values.prefix(3) + [min(max(values[3], 0), 1)])
    }
    return Parameters(low: bounds(low), high: bounds(high)).list
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self)
    for channel in 0..<4 {
      let low = words.low[channel], high = words.high[channel], p = s.plane(channel)
      for i in 0..<s.padded {
        let a: Float = p[i] > low ? p[i] : low
        p[i] = a < high ? a : high
      }
    }
  }
}
