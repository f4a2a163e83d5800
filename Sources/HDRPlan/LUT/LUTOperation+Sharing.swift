import HDRCore
import OCIOConfig

/// Operations that CLF and configs both have, of their parameters.
extension LUTOperation {
  /// A logarithm of a channel; camera styles have a line below `limit`, of the logarithm's slope there unless one is given.
  struct Logarithm {
    var base = 2.0
    var sides = LogSides()
    var limit: Double?
    var lineSlope: Double?

    /// True if the logarithm of the limit exists.
    var hasLimit: Bool { (limit ?? 1) * sides.linSlope + sides.linOffset > 0 || limit == nil }
  }

  /// Returns the operations of three logarithms, all with a limit or none.
  static func logarithms(_ logs: [Logarithm]) -> [LUTOperation] {
    let inner = affine(logs.map(\.sides.linSlope), logs.map(\.sides.linOffset))
    guard logs[0].limit != nil else {
      return [
        inner, .formulas(logs.map { .log(base: $0.base) }),
        affine(logs.map(\.sides.logSlope), logs.map(\.sides.logOffset)),
      ]
    }
    return [
      inner,
      .formulas(
        logs.map { log in
          .camera(
            CameraLog(
              base: log.base, scale: log.sides.logSlope, offset: log.sides.logOffset,
              limit: (log.limit ?? 0) * log.sides.linSlope + log.sides.linOffset,
              lineSlope: log.lineSlope.map { $0 / log.sides.linSlope }), isReversed: false)
        }),
    ]
  }

  /// Returns the operations of a range: a scale and an offset, then bounds if it clamps.
  static func range(_ range: ConfigRange) -> [LUTOperation] {
    guard let low = range.low, let high = range.high else {
      let offset = [range.low, range.high].compactMap(\.self).first.map { $0.to - $0.from } ?? 0
      return [affine([1, 1, 1], [offset, offset, offset]), .clamp(low: range.low?.to, high: range.high?.to)]
    }
    let scale = (high.to - low.to) / (high.from - low.from), offset = low.to - low.from * scale
    return [affine([scale, scale, scale], [offset, offset, offset])]
      + (range.clamps ? [.clamp(low: low.to, high: high.to)] : [])
  }

  /// Returns the operations of exposure and contrast about a pivot.
  static func exposureContrast(_ numbers: ExposureContrast) -> [LUTOperation] {
    func three(_ x: Double) -> [Double] { [x, x, x] }
    let contrast = max(0.001, numbers.contrast * numbers.gamma), pivot = max(0.001, numbers.pivot)
    guard numbers.style != .log else {
      let step = numbers.logExposureStep, center = ExactMath.log2(pivot / 0.18) * step + numbers.logMidGray
      return [affine(three(contrast), three((numbers.exposure * step - center) * contrast + center))]
    }
    let video = numbers.style == .video ? 1 / 1.83 : 1
    let level = ExactMath.pow(pivot, video), gain = ExactMath.exp2(numbers.exposure * video)
    return [
      affine(three(gain / level), three(0)), .formula(.power(contrast, .clamp)), affine(three(level), three(0)),
    ]
  }
}
