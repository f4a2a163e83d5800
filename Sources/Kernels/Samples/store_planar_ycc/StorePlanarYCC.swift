import HDRCore

/// Sink `store_planar_ycc`: Y, Cb, Cr codes, rounded to nearest, as 16-bit words in three planes, alpha in a fourth.
/// Subsampled chroma is averaged: [1 2 1]/4 around the even column (co-sited), mean of two rows (midway)
/// (docs/colour-formulas.md#chroma-siting, type 0).
public enum StorePlanarYCC {
  public struct Parameters: StageParameters {
    /// The largest code.
    public let largest: Float
    /// log2 of the subsampling factors.
    public let horizontalShift: UInt32, verticalShift: UInt32
    public let hasAlpha: UInt32
  }

  package static func words(bits: Int, chroma: ChromaSubsampling, hasAlpha: Bool = false) -> [UInt32] {
    Parameters(
      largest: Float((1 << bits) - 1), horizontalShift: chroma.horizontalShift.word,
      verticalShift: chroma.verticalShift.word, hasAlpha: hasAlpha.word
    ).list
  }

  /// Rounds a value in code units to the nearest code, ties to even.
  @inlinable @inline(always) static func code(_ x: Float, _ largest: Float) -> UInt16 {
    let low: Float = x > 0 ? x : 0
    let c: Float = low < largest ? low : largest
    return UInt16(truncatingIfNeeded: (c + 8_388_608).pattern & 0x7f_ffff)
  }

  /// Stores the luma of a strip.
  @inlinable @inline(always) public static func storeLuma(_ s: Strip, _ c: StageContext, _ out: PlaneView) {
    let to = out.base + s.y &* out.rowBytes + s.x &* 2
    storeRow(s.red, count: s.count, scale: 1, largest: c.words(Parameters.self).largest, to: to)
  }

  /// Stores the alpha of a strip, full range.
  @inlinable @inline(always) public static func storeAlpha(_ s: Strip, _ c: StageContext, _ out: PlaneView) {
    let to = out.base + s.y &* out.rowBytes + s.x &* 2, largest = c.words(Parameters.self).largest
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
    let words = c.words(Parameters.self), largest = words.largest
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
