import HDRCore

/// Memory of one output plane: the first sample of output row 0.
public struct PlaneView {
  public var base: UnsafeMutableRawPointer
  public var rowBytes: Int
  public init(base: UnsafeMutableRawPointer, rowBytes: Int) {
    self.base = base
    self.rowBytes = rowBytes
  }
}

/// Sink `store_rgba16f`: R G B A binary16, to nearest, ties to even, saturating.
public enum StoreRGBA16F {
  @inlinable @inline(always) public static func run(_ s: Strip, _ out: PlaneView) {
    let p = s.base, row = (out.base + s.y &* out.rowBytes + s.x &* 8).assumingMemoryBound(to: UInt16.self)
    for i in 0..<s.count {
      row[4 &* i] = UInt16(truncatingIfNeeded: E32.half(p[i]))
      row[4 &* i &+ 1] = UInt16(truncatingIfNeeded: E32.half(p[i &+ Strip.stride]))
      row[4 &* i &+ 2] = UInt16(truncatingIfNeeded: E32.half(p[i &+ 2 &* Strip.stride]))
      row[4 &* i &+ 3] = UInt16(truncatingIfNeeded: E32.half(p[i &+ 3 &* Strip.stride]))
    }
  }
}

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
    return (b + 8_388_608).bitPattern & 0x7f_ffff
  }
}

/// Sink `store_rgba16`: unsigned 16 bit, clamped to [0, 1].
public enum StoreRGBA16 {
  public struct Words: StageWords {
    /// The amplitude of dither in codes.
    public let dither: Float
  }

  public static func words(dither: Double) -> [UInt32] { Words(dither: Float(dither)).list }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext, _ out: PlaneView) {
    let p = s.base, row = (out.base + s.y &* out.rowBytes + s.x &* 8).assumingMemoryBound(to: UInt16.self)
    let amplitude = c.words(Words.self).dither
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

/// Sink `store_rgba8`: unsigned 8 bit, clamped to [0, 1].
public enum StoreRGBA8 {
  public typealias Words = StoreRGBA16.Words

  public static func words(dither: Double) -> [UInt32] { Words(dither: Float(dither)).list }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext, _ out: PlaneView) {
    let p = s.base, row = (out.base + s.y &* out.rowBytes + s.x &* 4).assumingMemoryBound(to: UInt32.self)
    let amplitude = c.words(Words.self).dither
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

/// Sink `store_float_planes`: 1, 3 or 4 planes of binary32.
public enum StoreFloatPlanes {
  public typealias Words = LoadFloatPlanes.Words

  public static func words(channels: Int) -> [UInt32] { Words(channels: channels.word).list }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext, _ planes: UnsafePointer<PlaneView>) {
    for channel in 0..<Int(c.words(Words.self).channels) {
      let out = planes[channel]
      let row = (out.base + s.y &* out.rowBytes + s.x &* 4).assumingMemoryBound(to: Float.self)
      row.update(from: s.plane(channel), count: s.count)
    }
  }
}

/// Sink `store_planar_ycc`: Y, Cb, Cr codes, rounded to nearest, as 16-bit words in three planes, alpha in a fourth.
/// Subsampled chroma is averaged: [1 2 1]/4 around the even column (co-sited), mean of two rows (midway)
/// (docs/colour-formulas.md#chroma-siting, type 0).
public enum StorePlanarYCC {
  public struct Words: StageWords {
    /// The largest code.
    public let largest: Float
    /// log2 of the subsampling factors.
    public let horizontalShift: UInt32, verticalShift: UInt32
    public let hasAlpha: UInt32
  }

  public static func words(bits: Int, chroma: ChromaSubsampling, hasAlpha: Bool = false) -> [UInt32] {
    Words(
      largest: Float((1 << bits) - 1), horizontalShift: chroma.horizontalShift.word,
      verticalShift: chroma.verticalShift.word, hasAlpha: hasAlpha.word
    ).list
  }

  /// Rounds a value in code units to the nearest code, ties to even.
  @inlinable @inline(always) static func code(_ x: Float, _ largest: Float) -> UInt16 {
    let low: Float = x > 0 ? x : 0
    let c: Float = low < largest ? low : largest
    return UInt16(truncatingIfNeeded: (c + 8_388_608).bitPattern & 0x7f_ffff)
  }

  /// Stores the luma of a strip.
  @inlinable @inline(always) public static func storeLuma(_ s: Strip, _ c: StageContext, _ out: PlaneView) {
    let to = out.base + s.y &* out.rowBytes + s.x &* 2
    storeRow(s.red, count: s.count, scale: 1, largest: c.words(Words.self).largest, to: to)
  }

  /// Stores the alpha of a strip, full range.
  @inlinable @inline(always) public static func storeAlpha(_ s: Strip, _ c: StageContext, _ out: PlaneView) {
    let to = out.base + s.y &* out.rowBytes + s.x &* 2, largest = c.words(Words.self).largest
    storeRow(s.alpha, count: s.count, scale: largest, largest: largest, to: to)
  }

  @inlinable @inline(always) static func storeRow(
    _ from: UnsafePointer<Float>, count: Int, scale: Float, largest: Float, to: UnsafeMutableRawPointer
  ) {
    let row = to.assumingMemoryBound(to: UInt16.self)
    for i in 0..<count { row[i] = code(from[i] * scale, largest) }
  }

  /// Stores a chroma row of `width` picture columns from one or two rows of unrounded chroma. `above` and `below` have
  /// `width` values each; they are equal pointers if chroma is not subsampled vertically.
  @inlinable @inline(always) public static func storeChroma(
    _ above: UnsafePointer<Float>, _ below: UnsafePointer<Float>, width: Int, row: Int, _ c: StageContext,
    _ out: PlaneView
  ) {
    let words = c.words(Words.self), largest = words.largest
    let to = (out.base + row &* out.rowBytes).assumingMemoryBound(to: UInt16.self)
    if words.horizontalShift == 0 {
      for x in 0..<width { to[x] = code(above[x], largest) }
      return
    }
    let half = (width + 1) / 2, twoRows = words.verticalShift == 1
    func across(_ p: UnsafePointer<Float>, _ x: Int) -> Float {
      let left = p[x > 0 ? x &- 1 : 0], right = p[x &+ 1 < width ? x &+ 1 : width &- 1]
      return (left + right) + (p[x] + p[x])
    }
    for i in 0..<half {
      let x = 2 &* i
      let sum = twoRows ? (across(above, x) + across(below, x)) * 0.125 : across(above, x) * 0.25
      to[i] = code(sum, largest)
    }
  }
}
