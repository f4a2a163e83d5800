import HDRCore
import HDRPlan

/// The light of a rendition: its figures, and a headroom by any rule, for which pixels are counted when it is asked for.
package struct MeasuredLight {
  let figures: LightFigures
  private let pattern: (_ above: Int) throws(HDRError) -> Int

  /// - Parameter pattern: as of `LightFigures.headroom`.
  init(_ figures: LightFigures, pattern: @escaping (_ above: Int) throws(HDRError) -> Int) {
    (self.figures, self.pattern) = (figures, pattern)
  }

  init(_ statistics: LightStatistics) {
    self.init(statistics.figures) { statistics.pattern(above: $0) }
  }

  func headroom(_ measure: HeadroomMeasure) throws(HDRError) -> Headroom {
    try figures.headroom(measure, pattern: pattern)
  }
}
