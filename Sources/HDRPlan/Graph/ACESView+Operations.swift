import HDRCore
import Kernels

extension ACESView {
  /// Returns the operations from scene light, 1.0 = a perfect diffuser, to the view's light, 1.0 = `white` cd/m²; both
  /// in linear BT.2020.
  func operations(white: Double) -> [PixelOperation] {
    let toLight = Self.fromXYZ * (100 / white)
    switch self {
    case .aces2(let output):
      return [.matrix(Self.toWorking), output.step(isInverse: false), .matrix(toLight * output.toXYZ)]
    case .aces1(let output):
      return [.matrix(Self.toACES)] + output.operations(isInverse: false) + [.matrix(toLight)]
    }
  }

  /// Returns the operations from light, 1.0 = `white` cd/m², to the scene light that the view shows like that.
  func inverseOperations(white: Double) -> [PixelOperation] {
    let toLight = Self.fromXYZ * (100 / white)
    switch self {
    case .aces2(let output):
      return [
        .matrix((toLight * output.toXYZ).inverse!), output.step(isInverse: true), .matrix(Self.toWorking.inverse!),
      ]
    case .aces1(let output):
      return [.matrix(toLight.inverse!)] + output.operations(isInverse: true) + [.matrix(Self.toACES.inverse!)]
    }
  }

  private static let fromXYZ = Primaries.bt2020.rgbToXYZ!.inverse!
  private static let toACES = Primaries.bt2020.matrix(to: .aces)!
  private static let toWorking = Primaries.bt2020.matrix(to: .acesWorking)!
}

extension ACES1Output {
  /// Returns the operations from ACES2065-1 to CIE XYZ, 1.0 = 100 cd/m², or back.
  func operations(isInverse: Bool) -> [PixelOperation] { (isInverse ? inverseSteps : steps).flatMap(\.operations) }
}

extension ACESOutput {
  /// Returns the stage from AP1 to R, G, B of the limit, 1.0 = 100 cd/m², or back.
  func step(isInverse: Bool) -> PixelOperation {
    let words = ACESTable.words(self, isInverse: isInverse)
    return .custom { data in
      let table = data.table(words)
      return isInverse
        ? data.stage(.acesInverse, ACESInverseStage.words(table: table))
        : data.stage(.acesOutput, ACESOutputStage.words(table: table))
    }
  }
}

extension ACES1Head {
  /// Returns the stage of the change, or of its inverse.
  func step(isInverse: Bool = false) -> PixelOperation {
    .custom { words in
      let parameters = ACES1HeadStage.words(self, isInverse ? .inverse : .forward) { words.table($0) }
      return words.stage(.aces1Head, parameters)
    }
  }
}

extension ACES1Step {
  fileprivate var operations: [PixelOperation] {
    switch self {
    case .head(false): return [ACES1Head.output.step()]
    case .head(true):
      return [.custom { data in data.stage(.aces1HeadInverse, ACES1HeadInverse.words { data.table($0) }) }]
    case .matrix(let m): return [.matrix(m)]
    case .clamp(let low, let high): return [.clamp(low: low, high: high)]
    // All curves are constant below 2^-20 and from 2^17 on.
    case .tone(let tone, false): return [.tone(.curve(octaves: -20..<17, k: 5, tone.shown))]
    case .tone(let tone, true): return tone.inverseOperations
    case .scale(let weights, let exponent):
      return [
        .custom {
          let table = CurveTable(octaves: -33..<1, k: 4) { Self.factor($0, exponent) }
          return $0.stage(
            .scaleByLuminance, ScaleByLuminance.words(weights: weights, table, offset: $0.table(table.words)))
        }
      ]
    }
  }
}

extension ACES1Tone {
  /// The operations from a share of white to light. Tones are flat at both ends, so the light has a steep curve there: a
  /// first curve makes the upper half of shares negative, so that places are dense near both ends.
  fileprivate var inverseOperations: [PixelOperation] {
    let end = brightest, middle = end / 2, gap = 0x1p-20
    let halves = KnotCurve(
      pieces: [
        KnotCurve.Piece(start: 0, a: 0, b: 1 / end), KnotCurve.Piece(start: middle, a: -0.5 - gap, b: 1 / end),
      ], end: end)
    return [
      .knots([halves, halves, halves]),
      .custom { words in
        let dark = CurveTable(octaves: -30..<0, k: 6) { light(end * $0) }
        let bright = CurveTable(octaves: -30..<0, k: 6) { light(end * (1 + gap - max($0, gap))) }
        return words.stage(
          .signedCurve, SignedCurve.words([(dark, bright)], offsets: [words.table(dark.words + bright.words)]))
      },
    ]
  }
}
