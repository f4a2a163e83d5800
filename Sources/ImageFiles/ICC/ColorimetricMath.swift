/// A 3x3 matrix, row-major, for column vectors.
struct Matrix3: Sendable, Hashable {
  var m: [Double]

  init(_ m: [Double]) {
    precondition(m.count == 9)
    self.m = m
  }

  /// Three columns side by side.
  init(columns a: [Double], _ b: [Double], _ c: [Double]) {
    self.init([a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2]])
  }

  static let identity = Matrix3([1, 0, 0, 0, 1, 0, 0, 0, 1])

  static func diagonal(_ d: [Double]) -> Matrix3 { Matrix3([d[0], 0, 0, 0, d[1], 0, 0, 0, d[2]]) }

  func column(_ index: Int) -> [Double] { [m[index], m[3 + index], m[6 + index]] }

  static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
    var product = [Double](repeating: 0, count: 9)
    for row in 0..<3 {
      for column in 0..<3 {
        for k in 0..<3 { product[row * 3 + column] += left.m[row * 3 + k] * right.m[k * 3 + column] }
      }
    }
    return Matrix3(product)
  }

  static func * (left: Matrix3, v: [Double]) -> [Double] {
    (0..<3).map { left.m[$0 * 3] * v[0] + left.m[$0 * 3 + 1] * v[1] + left.m[$0 * 3 + 2] * v[2] }
  }

  /// `nil` for a matrix that is singular or nearly so (determinant below 1e-9), or not finite.
  var inverse: Matrix3? {
    let (a, b, c, d, e, f, g, h, i) = (m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8])
    let determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    guard determinant.isFinite, determinant.magnitude > 1e-9 else { return nil }
    let adjugate = [
      e * i - f * h, c * h - b * i, b * f - c * e, f * g - d * i, a * i - c * g, c * d - a * f, d * h - e * g,
      b * g - a * h, a * e - b * d,
    ]
    return Matrix3(adjugate.map { $0 / determinant })
  }
}

/// CIE 1931 chromaticities of red, green, blue and white.
struct RGBChromaticities: Sendable, Hashable {
  var red: (x: Double, y: Double)
  var green: (x: Double, y: Double)
  var blue: (x: Double, y: Double)
  var white: (x: Double, y: Double)

  var points: [(x: Double, y: Double)] { [red, green, blue, white] }

  static func == (left: Self, right: Self) -> Bool { left.isNear(right, within: 0) }
  func hash(into hasher: inout Hasher) {
    for point in points {
      hasher.combine(point.x)
      hasher.combine(point.y)
    }
  }

  func isNear(_ other: RGBChromaticities, within tolerance: Double) -> Bool {
    zip(points, other.points).allSatisfy {
      ($0.x - $1.x).magnitude <= tolerance && ($0.y - $1.y).magnitude <= tolerance
    }
  }

  /// Linear RGB to XYZ with the white at Y = 1; `nil` where the points do not span a triangle around a white.
  /// Source: SMPTE RP 177 clause 3.3.
  var toXYZ: Matrix3? {
    guard points.allSatisfy({ $0.x.isFinite && $0.y.isFinite }), white.y > 0 else { return nil }
    func ray(_ p: (x: Double, y: Double)) -> [Double] { [p.x, p.y, 1 - p.x - p.y] }
    let rays = Matrix3(columns: ray(red), ray(green), ray(blue))
    guard let inverse = rays.inverse else { return nil }
    let scale = inverse * ray(white).map { $0 / white.y }
    guard scale.allSatisfy({ $0.isFinite && $0 != 0 }) else { return nil }
    return rays * .diagonal(scale)
  }

  /// Linear RGB to linear BT.2020 with D65 white; another white is adapted (Bradford).
  var toBT2020: Matrix3? {
    guard let toXYZ, let adapt = bradford(from: xyz(white), to: xyz(whiteD65)) else { return nil }
    return xyzToBT2020 * (adapt * toXYZ)
  }

  /// ITU-T H.273 table 2 (specs/color.md §2.1); `nil` for codes without chromaticities.
  static func cicp(_ code: Int) -> RGBChromaticities? { known.first { $0.code == code }?.value }

  /// Codes in the order in which a set of chromaticities is named.
  static let known: [(code: Int, value: RGBChromaticities)] = [
    (1, .init(red: (0.640, 0.330), green: (0.300, 0.600), blue: (0.150, 0.060), white: whiteD65)),
    (12, .init(red: (0.680, 0.320), green: (0.265, 0.690), blue: (0.150, 0.060), white: whiteD65)),
    (9, .init(red: (0.708, 0.292), green: (0.170, 0.797), blue: (0.131, 0.046), white: whiteD65)),
    (11, .init(red: (0.680, 0.320), green: (0.265, 0.690), blue: (0.150, 0.060), white: (0.314, 0.351))),
    (5, .init(red: (0.64, 0.33), green: (0.29, 0.60), blue: (0.15, 0.06), white: whiteD65)),
    (6, .init(red: (0.630, 0.340), green: (0.310, 0.595), blue: (0.155, 0.070), white: whiteD65)),
    (7, .init(red: (0.630, 0.340), green: (0.310, 0.595), blue: (0.155, 0.070), white: whiteD65)),
    (22, .init(red: (0.630, 0.340), green: (0.295, 0.605), blue: (0.155, 0.077), white: whiteD65)),
    (4, .init(red: (0.67, 0.33), green: (0.21, 0.71), blue: (0.14, 0.08), white: (0.310, 0.316))),
    (8, .init(red: (0.681, 0.319), green: (0.243, 0.692), blue: (0.145, 0.049), white: (0.310, 0.316))),
    (10, .init(red: (1, 0), green: (0, 1), blue: (0, 0), white: (1.0 / 3, 1.0 / 3))),
  ]

  /// The H.273 code of a set within `tolerance` of it in every coordinate.
  static func code(of value: RGBChromaticities, within tolerance: Double) -> Int? {
    known.first { $0.value.isNear(value, within: tolerance) }?.code
  }
}

/// CIE standard illuminant D65 as video standards round it.
let whiteD65 = (x: 0.3127, y: 0.3290)

/// XYZ at Y = 1.
func xyz(_ p: (x: Double, y: Double)) -> [Double] { [p.x / p.y, 1, (1 - p.x - p.y) / p.y] }

/// The chromaticity of XYZ; not finite for black.
func chromaticity(_ v: [Double]) -> (x: Double, y: Double) {
  let sum = v[0] + v[1] + v[2]
  return (v[0] / sum, v[1] / sum)
}

/// Linearised Bradford adaptation between two whites in XYZ (ICC.1:2022 Annex E).
func bradford(from source: [Double], to target: [Double]) -> Matrix3? {
  let cone = Matrix3([0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296])
  guard let back = cone.inverse else { return nil }
  let from = cone * source, to = cone * target
  guard from.allSatisfy({ $0.isFinite && $0 > 0 }) else { return nil }
  return back * (.diagonal([to[0] / from[0], to[1] / from[1], to[2] / from[2]]) * cone)
}

/// XYZ (D65) to linear BT.2020.
let xyzToBT2020: Matrix3 = RGBChromaticities.cicp(9)?.toXYZ?.inverse ?? .identity
