import HDRCore

/// Stage `affine`: each channel times a scale plus an offset.
public enum Affine {
  public static func words(scale: [Double], offset: [Double]) -> [UInt32] {
    scale.map(\.word) + offset.map(\.word)
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    for channel in 0..<3 {
      let scale = c.float(channel), offset = c.float(channel + 3), p = s.plane(channel)
      for i in 0..<s.padded { p[i] = p[i] * scale + offset }
    }
  }
}
