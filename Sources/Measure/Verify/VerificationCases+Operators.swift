import HDRCore
import HDRPlan

extension VerificationCases {
  /// Returns cases of every operator on light of any kind, to a linear rendition and an integer one.
  static func operators(pixels: Int) -> [VerificationCase] {
    let light = TestPictures.lightHalves(width: width, height: rows(pixels), peak: 8, seed: 51)
    let linear = source(
      light, primaries: CICP.Primaries.bt2020, transfer: CICP.Transfer.linear, matrix: CICP.Matrix.identity, full: true)
    return ToneOperators.all.flatMap { tone -> [VerificationCase?] in
      let isUp = tone.direction == .up
      let content = isUp ? Headroom.sdr : Headroom(factor: 6), display = Headroom(factor: isUp ? 4 : 1.5)
      func make(_ target: OutputSignal, _ gamut: GamutChoice, _ values: ToneValues) -> RenderRecipe {
        RenderRecipe(
          target: target, display: .headroom(display), tone: .named(tone.name, values), contentHeadroom: content,
          gamut: gamut)
      }
      let half = OutputSignal(primaries: CICP.Primaries.p3, encoding: .linear, sink: .rgba16f)
      let all = ToneValues(
        Dictionary(
          uniqueKeysWithValues: tone.parameters.map {
            ($0.name, min(max(0.3, $0.range.lowerBound), $0.range.upperBound))
          }))
      return [
        recipe("tone \(tone.name)", linear, make(half, .none, ToneValues())),
        recipe("tone \(tone.name), parameters, compress", linear, make(half, .desaturate, all)),
        recipe(
          "tone \(tone.name), PQ", linear, make(OutputSignal(encoding: .pq, sink: .rgba16), .clip, ToneValues())),
      ]
    }.compactMap { $0 }
  }
}
