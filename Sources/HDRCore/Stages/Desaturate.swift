/// Stage `desaturate`: gamut mapping into [0, peak] by the smallest mix with grey of the same luminance
/// (specs/tone-mapping.md §11). Luminance is kept; the result is exactly inside.
public enum Desaturate {
  public static func words(luminance: [Double], peak: Double) -> [UInt32] { luminance.map(\.word) + [peak.word] }

  /// Share of grey that brings one component inside.
  @inlinable @inline(always) static func share(_ v: Float, _ y: Float, _ peak: Float) -> Float {
    let below = v < 0, above = v > peak
    let excess: Float = below ? -v : v - peak
    let toGrey: Float = below ? y - v : v - y
    let safe: Float = below || above ? toGrey : 1
    let t = excess * E32.reciprocal(safe)
    return below || above ? t : 0
  }

  @inlinable public static func run(_ s: Strip, _ c: StageContext) {
    let wr = c.float(0), wg = c.float(1), wb = c.float(2), peak = c.float(3)
    let p = s.base
    for i in 0..<s.padded {
      let r = p[i], g = p[i &+ Strip.stride], b = p[i &+ 2 &* Strip.stride]
      let y = (wr * r + wg * g) + wb * b
      let tr = share(r, y, peak), tg = share(g, y, peak), tb = share(b, y, peak)
      let trg = tg > tr ? tg : tr
      let t = tb > trg ? tb : trg
      p[i] = mixed(r, y, t, peak)
      p[i &+ Strip.stride] = mixed(g, y, t, peak)
      p[i &+ 2 &* Strip.stride] = mixed(b, y, t, peak)
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
