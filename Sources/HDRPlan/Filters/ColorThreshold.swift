import HDRCore
import Kernels

/// Sets components that reach a threshold to 1, the others to 0: not HDR-safe by its nature.
enum ColorThreshold: Filter {
  static let name = "color-threshold"
  static let summary = "each component 1 where it reaches a threshold, else 0"
  static let category = FilterCategory.color
  static let threshold = FilterParameter("threshold", .number(0.5, -65504...65504), "linear light")
  static let parameters = [threshold]
  static let isHDRSafe = false
  static let cutsByName = true
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    .sdr
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    edit.stage(.colorThreshold, ThresholdStage.words(values.value(threshold)))
  }
}
