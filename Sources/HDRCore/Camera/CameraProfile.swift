/// Colours, maps and curve of one look of a camera's pictures. Source: DNG 1.7.1 chapters 4 and 6.
package struct CameraProfile: Sendable, Hashable {
  /// What ProfileDynamicRange says.
  package struct DynamicRange: Sendable, Hashable {
    package var isHDR: Bool
    /// The largest value that the profile is meant to give; a hint.
    package var peak: Double

    package init(isHDR: Bool, peak: Double) { (self.isHDR, self.peak) = (isHDR, peak) }
  }

  package var name: String?
  /// Profiles of one name are renditions of one look.
  package var group: String?
  /// `nil` for grey cameras.
  package var calibration: CameraCalibration?
  /// For the first illuminant and the second.
  package var hueSatMaps: [HueSatMap] = []
  package var lookTable: HueSatMap?
  package var toneCurve: ProfileToneCurve?
  /// Stops beside the file's own.
  package var exposureOffset = 0.0
  /// Black is rendered as the file has it, not subtracted.
  package var keepsBlack = false
  package var dynamicRange: DynamicRange?
  package var gainTableMap: GainTableMap?
  /// RGBTables are there; they are not applied.
  package var hasRGBTables = false

  package init(calibration: CameraCalibration? = nil) { self.calibration = calibration }

  package var isHDR: Bool { dynamicRange?.isHDR ?? false }
}
