import HDRCore

/// The tones of one rendition of a camera's picture: exposure, black, and the profile's curve.
struct CameraTones {
  /// True if values above 1 are kept.
  let isHDR: Bool
  private let exposure: ExposureCurves
  private let curve: ProfileToneCurve?
  /// The share of the curve.
  private let boost: Double
  /// True if the profile's author made it for values above 1.
  private let isOverrange: Bool
  /// The grey from which light is only multiplied, and the factor; `nil`: the curve applies everywhere.
  private var held: (from: Double, factor: Double)?

  /// Grey of the SDR rendition at which its tones begin to roll off; above it the HDR rendition stays proportional.
  static let shoulder = 0.5

  /// - Parameter isHeld: the HDR rendition of a profile for SDR.
  init(_ sensor: SensorPicture, _ profile: CameraProfile, isHDR: Bool, isHeld: Bool) {
    let look = sensor.look
    self.isHDR = isHDR
    curve = profile.toneCurve
    boost = look.boost
    isOverrange = profile.isHDR
    let black = profile.keepsBlack ? 0 : ExposureCurves.standardBlack * sensor.shadowScale
    exposure = ExposureCurves(stops: sensor.stops(profile), black: min(max(black + look.shadowBias, 0), 0.5))
    if isHeld, curve != nil {
      var low = 0.0, high = 1.0
      guard tone(1) > Self.shoulder else { return }
      for _ in 0..<40 {
        let middle = (low + high) / 2
        if tone(middle) < Self.shoulder { low = middle } else { high = middle }
      }
      if high > 0 { held = (high, tone(high) / high) }
    }
  }

  /// Applies exposure and black to a channel.
  func exposed(_ x: Double) -> Double { exposure.ramp(x, isHDR: isHDR) }

  /// True if exposure also moves black, so that it is more than a factor.
  var takesBlack: Bool { exposure.black > 0 }
  /// The factor of light after black.
  var factor: Double { ExactMath.exp2(max(0, exposure.stops)) }

  /// Applies darkening, then the curve, to the largest or smallest of R, G, B.
  func tone(_ x: Double) -> Double {
    if let held, x > held.from { return x * held.factor }
    let dark = exposure.darker(x, isHDR: isHDR && isOverrange)
    guard let curve else { return dark }
    let curved =
      isOverrange && isHDR
      ? Overrange.decode(curve.value(Overrange.encode(dark), isExtended: true))
      : curve.value(dark, isExtended: isHDR)
    return dark + boost * (curved - dark)
  }

  /// True if `tone` changes nothing.
  var isIdentity: Bool { curve == nil && exposure.stops >= 0 }
}

extension SensorPicture {
  /// Sums the stops of the file, its profile and the look.
  func stops(_ profile: CameraProfile) -> Double {
    (look.baselineExposure ?? exposure) + profile.exposureOffset + look.exposure
  }
}
