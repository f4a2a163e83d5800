import HDRCore
import Kernels

/// Raises saturation more for pale colours than for strong ones, and half as much near skin.
enum Vibrance: Filter {
  static let name = "vibrance"
  static let summary = "saturation for pale colours more than for strong ones, and half for skin"
  static let category = FilterCategory.color
  static let amount = FilterParameter("amount", .number(0, -1...1), "below 0 paler, above 0 stronger")
  static let parameters = [amount]
  static let headroomEffect = HeadroomEffect.unknown

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let amount = values.value(amount)
    if amount != 0 {
      edit.stage(.vibrance, VibranceStage.words(amount: amount, luminance: ColorTransform.luminance))
    }
  }
}
