import HDRCore
import Kernels

/// Clamps each of R, G, B, A between bounds of its own; the upper one wins. The defaults cut all light above reference
/// white: it is not HDR-safe, and its name says so.
enum ColorClamp: Filter {
  static let name = "color-clamp"
  static let summary = "each component between a minimum and a maximum; by default cuts HDR light off"
  static let category = FilterCategory.color
  static let low = FilterParameter("min", .vector([0, 0, 0, 0], size: 4, -65504...65504), "least R, G, B, A")
  static let high = FilterParameter("max", .vector([1, 1, 1, 1], size: 4, -65504...65504), "largest R, G, B, A")
  static let parameters = [low, high]
  static let isHDRSafe = false
  static let cutsByName = true
  static let alpha = AlphaRule.made
  static let headroomEffect = HeadroomEffect.recomputed

  private static func bounds(_ values: FilterValues) -> (low: [Double], high: [Double]) {
    (values.vector(low) ?? [0, 0, 0, 0], values.vector(high) ?? [1, 1, 1, 1])
  }

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    let (low, high) = bounds(values)
    let most = zip(low, high).prefix(3).map { min(max(content.factor, $0), $1) }.max() ?? 1
    return Headroom(factor: max(1, most))
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let (low, high) = bounds(values)
    if low[3] > 0 || high[3] < 1 { edit.makeTransparent() }
    edit.stage(.clampEach, ClampEach.words(low: low, high: high))
  }
}
