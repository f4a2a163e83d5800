/// Shifts of hue and factors of saturation and value on a grid of hue, saturation and value, in RIMM.
///
/// Source: DNG 1.7.1, ProfileHueSatMapData and ProfileLookTableData; the DNG SDK's reference.
package struct HueSatMap: Sendable, Hashable {
  package let hues: Int
  package let saturations: Int
  package let values: Int
  /// Three numbers per entry: hue shift in degrees, factors of saturation and value. Value is outermost, then hue.
  package let data: [Float]
  /// True if the value is looked up and scaled in sRGB's curve.
  package var isEncoded: Bool

  /// The largest number of entries: eleven times Adobe's largest table of 90 hues, 16 saturations and 16 values.
  package static let maxEntries = 1 << 18

  /// Returns `nil` for invalid sides, a wrong count of numbers, or numbers that are not finite.
  package init?(hues: Int, saturations: Int, values: Int, data: [Float], isEncoded: Bool = false) {
    guard hues >= 1, saturations >= 2, values >= 1, hues <= Self.maxEntries, saturations <= Self.maxEntries,
      values <= Self.maxEntries, hues * saturations <= Self.maxEntries,
      hues * saturations * values <= Self.maxEntries, data.count == 3 * hues * saturations * values,
      data.allSatisfy(\.isFinite)
    else { return nil }
    (self.hues, self.saturations, self.values, self.data, self.isEncoded) = (hues, saturations, values, data, isEncoded)
  }

  /// Applies the map to RIMM. `isHDR`: the value may exceed 1.
  package func apply(_ rgb: [Double], isHDR: Bool = false) -> [Double] {
    var (hue, saturation, value) = Self.hsv(rgb)
    let shown = isEncoded ? Transfer.sRGBEncode(value) : value
    let entry = entry(hue, saturation, shown)
    hue += entry[0] / 60
    saturation = Swift.min(saturation * entry[1], 1)
    var scaled = shown * entry[2]
    if !isHDR { scaled = Swift.min(Swift.max(scaled, 0), 1) }
    value = isEncoded ? Transfer.sRGBDecode(scaled) : scaled
    return Self.rgb(hue, saturation, value)
  }

  /// Returns the entry at a hue of 0 to 6, interpolated along each side; hue wraps around.
  private func entry(_ hue: Double, _ saturation: Double, _ value: Double) -> [Double] {
    func place(_ scaled: Double, _ last: Int) -> (index: Int, share: Double) {
      let inside = Swift.min(Swift.max(scaled, 0), Double(last + 1)), index = Swift.min(Int(inside), last)
      return (index, inside - Double(index))
    }
    let h = place(hue * (hues > 1 ? Double(hues) / 6 : 0), hues - 1)
    let s = place(saturation * Double(saturations - 1), saturations - 2)
    let v = values > 1 ? place(Swift.min(value, 1) * Double(values - 1), values - 2) : (index: 0, share: 0)
    let nextHue = h.index + 1 < hues ? h.index + 1 : 0
    func at(_ v: Int, _ h: Int, _ s: Int, _ c: Int) -> Double {
      Double(data[3 * ((v * hues + h) * saturations + s) + c])
    }
    func between(_ a: Double, _ b: Double, _ share: Double) -> Double { a * (1 - share) + b * share }
    return (0..<3).map { c in
      func layer(_ index: Int) -> Double {
        let low = between(at(index, h.index, s.index, c), at(index, nextHue, s.index, c), h.share)
        let high = between(at(index, h.index, s.index + 1, c), at(index, nextHue, s.index + 1, c), h.share)
        return between(low, high, s.share)
      }
      return values > 1 ? between(layer(v.index), layer(v.index + 1), v.share) : layer(0)
    }
  }

  /// Returns hue, saturation and value; hue from 0 to 6, 0 for greys.
  static func hsv(_ rgb: [Double]) -> (hue: Double, saturation: Double, value: Double) {
    let value = rgb.max() ?? 0, gap = value - (rgb.min() ?? 0)
    guard gap > 0, value > 0 else { return (0, 0, value) }
    var hue: Double
    if rgb[0] == value {
      hue = (rgb[1] - rgb[2]) / gap
      if hue < 0 { hue += 6 }
    } else if rgb[1] == value {
      hue = 2 + (rgb[2] - rgb[0]) / gap
    } else {
      hue = 4 + (rgb[0] - rgb[1]) / gap
    }
    return (hue, gap / value, value)
  }

  static func rgb(_ turned: Double, _ saturation: Double, _ value: Double) -> [Double] {
    guard saturation > 0 else { return [value, value, value] }
    let around = turned - 6 * (turned / 6).rounded(.down)
    // A huge shift has no hue left within the precision.
    let hue = (0...6).contains(around) ? around : 0
    let sector = Int(hue) % 6, share = hue - hue.rounded(.down)
    let low = value * (1 - saturation), falling = value * (1 - saturation * share)
    let rising = value * (1 - saturation * (1 - share))
    switch sector {
    case 0: return [value, rising, low]
    case 1: return [falling, value, low]
    case 2: return [low, value, rising]
    case 3: return [low, falling, value]
    case 4: return [rising, low, value]
    default: return [value, low, falling]
    }
  }
}
