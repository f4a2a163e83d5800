/// Correlated colour temperature by Robertson's isotherms. Source: A. R. Robertson, "Computation of Correlated Color
/// Temperature and Distribution Temperature", JOSA 58 (1968), with the numbers that the DNG SDK uses.
package enum CorrelatedTemperature {
  /// Isotherms: mireds, the point on the Planckian locus in CIE 1960 u and v, and the slope of the isotherm there.
  private static let isotherms: [(mired: Double, u: Double, v: Double, slope: Double)] = [
    (0, 0.18006, 0.26352, -0.24341), (10, 0.18066, 0.26589, -0.25479), (20, 0.18133, 0.26846, -0.26876),
    (30, 0.18208, 0.27119, -0.28539), (40, 0.18293, 0.27407, -0.30470), (50, 0.18388, 0.27709, -0.32675),
    (60, 0.18494, 0.28021, -0.35156), (70, 0.18611, 0.28342, -0.37915), (80, 0.18740, 0.28668, -0.40955),
    (90, 0.18880, 0.28997, -0.44278), (100, 0.19032, 0.29326, -0.47888), (125, 0.19462, 0.30141, -0.58204),
    (150, 0.19962, 0.30921, -0.70471), (175, 0.20525, 0.31647, -0.84901), (200, 0.21142, 0.32312, -1.0182),
    (225, 0.21807, 0.32909, -1.2168), (250, 0.22511, 0.33439, -1.4512), (275, 0.23247, 0.33904, -1.7298),
    (300, 0.24010, 0.34308, -2.0637), (325, 0.24702, 0.34655, -2.4681), (350, 0.25591, 0.34951, -2.9641),
    (375, 0.26400, 0.35200, -3.5814), (400, 0.27218, 0.35407, -4.3633), (425, 0.28039, 0.35577, -5.3762),
    (450, 0.28863, 0.35714, -6.7262), (475, 0.29685, 0.35823, -8.5955), (500, 0.30505, 0.35907, -11.324),
    (525, 0.31320, 0.35968, -15.628), (550, 0.32129, 0.36011, -23.325), (575, 0.32931, 0.36038, -40.770),
    (600, 0.33724, 0.36051, -116.45),
  ]

  /// Returns the kelvins of a white; whites beyond the last isotherm have its temperature.
  package static func kelvins(of white: Chromaticity) -> Double {
    let scale = 1.5 - white.x + 6 * white.y
    let u = 2 * white.x / scale, v = 3 * white.y / scale
    var before = 0.0
    for index in 1..<isotherms.count {
      let line = isotherms[index], length = (1 + line.slope * line.slope).squareRoot()
      // Distance from the isotherm; positive while the white is on its hot side.
      let distance = ((v - line.v) - (u - line.u) * line.slope) / length
      if distance <= 0 || index == isotherms.count - 1 {
        let past = -min(distance, 0), share = index == 1 ? 0 : past / (before + past)
        return 1e6 / (isotherms[index - 1].mired * share + line.mired * (1 - share))
      }
      before = distance
    }
    return 1e6 / 600
  }

  /// Returns the kelvins of an Exif LightSource code; `nil` if unknown. Source: Exif 2.32, and the DNG SDK's numbers.
  package static func kelvins(ofLightSource code: Int) -> Double? {
    switch code {
    case 3, 17: 2850
    case 24: 3200
    case 23: 5000
    case 1, 4, 9, 18, 20: 5500
    case 10, 19, 21: 6500
    case 11, 22: 7500
    case 12: 6400
    case 13: 5050
    case 2, 14: 4150
    case 15: 3525
    case 16: 2925
    default: nil
    }
  }
}
