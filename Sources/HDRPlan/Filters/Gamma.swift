import HDRCore
import Kernels

/// Raises each component to a power, keeping its sign (Core Image's gammaAdjust). Results are kept within 2^20.
enum Gamma: Filter {
  static let name = "gamma"
  static let summary = "each component to a power; its sign stays"
  static let category = FilterCategory.color
  static let power = FilterParameter("power", .number(1, 0.1...10), "exponent; above 1 darker below white")
  static let parameters = [power]
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    Headroom(stops: max(0, content.stops * values.value(power)))
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let p = values.value(power)
    if p == 1 { return }
    edit.curve(octaves: -30..<20, k: p > 4 ? 7 : 6) { min(ExactMath.pow($0, p), Double(E32.largest)) }
  }
}
