import HDRCore

/// A built-in transform from CIE XYZ, D65, 1.0 = 100 cd/m², to codes of a display.
struct DisplayStyle: Sendable {
  /// The name without what all begin with.
  let name: String
  let operations: [LUTOperation]

  private init(_ name: String, _ matrix: Matrix3, _ rest: LUTOperation...) {
    (self.name, operations) = (name, [.matrix(matrix)] + rest)
  }

  static let prefix = "DISPLAY - CIE-XYZ-D65_to_"

  /// All displays, by their curves: powers that end at 0 or are odd, sRGB's, PQ, HLG.
  static let all: [DisplayStyle] =
    [
      power("REC.1886-REC.709", 2.4, .bt709), power("REC.1886-REC.2020", 2.4, .bt2020),
      power("G2.2-REC.709", 2.2, .bt709), power("G2.6-P3-D65", 2.6, .displayP3),
      power("REC.1886-REC.709" + odd, 2.4, .bt709, .mirror), power("REC.1886-REC.2020" + odd, 2.4, .bt2020, .mirror),
      power("G2.2-REC.709" + odd, 2.2, .bt709, .mirror), power("G2.6-P3-D65" + odd, 2.6, .displayP3, .mirror),
      power("G2.6-P3-DCI-BFD", 2.6, Primaries(code: 11) ?? .displayP3),
      power("G2.6-P3-D60-BFD", 2.6, .displayP3.withACESWhite),
      DisplayStyle("DCDM-D65", .identity * (48 / 52.37), .formula(.power(1 / 2.6, .clamp))),
      sRGB("sRGB", .bt709, mirrors: false), sRGB("sRGB" + odd, .bt709, mirrors: true),
      sRGB("DisplayP3", .displayP3, mirrors: true), sRGB("DisplayP3-HDR", .displayP3, mirrors: true),
      DisplayStyle("REC.2100-PQ", matrix(.bt2020), .formula(.pq(isReversed: false))),
      DisplayStyle("ST2084-P3-D65", matrix(.displayP3), .formula(.pq(isReversed: false))),
      DisplayStyle("ST2084-DCDM-D65", .identity, .formula(.pq(isReversed: false))),
      // HLG's scene light for a display of 1000 cd/m², where 1.0 is a twelfth of its scene's white.
      DisplayStyle(
        "REC.2100-HLG-1000nit", matrix(.bt2020) * (ExactMath.pow(3, 1.2) / 10), .luminancePower(.surround(1 / 1.2)),
        .formula(.hlg)),
    ]

  private static let odd = " - MIRROR NEGS"

  private static func power(
    _ name: String, _ gamma: Double, _ primaries: Primaries, _ negatives: LUTFormula.Negatives = .clamp
  ) -> DisplayStyle {
    DisplayStyle(name, matrix(primaries), .formula(.power(1 / gamma, negatives)))
  }

  private static func sRGB(_ name: String, _ primaries: Primaries, mirrors: Bool) -> DisplayStyle {
    let curve = MonCurve(gamma: 2.4, offset: 0.055)
    return DisplayStyle(name, matrix(primaries), .formula(.monCurve(curve, isReversed: true, mirrors: mirrors)))
  }

  /// Returns the matrix from CIE XYZ, whose white is adapted where the display has another.
  private static func matrix(_ primaries: Primaries) -> Matrix3 {
    let back = primaries.rgbToXYZ?.inverse ?? .identity
    if primaries.white == Primaries.d65 { return back }
    return back * Primaries.bradford(from: Primaries.xyz(Primaries.d65), to: Primaries.xyz(primaries.white))
  }
}
