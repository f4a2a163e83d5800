import HDRCore

extension DNGDescription {
  /// Strips and tiles of the sensor's picture.
  func page(_ structure: TIFFStructure, limits: DecodeLimits) throws(DecodeError) -> TIFFPage {
    var warnings: [Warning] = []
    return try TIFFPage(
      structure, try structure.directory(at: position), isSensor: true, limits: limits, warnings: &warnings)
  }

  /// The picture without samples, for samples as LibRaw unpacks them: linearized, and those of lossy JPEG through their
  /// polynomials to 16 bits too.
  func picture(decoder: String) throws(DecodeError) -> SensorPicture {
    var levels = image.levels
    levels.linearization = []
    if image.compression == TIFFCompression.lossyJPEG {
      let isMapped = image.opcodes[1].contains { if case .mapPolynomial = $0 { true } else { false } }
      guard isMapped, levels.black.allSatisfy({ $0 == 0 }), image.levels.linearization.isEmpty else {
        throw .unsupported(feature: "lossy DNG with these levels", found: "no MapPolynomial, or black above 0")
      }
      levels = SensorLevels(white: [65_535])
    }
    return SensorPicture(
      width: image.width, height: image.height, format: .uint16, planes: [], filters: image.filters,
      activeArea: image.activeArea, crop: image.crop, levels: levels, orientation: orientation, neutral: neutral,
      calibration: profile.calibration, make: make, model: model, decoder: decoder)
  }

  /// What of opcode list 2 is left to do once samples are unpacked.
  package var openOpcodes: [DNGOpcode] {
    guard image.compression == TIFFCompression.lossyJPEG else { return image.opcodes[1] }
    return image.opcodes[1].filter { if case .mapPolynomial = $0 { false } else { true } }
  }
}
