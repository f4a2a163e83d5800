/// A set of RGB primaries with its white (ITU-T H.273 ColourPrimaries; docs/colour-formulas.md#code-points).
package struct Primaries: Sendable, Hashable {
  package var red: Chromaticity
  package var green: Chromaticity
  package var blue: Chromaticity
  package var white: Chromaticity

  package init(red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity) {
    self.red = red
    self.green = green
    self.blue = blue
    self.white = white
  }

  package static let d65 = Chromaticity(0.3127, 0.3290)
  private static let illuminantC = Chromaticity(0.310, 0.316)
  private static let equalEnergy = Chromaticity(1.0 / 3, 1.0 / 3)
  private static let dci = Chromaticity(0.314, 0.351)

  private init(_ r: (Double, Double), _ g: (Double, Double), _ b: (Double, Double), _ white: Chromaticity) {
    self.init(
      red: Chromaticity(r.0, r.1), green: Chromaticity(g.0, g.1), blue: Chromaticity(b.0, b.1), white: white)
  }

  /// Makes the set of a code point; `nil` for codes without one (0, 2, 3 and unknown numbers).
  package init?(code: Int) {
    switch code {
    case 1: self.init((0.640, 0.330), (0.300, 0.600), (0.150, 0.060), Self.d65)
    case 4: self.init((0.67, 0.33), (0.21, 0.71), (0.14, 0.08), Self.illuminantC)
    case 5: self.init((0.64, 0.33), (0.29, 0.60), (0.15, 0.06), Self.d65)
    case 6, 7: self.init((0.630, 0.340), (0.310, 0.595), (0.155, 0.070), Self.d65)
    case 8: self.init((0.681, 0.319), (0.243, 0.692), (0.145, 0.049), Self.illuminantC)
    case 9: self.init((0.708, 0.292), (0.170, 0.797), (0.131, 0.046), Self.d65)
    case 10: self.init((1, 0), (0, 1), (0, 0), Self.equalEnergy)
    case 11: self.init((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), Self.dci)
    case 12: self.init((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), Self.d65)
    case 22: self.init((0.630, 0.340), (0.295, 0.605), (0.155, 0.077), Self.d65)
    default: return nil
    }
  }

  package static let bt709 = Primaries(code: 1)!
  package static let bt2020 = Primaries(code: 9)!
  package static let displayP3 = Primaries(code: 12)!

  /// The matrix from linear RGB to CIE XYZ, Y = 1 for white. `nil` for degenerate chromaticities.
  package var rgbToXYZ: Matrix3? {
    let p = Matrix3([
      red.x, green.x, blue.x, red.y, green.y, blue.y,
      1 - red.x - red.y, 1 - green.x - green.y, 1 - blue.x - blue.y,
    ])
    guard let inverse = p.inverse else { return nil }
    let s = inverse * Self.xyz(white)
    return p * Matrix3.diagonal(s[0], s[1], s[2])
  }

  /// Returns the XYZ of a chromaticity at Y = 1.
  package static func xyz(_ c: Chromaticity) -> [Double] { [c.x / c.y, 1, (1 - c.x - c.y) / c.y] }

  /// The luminance weights of R, G, B: the Y row of `rgbToXYZ`.
  package var luminance: [Double] { rgbToXYZ.map { Array($0.rows[3..<6]) } ?? [0.2627, 0.6780, 0.0593] }

  /// Returns the matrix from linear RGB to linear RGB of `other`; if the whites differ, adapted in a space of cones, which
  /// is Bradford's unless another is given.
  package func matrix(to other: Primaries, cones: Matrix3 = bradford) -> Matrix3? {
    if self == other { return .identity }
    guard let from = rgbToXYZ, let back = other.rgbToXYZ?.inverse else { return nil }
    if white == other.white { return back * from }
    return back * Self.adaptation(cones, from: Self.xyz(white), to: Self.xyz(other.white)) * from
  }

  /// The cone space of Bradford (ICC.1 annex E), and that of CIECAM02.
  package static let bradford = Matrix3([0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296])
  package static let cat02 = Matrix3([0.7328, 0.4296, -0.1624, -0.7036, 1.6975, 0.0061, 0.0030, 0.0136, 0.9834])

  /// Returns the linear Bradford adaptation between two whites given as XYZ.
  package static func bradford(from source: [Double], to destination: [Double]) -> Matrix3 {
    adaptation(bradford, from: source, to: destination)
  }

  private static func adaptation(_ cones: Matrix3, from source: [Double], to destination: [Double]) -> Matrix3 {
    let s = cones * source, d = cones * destination
    return cones.inverse! * Matrix3.diagonal(d[0] / s[0], d[1] / s[1], d[2] / s[2]) * cones
  }

  /// Red, green, blue and white.
  package var points: [Chromaticity] { [red, green, blue, white] }

  /// True if each coordinate of the four chromaticities lies within `tolerance` of the other's.
  package func isNear(_ other: Primaries, within tolerance: Double) -> Bool {
    zip(points, other.points).allSatisfy { abs($0.x - $1.x) <= tolerance && abs($0.y - $1.y) <= tolerance }
  }
}
