import HDRCore

extension MasteringDisplay {
  /// The two orders of mastering primaries (docs/colour-formulas.md#metadata-layouts): PNG writes R, G, B; HEIF and
  /// HEVC G, B, R.
  package enum PrimaryOrder { case redGreenBlue, greenBlueRed }

  /// Returns the 24 bytes of `mDCV` and `mdcv`: chromaticities in units of 0.00002, then maximum and minimum luminance
  /// in units of 0.0001 cd/m². `nil` without primaries, which both require.
  package func payload(order: PrimaryOrder) -> [UInt8]? {
    guard let primaries, primaries.count == 4, maxLuminance > 0 else { return nil }
    let sequence = order == .redGreenBlue ? [0, 1, 2, 3] : [1, 2, 0, 3]
    var data = ByteSink()
    for index in sequence {
      data.u16(Self.units(primaries[index].x, 50_000, limit: 65_535))
      data.u16(Self.units(primaries[index].y, 50_000, limit: 65_535))
    }
    data.u32(Self.units(maxLuminance, 10_000, limit: Double(UInt32.max)))
    // 0 is legal, but readers divide by it.
    data.u32(max(1, Self.units(minLuminance, 10_000, limit: Double(UInt32.max))))
    return data.bytes
  }

  private static func units(_ value: Double, _ scale: Double, limit: Double) -> Int {
    // The comparison also turns NaN into 0.
    value > 0 ? Int(min((value * scale).rounded(), limit)) : 0
  }

  /// Returns the mastering display of this project's PQ files (policy of docs/colour-formulas.md#metadata-layouts): the
  /// picture's own primaries when they are P3-D65, else BT.2020; maximum the content's peak, minimum 0.0001 cd/m².
  ///
  /// - Parameters:
  ///   - primaries: the code point of the output's primaries.
  ///   - contentHeadroom: a factor of reference white (203 cd/m²); values below 1 are taken as 1.
  package static func forOutput(primaries: Int, contentHeadroom: Double) -> MasteringDisplay {
    let white = Chromaticity(0.3127, 0.3290)
    let p3 = [Chromaticity(0.680, 0.320), Chromaticity(0.265, 0.690), Chromaticity(0.150, 0.060), white]
    let bt2020 = [Chromaticity(0.708, 0.292), Chromaticity(0.170, 0.797), Chromaticity(0.131, 0.046), white]
    // Above 10000 cd/m² PQ has no code. The millionth keeps 203 * (1000 / 203) at 1000.
    let peak = contentHeadroom > 1 ? min((203 * contentHeadroom - 1e-6).rounded(.up), 10_000) : 203
    return MasteringDisplay(
      primaries: primaries == CICP.Primaries.p3 ? p3 : bt2020, maxLuminance: peak, minLuminance: 0.0001)
  }
}
