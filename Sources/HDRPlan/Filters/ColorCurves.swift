import HDRCore

/// Curves for R, G and B from a LUT of one dimension among the recipe's inputs, in a colour space of its own, linear
/// between samples. The domain is the file's unless it is given; values beyond it get those of its ends.
enum ColorCurves: Filter {
  static let name = "color-curves"
  static let summary = "curves of a 1D LUT for R, G and B, in their own colour space; cut beyond their domain"
  static let category = FilterCategory.color
  static let curves = FilterParameter("curves", .input(nil), "the 1D LUT among the inputs, or its file")
  static let domain = FilterParameter(
    "domain", .vector(nil, size: 2, -65504...65504),
    "values that the first and the last sample are for; else the file's")
  static let parameters = [curves, domain, ColorCube.space]
  static let isHDRSafe = false
  static let headroomEffect = HeadroomEffect.unknown

  /// Returns true for PQ and HLG too: their signals hold HDR within 0 to 1.
  static func takes(_ content: Headroom, _ values: FilterValues) -> Bool {
    content.stops <= 1e-9 || [.pq, .hlg].contains(values.space(ColorCube.space).curve)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let input = values.input(curves) ?? ""
    guard var lut = try edit.lut(input).tables, lut.cube == nil, lut.shaper != nil else {
      throw .invalidParameter("\(name) wants one 1D table, and input \"\(input)\" has other parts")
    }
    if let domain = values.vector(domain) {
      guard domain[0] < domain[1] else { throw .invalidParameter("\(name): the domain's end is not above its start") }
      lut.shaper?.domainMin = [domain[0], domain[0], domain[0]]
      lut.shaper?.domainMax = [domain[1], domain[1], domain[1]]
    }
    edit.builder.add(
      ColorCube.choice(values, LUTChain(lut), extrapolates: false, .tetrahedral).steps)
  }
}
