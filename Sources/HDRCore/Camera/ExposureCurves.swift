/// The exposure that a DNG asks for, as the curve that its reference renderer applies. Source: DNG SDK 1.7.1,
/// `dng_function_exposure_ramp` and `dng_function_exposure_tone`.
package struct ExposureCurves: Sendable, Hashable {
  /// The sum of BaselineExposure and the profile's offset, in stops.
  package var stops: Double
  /// The level that becomes 0, relative to white.
  package var black: Double

  /// The black of a profile that wants it subtracted, before ShadowScale.
  package static let standardBlack = 0.005

  package init(stops: Double, black: Double) { (self.stops, self.black) = (stops, black) }

  /// Subtracts black with a quadratic toe, and scales by 2^stops where that is above 1.
  ///
  /// - Parameter isHDR: true to keep values above 1.
  package func ramp(_ x: Double, isHDR: Bool) -> Double {
    let slope = 1 / (ExactMath.exp2(-max(0, stops)) - black)
    let radius = min(0.5 * black, 1 / (16 * slope))
    if x <= black - radius { return 0 }
    if x >= black + radius {
      let y = (x - black) * slope
      return isHDR ? y : min(y, 1)
    }
    let y = x - (black - radius)
    return slope / (4 * radius) * y * y
  }

  /// Darkens by stops below 0: slope 2^stops up to 0.25, then a parabola that keeps 1. HDR is only scaled.
  package func darker(_ x: Double, isHDR: Bool = false) -> Double {
    guard stops < 0 else { return x }
    let slope = ExactMath.exp2(stops)
    if isHDR || x <= 0.25 { return x * slope }
    let a = 16.0 / 9 * (1 - slope), b = slope - 0.5 * a
    return (a * x + b) * x + 1 - a - b
  }
}
