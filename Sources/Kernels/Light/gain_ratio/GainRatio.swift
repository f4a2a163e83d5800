import HDRCore

/// Stage `gain_ratio`: the difference of two renditions' log2 light, which a gain map stores (ISO 21496-1;
/// docs/gain-map-maths.md#computing).
///
/// In: linear light of the alternate in registers. Source 1: codes of the base, R G B of 8 or 16 bits, at the same
/// pixel. Out, R G B: `sign * (log2(alternate + alternateOffset) - log2(base + baseOffset))`, at least `sign *
/// log2(tiny)`; one value thrice for luminance or maximum. The base's curve is a table over its codes.
public enum GainRatio: KernelStage {
  package static let operations = 256

  /// The gains: one a channel, or one for all from luminance or from the largest component.
  public enum Mode: Int, Sendable, Hashable, CaseIterable {
    case perChannel = 0
    case luminance = 1
    case maximum = 2
  }

  /// The smallest ratio or sum; smaller ones count as this.
  public static let tiny: Float = 1e-10
  /// log2 of `tiny`.
  public static let lowest: Float = -33.219_28

  public struct Parameters: StageParameters {
    public let bytes: UInt32, mode: Choice<Mode>, sign: Float, tables: RGBWords<UInt32>, isLog: UInt32
    public let baseOffset: RGBWords<Float>, alternateOffset: RGBWords<Float>
    public let matrix: Matrix3Stage.Parameters, luminance: RGBWords<Float>
  }

  /// - Parameters:
  ///   - base: the offset of the table of linear light over codes; with `isLog` three tables of log2(light + offset),
  ///     one a channel.
  ///   - sign: 1, or -1 if the base is the brighter rendition: maps always store HDR over SDR.
  ///   - matrix: from the base's primaries to those of the arithmetic; not used with `isLog`.
  package static func words(
    bytes: Int, mode: Mode, sign: Double, tables: [UInt32], isLog: Bool, baseOffset: [Double],
    alternateOffset: [Double], matrix: Matrix3, luminance: [Double]
  ) -> [UInt32] {
    Parameters(
      bytes: bytes.word, mode: Choice(mode), sign: Float(sign), tables: RGBWords(tables), isLog: isLog.word,
      baseOffset: RGBWords(baseOffset), alternateOffset: RGBWords(alternateOffset),
      matrix: Matrix3Stage.Parameters(matrix),
      luminance: RGBWords(luminance)
    ).list
  }

  /// Returns the log2 of a sum that may be 0 or negative.
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
    if c.words(Parameters.self).bytes == 1 {
      for i in 0..<s.count { out[i] = table[Int((first + i &* step).load(as: UInt8.self))] }
    } else {
      for i in 0..<s.count { out[i] = table[Int((first + i &* step).loadUnaligned(as: UInt16.self))] }
    }
    for i in s.count..<s.padded { out[i] = 0 }
  }

  /// Computes gains for R G B codes of 8 bits side by side with one more byte: a pixel is one word.
  @inlinable @inline(always) static func packedCodes(_ s: Strip, _ c: StageContext) {
    let v = c.channels[4], from = c.source(s.x, s.y)
    let first = v.base + (from.y &* v.rowBytes &+ from.x &* 4)
    let tables = c.words(Parameters.self).tables, out = s.scratch(0)
    let tr = c.table(at: tables.r), tg = c.table(at: tables.g), tb = c.table(at: tables.b)
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
    return c.words(Parameters.self).bytes == 1 && c.mapping.columnX == 1 && c.mapping.columnY == 0
      && v[0].stepBytes == 4 && v[1].base == v[0].base + 1 && v[2].base == v[0].base + 2 && v[3].base == v[0].base + 3
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), n = s.padded, sign = words.sign, mode = words.mode.value
    if isPacked(c) {
      packedCodes(s, c)
    } else {
      for channel in 0..<3 {
        codes(c.channels[4 + channel], s, c, c.table(at: words.tables[channel]), s.scratch(channel))
      }
    }
    if words.isLog == 1 {
      for channel in 0..<3 {
        let p = s.plane(channel), b = s.scratch(channel), offset = words.alternateOffset[channel]
        for i in 0..<n { p[i] = ratio(p[i] + offset, b[i], sign) }
      }
      return
    }
    let m = words.matrix, r = s.scratch(0), g = s.scratch(1), b = s.scratch(2)
    for i in 0..<n {
      let x = r[i], y = g[i], z = b[i]
      r[i] = m.m0 * x + m.m1 * y + m.m2 * z
      g[i] = m.m3 * x + m.m4 * y + m.m5 * z
      b[i] = m.m6 * x + m.m7 * y + m.m8 * z
    }
    if mode == .perChannel {
      for channel in 0..<3 {
        let p = s.plane(channel), base = s.scratch(channel)
        let bo = words.baseOffset[channel], ao = words.alternateOffset[channel]
        for i in 0..<n { p[i] = ratio(p[i] + ao, logarithm(base[i] + bo), sign) }
      }
      return
    }
    let w = words.luminance, bo = words.baseOffset.r, ao = words.alternateOffset.r
    let pr = s.red, pg = s.green, pb = s.blue
    for i in 0..<n {
      let alternate: Float, base: Float
      if mode == .luminance {
        alternate = w.r * pr[i] + w.g * pg[i] + w.b * pb[i]
        base = w.r * r[i] + w.g * g[i] + w.b * b[i]
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
