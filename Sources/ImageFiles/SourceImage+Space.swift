import HDRCore

extension ReadingOptions {
  /// Returns a source whose codes are in the space that a caller states, whatever the file says.
  ///
  /// The matrix of Y'CbCr stays the file's, and so does the range unless the caller states one. What the file says about
  /// light belongs to its own colour, and goes with it.
  ///
  /// - Throws: `DecodeError.unsupported` for a gain map, which is made for the base's own colour.
  package func placed(_ source: SourceImage) throws(DecodeError) -> SourceImage {
    guard let space else { return source }
    guard source.gainMap == nil else {
      throw .unsupported(
        feature: "the setting from-space for a picture with a gain map",
        found: "a map whose gains are for the colour that the file states; leave from-space out")
    }
    var placed = source
    placed.color = SourceColor(
      matrix: source.color.matrix, fullRange: source.color.fullRange, encoding: space.encoding)
    if source.image.format.isInteger, let fullRange { placed.color.fullRange = fullRange }
    if case .cicp(let primaries, let transfer) = space.encoding {
      placed.color.cicp = CICP(primaries, transfer, placed.color.matrix, full: placed.color.fullRange)
    }
    // Weights of such matrices follow from the primaries that the file states.
    if [CICP.Matrix.derived, CICP.Matrix.derivedConstantLuminance].contains(source.color.matrix) {
      placed.color.cicp = source.color.cicp
    }
    placed.color.replaced = source.statedColor
    placed.light = LightMetadata()
    placed.warnings.removeAll { [EXRColor.guess.code, EXRColor.color].contains($0.code) }
    placed.exr?.space = nil
    placed.exr?.primaries = nil
    if !statesRange, let warning = placed.rangeWarning { placed.warnings.append(warning) }
    return placed
  }

  /// Refuses a space for a camera's raw samples, whose colour follows from the camera's profile.
  func checkSpace(for decoder: any ImageDecoder.Type) throws(DecodeError) {
    guard space != nil, decoder == CameraRawDecoder.self else { return }
    throw .unsupported(
      feature: "the setting from-space for camera raw",
      found: "samples of a sensor, whose colour the file's profile says; leave from-space out")
  }
}

extension SourceImage {
  /// The colour that the file states, in words.
  fileprivate var statedColor: String {
    if let cicp = color.cicp { return "cicp \(cicp.primaries)/\(cicp.transfer)/\(cicp.matrix)" }
    if let name = color.iccDescription { return "ICC profile \(name)" }
    if color.icc != nil { return "an ICC profile" }
    if let name = exr?.space { return name }
    return exr?.primaries == nil ? "nothing" : "chromaticities"
  }
}
