import HDRRecipe

/// The value of a metric: numbers for all pixels, one number, or a shift. A number that cannot be told is missing.
package enum MetricValue: Sendable, Hashable {
  case pixels(PixelNumbers)
  case number(Double)
  /// The number is the distance.
  case shift(PhaseShift)

  /// Returns the number that an aggregate has, or that the metric is.
  package subscript(aggregate: Aggregate?) -> Double? {
    switch (self, aggregate) {
    case (.pixels(let pixels), let aggregate?): pixels.numbers[aggregate]
    case (.number(let number), nil): number
    case (.shift(let shift), nil): shift.distance
    default: nil
    }
  }

  /// True if the value shows no difference: 0, infinite decibels, or the highest score.
  func isNone(of metric: Metric) -> Bool {
    switch self {
    case .pixels(let pixels): pixels.numbers[.max] == 0
    case .shift(let shift): shift.distance == 0
    case .number(1): metric == .ssim
    case .number(100): metric == .ssimulacra2
    case .number(let number): number == 0 || number == .infinity && metric.worse == .smaller
    }
  }

  /// The shift; `nil` for other values.
  package var shift: PhaseShift? { if case .shift(let shift) = self { shift } else { nil } }

  /// The numbers of all pixels; `nil` for other values.
  package var pixels: PixelNumbers? { if case .pixels(let pixels) = self { pixels } else { nil } }
}

/// The numbers that stand for the differences of all pixels, and where the largest are.
package struct PixelNumbers: Sendable, Hashable {
  package var numbers: [Aggregate: Double]
  package var most: DifferenceSums.Place?
  package var tile: DifferenceSums.Tile?
  /// The exposures that FLIP of HDR looked at.
  package var exposures: FlipExposures?
  /// True for differences of which 0.001 is much.
  package var isFine = false

  package init(_ numbers: [Aggregate: Double]) { self.numbers = numbers }

  package init(_ sums: DifferenceSums, exposures: FlipExposures? = nil) {
    (self.exposures, isFine) = (exposures, sums.unit == DifferenceSums.fineUnit)
    numbers = Aggregate.allCases.reduce(into: [:]) { $0[$1] = sums[$1] }
    (most, tile) = (sums.most, sums.tile)
  }
}
