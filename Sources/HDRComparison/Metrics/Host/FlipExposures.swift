import HDRCore

/// The exposures at which HDR-FLIP looks at a picture, in stops: evenly spaced from `start` to `stop`. Values of other
/// exposures are not comparable. Source: Andersson et al., "Visualizing Errors in Rendered High Dynamic Range Images",
/// Eurographics 2021.
package struct FlipExposures: Sendable, Hashable {
  package let start: Double
  package let stop: Double
  package let count: Int

  /// The signal of the tone curve that the brightest pixel has at the first exposure, and the median at the last.
  private static let signal = 0.85

  /// The least median in cd/m²: more than half of a picture may be black, which no exposure shows.
  private static let leastMedian = 0.005

  /// Finds the exposures of the reference.
  ///
  /// - Returns: `nil` if all of it is darker than `leastMedian`.
  init?(_ reference: DisplayLight, _ threads: MetricThreads) {
    let count = reference.width * reference.height
    let ranks = [(count - 1) / 2, count / 2, count - 1]
    let found = RankedValue.values(of: ranks, rows: reference.height, threads) { y, take in
      var row = ColorRow<Float>(width: reference.width)
      reference.fill(y, &row)
      row.change { r, g, b in for x in 0..<reference.width { take(0.2126 * r[x] + 0.7152 * g[x] + 0.0722 * b[x]) } }
    }.map(Double.init)
    let floor = Self.leastMedian / ReferenceWhite.nits
    guard found.count == 3, found[2] >= floor else { return nil }
    // The curve of `RowLoops.toneOfFlip` has the signal at the larger root.
    let t = Self.signal, a = 0.9036 - t * 0.8748, b = 0.018 - t * 0.354, c = -t * 0.14
    let x = (-b + (b * b - 4 * a * c).squareRoot()) / (2 * a)
    start = ExactMath.log2(x / found[2])
    stop = max(start, ExactMath.log2(x / max((found[0] + found[1]) / 2, floor)))
    self.count = max(2, Int((stop - start).rounded(.up)))
  }

  /// The factors of light.
  var factors: [Float] {
    (0..<count).map { Float(ExactMath.exp2(start + Double($0) * (stop - start) / Double(count - 1))) }
  }
}
