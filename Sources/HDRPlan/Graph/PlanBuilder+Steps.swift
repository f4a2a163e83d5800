import HDRCore
import Kernels

/// Simplified steps become stages here, one `case` a step.
extension PlanBuilder {
  mutating func scale(_ factors: [Double], _ offsets: [Double]) -> Stage {
    words.stage(.affine, Affine.words(scale: factors, offset: offsets))
  }

  private mutating func scale(_ factor: Double, _ offset: Double) -> Stage {
    scale([factor, factor, factor], [offset, offset, offset])
  }

  mutating func curve(_ tables: [CurveTable]) {
    let offsets = tables.map { words.table($0.words) }
    append(words.stage(.curve, CurveStage.words(tables, offsets: offsets)))
  }

  private mutating func codes(_ curve: CodeCurve, _ direction: CodeTables.Direction) {
    let tables = CodeTables.known(curve, direction)
    let offset = words.table(tables.positive.words + tables.negative.words)
    append(
      words.stage(
        .signedCurve, SignedCurve.words([(tables.positive, tables.negative)], offsets: [offset])))
  }

  /// Writes a simplified step as stages.
  mutating func write(_ step: PixelOperation) {
    switch step {
    case .decode(let transfer): curve([transfer.decodeTable])
    case .encode(let transfer): curve([transfer.encodeTable])
    case .decodeCode(.affine(let factor, let offset)): append(scale(factor, offset))
    case .encodeCode(.affine(let factor, let offset)): append(scale(1 / factor, -offset / factor))
    case .decodeCode(let curve): codes(curve, .decode)
    case .encodeCode(let curve): codes(curve, .encode)
    case .deviceCurves(let curves):
      curve(curves.map { one in CurveTable(octaves: -12..<1, k: 6) { one.value($0) } })
    case .inverseCurves(let curves):
      curve(curves.map { one in CurveTable(octaves: -20..<1, k: 7) { one.inverse($0) } })
    case .matrix(let m): append(words.stage(.matrix3, Matrix3Stage.words(m)))
    case .hlgOOTF(let peak, let white, let isOpen):
      let gamma = Transfer.hlgGamma(peak: peak)
      luminanceGain(isOpen ? -32..<15 : -30..<8, ofMagnitudes: isOpen) { peak / white * ExactMath.pow($0, gamma - 1) }
    case .hlgInverseOOTF(let peak, let white, true):
      let gamma = Transfer.hlgGamma(peak: peak)
      luminanceGain(-36..<20, ofMagnitudes: true) {
        $0 > 0 ? white / peak * ExactMath.pow($0 * white / peak, (1 - gamma) / gamma) : 0
      }
    case .hlgInverseOOTF(let peak, let white, false):
      let gamma = Transfer.hlgGamma(peak: peak)
      // Display light relative to `white` in, scene light out; a lower limit keeps out-of-gamut colours finite.
      luminanceGain(-30..<8) { white / peak * ExactMath.pow(max($0 * white / peak, 1e-6), (1 - gamma) / gamma) }
    case .gainMap(let step): addGainMap(step)
    case .tone(.scaleByMax(let octaves, let k, let factor)):
      let table = CurveTable(octaves: octaves, k: k, factor)
      append(words.stage(.scaleByMax, ScaleByMax.words(table, offset: words.table(table.words))))
    case .tone(.scaleByLuminance(let octaves, let k, let factor)):
      let table = CurveTable(octaves: octaves, k: k, factor)
      append(
        words.stage(
          .scaleByLuminance,
          ScaleByLuminance.words(weights: ToneOperation.luminance, table, offset: words.table(table.words))))
    case .tone(.scaleByFirst(let octaves, let k, let first, let others)):
      let own = CurveTable(octaves: octaves, k: k, first), other = CurveTable(octaves: octaves, k: k, others)
      append(
        words.stage(
          .scaleByFirst,
          ScaleByFirst.words(first: own, others: other, offsets: [own, other].map { words.table($0.words) })))
    case .tone(.curve(let octaves, let k, let f)): curve([CurveTable(octaves: octaves, k: k, f)])
    case .tone(.matrix(let m)): append(words.stage(.matrix3, Matrix3Stage.words(m)))
    case .tone(.addPositive(let weights, let amount)):
      append(words.stage(.addPositive, AddPositive.words(weights: weights, amount: amount)))
    case .tone(.mixedGains(let curves)):
      append(words.stage(.mixedGains, MixedGains.words(curves) { words.table($0) }))
    case .tone(.pbrNeutral): append(words.stage(.pbrNeutral, PBRNeutral.words()))
    case .tone(.clamp(let low, let high)), .tone(.limit(let low, let high)), .clamp(let low, let high):
      append(words.stage(.clamp, ClampStage.words(low: low, high: high)))
    case .lut(let lut, let extrapolates, let interpolation): addLUT(lut, extrapolates, interpolation)
    case .bakedLUT(let size, let values):
      addCube(size: size, values: values, low: [0, 0, 0], high: [1, 1, 1], extrapolates: false)
    case .desaturate(let luminance, let peak):
      append(words.stage(.desaturate, Desaturate.words(luminance: luminance, peak: peak)))
    case .unpremultiply: append(words.stage(.unpremultiply, []))
    case .premultiply: append(words.stage(.premultiply, []))
    case .affine(let factors, let offsets): append(scale(factors, offsets))
    case .custom(let make): append(make(&words))
    }
  }

  private mutating func luminanceGain(
    _ octaves: Range<Int>, ofMagnitudes: Bool = false, _ f: (Double) -> Double
  ) {
    let table = CurveTable(octaves: octaves, k: 5, f)
    append(
      words.stage(
        .scaleByLuminance,
        ScaleByLuminance.words(
          weights: Transfer.HLG.luminance, ofMagnitudes: ofMagnitudes, table, offset: words.table(table.words))))
  }
}
