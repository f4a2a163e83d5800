/// A measure of the difference of two pictures (docs/compare.md#metrics).
package enum Metric: String, Sendable, Hashable, CaseIterable {
  /// Stored samples that differ.
  case words
  /// dE ITP of each pixel (BT.2124).
  case deltaITP = "dE-ITP"
  /// dE ITP of what an eye sees.
  case deltaSeen = "dE-seen"
  /// PSNR of PQ signals in dB.
  case psnrPQ = "psnr-pq"
  /// PSNR of the PQ signal of luminance in dB.
  case psnrPQLuminance = "psnr-pq-y"
  /// PSNR of PU21 in dB.
  case psnrPU = "pu-psnr"
  /// Mean difference of luminance in stops.
  case bias
  /// Difference of the largest components in stops.
  case peak
  /// Share of pixels whose light was cut.
  case lost
  /// Turn of the hue of highlights in degrees.
  case hue
  /// More steps in gradients, per mille.
  case banding
  /// Rows of metadata that differ.
  case metadata
  /// Largest difference of alpha in 16-bit codes.
  case alpha
  /// Difference of the numbers of samples that are NaN or infinite.
  case nonfinite

  /// The metrics that are computed if none are named.
  package static let standard: [Metric] = [.words, .deltaITP, .deltaSeen, .psnrPQ, .bias, .metadata]

  /// True for a difference of each pixel, which needs an aggregate.
  package var isOfPixels: Bool { self == .deltaITP || self == .deltaSeen }

  /// True if the metric is of the files and not of a rendition.
  package var isOfFiles: Bool { [.words, .metadata, .alpha, .nonfinite].contains(self) }

  /// The order of renditions from good to bad.
  enum Order { case larger, smaller, magnitude }

  /// The rule by which a rendition is worse than another.
  var worse: Order {
    switch self {
    case .psnrPQ, .psnrPQLuminance, .psnrPU: .smaller
    case .bias, .peak, .hue, .banding: .magnitude
    case .words, .deltaITP, .deltaSeen, .lost, .metadata, .alpha, .nonfinite: .larger
    }
  }

  /// Returns the metric that a word means; `nil` for none.
  package static func named(_ word: String) -> Metric? {
    allCases.first { $0.rawValue.lowercased() == word.lowercased() }
  }
}

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
