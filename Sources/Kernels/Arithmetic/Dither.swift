import HDRCore

/// Dither: uniform noise from a hash of the output position, so that tiles, threads and shards change nothing.
public enum Dither {
  /// Returns a number in -0.5..<0.5.
  @inlinable @inline(always) public static func noise(_ x: UInt32, _ y: UInt32, _ channel: UInt32) -> Float {
    var h = (x &* 0x9e37_79b1) ^ (y &* 0x85eb_ca77) ^ (channel &* 0xc2b2_ae3d)
    h = (h ^ (h &>> 16)) &* 0x7feb_352d
    h = (h ^ (h &>> 15)) &* 0x846c_a68b
    h = h ^ (h &>> 16)
    return Float(Int32(bitPattern: h &>> 8)) * 0x1p-24 - 0.5
  }

  /// Quantises x in [0, 1] to a code, with noise of `amplitude` codes.
  @inlinable @inline(always) public static func quantize(
    _ x: Float, _ scale: Float, _ amplitude: Float, _ px: UInt32, _ py: UInt32, _ channel: UInt32
  ) -> UInt32 {
    let low: Float = x > 0 ? x : 0
    let c: Float = low < 1 ? low : 1
    let v = c * scale + amplitude * noise(px, py, channel)
    let a: Float = v > 0 ? v : 0
    let b: Float = a < scale ? a : scale
    return (b + 8_388_608).pattern & 0x7f_ffff
  }
}
