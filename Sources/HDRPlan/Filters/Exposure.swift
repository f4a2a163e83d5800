import HDRCore

/// Multiplies light by 2^ev.
enum Exposure: Filter {
  static let name = "exposure"
  static let summary = "light times 2^ev"
  static let category = FilterCategory.color
  static let ev = FilterParameter("ev", .number(0, -20...20), "stops")
  static let parameters = [ev]
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    Headroom(stops: max(0, content.stops + values.value(ev)))
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    edit.matrix(.identity * ExactMath.exp2(values.value(ev)))
  }
}
