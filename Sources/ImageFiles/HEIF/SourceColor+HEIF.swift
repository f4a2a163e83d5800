import HDRCore

extension SourceColor {
  /// Colour of the picture of an item: nclx with PQ or HLG, then ICC, then nclx, then the bit stream, then sRGB with
  /// BT.601 in full range. Matrix and range never come from an ICC profile: nclx, then bit stream, then the default.
  ///
  /// Source: docs/colour-formulas.md#precedence; defaults for "unspecified": docs/colour-formulas.md#code-points.
  ///
  /// - Parameter stream: `nil` for items without a picture of their own (`tmap`).
  init(
    _ properties: ItemProperties, stream: BitstreamColor?, isGrey: Bool, limits: DecodeLimits,
    warnings: inout [Warning]
  ) throws(DecodeError) {
    if properties.hasRepeatedColor {
      warnings.append(Warning("heif.colr", "more than one colour box of a kind; the first one is used"))
    }
    let nclx = properties.nclx
    let primaries = nclx?.primaries ?? stream?.primaries ?? 2
    let transfer = nclx?.transfer ?? stream?.transfer ?? 2
    let statedMatrix = nclx?.matrix ?? stream?.matrix ?? 2
    let fullRange = nclx?.fullRange ?? stream?.fullRange ?? true
    let isStated = nclx != nil || stream?.primaries != nil
    self.init(
      matrix: statedMatrix == CICP.Matrix.unspecified ? CICP.Matrix.usual(primaries: primaries) : statedMatrix,
      fullRange: fullRange,
      encoding: Self.encoding(primaries: primaries, transfer: transfer),
      cicp: isStated ? CICP(primaries, transfer, statedMatrix, full: fullRange) : nil)
    guard let profile = properties.icc else { return }
    guard profile.count <= limits.maxICCBytes else {
      throw .limit(what: "ICC profile size", found: profile.count, allowed: limits.maxICCBytes, setting: "")
    }
    icc = Array(profile)
    // A matrix profile cannot hold PQ or HLG; the one beside such an nclx is a fallback for older readers.
    if nclx?.isHDR == true { return }
    if let resolved = resolveICC(
      Array(profile), model: isGrey ? .grey : .rgb, evaluates: limits.evaluatesProfiles, warnings: &warnings)
    {
      encoding = resolved.encoding
      iccDescription = resolved.description
      if cicp == nil { cicp = resolved.cicp }
    }
  }

  /// Replaces "unspecified": BT.2020 for PQ and HLG, BT.709 otherwise; the sRGB curve.
  private static func encoding(primaries: Int, transfer: Int) -> ColorEncoding {
    .cicp(
      primaries: CICP.Primaries.resolved(primaries, transfer: transfer),
      transfer: transfer == CICP.Transfer.unspecified ? CICP.Transfer.sRGB : transfer)
  }
}

extension ColorEncoding {
  /// The transfer characteristics, where they are code points.
  var transferCode: Int? {
    if case .cicp(_, let transfer) = self { transfer } else { nil }
  }
}
