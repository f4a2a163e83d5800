import HDRCore

/// Tones of one rendition of a camera's picture: exposure, black, and the profile's curve.
struct CameraTones {
  /// Values above 1 stay.
  let isHDR: Bool
  private let exposure: ExposureCurves
  private let curve: ProfileToneCurve?
  /// Share of the curve.
  private let boost: Double
  /// Made for values above 1 by its author.
  private let isOverrange: Bool
  /// Grey, and the factor of it, from where on the curve goes on in proportion; `nil`: as it is.
  private var held: (from: Double, factor: Double)?

  /// Grey of the SDR rendition at which its tones begin to roll off; above it the HDR rendition goes on in proportion.
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

  /// Exposure and black, channel by channel.
  func exposed(_ x: Double) -> Double { exposure.ramp(x, isHDR: isHDR) }

  /// Whether that is more than a factor.
  var takesBlack: Bool { exposure.black > 0 }
  /// Of light behind black.
  var factor: Double { ExactMath.exp2(max(0, exposure.stops)) }

  /// Darkening, then the curve, on the largest and smallest of R, G, B.
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

  /// Nothing is to be done.
  var isIdentity: Bool { curve == nil && exposure.stops >= 0 }
}

extension SensorPicture {
  /// Stops of the file and its profile, and those beside them.
  func stops(_ profile: CameraProfile) -> Double {
    (look.baselineExposure ?? exposure) + profile.exposureOffset + look.exposure
  }
}
