import HDRCore

/// Sink `store_rgba8`: unsigned 8 bit, clamped to [0, 1].
public enum StoreRGBA8 {
  public typealias Parameters = StoreRGBA16.Parameters

  package static func words(dither: Double) -> [UInt32] { Parameters(dither: Float(dither)).list }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext, _ out: PlaneView) {
    let p = s.base, row = (out.base + s.y &* out.rowBytes + s.x &* 4).assumingMemoryBound(to: UInt32.self)
    let amplitude = c.words(Parameters.self).dither
    if amplitude == 0 {
      for i in 0..<s.count {
        let r = E32.quantize(p[i], 255), g = E32.quantize(p[i &+ Strip.stride], 255)
        let b = E32.quantize(p[i &+ 2 &* Strip.stride], 255), a = E32.quantize(p[i &+ 3 &* Strip.stride], 255)
        row[i] = (r | g &<< 8) | (b &<< 16 | a &<< 24)
      }
      return
    }
    let x = UInt32(s.x), y = UInt32(s.y)
    for i in 0..<s.count {
      let px = x &+ UInt32(truncatingIfNeeded: i)
      let r = Dither.quantize(p[i], 255, amplitude, px, y, 0)
      let g = Dither.quantize(p[i &+ Strip.stride], 255, amplitude, px, y, 1)
      let b = Dither.quantize(p[i &+ 2 &* Strip.stride], 255, amplitude, px, y, 2)
      row[i] = (r | g &<< 8) | (b &<< 16 | E32.quantize(s.alpha[i], 255) &<< 24)
    }
  }
}
