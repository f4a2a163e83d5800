import HDRCore

extension ReadingOptions {
  /// The colour that a caller states in place of what a file says; `nil`: none is stated.
  ///
  /// - Parameters:
  ///   - own: the colour that the file states; its range is kept, and the matrix of Y'CbCr if none is stated.
  ///   - model: the model of the file's samples.
  /// - Throws: `DecodeError.unsupported` for code points that cannot be honoured, `.undescribed` for a matrix of R'G'B'.
  package func statedColor(inPlaceOf own: SourceColor, _ model: ColorModel) throws(DecodeError) -> SourceColor? {
    guard let (primaries, transfer, matrix) = try statedCodePoints else { return nil }
    if model != .ycc, let matrix, matrix != CICP.Matrix.identity {
      throw .undescribed(
        what: "this picture is R'G'B' and has no matrix \(matrix)", give: "\(setting: "cicp") \(primaries)/\(transfer)")
    }
    let stated = CICP(
      primaries, transfer, model == .ycc ? matrix ?? own.matrix : CICP.Matrix.identity, full: own.fullRange)
    return SourceColor(
      matrix: stated.matrix, fullRange: stated.fullRange,
      encoding: .cicp(primaries: primaries, transfer: transfer), cicp: stated)
  }

  /// Primaries that a caller states for samples of linear light; `nil`: none are stated.
  ///
  /// - Throws: as `statedColor`, and `.undescribed` for another transfer.
  package var statedLinearPrimaries: Primaries? {
    get throws(DecodeError) {
      guard let (primaries, transfer, matrix) = try statedCodePoints else { return nil }
      guard transfer == CICP.Transfer.linear, matrix ?? 0 == CICP.Matrix.identity else {
        throw .undescribed(
          what: "this picture is linear light in R, G and B",
          give: "\(setting: "cicp") \(primaries)/\(CICP.Transfer.linear)")
      }
      return Primaries(code: primaries)
    }
  }

  private var statedCodePoints: (primaries: Int, transfer: Int, matrix: Int?)? {
    get throws(DecodeError) {
      guard let raw, let primaries = raw.primaries, let transfer = raw.transfer else { return nil }
      guard isSupported(primaries: primaries, transfer: transfer) else {
        throw .unsupported(feature: "code points", found: "cicp \(primaries)/\(transfer)")
      }
      return (primaries, transfer, raw.matrix)
    }
  }
}
