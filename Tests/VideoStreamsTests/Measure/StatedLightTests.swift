import HDRCore
import Testing
import VideoStreams

/// Clips state their light, and metadata are made of it.
@Suite struct StatedLightTests {
  private static func display(_ peak: Double, _ least: Double = 0.005, _ points: [Chromaticity]? = nil)
    -> MasteringDisplay
  {
    MasteringDisplay(primaries: points, maxLuminance: peak, minLuminance: least)
  }

  @Test("statements that cannot be true are left out with one warning")
  func impossibleStatementsAreLeftOut() {
    let outside = [Chromaticity](repeating: Chromaticity(0.3, 0.3), count: 3) + [Chromaticity(1.2, 0.3)]
    for wrong in [Self.display(0), Self.display(0.005, 0.005), Self.display(49), Self.display(1000, 0, outside)] {
      var light = StatedLight(transfer: 16)
      light.add(mastering: wrong, level: ContentLightLevel(maxCLL: 0, maxFALL: 0))
      light.add(mastering: wrong, level: nil)
      #expect(
        light.mastering == nil && light.level == nil
          && light.warnings.map(\.code) == ["light.invalid", "light.invalid"])
    }
    // Displays of HLG may be dark.
    var light = StatedLight(transfer: 18)
    light.add(mastering: Self.display(49), level: nil)
    #expect(light.mastering == Self.display(49) && light.warnings.isEmpty)
  }

  @Test("the first statement is kept and the largest MaxCLL makes headrooms")
  func firstStatementsAreKept() {
    var light = StatedLight(transfer: 16)
    for most in [1000.0, 1000, 4000, 600] {
      light.add(mastering: Self.display(most), level: ContentLightLevel(maxCLL: most, maxFALL: 100))
    }
    light.add(mastering: nil, level: nil)
    #expect(light.mastering == Self.display(1000) && light.level == ContentLightLevel(maxCLL: 1000, maxFALL: 100))
    #expect(light.largestCLL == 4000 && light.warnings.map(\.code) == ["video.light-varies", "video.light-varies"])
  }

  @Test("the peak is that of the option, of the measurement, MaxCLL, the mastering display or 1000")
  func peakIsChosenInOrder() {
    func choose(_ option: Double?, _ measured: Double?, _ most: Double?, _ mastering: Double?) -> TonePeak {
      TonePeak.choose(
        option: option, measured: measured, level: most.map { ContentLightLevel(maxCLL: $0, maxFALL: 1) },
        mastering: mastering.map { Self.display($0) })
    }
    #expect(choose(5, 6, 700, 800) == TonePeak(light: 5, source: .option))
    #expect(choose(nil, 400, 700, 100_000) == TonePeak(light: 400, source: .measured))
    #expect(choose(nil, nil, 700, 800) == TonePeak(light: 700, source: .maxCLL))
    #expect(choose(nil, nil, 840, 800) == TonePeak(light: 840, source: .maxCLL))
    #expect(choose(nil, nil, 841, 800) == TonePeak(light: 800, source: .mastering))
    #expect(choose(nil, nil, 99, 800) == TonePeak(light: 800, source: .mastering))
    #expect(choose(nil, nil, 700, nil) == TonePeak(light: 700, source: .maxCLL))
    #expect(choose(nil, nil, 99, nil) == TonePeak(light: 1000, source: .nominal))
  }
}
