import HDRCore

/// Stage `color_posterize`: steps of R, G, B. From 2^22 steps on values stay: binary32 is as coarse as that.
public enum PosterizeStage: KernelStage {
  public struct Parameters: StageParameters {
    public let levels: Float, step: Float
  }

  package static func words(levels: Double) -> [UInt32] {
    Parameters(levels: Float(levels), step: Float(1 / levels)).list
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), levels = words.levels, step = words.step
    for channel in 0..<3 {
      let p = s.plane(channel)
      for i in 0..<s.padded {
        let q = p[i] * levels + 0.5
        let size: Float = q < 0 ? -q : q
        let nearest = (q + 12_582_912) - 12_582_912
        let floor: Float = nearest > q ? nearest - 1 : nearest
        let stepped = floor * step
        p[i] = size < 4_194_304 ? stepped : p[i]
      }
    }
  }
}
