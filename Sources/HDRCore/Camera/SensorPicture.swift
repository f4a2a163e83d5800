/// What samples of a camera's sensor are, and the numbers that make light and a look of them. The samples themselves, of
/// the active area, are the picture's (`SourceImage.image`): grey for a filter array and for cameras without colours,
/// R, G, B for linear raw.
package struct SensorPicture: Sendable, Hashable {
  /// Of all samples, those outside the active area too.
  package var width: Int
  package var height: Int
  /// `nil`: each sample has its colour already. From the corner of the active area on.
  package var filters: ColorFilterArray?
  package var activeArea: SensorArea
  /// What is shown, within the active area and in its coordinates.
  package var crop: SensorArea
  /// Linearization is done where its table is empty.
  package var levels: SensorLevels
  /// What is left to do before levels, after them, after demosaicing.
  package var opcodes: [[SensorOpcode]] = [[], [], []]
  /// Pairs of scale and offset of the noise's variance, one or one a plane; empty: not known.
  package var noise: [Double] = []
  package var orientation: Orientation
  /// Camera values of the scene's white, or that white itself; `nil`: not known.
  package var neutral: [Double]?
  package var white: Chromaticity?
  /// Stops, without the profile's.
  package var exposure = 0.0
  /// What black that is subtracted is multiplied by.
  package var shadowScale = 1.0
  package var profile = CameraProfile()
  /// For high dynamic range, of the same look.
  package var hdrProfile: CameraProfile?
  package var make: String?
  package var model: String?
  /// Library and version, for records.
  package var decoder: String
  /// What to make of it; of a caller, not of the file.
  package var look = CameraLook()

  package init(
    width: Int, height: Int, filters: ColorFilterArray?, activeArea: SensorArea, crop: SensorArea,
    levels: SensorLevels, orientation: Orientation, decoder: String
  ) {
    (self.width, self.height, self.filters) = (width, height, filters)
    (self.activeArea, self.crop, self.levels) = (activeArea, crop, levels)
    (self.orientation, self.decoder) = (orientation, decoder)
  }
}
