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

  /// Stores chroma of all columns of a strip.
  @inlinable @inline(always) public static func storeChroma(
    _ s: Strip, _ channel: Int, row: Int, _ c: StageContext, _ out: PlaneView
  ) {
    let to = out.base + row &* out.rowBytes + s.x &* 2, largest = c.words(Parameters.self).largest
    storeRow(s.plane(channel), count: s.count, scale: 1, largest: largest, to: to)
  }

  /// Adds the columns around each even one of a strip of unrounded chroma, by [1 2 1], edges repeated.
  ///
  /// - Parameter sums: those of a whole row, whose strips come one after the other; with room for a
  ///   value before them.
  @inlinable @inline(always) public static func addColumns(
    _ s: Strip, _ channel: Int, _ sums: UnsafeMutablePointer<Float>
  ) {
    // There is room before and behind a strip's columns.
    let p = s.plane(channel), to = sums + s.x &>> 1, last = s.count &- 1
    (p[-1], p[s.count]) = (s.x == 0 ? p[0] : sums[-1], p[last])
    for i in 0..<(s.count &+ 1) &>> 1 {
      to[i] = (p[2 &* i &- 1] + p[2 &* i &+ 1]) + (p[2 &* i] + p[2 &* i])
    }
    sums[-1] = p[last]
  }

  /// Stores a row of subsampled chroma from the sums of one or two rows of `width` columns.
  @inlinable @inline(always) public static func storeChroma(
    _ above: UnsafePointer<Float>, _ below: UnsafePointer<Float>, width: Int, row: Int, _ c: StageContext,
    _ out: PlaneView
  ) {
    let words = c.words(Parameters.self), largest = words.largest
    let to = (out.base + row &* out.rowBytes).assumingMemoryBound(to: UInt16.self), half = (width + 1) / 2
    if words.verticalShift == 1 {
      for i in 0..<half { to[i] = code((above[i] + below[i]) * 0.125, largest) }
    } else {
      for i in 0..<half { to[i] = code(above[i] * 0.25, largest) }
    }
  }
}
