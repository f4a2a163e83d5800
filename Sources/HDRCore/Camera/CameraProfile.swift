/// Colours, maps and curve of one look of a camera's pictures. Source: DNG 1.7.1 chapters 4 and 6.
package struct CameraProfile: Sendable, Hashable {
  /// The contents of the tag ProfileDynamicRange.
  package struct DynamicRange: Sendable, Hashable {
    package var isHDR: Bool
    /// The largest value that the profile is meant to give; a hint.
    package var peak: Double

    package init(isHDR: Bool, peak: Double) { (self.isHDR, self.peak) = (isHDR, peak) }
  }

  package var name: String?
  /// The group of the profile. Profiles of one group are renditions of one look.
  package var group: String?
  /// The colour matrices; `nil` for grey cameras.
  package var calibration: CameraCalibration?
  /// The maps for the first and the second illuminant.
  package var hueSatMaps: [HueSatMap] = []
  package var lookTable: HueSatMap?
  package var toneCurve: ProfileToneCurve?
  /// Stops added to those of the file.
  package var exposureOffset = 0.0
  /// True if black is rendered as it is in the file, not subtracted.
  package var keepsBlack = false
  package var dynamicRange: DynamicRange?
  package var gainTableMap: GainTableMap?
  /// True if the profile has RGBTables, which are not applied.
  package var hasRGBTables = false

  package init(calibration: CameraCalibration? = nil) { self.calibration = calibration }

  package var isHDR: Bool { dynamicRange?.isHDR ?? false }
}
