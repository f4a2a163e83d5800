import HDRCore
import Kernels

/// Grey of the largest of R, G and B.
enum MaximumComponent: Filter {
  static let name = "maximum-component"
  static let summary = "grey of the largest of R, G and B"
  static let category = FilterCategory.color
  static let parameters: [FilterParameter] = []

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    edit.stage(.component, ComponentStage.words(.maximum))
  }
}
