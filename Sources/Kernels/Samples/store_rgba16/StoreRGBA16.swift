import HDRCore

/// Sink `store_rgba16`: unsigned 16 bit, clamped to [0, 1].
public enum StoreRGBA16 {
  public struct Parameters: StageParameters {
    /// The amplitude of dither in codes.
    public let dither: Float
  }

  package static func words(dither: Double) -> [UInt32] { Parameters(dither: Float(dither)).list }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext, _ out: PlaneView) {
    let p = s.base, row = (out.base + s.y &* out.rowBytes + s.x &* 8).assumingMemoryBound(to: UInt16.self)
    let amplitude = c.words(Parameters.self).dither
    if amplitude == 0 {
      for i in 0..<s.count {
        row[4 &* i] = UInt16(truncatingIfNeeded: E32.quantize(p[i], 65535))
        row[4 &* i &+ 1] = UInt16(truncatingIfNeeded: E32.quantize(p[i &+ Strip.stride], 65535))
        row[4 &* i &+ 2] = UInt16(truncatingIfNeeded: E32.quantize(p[i &+ 2 &* Strip.stride], 65535))
        row[4 &* i &+ 3] = UInt16(truncatingIfNeeded: E32.quantize(p[i &+ 3 &* Strip.stride], 65535))
      }
      return
    }
    let x = UInt32(s.x), y = UInt32(s.y)
    for i in 0..<s.count {
      let px = x &+ UInt32(truncatingIfNeeded: i)
      for channel in 0..<3 {
        let code = Dither.quantize(s.plane(channel)[i], 65535, amplitude, px, y, UInt32(channel))
        row[4 &* i &+ channel] = UInt16(truncatingIfNeeded: code)
      }
      row[4 &* i &+ 3] = UInt16(truncatingIfNeeded: E32.quantize(s.alpha[i], 65535))
    }
  }
}
