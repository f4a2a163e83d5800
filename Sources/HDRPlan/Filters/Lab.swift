import HDRCore

/// CIE 1976 L*a*b* of linear BT.2020 light and back (CIE 15:2018 §8.2.1). Reference white is D50, to which colours are
/// adapted by linear Bradford, as in ICC profiles. The linear part of the cube root continues below 0, the root above
/// 1: L* 100 is reference white, and brighter light has more.
enum Lab {
  static let normalize = FilterParameter(
    "normalize", .flag(false),
    "L* / 100 and (a*, b* + 128) / 256, so that 0 to 1 is what L* 0 to 100 and a*, b* -128 to 128 are")

  static let white = [0.96422, 1, 0.82521]
  /// The matrix from linear BT.2020 to X / Xn, Y / Yn, Z / Zn of D50.
  static let toXYZ: Matrix3 = {
    let adapted = Primaries.bradford(from: Primaries.xyz(Primaries.d65), to: white)
    return Matrix3.diagonal(1 / white[0], 1 / white[1], 1 / white[2]) * adapted
      * (Primaries.bt2020.rgbToXYZ ?? .identity)
  }()
  /// The matrix from the cube roots to L* + 16, a*, b*.
  static let mix = Matrix3([0, 116, 0, 500, -500, 0, 0, 200, -200])

  private static let delta = 6.0 / 29

  static func root(_ t: Double) -> Double {
    t > delta * delta * delta ? ExactMath.pow(t, 1.0 / 3) : t / (3 * delta * delta) + 4.0 / 29
  }

  static func cube(_ f: Double) -> Double {
    f > delta ? f * f * f : 3 * delta * delta * (f - 4.0 / 29)
  }

  /// Returns the scale and offset from L*, a*, b* to the numbers in a picture.
  static func range(_ values: FilterValues) -> (scale: [Double], offset: [Double]) {
    let half = 128.0 / 256
    return values.flag(normalize)
      ? ([1.0 / 100, 1.0 / 256, 1.0 / 256], [0, half, half]) : ([1, 1, 1], [0, 0, 0])
  }
}

/// Converts light to L*a*b*: R, G, B hold L*, a*, b*.
enum ConvertRGBToLab: Filter {
  static let name = "convert-rgb-to-lab"
  static let summary = "light to CIE L*a*b* (D50) as values of their own"
  static let category = FilterCategory.color
  static let parameters = [Lab.normalize]
  static let headroomEffect = HeadroomEffect.unknown

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    edit.matrix(Lab.toXYZ)
    edit.signedCurve(octaves: -7..<20, k: 7) { Lab.root($0) }
    edit.matrix(Lab.mix)
    let (scale, offset) = Lab.range(values)
    edit.affine(scale: scale, offset: [offset[0] - 16 * scale[0], offset[1], offset[2]])
  }
}

/// Converts L*a*b* in R, G, B to light, the inverse of `ConvertRGBToLab`.
enum ConvertLabToRGB: Filter {
  static let name = "convert-lab-to-rgb"
  static let summary = "takes R, G, B for CIE L*a*b* (D50) and makes them light"
  static let category = FilterCategory.color
  static let parameters = [Lab.normalize]
  static let headroomEffect = HeadroomEffect.unknown

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let (scale, offset) = Lab.range(values)
    edit.affine(scale: scale.map { 1 / $0 }, offset: (0..<3).map { -offset[$0] / scale[$0] + ($0 == 0 ? 16 : 0) })
    edit.matrix(Lab.mix.inverse ?? .identity)
    edit.signedCurve(octaves: -3..<8, k: 7) { Lab.cube($0) }
    edit.matrix(Lab.toXYZ.inverse ?? .identity)
  }
}
