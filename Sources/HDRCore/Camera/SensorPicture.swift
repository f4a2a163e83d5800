/// The meaning of a camera sensor's samples, and the numbers for its light and look. The samples of the active area are
/// in `SourceImage.image`: grey for a filter array and for cameras without colours, R, G, B for linear raw.
package struct SensorPicture: Sendable, Hashable {
  /// The width of all samples, including those outside the active area.
  package var width: Int
  package var height: Int
  /// The filters, starting at the corner of the active area; `nil` if each sample already has its colour.
  package var filters: ColorFilterArray?
  package var activeArea: SensorArea
  /// The area to show, within the active area and in its coordinates.
  package var crop: SensorArea
  /// The levels. Linearization is already done if its table is empty.
  package var levels: SensorLevels
  /// The opcodes that remain to be done before levels, after them, and after demosaicing.
  package var opcodes: [[SensorOpcode]] = [[], [], []]
  /// Pairs of scale and offset of the noise's variance, one or one per plane; empty if not known.
  package var noise: [Double] = []
  package var orientation: Orientation
  /// The camera values of the scene's white; the file may state `white` instead. Both `nil` if not known.
  package var neutral: [Double]?
  package var white: Chromaticity?
  /// The exposure in stops, without the profile's.
  package var exposure = 0.0
  /// The factor of the black that is subtracted.
  package var shadowScale = 1.0
  package var profile = CameraProfile()
  /// The profile for high dynamic range with the same look.
  package var hdrProfile: CameraProfile?
  package var make: String?
  package var model: String?
  /// The library and version, for records.
  package var decoder: String
  /// The look that the caller wants; it does not come from the file.
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
