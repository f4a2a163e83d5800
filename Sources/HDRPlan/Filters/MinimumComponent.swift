import HDRCore
import Kernels

/// Grey of the smallest of R, G and B.
enum MinimumComponent: Filter {
  static let name = "minimum-component"
  static let summary = "grey of the smallest of R, G and B"
  static let category = FilterCategory.color
  static let parameters: [FilterParameter] = []

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    edit.stage(.component, ComponentStage.words(.minimum))
  }
}
