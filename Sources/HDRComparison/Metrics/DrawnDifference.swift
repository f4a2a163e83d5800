import HDRCore
import HDRRecipe

/// A metric is drawn as a map of all pixels, with the squares where they differ most.
struct DrawnDifference: Sendable {
  let metric: Metric
  private(set) var map: HeatMap?
  private(set) var tiles: TileSums?

  /// - Parameters:
  ///   - draws: true for a map.
  ///   - crops: true for the squares.
  init(_ metric: Metric, width: Int, height: Int, draws: Bool, crops: Bool) {
    self.metric = metric
    if draws { map = HeatMap(width: width, height: height, isFine: metric.isFine) }
    if crops { tiles = TileSums(width: width, height: height, isFine: metric.isFine) }
  }

  /// Adds rows of a plane of the metric's differences.
  ///
  /// - Parameter top: the row of the picture at the plane's row 0.
  mutating func add(_ plane: SamplePlane, rows: Range<Int>, top: Int) {
    for y in rows { add(plane.floats(row: y), width: plane.width, y: y + top) }
  }

  /// Adds all differences of a metric that the CPU computes.
  mutating func add(_ differences: @escaping RowDifferences, width: Int, height: Int, _ threads: MetricThreads) {
    // Planes of filters stay in the cache.
    let rows = 64
    self = threads.reduced(height, self) { band, part in
      for first in stride(from: band.lowerBound, to: band.upperBound, by: rows) {
        let found = differences(first..<min(first + rows, band.upperBound))
        for y in found.rows { found.withRow(y) { part.add($0, width: width, y: y) } }
      }
    } merge: {
      $0.map?.merge($1.map)
      $0.tiles?.merge($1.tiles)
    }
  }

  private mutating func add(_ row: UnsafePointer<Float>, width: Int, y: Int) {
    map?.add(row, width: width, y: y)
    tiles?.add(row, width: width, y: y)
  }
}

/// Returns differences of rows of two pictures.
typealias RowDifferences = @Sendable (Range<Int>) -> PlaneBand<Float>

extension HostMetrics {
  /// Returns what gives the differences of each pixel; `nil` for a metric that plans make, and where it has none.
  static func differences(
    of metric: Metric, _ a: SampleImage, _ b: SampleImage, isSDR: Bool, _ threads: MetricThreads
  ) -> RowDifferences? {
    let shownA = DisplayLight(a), shownB = DisplayLight(b)
    switch metric {
    case .flip: return FlipDifference.differences(shownA, shownB, isSDR: isSDR, threads)
    case .delta2000, .deltaOK:
      guard isSDR else { return nil }
      return { rows in ChartDifference.differences(metric, shownA, shownB, rows) }
    default: return nil
    }
  }
}
