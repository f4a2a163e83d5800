import HDRCore
import Kernels

/// The sRGB curve as a filter: linear light to sRGB signals, continued above 1 and odd below 0
/// (docs/colour-formulas.md#transfer).
enum LinearToSRGB: Filter {
  static let name = "linear-to-srgb"
  static let summary = "linear light to sRGB signals, as values of their own"
  static let category = FilterCategory.color
  static let parameters: [FilterParameter] = []
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    content.stops > 100 ? nil : Headroom(factor: max(1, Transfer.sRGBEncode(content.factor)))
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    edit.curve(octaves: -20..<20, k: 6) { Transfer.sRGBEncode($0) }
  }
}

/// Converts sRGB signals to linear light, the inverse of `LinearToSRGB`; results are kept within 2^20.
enum SRGBToLinear: Filter {
  static let name = "srgb-to-linear"
  static let summary = "takes values for sRGB signals and makes them linear light"
  static let category = FilterCategory.color
  static let parameters: [FilterParameter] = []
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    content.stops > 100 ? nil : Headroom(factor: max(1, Transfer.sRGBDecode(content.factor)))
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    edit.curve(octaves: -12..<20, k: 6) { min(Transfer.sRGBDecode($0), Double(E32.largest)) }
  }
}
