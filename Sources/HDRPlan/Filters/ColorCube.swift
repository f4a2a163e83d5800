import HDRCore

/// A LUT of the recipe's inputs in a colour space of its own (Core Image's colorCubeWithColorSpace;
/// docs/filter-formulas.md#luts).
enum ColorCube: Filter {
  static let name = "color-cube"
  static let summary = "what a LUT file holds, in the colour space it was made for"
  static let category = FilterCategory.color
  static let lut = FilterParameter("lut", .input(nil), "the LUT among the inputs, or its file")
  static let space = FilterParameter("space", .space(.srgb), "of its inputs and outputs: curve and primaries")
  static let extrapolate = FilterParameter("extrapolate", .flag(true), "go on beyond the LUT's domain; else cut")
  static let interpolation = FilterParameter(
    "interpolation", .choice("tetrahedral", LUTChoice.Interpolation.allCases.map(\.rawValue)),
    "between nodes; nearest takes the value of one, in 1D tables too")
  static let inverse = FilterParameter("inverse", .flag(false), "undo the LUT; 3D tables cannot be undone")
  static let parameters = [lut, space, extrapolate, interpolation, inverse]
  static let headroomEffect = HeadroomEffect.unknown

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    try apply(lut, values, to: &edit)
  }

  static func apply(_ lut: FilterParameter, _ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    var chain = try edit.lut(values.input(lut) ?? "")
    if values.flag(inverse) { chain = try chain.undone(in: name) }
    let choice = choice(
      values, chain, extrapolates: values.flag(extrapolate),
      .init(rawValue: values.choice(interpolation)) ?? .tetrahedral)
    edit.builder.add(choice.steps)
  }

  /// Returns a LUT in the space that the values name.
  static func choice(
    _ values: FilterValues, _ lut: LUTChain, extrapolates: Bool, _ interpolation: LUTChoice.Interpolation
  ) -> LUTChoice {
    LUTChoice(lut: lut, space: values.space(space), extrapolates: extrapolates, interpolation: interpolation)
  }
}

/// Mixes two LUTs of one colour space in linear light; the second's weight is a mask's luminance, 0 to 1.
enum ColorCubesMixedWithMask: Filter {
  static let name = "color-cubes-mixed-with-mask"
  static let summary = "two LUTs, the second where a mask is white"
  static let category = FilterCategory.color
  static let lut0 = FilterParameter("lut0", .input(nil), "the LUT for where the mask is black")
  static let lut1 = FilterParameter("lut1", .input(nil), "the LUT for where it is white")
  static let mask = FilterParameter("mask", .input(nil), "the mask, stretched to the picture's size")
  static let parameters = [
    lut0, lut1, mask, ColorCube.space, ColorCube.extrapolate, ColorCube.interpolation,
  ]
  static let headroomEffect = HeadroomEffect.unknown

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let picture = edit.planes()
    let weights = try edit.mask(values.input(mask) ?? "", .luminance, isStretched: true)
    try ColorCube.apply(lut1, values, to: &edit)
    edit.premultiply()
    let second = edit.builder.close(channels: 4)
    edit.use(picture)
    try ColorCube.apply(lut0, values, to: &edit)
    edit.mix(second, mask: weights)
  }
}
