import HDRCore

/// A LUT of the recipe's inputs in a colour space of its own (Core Image's colorCubeWithColorSpace;
/// docs/filter-formulas.md#luts).
enum ColorCube: Filter {
  static let name = "color-cube"
  static let summary = "a LUT, in the colour space it was made for"
  static let category = FilterCategory.color
  static let lut = FilterParameter("lut", .input(nil), "the LUT among the inputs")
  static let space = FilterParameter("space", .space(.srgb), "of its inputs and outputs: curve and primaries")
  static let extrapolate = FilterParameter("extrapolate", .flag(true), "go on beyond the LUT's domain; else cut")
  static let interpolation = FilterParameter(
    "interpolation", .choice("tetrahedral", LUTChoice.Interpolation.allCases.map(\.rawValue)), "between nodes")
  static let parameters = [lut, space, extrapolate, interpolation]
  static let headroomEffect = HeadroomEffect.unknown

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    try apply(lut, values, to: &edit)
  }

  static func apply(_ lut: FilterParameter, _ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let choice = choice(
      values, try edit.lut(values.input(lut) ?? ""), extrapolates: values.flag(extrapolate),
      .init(rawValue: values.choice(interpolation)) ?? .tetrahedral)
    edit.builder.add(choice.steps)
  }

  /// A LUT in the space that the values name.
  static func choice(
    _ values: FilterValues, _ lut: CubeLUT, extrapolates: Bool, _ interpolation: LUTChoice.Interpolation
  ) -> LUTChoice {
    LUTChoice(lut: lut, space: values.space(space), extrapolates: extrapolates, interpolation: interpolation)
  }
}
