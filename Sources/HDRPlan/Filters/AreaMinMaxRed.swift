import HDRCore

/// One pixel: the smallest red of an extent as R, the largest as G, 0 and alpha 1; colours not multiplied by alpha.
enum AreaMinMaxRed: Filter {
  static let name = "area-min-max-red"
  static let summary = "one pixel: the smallest and the largest red of an area, as R and G"
  static let category = FilterCategory.reduction
  static let parameters = [Reduction.extent]
  static let alpha = AlphaRule.made

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    try edit.cutToExtent(values, name)
    // The largest is the smallest of the negative.
    edit.matrix(Matrix3([1, 0, 0, -1, 0, 0, 0, 0, 0]))
    edit.makeOpaque()
    edit.reduce(.minimum)
    edit.matrix(.diagonal(1, -1, 0))
  }
}
