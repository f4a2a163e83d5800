import HDRCore
import Kernels

/// Rounds each component to the nearest of equal steps: floor(c n + 0.5) / n, above white and below black too.
enum ColorPosterize: Filter {
  static let name = "color-posterize"
  static let summary = "each component to the nearest of equal steps"
  static let category = FilterCategory.color
  static let levels = FilterParameter("levels", .number(6, 1...1024), "steps from black to reference white")
  static let parameters = [levels]
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    let n = values.value(levels)
    return Headroom(factor: max(1, (content.factor * n + 0.5).rounded(.down) / n))
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    edit.stage(.colorPosterize, PosterizeStage.words(levels: values.value(levels)))
  }
}
