/// Samples of a camera's sensor as they were stored, and the numbers that make light of them.
package struct SensorPicture: Sendable {
  /// Of all samples, those outside the active area too.
  package var width: Int
  package var height: Int
  package var format: SampleFormat
  /// One for a filter array and for grey, three for linear raw; all of the whole size.
  package var planes: [SamplePlane]
  /// `nil`: each sample has its colour already. From the corner of the active area on.
  package var filters: ColorFilterArray?
  package var activeArea: SensorArea
  /// What is shown, within the active area and in its coordinates.
  package var crop: SensorArea
  /// Linearization is done where its table is empty.
  package var levels: SensorLevels
  package var orientation: Orientation
  /// Camera values of the scene's white; `nil`: not known.
  package var neutral: [Double]?
  package var calibration: CameraCalibration?
  package var make: String?
  package var model: String?
  /// Library and version, for records.
  package var decoder: String

  package init(
    width: Int, height: Int, format: SampleFormat, planes: [SamplePlane], filters: ColorFilterArray?,
    activeArea: SensorArea, crop: SensorArea, levels: SensorLevels, orientation: Orientation, neutral: [Double]? = nil,
    calibration: CameraCalibration? = nil, make: String? = nil, model: String? = nil, decoder: String
  ) {
    (self.width, self.height, self.format, self.planes) = (width, height, format, planes)
    (self.filters, self.activeArea, self.crop, self.levels) = (filters, activeArea, crop, levels)
    (self.orientation, self.neutral, self.calibration) = (orientation, neutral, calibration)
    (self.make, self.model, self.decoder) = (make, model, decoder)
  }

  /// Planes of one interleaved block of memory, rows tightly packed.
  package static func interleaved(
    _ buffer: PixelBuffer, width: Int, height: Int, planes: Int, format: SampleFormat
  ) -> [SamplePlane] {
    (0..<planes).map {
      SamplePlane(
        buffer: buffer, offset: $0 * format.bytes, rowBytes: width * planes * format.bytes,
        stepBytes: planes * format.bytes, width: width, height: height)
    }
  }
}
