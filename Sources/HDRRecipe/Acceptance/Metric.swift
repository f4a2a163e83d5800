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
  /// The change of the 99.99th percentile of pixels' largest components, in stops.
  case peakShare = "peak-p99.99"
  /// Share of pixels whose light was cut.
  case lost
  /// Turn of the hue of highlights in degrees.
  case hue
  /// More steps in gradients, per mille.
  case banding
  /// FLIP of each pixel; of HDR the largest of several exposures.
  case flip
  /// SSIM of PU21 luminance.
  case ssim
  /// Score of ssimulacra2 for the SDR rendition.
  case ssimulacra2
  /// CIEDE2000 of each pixel of the SDR rendition.
  case delta2000 = "dE-2000"
  /// Distance in Oklab of each pixel of the SDR rendition.
  case deltaOK = "dE-OK"
  /// Distance by which B lies beside A in pixels; of gain maps with `@map`.
  case shift
  /// Difference of the gains of two gain maps in stops, of each pixel of the maps.
  case maps
  /// Rows of metadata that differ.
  case metadata
  /// Largest difference of alpha in 16-bit codes.
  case alpha
  /// Difference of the numbers of samples that are NaN or infinite.
  case nonfinite

  /// The metrics that are computed if none are named.
  package static let standard: [Metric] = [.words, .deltaITP, .deltaSeen, .psnrPQ, .bias, .metadata]

  /// True for a difference of each pixel, which needs an aggregate.
  package var isOfPixels: Bool { [.deltaITP, .deltaSeen, .flip, .delta2000, .deltaOK, .maps].contains(self) }

  /// The metrics whose differences can be drawn: of each pixel of a rendition.
  package static let drawn: [Metric] = allCases.filter { $0.isOfPixels && !$0.isOfFiles }

  /// True for a difference of each pixel that is hardly ever larger than 1.
  package var isFine: Bool { self == .flip || self == .deltaOK }

  /// True if the metric is of the files and not of a rendition.
  package var isOfFiles: Bool { [.words, .maps, .metadata, .alpha, .nonfinite].contains(self) }

  /// True if the metric is of the SDR rendition alone, that of headroom 1.
  package var isOfSDR: Bool { [.ssimulacra2, .delta2000, .deltaOK].contains(self) }

  /// True if the CPU computes the metric from light, whichever device renders.
  package var isOfCPU: Bool { isInBands || self == .shift || self == .maps || self == .peakShare }

  /// True if threads compute the metric in bands of rows, whichever device renders.
  package var isInBands: Bool { isOfSDR || self == .flip || self == .ssim }

  /// Returns true if the metric can have a value of a rendition, or of a part of files.
  package func has(_ part: AcceptExpression.Selector) -> Bool {
    switch part {
    case .base: self == .words
    case .map: self == .words || self == .shift
    case .full, .headroom: !isOfFiles
    }
  }

  /// The order of renditions from good to bad.
  package enum Order { case larger, smaller, magnitude }

  /// The rule by which a rendition is worse than another.
  package var worse: Order {
    switch self {
    case .psnrPQ, .psnrPQLuminance, .psnrPU, .ssim, .ssimulacra2: .smaller
    case .bias, .peak, .peakShare, .hue, .banding: .magnitude
    case .words, .deltaITP, .deltaSeen, .lost, .flip, .delta2000, .deltaOK, .shift, .maps, .metadata, .alpha,
      .nonfinite:
      .larger
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
