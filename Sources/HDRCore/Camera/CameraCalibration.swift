/// The colours of a camera's profile: matrices for one or two illuminants. Source: DNG 1.7.1 chapter 6.
package struct CameraCalibration: Sendable, Hashable {
  /// An illuminant with its matrices.
  package struct Illuminant: Sendable, Hashable {
    /// The temperature in kelvins; 0 if it is not known.
    package var temperature: Double
    /// The matrix from XYZ to camera values.
    package var color: Matrix3
    /// The matrix from white-balanced camera values to XYZ of D50.
    package var forward: Matrix3?
    /// The matrix from the reference camera to this one.
    package var calibration: Matrix3

    package init(
      temperature: Double, color: Matrix3, forward: Matrix3? = nil, calibration: Matrix3 = .identity
    ) {
      (self.temperature, self.color, self.forward, self.calibration) = (temperature, color, forward, calibration)
    }
  }

  package var first: Illuminant
  package var second: Illuminant?
  /// The gain of each camera channel that the matrices do not contain.
  package var analogBalance: [Double]

  package init(first: Illuminant, second: Illuminant? = nil, analogBalance: [Double] = [1, 1, 1]) {
    (self.first, self.second, self.analogBalance) = (first, second, analogBalance)
  }

  /// The white of the profile connection space, D50 as DNG writes it.
  package static let connectionWhite = Chromaticity(0.3457, 0.3585)

  // MARK: Between two illuminants

  /// Returns both illuminants and the share of the one with the lower temperature at a white; linear in 1/T.
  private func mix(at white: Chromaticity) -> (low: Illuminant, high: Illuminant, share: Double) {
    guard let second, first.temperature > 0, second.temperature > 0, first.temperature != second.temperature else {
      return (first, first, 1)
    }
    let (low, high) = first.temperature < second.temperature ? (first, second) : (second, first)
    let t = CorrelatedTemperature.kelvins(of: white)
    if t <= low.temperature { return (low, high, 1) }
    if t >= high.temperature { return (low, high, 0) }
    return (low, high, (1 / t - 1 / high.temperature) / (1 / low.temperature - 1 / high.temperature))
  }

  /// Returns the weight of the first illuminant for a white.
  package func weightOfFirst(at white: Chromaticity) -> Double {
    let found = mix(at: white)
    guard let second, second.temperature < first.temperature, second.temperature > 0 else { return found.share }
    return 1 - found.share
  }

  private static func blend(_ a: Matrix3, _ b: Matrix3, _ share: Double) -> Matrix3 {
    if share >= 1 { return a }
    if share <= 0 { return b }
    return Matrix3(zip(a.rows, b.rows).map { share * $0 + (1 - share) * $1 })
  }

  private var balance: Matrix3 { .diagonal(analogBalance[0], analogBalance[1], analogBalance[2]) }

  /// Returns the matrix from XYZ to camera values, interpolated after each illuminant's calibration.
  private func cameraMatrix(at white: Chromaticity) -> Matrix3 {
    let found = mix(at: white)
    return Self.blend(
      balance * found.low.calibration * found.low.color, balance * found.high.calibration * found.high.color,
      found.share)
  }

  // MARK: White

  /// Finds the white whose camera values have the ratios of `neutral`, in at most 30 rounds.
  ///
  /// - Returns: `nil` if a matrix cannot be inverted, or the result is not a colour.
  package func white(ofNeutral neutral: [Double]) -> Chromaticity? {
    var last = Self.connectionWhite
    for round in 0..<30 {
      guard let inverse = cameraMatrix(at: last).inverse else { return nil }
      let xyz = inverse * neutral, sum = xyz[0] + xyz[1] + xyz[2]
      guard sum.isFinite, sum != 0 else { return nil }
      var next = Chromaticity(xyz[0] / sum, xyz[1] / sum)
      guard next.x > 0, next.y > 0, next.x + next.y < 1 else { return nil }
      if abs(next.x - last.x) + abs(next.y - last.y) < 1e-7 { return next }
      if round == 29 { next = Chromaticity((last.x + next.x) / 2, (last.y + next.y) / 2) }
      last = next
    }
    return last
  }

  /// Returns the camera values of a white, where channels clip: the largest is 1, none is below 0.001.
  package func cameraWhite(_ white: Chromaticity) -> [Double] {
    let values = cameraMatrix(at: white) * Primaries.xyz(white), most = values.max() ?? 1
    return values.map { Swift.min(Swift.max($0 / most, 0.001), 1) }
  }

  // MARK: Camera to XYZ

  /// Returns the matrix from camera values to XYZ of D50; the white of the scene becomes (X, 1, Z) of D50.
  package func cameraToXYZ(white: Chromaticity) -> Matrix3? {
    let found = mix(at: white)
    if let low = found.low.forward ?? found.high.forward {
      let forward = Self.blend(
        Self.normalized(found.low.forward ?? low), Self.normalized(found.high.forward ?? low), found.share)
      let calibration = Self.blend(found.low.calibration, found.high.calibration, found.share)
      guard let toReference = (balance * calibration).inverse else { return nil }
      let reference = toReference * cameraWhite(white)
      guard reference.allSatisfy({ $0 != 0 }) else { return nil }
      return forward * Matrix3.diagonal(1 / reference[0], 1 / reference[1], 1 / reference[2]) * toReference
    }
    let toCamera = cameraMatrix(at: white) * Self.adaptation(from: Self.connectionWhite, to: white)
    let most = (toCamera * Primaries.xyz(Self.connectionWhite)).max() ?? 0
    guard most > 0 else { return nil }
    return (toCamera * (1 / most)).inverse
  }

  /// Returns the linear Bradford adaptation with each cone's factor kept within 0.1 and 10.
  private static func adaptation(from source: Chromaticity, to destination: Chromaticity) -> Matrix3 {
    let cones = Matrix3([0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296])
    let from = (cones * Primaries.xyz(source)).map { Swift.max($0, 0) }
    let to = (cones * Primaries.xyz(destination)).map { Swift.max($0, 0) }
    let factor = (0..<3).map { Swift.min(Swift.max(from[$0] > 0 ? to[$0] / from[$0] : 10, 0.1), 10) }
    return cones.inverse! * Matrix3.diagonal(factor[0], factor[1], factor[2]) * cones
  }

  /// Scales rows so that (1, 1, 1) becomes D50.
  private static func normalized(_ forward: Matrix3) -> Matrix3 {
    let sums = forward * [1, 1, 1], white = Primaries.xyz(connectionWhite)
    guard sums.allSatisfy({ $0 != 0 }) else { return forward }
    return Matrix3.diagonal(white[0] / sums[0], white[1] / sums[1], white[2] / sums[2]) * forward
  }

  // MARK: Working spaces

  /// The matrix from linear RIMM (ProPhoto primaries, D50) to XYZ of D50.
  package static let rimmToXYZ = normalized(Matrix3([0.7977, 0.1352, 0.0313, 0.2880, 0.7119, 0.0001, 0, 0, 0.8249]))

  /// The matrix from XYZ of D50 to linear BT.2020.
  package static let xyzToBT2020: Matrix3 = {
    let adapted = Primaries.bradford(from: Primaries.xyz(connectionWhite), to: Primaries.xyz(Primaries.d65))
    return Primaries.bt2020.rgbToXYZ!.inverse! * adapted
  }()
}
