import HDRCore

/// An operation on R, G and B of a LUT file or of a config, normalised: full scale of integers is 1.
package enum LUTOperation: Sendable, Hashable {
  /// A matrix on columns, then an offset.
  case matrix(Matrix3, offset: [Double])
  /// Bounds, the same for each channel; `nil`: open.
  case clamp(low: Double?, high: Double?)
  /// A 1D table on equal steps.
  case table(CubeLUT.Table1D)
  /// A 3D table, and the interpolation that the file asks for.
  case cube(CubeLUT.Table3D, LUTChoice.Interpolation?)
  /// Curves of pieces between knots, for R, G and B.
  case knots([KnotCurve])
  /// Formulas, for R, G and B.
  case formulas([LUTFormula])
  case cdl(CDL)
  case luminancePower(LuminancePower)
  /// An output transform of ACES 2.0: from AP1 to R, G, B of its limit, 1.0 = 100 cd/m²; or back.
  case output(ACESOutput, isInverse: Bool)
  /// An output transform of ACES 1: from ACES2065-1 to CIE XYZ, 1.0 = 100 cd/m²; or back.
  case output1(ACES1Output, isInverse: Bool)
  /// Glow and reds of ACES 1, or one of them.
  case head(ACES1Head, isInverse: Bool)
  case gamut(ACESGamutCompression, isInverse: Bool)
  /// Coordinates of colours, or the colours of coordinates.
  case coordinates(ColorCoordinates, isInverse: Bool)

  /// Returns the affine operation of a factor and an offset for each channel.
  static func affine(_ scale: [Double], _ offset: [Double]) -> LUTOperation {
    .matrix(.diagonal(scale[0], scale[1], scale[2]), offset: offset)
  }

  /// Returns the operation of one formula for all channels.
  static func formula(_ one: LUTFormula) -> LUTOperation { .formulas([one, one, one]) }

  /// Returns a matrix without an offset.
  static func matrix(_ matrix: Matrix3) -> LUTOperation { .matrix(matrix, offset: [0, 0, 0]) }

  /// Returns the operations that undo this one.
  func inverse() throws(LUTError) -> [LUTOperation] {
    switch self {
    case .matrix(let matrix, let offset):
      guard let back = matrix.inverse else {
        throw LUTError(.singular, reason: "a singular matrix has no inverse")
      }
      return [.matrix(back, offset: (back * offset).map { -$0 })]
    case .clamp: return [self]
    case .table(let table): return [.knots(try table.inverse())]
    case .cube: throw LUTError(.inverse, reason: "a 3D table has no inverse; bake the other direction to a file")
    case .knots(let curves):
      var undone: [KnotCurve] = []
      for curve in curves { undone.append(try curve.inverse()) }
      return [.knots(undone)]
    case .formulas(let formulas): return [.formulas(formulas.map(\.inverse))]
    case .cdl(let cdl): return [.cdl(try cdl.inverse())]
    case .luminancePower(let power): return [.luminancePower(power.inverse)]
    case .output(let output, let isInverse): return [.output(output, isInverse: !isInverse)]
    case .output1(let output, let isInverse): return [.output1(output, isInverse: !isInverse)]
    case .head(let head, let isInverse): return [.head(head, isInverse: !isInverse)]
    case .gamut(let gamut, let isInverse): return [.gamut(gamut, isInverse: !isInverse)]
    case .coordinates(let kind, let isInverse): return [.coordinates(kind, isInverse: !isInverse)]
    }
  }
}

/// R, G and B times a power of their luminance, which a floor keeps away from 0: Y becomes Y^exponent.
package struct LuminancePower: Sendable, Hashable {
  package var weights: [Double], exponent: Double, least: Double
  /// True if the luminance of negative light is its magnitude; false if it is the floor.
  package var takesMagnitude: Bool

  /// BT.2100's surround.
  package static func surround(_ exponent: Double) -> LuminancePower {
    LuminancePower(weights: Transfer.HLG.luminance, exponent: exponent, least: 1e-4, takesMagnitude: true)
  }

  /// From the dark surroundings of cinemas to the dim ones of video, in AP1 (ACES 1).
  package static let darkToDim = LuminancePower(
    weights: [0.27222871678091454, 0.6740817658111483, 0.05368951740793705], exponent: 0.9811, least: 1e-10,
    takesMagnitude: false)

  package var inverse: LuminancePower {
    var other = self
    other.exponent = 1 / exponent
    // The floor of ACES is that of divisions, in both directions.
    if takesMagnitude { other.least = ExactMath.pow(least, exponent) }
    return other
  }
}
