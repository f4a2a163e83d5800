import HDRCore

/// The peak that a clip is tone mapped from, and where it comes from.
package struct TonePeak: Sendable, Hashable {
  package enum Source: String, Sendable, CaseIterable {
    case option, measured, maxCLL, mastering, nominal
  }

  /// cd/m².
  package var light: Double
  package var source: Source

  package init(light: Double, source: Source) { (self.light, self.source) = (light, source) }

  /// Chooses the peak: that of the option, of the measurement, MaxCLL if it can be true, that of the mastering display, 1000.
  package static func choose(
    option: Double?, measured: Double?, level: ContentLightLevel?, mastering: MasteringDisplay?
  ) -> TonePeak {
    if let option { return TonePeak(light: option, source: .option) }
    if let measured { return TonePeak(light: measured, source: .measured) }
    let peak = mastering?.maxLuminance
    // Light above the mastering display's peak was not seen there, and PQ ends at 10 000.
    if let most = level?.maxCLL, most >= 100, most <= min(10_000, (peak ?? .infinity) * 1.05) {
      return TonePeak(light: most, source: .maxCLL)
    }
    return peak.map { TonePeak(light: $0, source: .mastering) } ?? TonePeak(light: 1000, source: .nominal)
  }
}
