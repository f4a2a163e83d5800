import HDRCore
import Kernels

/// A filter that makes one pixel, one row or one column of an extent.
protocol ReductionFilter: Filter {
  /// Reduces the picture, which is the extent.
  static func reduce(_ values: FilterValues, _ edit: inout Edit) throws(PlanError)
}

extension ReductionFilter {
  static var category: FilterCategory { .reduction }
  static var parameters: [FilterParameter] { [Reduction.extent] }
  static var alpha: AlphaRule { .made }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    try edit.cutToExtent(values, name)
    try reduce(values, &edit)
  }
}

/// The parameter that the reductions share.
enum Reduction {
  static let extent = FilterParameter(
    "extent", .vector(nil, size: 4, -1_048_576...1_048_576), "x, y, width, height in pixels; without it all")
}

extension Edit {
  /// Crops the picture to a filter's extent.
  mutating func cutToExtent(_ values: FilterValues, _ filter: String) throws(PlanError) {
    guard let (x, y) = try extent(values, filter) else { return }
    remap(
      width: x.count, height: y.count,
      SourceMapping(x0: x.lowerBound, y0: y.lowerBound, columnX: 1, columnY: 0, rowX: 0, rowY: 1))
  }

  /// Returns the columns and rows of the picture that a filter's extent has; `nil` if none is given.
  func extent(_ values: FilterValues, _ filter: String) throws(PlanError) -> (x: Range<Int>, y: Range<Int>)? {
    guard let r = values.vector(Reduction.extent) else { return nil }
    let x0 = max(0, Int(r[0].rounded())), y0 = max(0, Int(r[1].rounded()))
    let x1 = min(width, Int((r[0] + r[2]).rounded())), y1 = min(height, Int((r[1] + r[3]).rounded()))
    guard x1 > x0, y1 > y0 else {
      throw .invalidParameter("\(filter): the extent lies outside the picture of \(width)x\(height)")
    }
    return (x0..<x1, y0..<y1)
  }
}

/// The largest value of each component over an extent, unclamped; colours not multiplied by alpha.
enum AreaMaximum: ReductionFilter {
  static let name = "area-maximum"
  static let summary = "one pixel: the largest of each component of an area"

  static func reduce(_ values: FilterValues, _ edit: inout Edit) { edit.reduce(.maximum) }
}

/// The smallest value of each component over an extent, unclamped; colours not multiplied by alpha.
enum AreaMinimum: ReductionFilter {
  static let name = "area-minimum"
  static let summary = "one pixel: the smallest of each component of an area"

  static func reduce(_ values: FilterValues, _ edit: inout Edit) { edit.reduce(.minimum) }
}

/// The pixel with the largest alpha over an extent. Among several, blocks of 64 x 16 pixels each give their first one,
/// row by row. Blocks of the results do the same, until one pixel is left. An opaque picture gives its top left pixel.
enum AreaMaximumAlpha: ReductionFilter {
  static let name = "area-maximum-alpha"
  static let summary = "one pixel: that with the largest alpha of an area"

  static func reduce(_ values: FilterValues, _ edit: inout Edit) { edit.reduce(.maximumAlpha) }
}

/// Two pixels side by side: smallest and largest value of each component over an extent.
enum AreaMinMax: ReductionFilter {
  static let name = "area-min-max"
  static let summary = "two pixels: the smallest and the largest of each component of an area"

  static func reduce(_ values: FilterValues, _ edit: inout Edit) {
    let picture = edit.planes(), hadAlpha = edit.hasAlpha
    var ends: [PlaneRef] = []
    for kind in [Extreme.Kind.minimum, .maximum] {
      edit.use(picture)
      edit.reduce(kind)
      ends.append(edit.builder.close(channels: 4))
    }
    // Begins with transparent black, and adds both results at their places.
    edit.builder.begin(width: 2, height: 1)
    for (x, end) in ends.enumerated() {
      let source = edit.read(end, rows: edit.rows(of: end))
      edit.stage(.composite, Compositing.words(.addition, source: source, x: x, y: 0, width: 1, height: 1))
    }
    if !hadAlpha { edit.makeOpaque() }
  }
}

/// The pixel with the smallest alpha over an extent, chosen among several as in `AreaMaximumAlpha`.
enum AreaMinimumAlpha: ReductionFilter {
  static let name = "area-minimum-alpha"
  static let summary = "one pixel: that with the smallest alpha of an area"

  static func reduce(_ values: FilterValues, _ edit: inout Edit) { edit.reduce(.minimumAlpha) }
}
