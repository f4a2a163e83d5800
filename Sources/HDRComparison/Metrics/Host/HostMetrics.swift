import HDRCore
import HDRRecipe
import Kernels

/// The metrics that the CPU computes from light, whichever device renders it (docs/compare.md#exactness).
enum HostMetrics {
  /// Returns those that were asked for and can be told.
  ///
  /// - Parameter isSDR: true for renditions of headroom 1.
  static func values(
    _ a: SampleImage, _ b: SampleImage, _ metrics: Set<Metric>, isSDR: Bool, _ threads: MetricThreads
  ) -> [Metric: MetricValue] {
    let shownA = DisplayLight(a), shownB = DisplayLight(b)
    var result: [Metric: MetricValue] = [:]
    if metrics.contains(.peakShare) {
      result[.peakShare] = peakShare(a, b, threads).map { .number($0) }
    }
    if metrics.contains(.flip), let flip = FlipDifference(shownA, shownB, isSDR: isSDR, threads) {
      result[.flip] = .pixels(PixelNumbers(flip.sums, exposures: flip.exposures))
    }
    if metrics.contains(.shift) {
      result[.shift] = LuminanceWindow(a, threads).shift(a, b).map { .shift($0) }
    }
    guard isSDR else { return result }
    if metrics.contains(.ssimulacra2) {
      result[.ssimulacra2] = Ssimulacra2.score(shownA, shownB, threads).map { .number($0) }
    }
    if !metrics.isDisjoint(with: [.delta2000, .deltaOK]) {
      let charts = ChartDifference(shownA, shownB, metrics, threads)
      if metrics.contains(.delta2000) { result[.delta2000] = .pixels(PixelNumbers(charts.standard)) }
      if metrics.contains(.deltaOK) { result[.deltaOK] = .pixels(PixelNumbers(charts.ok)) }
    }
    return result
  }

  /// Returns the ratio of the 99.99th percentiles of pixels' largest components, B over A, in stops.
  private static func peakShare(_ a: SampleImage, _ b: SampleImage, _ threads: MetricThreads) -> Double? {
    func value(_ light: SampleImage) -> Float? {
      let rank = max(1, (light.pixelCount * 9_999 + 9_999) / 10_000) - 1
      return RankedValue.values(of: [rank], rows: light.height, threads) { y, take in
        let r = light.channels[0].floats(row: y), g = light.channels[1].floats(row: y)
        let b = light.channels[2].floats(row: y)
        for x in 0..<light.width { take(max(0, largest(r[x], g[x], b[x]))) }
      }.first
    }
    guard let inA = value(a), let inB = value(b) else { return nil }
    return LightPeaks(a: inA, b: inB).stops
  }
}
