import HDRRecipe

/// The value of a metric: numbers for all pixels, or one number. A number that cannot be told is missing.
package enum MetricValue: Sendable, Hashable {
  case pixels(PixelNumbers)
  case number(Double)

  /// Returns the number that an aggregate has, or that the metric is.
  package subscript(aggregate: Aggregate?) -> Double? {
    switch (self, aggregate) {
    case (.pixels(let pixels), let aggregate?): pixels.numbers[aggregate]
    case (.number(let number), nil): number
    default: nil
    }
  }

  /// True if the value shows no difference: 0, or infinite decibels.
  func isNone(of metric: Metric) -> Bool {
    switch self {
    case .pixels(let pixels): pixels.numbers[.max] == 0
    case .number(let number): number == 0 || number == .infinity && metric.worse == .smaller
    }
  }

  /// The numbers of all pixels; `nil` for one number.
  package var pixels: PixelNumbers? { if case .pixels(let pixels) = self { pixels } else { nil } }
}

/// The numbers that stand for the differences of all pixels, and where the largest are.
package struct PixelNumbers: Sendable, Hashable {
  package var numbers: [Aggregate: Double]
  package var most: DifferenceSums.Place?
  package var tile: DifferenceSums.Tile?

  package init(_ numbers: [Aggregate: Double]) { self.numbers = numbers }

  package init(_ sums: DifferenceSums) {
    numbers = Aggregate.allCases.reduce(into: [:]) { $0[$1] = sums[$1] }
    (most, tile) = (sums.most, sums.tile)
  }
}
