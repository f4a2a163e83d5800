import HDRCore

/// Stage `gain_ratio`: log2 of the light of two renditions, what a gain map stores (ISO 21496-1;
/// docs/gain-map-maths.md#computing).
///
/// In: linear light of the alternate in registers. Source 1: codes of the base, R G B of 8 or 16 bits, at the same
/// pixel. Out, R G B: `sign * (log2(alternate + alternateOffset) - log2(base + baseOffset))`, at least `sign *
/// log2(tiny)`; one value thrice for luminance or maximum. The base's curve is a table over its codes.
public enum GainRatio {
  /// One gain a channel, or one for all from luminance or from the largest component.
  public enum Mode: Int, Sendable, Hashable {
    case perChannel = 0
    case luminance = 1
    case maximum = 2
  }

  /// Ratios and sums below this count as this.
  public static let tiny: Float = 1e-10
  /// log2 of `tiny`.
  public static let lowest: Float = -33.219_28

  /// - Parameters:
  ///   - base: offset of the table of linear light over codes; with `isLog` three tables of log2(light + offset), one a
  ///     channel.
  ///   - sign: 1, or -1 where the base is the brighter rendition: maps store HDR over SDR always.
  ///   - matrix: from the base's primaries to those of the arithmetic; not used with `isLog`.
  public static func words(
    bytes: Int, mode: Mode, sign: Double, tables: [UInt32], isLog: Bool, baseOffset: [Double],
    alternateOffset: [Double], matrix: Matrix3, luminance: [Double]
  ) -> [UInt32] {
    [bytes.word, mode.rawValue.word, sign.word] + tables + [(isLog ? 1 : 0).word] + baseOffset.map(\.word)
      + alternateOffset.map(\.word) + matrix.rows.map(\.word) + luminance.map(\.word)
  }

  /// log2 of a sum that may be 0 or negative.
  @inlinable @inline(always) static func logarithm(_ x: Float) -> Float { E32.log2(x > tiny ? x : tiny) }

  @inlinable @inline(always) static func ratio(_ alternate: Float, _ logBase: Float, _ sign: Float) -> Float {
    let d = logarithm(alternate) - logBase
    return sign * (d > lowest ? d : lowest)
  }

  @inlinable @inline(always) static func codes(
    _ v: ChannelView, _ s: Strip, _ c: StageContext, _ table: UnsafePointer<Float>, _ out: UnsafeMutablePointer<Float>
  ) {
    let from = c.source(s.x, s.y)
    let first = v.base + (from.y &* v.rowBytes &+ from.x &* v.stepBytes)
    let step = c.mapping.columnX &* v.stepBytes &+ c.mapping.columnY &* v.rowBytes
    if c.int(0) == 1 {
      for i in 0..<s.count { out[i] = table[Int((first + i &* step).load(as: UInt8.self))] }
    } else {
      for i in 0..<s.count { out[i] = table[Int((first + i &* step).loadUnaligned(as: UInt16.self))] }
    }
    for i in s.count..<s.padded { out[i] = 0 }
  }

  /// R G B of 8 bits side by side with one more byte: a pixel is one word.
  @inlinable @inline(always) static func packedCodes(_ s: Strip, _ c: StageContext) {
    let v = c.channels[4], from = c.source(s.x, s.y)
    let first = v.base + (from.y &* v.rowBytes &+ from.x &* 4)
    let tr = c.table(3), tg = c.table(4), tb = c.table(5), out = s.scratch(0)
    let whole = s.count & ~3
    for i in stride(from: 0, to: whole, by: 4) {
      // Four results a store: the machine has fewer stores than loads.
      let p = (first + 4 &* i).loadUnaligned(as: SIMD4<UInt32>.self), to = UnsafeMutableRawPointer(out + i)
      @inline(__always) func four(_ t: UnsafePointer<Float>, _ q: SIMD4<UInt32>) -> SIMD4<Float> {
        SIMD4(t[Int(q[0] & 0xff)], t[Int(q[1] & 0xff)], t[Int(q[2] & 0xff)], t[Int(q[3] & 0xff)])
      }
      to.storeBytes(of: four(tr, p), as: SIMD4<Float>.self)
      (to + 4 * Strip.stride).storeBytes(of: four(tg, p &>> 8), as: SIMD4<Float>.self)
      (to + 8 * Strip.stride).storeBytes(of: four(tb, p &>> 16), as: SIMD4<Float>.self)
    }
    for i in whole..<s.count {
      let pixel = Int((first + 4 &* i).loadUnaligned(as: UInt32.self))
      out[i] = tr[pixel & 0xff]
      out[i &+ Strip.stride] = tg[(pixel &>> 8) & 0xff]
      out[i &+ 2 &* Strip.stride] = tb[(pixel &>> 16) & 0xff]
    }
    for channel in 0..<3 { for i in s.count..<s.padded { s.scratch(channel)[i] = 0 } }
  }

  @inlinable @inline(always) static func isPacked(_ c: StageContext) -> Bool {
    let v = c.channels + 4
    // The last pixel's word must end inside the buffer: a fourth channel guarantees that.
    return c.int(0) == 1 && c.mapping.columnX == 1 && c.mapping.columnY == 0 && v[0].stepBytes == 4
      && v[1].base == v[0].base + 1 && v[2].base == v[0].base + 2 && v[3].base == v[0].base + 3
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let n = s.padded, sign = c.float(2), mode = c.int(1)
    if isPacked(c) {
      packedCodes(s, c)
    } else {
      for channel in 0..<3 { codes(c.channels[4 + channel], s, c, c.table(3 + channel), s.scratch(channel)) }
    }
    if c.int(6) == 1 {
      for channel in 0..<3 {
        let p = s.plane(channel), b = s.scratch(channel), offset = c.float(10 + channel)
        for i in 0..<n { p[i] = ratio(p[i] + offset, b[i], sign) }
      }
      return
    }
    let m = c.constants + 13
    @inline(__always) func k(_ index: Int) -> Float { Float(bitPattern: m[index]) }
    let r = s.scratch(0), g = s.scratch(1), b = s.scratch(2)
    for i in 0..<n {
      let x = r[i], y = g[i], z = b[i]
      r[i] = k(0) * x + k(1) * y + k(2) * z
      g[i] = k(3) * x + k(4) * y + k(5) * z
      b[i] = k(6) * x + k(7) * y + k(8) * z
    }
    if mode == 0 {
      for channel in 0..<3 {
        let p = s.plane(channel), base = s.scratch(channel), bo = c.float(7 + channel), ao = c.float(10 + channel)
        for i in 0..<n { p[i] = ratio(p[i] + ao, logarithm(base[i] + bo), sign) }
      }
      return
    }
    let wr = c.float(22), wg = c.float(23), wb = c.float(24), bo = c.float(7), ao = c.float(10)
    let pr = s.red, pg = s.green, pb = s.blue
    for i in 0..<n {
      let alternate: Float, base: Float
      if mode == 1 {
        alternate = wr * pr[i] + wg * pg[i] + wb * pb[i]
        base = wr * r[i] + wg * g[i] + wb * b[i]
      } else {
        let x = pr[i] > pg[i] ? pr[i] : pg[i], y = r[i] > g[i] ? r[i] : g[i]
        alternate = x > pb[i] ? x : pb[i]
        base = y > b[i] ? y : b[i]
      }
      let value = ratio(alternate + ao, logarithm(base + bo), sign)
      pr[i] = value
      pg[i] = value
      pb[i] = value
    }
  }
}
