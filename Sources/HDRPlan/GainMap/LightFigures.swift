import HDRCore
import Kernels

/// Figures of a picture's brightness that a file holds, of integers that pixels add up to in any order: so the CPU and devices,
/// which count what they need and no more, say the same.
package struct LightFigures: Sendable, Equatable {
  /// The number of pixels.
  package let total: Int
  /// The number of pixels with a component below -1/64.
  package let outside: Int
  /// The pattern, a positive half, of the largest component.
  package let largest: Int
  /// The sum of the pixels' largest components in units of 2^-24, without infinite ones; `.max` if it is larger.
  package let sum: UInt64

  package init(total: Int, outside: Int, largest: Int, sum: UInt64) {
    (self.total, self.outside, self.largest, self.sum) = (total, outside, largest, sum)
  }

  /// The pattern of infinity.
  package static let infinity = 0x7c00

  /// Returns a half as a number of units of 2^-24, which is exact; infinity is none.
  package static func units(_ pattern: Int) -> UInt64 {
    let exponent = pattern >> 10, fraction = UInt64(pattern & 0x3ff)
    if pattern >= infinity { return 0 }
    return exponent == 0 ? fraction : (fraction | 0x400) << UInt64(exponent - 1)
  }

  private static func light(_ pattern: Int) -> Double { Double(E32.float(half: UInt32(pattern))) }

  /// The largest component.
  package var peak: Double { Self.light(largest) }

  /// The share of the pixels with a component below -1/64: colours that a map in these primaries loses.
  package var outsideShare: Double { total > 0 ? Double(outside) / Double(total) : 0 }

  /// MaxCLL and MaxFALL of the picture in cd/m²; `nil` for a black one. Source: CTA-861.3
  /// (docs/colour-formulas.md#light-level).
  package var lightLevel: ContentLightLevel? {
    guard largest > 0, total > 0 else { return nil }
    let nits = ReferenceWhite.nits
    let mean = largest == Self.infinity ? Double.infinity : Double(sum) * nits / 0x1p24 / Double(total)
    return ContentLightLevel(
      maxCLL: Swift.min((peak * nits).rounded(.up), 65_535), maxFALL: Swift.min(mean.rounded(), 65_535))
  }

  /// Returns the headroom, at least 1, of light that the given share of the pixels does not exceed.
  ///
  /// - Parameter pattern: returns the half that is the largest but so many of the pixels' largest components.
  package func headroom<E: Error>(
    _ measure: HeadroomMeasure, pattern: (_ above: Int) throws(E) -> Int
  ) throws(E) -> Headroom {
    let percent: Double
    switch measure {
    case .maximum: percent = 100
    case .percentile(let value): percent = Swift.min(Swift.max(value, 0), 100)
    }
    let above = Int(Double(total) * (100 - percent) / 100)
    guard above < total else { return .sdr }
    return Headroom(factor: Swift.max(1, Self.light(above == 0 ? largest : try pattern(above))))
  }
}
