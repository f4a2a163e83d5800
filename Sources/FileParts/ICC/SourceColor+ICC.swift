import HDRCore

extension SourceColor {
  /// Makes the colour of samples that an ICC profile describes: the one place where files' profiles are resolved.
  ///
  /// - Parameters:
  ///   - matrix: the matrix coefficients and range of samples, which no profile states.
  ///   - limits: decides whether a library may evaluate a profile of tables.
  /// - Returns: `nil` when the profile cannot be used; a warning `icc.*` then has the reason.
  package init?(
    icc profile: [UInt8], model: ColorModel, matrix: Int = CICP.Matrix.identity, fullRange: Bool = true,
    limits: DecodeLimits, warnings: inout [Warning]
  ) {
    guard let found = resolveICC(profile, model: model, evaluates: limits.evaluatesProfiles, warnings: &warnings)
    else { return nil }
    self.init(
      matrix: matrix, fullRange: fullRange, encoding: found.encoding, cicp: found.cicp, icc: profile,
      iccDescription: found.description)
  }

  /// Makes the colour of samples without a description: sRGB.
  package static func sRGB(matrix: Int = CICP.Matrix.identity) -> SourceColor {
    SourceColor(matrix: matrix, fullRange: true, encoding: .sRGB)
  }

  /// Adds the warning `FORMAT.hdr8bit` if the samples are PQ or HLG and have at most 8 bits.
  package func warnAboutBands(bits: Int, format: String, warnings: inout [Warning]) {
    guard bits <= 8, case .cicp(_, let transfer) = encoding, CICP.Transfer.isHDR(transfer) else { return }
    warnings.append(Warning("\(format).hdr8bit", "PQ or HLG in \(bits) bits: smooth areas will show bands"))
  }
}

extension ColorEncoding {
  /// The encoding of samples without a description.
  package static let sRGB = ColorEncoding.cicp(primaries: CICP.Primaries.bt709, transfer: CICP.Transfer.sRGB)
}
