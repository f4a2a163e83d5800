import HDRCore

/// The pixel with the smallest alpha over an extent, chosen among several as in `AreaMaximumAlpha`.
enum AreaMinimumAlpha: Filter {
  static let name = "area-minimum-alpha"
  static let summary = "one pixel: that with the smallest alpha of an area"
  static let category = FilterCategory.reduction
  static let parameters = [Reduction.extent]
  static let alpha = AlphaRule.made

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    try edit.cutToExtent(values, name)
    edit.reduce(.minimumAlpha)
  }
}
