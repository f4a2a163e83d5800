import HDRCore

/// Stage `desaturate`: gamut mapping into [0, peak] by the smallest mix with grey of the same luminance
/// (docs/tone-formulas.md#gamut-mapping). Luminance is kept; the result is exactly inside.
public enum Desaturate: KernelStage {
  public struct Parameters: StageParameters {
    public let luminance: RGBWords<Float>, peak: Float
  }

  package static func words(luminance: [Double], peak: Double) -> [UInt32] {
    Parameters(luminance: RGBWords(luminance), peak: Float(peak)).list
  }

  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] {
    [words(luminance: Primaries.bt709.luminance, peak: 1.5)]
  }

  /// Returns the share of grey that brings one component inside.
  @inlinable @inline(always) static func share(_ v: Float, _ y: Float, _ peak: Float) -> Float {
    let excess: Float = v < 0 ? -v : v - peak
    let toGrey: Float = v < 0 ? y - v : v - y
    // Only a component outside has a share; for others the quotient is meaningless and not used.
    let t = excess * E32.reciprocal(toGrey)
    let above: Float = v > peak ? t : 0
    return v < 0 ? t : above
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), luminance = words.luminance, peak = words.peak
    let p = s.base, grey = s.scratch(0), most = s.scratch(1)
    for i in 0..<s.padded {
      let r = p[i], g = p[i &+ Strip.stride], b = p[i &+ 2 &* Strip.stride]
      grey[i] = (luminance.r * r + luminance.g * g) + luminance.b * b
      most[i] = 0
    }
    for channel in 0..<3 {
      let v = s.plane(channel)
      for i in 0..<s.padded {
        let t = share(v[i], grey[i], peak), m = most[i]
        most[i] = t > m ? t : m
      }
    }
    for channel in 0..<3 {
      let v = s.plane(channel)
      for i in 0..<s.padded { v[i] = mixed(v[i], grey[i], most[i], peak) }
    }
  }

  @inlinable @inline(always) static func mixed(_ v: Float, _ y: Float, _ t: Float, _ peak: Float) -> Float {
    let m = v + t * (y - v)
    let low: Float = m > 0 ? m : 0
    let inside = low < peak ? low : peak
    let bright = y < peak ? inside : peak
    return y > 0 ? bright : 0
  }
}
