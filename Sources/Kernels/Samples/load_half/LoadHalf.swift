import HDRCore

/// Stage `load_half`: binary16 R G B A samples of source 0 (grey: one channel), made finite.
///
/// NaN becomes 0, infinities +-65504, magnitudes below 2^-30 become 0 (docs/exact-arithmetic.md#contract). Alpha is
/// clamped to [0, 1].
public enum LoadHalf: KernelStage {
  public struct Parameters: StageParameters {
    public let channels: UInt32, hasAlpha: UInt32
  }

  package static func words(_ image: SampleImage) -> [UInt32] {
    Parameters(channels: image.model == .grey ? 1 : 3, hasAlpha: (image.alpha != nil).word).list
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let from = c.source(s.x, s.y), n = s.padded, hasAlpha = c.words(Parameters.self).hasAlpha == 1
    if hasAlpha, isInterleaved(c.channels, c.mapping) {
      let v = c.channels[0]
      loadInterleaved(s, v.base + (from.y &* v.rowBytes &+ from.x &* 8))
    } else {
      loadApart(s, c)
    }
    let alpha = s.alpha
    if !hasAlpha {
      for i in 0..<n { alpha[i] = 1 }
    } else {
      for i in 0..<n {
        let low: Float = alpha[i] > 0 ? alpha[i] : 0
        alpha[i] = low < 1 ? low : 1
      }
    }
  }

  /// Returns true if R, G, B and A lie side by side and rows run like the output's.
  @inlinable @inline(always) static func isInterleaved(
    _ v: UnsafePointer<ChannelView>, _ mapping: SourceMapping
  ) -> Bool {
    mapping.columnX == 1 && mapping.columnY == 0 && v[0].stepBytes == 8 && v[1].base == v[0].base + 2
      && v[2].base == v[0].base + 4 && v[3].base == v[0].base + 6
  }

  /// Loads the patterns into the planes, then converts each plane by itself: all at once would need too many registers.
  @inlinable @inline(always) static func loadInterleaved(_ s: Strip, _ first: UnsafeRawPointer) {
    let p = UnsafeMutableRawPointer(s.base).assumingMemoryBound(to: UInt32.self), whole = s.count & ~7
    for i in stride(from: 0, to: whole, by: 8) {
      let words = (first + 8 &* i).loadUnaligned(as: SIMD16<UInt32>.self)
      let rg = words.evenHalf, ba = words.oddHalf, low = SIMD8<UInt32>(repeating: 0xffff)
      let to = UnsafeMutableRawPointer(p + i)
      to.storeBytes(of: rg & low, as: SIMD8<UInt32>.self)
      (to + 4 * Strip.stride).storeBytes(of: rg &>> 16, as: SIMD8<UInt32>.self)
      (to + 8 * Strip.stride).storeBytes(of: ba & low, as: SIMD8<UInt32>.self)
      (to + 12 * Strip.stride).storeBytes(of: ba &>> 16, as: SIMD8<UInt32>.self)
    }
    for i in whole..<s.count {
      let pixel = first + 8 &* i
      for channel in 0..<4 {
        let half = (pixel + 2 &* channel).loadUnaligned(as: UInt16.self)
        p[channel &* Strip.stride &+ i] = UInt32(half)
      }
    }
    for channel in 0..<4 {
      let plane = s.plane(channel)
      for i in s.count..<s.padded { plane[i] = 0 }
      for i in 0..<s.padded { plane[i] = finite(Int32(bitPattern: plane[i].pattern)) }
    }
  }

  /// Returns `E32.sanitize(E32.float(half: h))`, without the cases that no half can have.
  @inlinable @inline(always) static func finite(_ h: Int32) -> Float {
    let a = h & 0x7fff
    let b: Int32 = a < 0x7bff ? a : 0x7bff
    let m: Int32 = a > 0x7c00 ? 0 : b
    // 1/2 as binary32 has units of 2^-24, as the smallest halves have.
    let tiny = (Float(bitPattern: UInt32(bitPattern: m &+ 0x3f00_0000)) - 0.5).pattern
    let normal = UInt32(bitPattern: (m &<< 13) &+ 0x3800_0000)
    let sign: Int32 = m > 0 ? (h & 0x8000) &<< 16 : 0
    return Float(bitPattern: (m < 0x400 ? tiny : normal) | UInt32(bitPattern: sign))
  }

  @inlinable @inline(always) static func loadApart(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), from = c.source(s.x, s.y), n = s.padded
    func load(_ index: Int, _ out: UnsafeMutablePointer<Float>) {
      let v = c.channels[index]
      let first = v.base + (from.y &* v.rowBytes &+ from.x &* v.stepBytes)
      let step = c.mapping.columnX &* v.stepBytes &+ c.mapping.columnY &* v.rowBytes
      for i in 0..<s.count {
        out[i] = E32.sanitize(E32.float(half: UInt32((first + i &* step).loadUnaligned(as: UInt16.self))))
      }
      for i in s.count..<n { out[i] = 0 }
    }
    load(0, s.red)
    if words.channels == 1 {
      s.green.update(from: s.red, count: n)
      s.blue.update(from: s.red, count: n)
    } else {
      load(1, s.green)
      load(2, s.blue)
    }
    if words.hasAlpha == 1 { load(3, s.alpha) }
  }
}
