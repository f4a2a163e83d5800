import HDRCore

/// The parameters that the histograms share.
enum HistogramFilter {
  static let count = FilterParameter("count", .count(64, 1...2048), "number of bins: pixels of the row")
  static let scale = FilterParameter(
    "scale", .number(1, 0...65536), "a bin's value is scale times its share of the pixels")

  static func headroom(_ values: FilterValues) -> Headroom { Headroom(factor: max(1, values.value(scale))) }
}

/// A row of `count` pixels: shares of the pixels of an extent whose component, not multiplied by alpha, lies in equal
/// parts of 0...1 of linear light; what lies outside counts in the end bins.
enum AreaHistogram: ReductionFilter {
  static let name = "area-histogram"
  static let summary = "a row: histogram of 0 to 1 of an area"
  static let parameters = [Reduction.extent, HistogramFilter.count, HistogramFilter.scale]
  static let isHDRSafe = false
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    HistogramFilter.headroom(values)
  }

  static func reduce(_ values: FilterValues, _ edit: inout Edit) {
    edit.histogram(
      count: values.count(HistogramFilter.count) ?? 64, stops: nil, scale: values.value(HistogramFilter.scale))
  }
}

/// A histogram over log2 of light: bin = floor((clamp(log2 c, min, max) - min) / (max - min) count). Alpha's bins are
/// linear. Edges of bins are exact: light of 2^(min + i (max - min) / count) is the first of bin i.
enum AreaLogarithmicHistogram: ReductionFilter {
  static let name = "area-logarithmic-histogram"
  static let summary = "a row: histogram of stops of an area"
  static let minimumStop = FilterParameter(
    "minimum-stop", .number(-10, -24...4), "log2 of light where the first bin begins")
  static let maximumStop = FilterParameter(
    "maximum-stop", .number(4, -20...20), "log2 of light where the last bin ends; a stop or more above minimumStop")
  static let parameters = [
    Reduction.extent, HistogramFilter.count, minimumStop, maximumStop, HistogramFilter.scale,
  ]
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    HistogramFilter.headroom(values)
  }

  static func reduce(_ values: FilterValues, _ edit: inout Edit) throws(PlanError) {
    let low = values.value(minimumStop), high = values.value(maximumStop)
    guard high - low >= 1 else {
      throw .invalidParameter("areaLogarithmicHistogram: maximumStop is at least minimumStop + 1")
    }
    edit.histogram(
      count: values.count(HistogramFilter.count) ?? 64, stops: low...high, scale: values.value(HistogramFilter.scale))
  }
}
