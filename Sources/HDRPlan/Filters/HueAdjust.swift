import HDRCore

/// Turns hues about the grey axis; luminance stays.
///
/// Rodrigues' rotation about (1, 1, 1), then a shear along that axis that gives each colour its luminance back. Greys
/// stay; angles add up; a third of a turn leads from red to green.
enum HueAdjust: Filter {
  static let name = "hue-adjust"
  static let summary = "turns hues about the grey axis; luminance stays"
  static let category = FilterCategory.color
  static let angle = FilterParameter("angle", .number(0, -100...100), "radians; from red towards green")
  static let parameters = [angle]
  static let headroomEffect = HeadroomEffect.unknown

  static func matrix(_ angle: Double) -> Matrix3 {
    let (sine, cosine) = ExactTurn.sineCosine(angle)
    let same = (1 + 2 * cosine) / 3, next = (1 - cosine) / 3 - sine / 3.0.squareRoot()
    let last = (1 - cosine) / 3 + sine / 3.0.squareRoot()
    let turned = Matrix3([same, next, last, last, same, next, next, last, same])
    let w = ColorTransform.luminance
    let lost = (0..<3).map { c in w[c] - (w[0] * turned[0, c] + w[1] * turned[1, c] + w[2] * turned[2, c]) }
    return Matrix3((0..<9).map { turned.rows[$0] + lost[$0 % 3] })
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) { edit.matrix(matrix(values.value(angle))) }
}
