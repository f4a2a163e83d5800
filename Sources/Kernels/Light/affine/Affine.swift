import HDRCore

/// Stage `affine`: each channel times a scale plus an offset.
public enum Affine: KernelStage {
  public struct Parameters: StageParameters {
    public let scale: RGBWords<Float>, offset: RGBWords<Float>
  }

  package static func words(scale: [Double], offset: [Double]) -> [UInt32] {
    Parameters(scale: RGBWords(scale), offset: RGBWords(offset)).list
  }

  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] {
    [words(scale: [0.37, 1.9, -2.3], offset: [0.01, -0.2, 0.5])]
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self)
    for channel in 0..<3 {
      let scale = words.scale[channel], offset = words.offset[channel], p = s.plane(channel)
      for i in 0..<s.padded { p[i] = p[i] * scale + offset }
    }
  }
}
