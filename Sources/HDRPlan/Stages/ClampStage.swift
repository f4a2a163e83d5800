import HDRCore

/// Stage `clamp`: each channel into [low, high]; NaN-free input.
public enum ClampStage {
  public static func words(low: Double, high: Double) -> [UInt32] { [low.word, high.word] }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let low = c.float(0), high = c.float(1)
    for channel in 0..<3 {
      let p = s.plane(channel)
      for i in 0..<s.padded {
        let a: Float = p[i] > low ? p[i] : low
        p[i] = a < high ? a : high
      }
    }
  }
}
