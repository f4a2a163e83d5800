import HDRCore

/// The colours of one picture of a camera: where its channels clip, and the matrix to RIMM (linear ProPhoto, D50).
struct CameraColors {
  /// Camera values of the scene's white.
  var white: [Double]
  var toRIMM: Matrix3
  /// The scene's white as the file states it or the caller sets it.
  var chromaticity: Chromaticity?
  var warnings: [Warning] = []

  /// The white if neither file nor caller states one: the DNG SDK takes D55.
  private static let assumed = Chromaticity(0.33242, 0.34743)
  static let fromRIMM = CameraCalibration.xyzToBT2020 * CameraCalibration.rimmToXYZ

  /// - Throws: `PlanError` for matrices without an inverse.
  init(_ sensor: SensorPicture, _ profile: CameraProfile, channels: Int) throws(PlanError) {
    guard channels == 3 || sensor.filters != nil else {
      // Grey: white is the largest sample value.
      (white, toRIMM) = ([1, 1, 1], .identity)
      return
    }
    guard let calibration = profile.calibration ?? sensor.profile.calibration else {
      white = Self.values(sensor.neutral ?? [1, 1, 1])
      let primaries = Primaries.bt709.matrix(to: .bt2020) ?? .identity
      toRIMM = (Self.fromRIMM.inverse ?? .identity) * primaries * Self.balance(white)
      warnings = [
        Warning("raw.matrix", "nothing says what the camera's colours are; they are taken for those of BT.709")
      ]
      return
    }
    var found = sensor.look.white ?? sensor.white
    if found == nil, let neutral = sensor.neutral {
      found = calibration.white(ofNeutral: neutral)
      if found == nil { throw .inconsistent("the camera's white is no colour") }
    }
    if found == nil {
      warnings = [Warning("raw.white", "nothing says what is white; daylight of 5500 K is assumed")]
    }
    let place = found ?? Self.assumed
    chromaticity = place
    white = calibration.cameraWhite(place)
    guard let toXYZ = calibration.cameraToXYZ(white: place), let fromXYZ = CameraCalibration.rimmToXYZ.inverse else {
      throw .inconsistent("the camera's matrices have no inverse")
    }
    toRIMM = fromXYZ * toXYZ
  }

  /// Scales values so that the largest becomes 1.
  private static func values(_ neutral: [Double]) -> [Double] {
    let most = neutral.max() ?? 1
    return neutral.map { $0 / most }
  }

  private static func balance(_ white: [Double]) -> Matrix3 { .diagonal(1 / white[0], 1 / white[1], 1 / white[2]) }
}
