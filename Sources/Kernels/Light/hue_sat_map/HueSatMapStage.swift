import HDRCore

/// Stage `hue_sat_map`: shifts of hue and factors of saturation and value of linear RIMM, by a table over hue,
/// saturation and value (`HueSatMap`).
///
/// Colours whose channels differ by at most 2^-40, or are not above that, are greys.
public enum HueSatMapStage: KernelStage {
  package static let operations = 256

  package static let boundNumbers: Set = ["saturations", "layer", "hue.last", "saturation.last", "value.last"]

  public struct Parameters: StageParameters {
    /// The offset of entries of four words: shift in sixths of the circle, factors of saturation and value, 0.
    public let entries: UInt32
    /// The number of entries of a hue, and of a value.
    public let saturations: Float, layer: Float
    /// The scales from hue, saturation and value to places in the table, and the last entry that has a next one.
    public let hue: Side, saturation: Side, value: Side
    /// Flags: value is kept above 1; it is looked up and scaled in sRGB's curve; there are several values.
    public let isHDR: UInt32, isEncoded: UInt32, hasValues: UInt32
    public let encode: CurveWords, encodeSlope: Float, decode: CurveWords, decodeSlope: Float
  }

  public struct Side: StageParameters {
    public let scale: Float, last: Float
  }

  package static func words(_ map: HueSatMap, isHDR: Bool, table: ([UInt32]) -> UInt32) -> [UInt32] {
    // At most 2^16 sixths of a turn: more would leave no bits of a hue in binary32.
    let entries = stride(from: 0, to: map.data.count, by: 3).flatMap { at -> [UInt32] in
      let shift = min(max(Double(map.data[at]) / 60, -65_536), 65_536)
      return [shift.word, Double(map.data[at + 1]).word, Double(map.data[at + 2]).word, 0]
    }
    func curve(_ curve: CurveTable) -> CurveWords {
      CurveWords(curve, offset: map.isEncoded ? table(curve.words) : 0)
    }
    let encode = TransferCurve.sRGB.encodeTable, decode = TransferCurve.sRGB.decodeTable
    return Parameters(
      entries: table(entries), saturations: Float(map.saturations), layer: Float(map.hues * map.saturations),
      hue: Side(scale: map.hues > 1 ? Float(Double(map.hues) / 6) : 0, last: Float(map.hues - 1)),
      saturation: Side(scale: Float(map.saturations - 1), last: Float(map.saturations - 2)),
      value: Side(scale: Float(map.values - 1), last: Float(max(0, map.values - 2))), isHDR: isHDR.word,
      isEncoded: map.isEncoded.word, hasValues: (map.values > 1).word, encode: curve(encode),
      encodeSlope: encode.slope0.lane, decode: curve(decode), decodeSlope: decode.slope0.lane
    ).list
  }

  /// Maps of one value and of several, with one hue and with many.
  package static var sampleMaps: [HueSatMap] {
    [(90, 30, 1, false), (36, 8, 12, true), (1, 2, 1, false), (12, 4, 3, false)].compactMap {
      hues, saturations, values, isEncoded in
      let count = hues * saturations * values
      let shifts = SplitMix64.numbers(count, -400...400, seed: 7).map { Float($0) }
      let factors = SplitMix64.numbers(2 * count, 0.5...1.5, seed: 8).map { Float($0) }
      return HueSatMap(
        hues: hues, saturations: saturations, values: values,
        data: (0..<count).flatMap { at -> [Float] in [shifts[at], factors[2 * at], factors[2 * at + 1]] },
        isEncoded: isEncoded)
    }
  }

  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] {
    // Maps of SDR profiles end at 1.
    [true, false].flatMap { isHDR in sampleMaps.map { words($0, isHDR: isHDR, table: table) } }
  }

  /// Returns the place of a number along a side of the table.
  @inlinable @inline(always) static func inside(_ x: Float, _ side: Side) -> Float {
    let at = x * side.scale, end = side.last + 1
    let low: Float = at > 0 ? at : 0
    return low < end ? low : end
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), n = s.padded
    let hue = s.scratch(3), saturation = s.scratch(4), value = s.scratch(5)
    split(s, n, hue, saturation, value)
    if words.isEncoded != 0 {
      CurveStage.apply(s, value, c.table(at: words.encode.table), words.encode.domain, words.encodeSlope, 0)
    }
    look(s, c, words, hue, saturation, value)
    if words.isEncoded != 0 {
      CurveStage.apply(s, value, c.table(at: words.decode.table), words.decode.domain, words.decodeSlope, 0)
    }
    for channel in 0..<3 {
      let p = s.plane(channel), from = Float(5 &- 2 &* channel)
      for i in 0..<n {
        let turned = from + hue[i], k: Float = turned >= 6 ? turned - 6 : turned
        let back = 4 - k, near: Float = back < k ? back : k
        let low: Float = near > 0 ? near : 0, share: Float = low < 1 ? low : 1
        p[i] = value[i] * (1 - saturation[i] * share)
      }
    }
  }

  /// Computes hue from 0 to 6, saturation and value of R, G, B.
  @inlinable @inline(always) static func split(
    _ s: Strip, _ n: Int, _ hue: UnsafeMutablePointer<Float>, _ saturation: UnsafeMutablePointer<Float>,
    _ value: UnsafeMutablePointer<Float>
  ) {
    let red = s.red, green = s.green, blue = s.blue
    for i in 0..<n {
      let r = red[i], g = green[i], b = blue[i]
      let rg: Float = g > r ? g : r, most: Float = b > rg ? b : rg
      let lesser: Float = g < r ? g : r, least: Float = b < lesser ? b : lesser
      let gap = most - least, smaller: Float = gap < most ? gap : most
      let divisor: Float = smaller > 0x1p-40 ? gap : 1, whole: Float = smaller > 0x1p-40 ? most : 1
      let inverse = E32.reciprocal(divisor)
      let first = (g - b) * inverse, second = 2 + (b - r) * inverse, third = 4 + (r - g) * inverse
      let around: Float = first < 0 ? first + 6 : first
      let others: Float = g < most ? third : second
      let found: Float = r < most ? others : around
      let share = gap * E32.reciprocal(whole)
      hue[i] = smaller > 0x1p-40 ? found : 0
      saturation[i] = smaller > 0x1p-40 ? share : 0
      value[i] = most
    }
  }

  /// Changes hue, saturation and value by the table.
  @inlinable @inline(always) static func look(
    _ s: Strip, _ c: StageContext, _ words: Parameters, _ hue: UnsafeMutablePointer<Float>,
    _ saturation: UnsafeMutablePointer<Float>, _ value: UnsafeMutablePointer<Float>
  ) {
    let n = s.padded, toHue = s.scratch(6), toSaturation = s.scratch(7), toValue = s.scratch(8)
    let offset = LUT3DStage.integers(s.scratch(0)), next = LUT3DStage.integers(s.scratch(1))
    for i in 0..<n {
      let most: Float = value[i] < 1 ? value[i] : 1
      let h = inside(hue[i], words.hue), t = inside(saturation[i], words.saturation), v = inside(most, words.value)
      let hCell = LUT3DStage.cell(h, words.hue.last), tCell = LUT3DStage.cell(t, words.saturation.last)
      let vCell = LUT3DStage.cell(v, words.value.last)
      let after: Float = hCell < words.hue.last ? hCell + 1 : 0
      let rest = vCell * words.layer + tCell
      offset[i] = LUT3DStage.byteOffset(hCell * words.saturations + rest)
      next[i] = LUT3DStage.byteOffset(after * words.saturations + rest)
      toHue[i] = h - hCell
      toSaturation[i] = t - tCell
      toValue[i] = v - vCell
    }
    let entries = UnsafeRawPointer(c.table(at: words.entries)), layer = 16 &* Int(words.layer)
    typealias Entry = SIMD4<Float>
    @inline(always) func between(_ a: Entry, _ b: Entry, _ share: Float) -> Entry { a * (1 - share) + b * share }
    @inline(always) func entry(_ i: Int, _ above: Int) -> Entry {
      let a = entries + (Int(offset[i]) &+ above), b = entries + (Int(next[i]) &+ above)
      @inline(always) func at(_ p: UnsafeRawPointer) -> Entry { p.loadUnaligned(as: Entry.self) }
      return between(between(at(a), at(b), toHue[i]), between(at(a + 16), at(b + 16), toHue[i]), toSaturation[i])
    }
    if words.hasValues != 0 {
      for i in 0..<n { s.put(between(entry(i, 0), entry(i, layer), toValue[i]), i) }
    } else {
      for i in 0..<n { s.put(entry(i, 0), i) }
    }
    let found = s.scratch(10), most: Float = words.isHDR != 0 ? 0x1p40 : 1
    let fewest: Float = words.isHDR != 0 ? -0x1p40 : 0
    for i in 0..<n {
      let turned = hue[i] + found[4 &* i], times = turned * 0.166_666_67
      let nearest = (times + 12_582_912) - 12_582_912, whole: Float = nearest > times ? nearest - 1 : nearest
      hue[i] = turned - 6 * whole
      let more = saturation[i] * found[4 &* i &+ 1], some: Float = more > 0 ? more : 0
      saturation[i] = some < 1 ? some : 1
      let scaled = value[i] * found[4 &* i &+ 2], low: Float = scaled > fewest ? scaled : fewest
      value[i] = low < most ? low : most
    }
  }
}
