import HDRCore

/// Stage `dither`: R, G, B plus `Dither.noise` of the pixel times an intensity.
public enum DitherStage: KernelStage {
  public struct Parameters: StageParameters {
    public let intensity: Float

    package init(intensity: Float) { self.intensity = intensity }
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let intensity = c.words(Parameters.self).intensity, y = UInt32(truncatingIfNeeded: s.y)
    for channel in 0..<3 {
      let p = s.plane(channel), number = UInt32(truncatingIfNeeded: channel)
      for i in 0..<s.padded {
        p[i] = p[i] + intensity * Dither.noise(UInt32(truncatingIfNeeded: s.x &+ i), y, number)
      }
    }
  }
}
