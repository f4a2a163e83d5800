import FileParts
import HDRCore

extension DNGDescription {
  /// Reads the layout of strips and tiles of the sensor's picture.
  func page(_ structure: TIFFStructure, limits: DecodeLimits) throws(DecodeError) -> TIFFPage {
    var warnings: [Warning] = []
    return try TIFFPage(
      structure, try structure.directory(at: position), isSensor: true, limits: limits, warnings: &warnings)
  }

  /// Returns the picture without samples, for samples that are linearized.
  func picture(decoder: String) throws(DecodeError) -> SensorPicture {
    guard image.opcodes[0].isEmpty || image.levels.linearization.isEmpty else {
      throw .unsupported(feature: "opcodes before a LinearizationTable", found: "OpcodeList1")
    }
    var picture = SensorPicture(
      width: image.width, height: image.height, filters: image.filters, activeArea: image.activeArea, crop: image.crop,
      levels: image.levels, orientation: orientation, decoder: decoder)
    picture.levels.linearization = []
    picture.opcodes = image.opcodes
    (picture.neutral, picture.white) = (neutral, white)
    (picture.profile, picture.hdrProfile) = (profile, hdrProfile)
    (picture.exposure, picture.shadowScale, picture.noise) = (baselineExposure, shadowScale, image.noise)
    (picture.make, picture.model) = (make, model)
    return picture
  }
}
