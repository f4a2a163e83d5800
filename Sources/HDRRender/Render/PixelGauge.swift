import CPURender
import GPURender
import HDRCore
import HDRPlan

/// Measures pixels from rows of a rendered picture, in any order and on any thread, or takes what a device has measured:
/// both give the same sums.
package protocol PixelGauge: Sendable {
  associatedtype Part: Sendable
  associatedtype Sums: Equatable

  func start() -> Part
  func add(_ image: SampleImage, _ rows: Range<Int>, _ part: inout Part)
  /// Returns the sums of a picture of so many pixels whose rows were added to these parts; `nil` for a layout that cannot
  /// be read.
  func sums(of parts: [Part], pixels: Int) -> Sums?

  /// A device measures this instead; `nil` if that is not enough.
  var measurement: Measurement? { get }
  /// Returns the sums of a picture that a device has measured; `nil` if its pixels have to be looked at.
  func sums(of measured: PixelSums, pixels: Int) -> Sums?
}

extension PixelGauge {
  /// Measures a picture; the pool's threads share the rows.
  package func measure(_ image: SampleImage, _ pool: BandPool) -> Sums? {
    sums(
      of: pool.reduce(rows: image.height) {
        add(image, $0, &$1)
      } start: {
        start()
      }, pixels: image.pixelCount)
  }
}

/// Measures `LightStatistics` of interleaved halves. A device counts no patterns, for it has no memory for that many counts in
/// each of its parts: of light that stays on it (`RenderBackends.keepLight`) it measures figures, and counts what is asked for.
package struct StatisticsGauge: PixelGauge {
  package init() {}
  package var measurement: Measurement? { .light }

  package func start() -> LightStatistics { LightStatistics() }
  package func add(_ image: SampleImage, _ rows: Range<Int>, _ part: inout LightStatistics) {
    part.add(image, rows: rows)
  }
  package func sums(of parts: [LightStatistics], pixels: Int) -> LightStatistics? {
    var whole = start()
    for part in parts { whole.merge(part) }
    return whole
  }
  package func sums(of measured: PixelSums, pixels: Int) -> LightStatistics? { nil }
}

/// Measures `GainStatistics` of planes of gains.
package struct GainGauge: PixelGauge {
  let planes: Int
  let countsBuckets: Bool

  package init(planes: Int, countsBuckets: Bool = false) {
    self.planes = planes
    self.countsBuckets = countsBuckets
  }

  package var measurement: Measurement? { countsBuckets ? nil : .planes(planes, bound: .infinity) }

  package func start() -> GainStatistics { GainStatistics(planes: planes, countsBuckets: countsBuckets) }
  package func add(_ image: SampleImage, _ rows: Range<Int>, _ part: inout GainStatistics) {
    part.add(image, rows: rows)
  }
  package func sums(of parts: [GainStatistics], pixels: Int) -> GainStatistics? {
    var whole = start()
    for part in parts { whole.merge(part) }
    return whole
  }
  package func sums(of measured: PixelSums, pixels: Int) -> GainStatistics? {
    GainStatistics(
      low: (0..<planes).map { measured.least($0) }, high: (0..<planes).map { measured.largest($0) }, count: pixels)
  }
}
