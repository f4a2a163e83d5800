import HDRCore

/// One pixel: the smallest red of an extent as R, the largest as G, 0 and alpha 1; colours not multiplied by alpha.
enum AreaMinMaxRed: ReductionFilter {
  static let name = "area-min-max-red"
  static let summary = "one pixel: the smallest and the largest red of an area, as R and G"

  static func reduce(_ values: FilterValues, _ edit: inout Edit) {
    // The largest is the smallest of the negative.
    edit.matrix(Matrix3([1, 0, 0, -1, 0, 0, 0, 0, 0]))
    edit.makeOpaque()
    edit.reduce(.minimum)
    edit.matrix(.diagonal(1, -1, 0))
  }
}
