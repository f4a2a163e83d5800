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
  package enum Order { case larger, smaller, magnitude }

  /// The rule by which a rendition is worse than another.
  package var worse: Order {
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

/// A number that stands for the differences of all pixels.
package enum Aggregate: String, Sendable, Hashable, CaseIterable {
  case mean, rms, p50, p95, p99
  case p999 = "p99.9"
  case max, tile
}
