import HDRCore

/// Mean of premultiplied colour and alpha of each column of an extent, in the trees of `AreaAverage`.
enum ColumnAverage: Filter {
  static let name = "column-average"
  static let summary = "one row: the mean of each column of an area"
  static let category = FilterCategory.reduction
  static let parameters = [Reduction.extent]
  static let alpha = AlphaRule.premultiplied

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    try edit.cutToExtent(values, name)
    edit.premultiply()
    edit.averageColumns()
    edit.unpremultiply()
  }
}

/// Mean of premultiplied colour and alpha of each row of an extent, in the trees of `AreaAverage`.
enum RowAverage: Filter {
  static let name = "row-average"
  static let summary = "one column: the mean of each row of an area"
  static let category = FilterCategory.reduction
  static let parameters = [Reduction.extent]
  static let alpha = AlphaRule.premultiplied

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    try edit.cutToExtent(values, name)
    edit.premultiply()
    edit.averageRows()
    edit.unpremultiply()
  }
}
