import HDRCore

/// Makes the next filter that samples take the nearest pixel, unless its `sampling` is given; changes nothing itself.
enum SampleNearest: Filter {
  static let name = "sample-nearest"
  static let summary = "the next filter that moves pixels freely takes the nearest one, unless told otherwise"
  static let category = FilterCategory.geometry
  static let parameters: [FilterParameter] = []
  static let isGeometric = true
  static func keepsPixels(_ values: FilterValues) -> Bool { true }
  static func move(_ size: PictureSize, _ values: FilterValues) -> PixelMove? { PixelMove(size) }

  static func apply(_ values: FilterValues, to edit: inout Edit) {}

  /// Returns steps with what these filters tell those behind them.
  static func heeded(by steps: [FilterStep]) -> [FilterStep] {
    var isAsked = false
    return steps.map { step in
      if step.filter == SampleNearest.self { isAsked = true }
      guard isAsked, step.filter?.parameters.contains(Warping.sampling) == true else { return step }
      isAsked = false
      var told = step
      if step.values.values[Warping.sampling.name] == nil {
        told.values.values[Warping.sampling.name] = .word(Warping.Sampling.nearest.rawValue)
      }
      return told
    }
  }
}
