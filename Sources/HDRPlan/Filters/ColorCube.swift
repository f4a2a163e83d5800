import HDRCore

/// A LUT of the recipe's inputs in a colour space of its own (Core Image's colorCubeWithColorSpace;
/// docs/filter-formulas.md#luts).
enum ColorCube: Filter {
  static let name = "color-cube"
  static let summary = "a LUT, in the colour space it was made for"
  static let category = FilterCategory.color
  static let lut = FilterParameter("lut", .input(nil), "the LUT among the inputs")
  static let space = FilterParameter(
    "space", .choice("srgb", LUTChoice.Space.Curve.allCases.map(\.rawValue)), "curve of its inputs and outputs")
  static let primaries = FilterParameter(
    "primaries", .choice("auto", ["auto", "srgb", "p3", "bt2020"]),
    "its primaries; auto: BT.2020 for pq and hlg, else those of the output")
  static let extrapolate = FilterParameter("extrapolate", .flag(true), "go on beyond the LUT's domain; else cut")
  static let interpolation = FilterParameter(
    "interpolation", .choice("tetrahedral", LUTChoice.Interpolation.allCases.map(\.rawValue)), "between nodes")
  static let parameters = [lut, space, primaries, extrapolate, interpolation]
  static let headroomEffect = HeadroomEffect.unknown

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let table = try edit.lut(values.input(lut) ?? "")
    let code: Int? =
      switch values.choice(primaries) {
      case "srgb": 1
      case "p3": 12
      case "bt2020": 9
      default: nil
      }
    let choice = LUTChoice(
      lut: table, space: .init(.init(rawValue: values.choice(space)) ?? .srgb, primaries: code),
      extrapolates: values.flag(extrapolate),
      interpolation: .init(rawValue: values.choice(interpolation)) ?? .tetrahedral)
    edit.builder.add(try choice.steps(primaries: edit.outputPrimaries))
  }
}
