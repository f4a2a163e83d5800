import FileParts
import HDRCore

extension SourceColor {
  /// Resolves the colour of an item's picture: nclx with PQ or HLG, then ICC, then nclx, then the bitstream, then sRGB
  /// with BT.601 in full range. Matrix and range never come from an ICC profile: nclx, then bitstream, then the
  /// default.
  ///
  /// Source: docs/colour-formulas.md#precedence; defaults for "unspecified": docs/colour-formulas.md#code-points.
  ///
  /// - Parameters:
  ///   - stream: `nil` for items without a picture of their own (`tmap`).
  ///   - range: the range that the caller states in place of the file's; `nil`: none.
  init(
    _ properties: ItemProperties, stream: BitstreamColor?, range: Bool? = nil, isGrey: Bool, limits: DecodeLimits,
    warnings: inout [Warning]
  ) throws(DecodeError) {
    if properties.hasRepeatedColor {
      warnings.append(Warning("heif.colr", "more than one colour box of a kind; the first one is used"))
    }
    let nclx = properties.nclx
    let primaries = nclx?.primaries ?? stream?.primaries ?? 2
    let transfer = nclx?.transfer ?? stream?.transfer ?? 2
    let statedMatrix = nclx?.matrix ?? stream?.matrix ?? 2
    let fullRange = range ?? Self.fullRange(nclx: nclx, stream: stream, warnings: &warnings)
    let isStated = nclx != nil || stream?.primaries != nil
    self.init(
      matrix: statedMatrix == CICP.Matrix.unspecified ? CICP.Matrix.usual(primaries: primaries) : statedMatrix,
      fullRange: fullRange,
      encoding: Self.encoding(primaries: primaries, transfer: transfer),
      cicp: isStated ? CICP(primaries, transfer, statedMatrix, full: fullRange) : nil)
    guard let profile = properties.icc else { return }
    guard profile.count <= limits.maxICCBytes else {
      throw .limit(what: "ICC profile size", found: profile.count, allowed: limits.maxICCBytes)
    }
    icc = Array(profile)
    // A matrix profile cannot hold PQ or HLG; a profile beside such an nclx is a fallback for older readers.
    if nclx?.isHDR == true { return }
    let model = isGrey ? ColorModel.grey : .rgb
    guard let found = SourceColor(icc: Array(profile), model: model, limits: limits, warnings: &warnings) else {
      return
    }
    (encoding, iccDescription, cicp) = (found.encoding, found.iccDescription, cicp ?? found.cicp)
  }

  /// Returns true for full range: by nclx, else by the bitstream, else as the stream's standard infers, else full.
  private static func fullRange(nclx: CICP?, stream: BitstreamColor?, warnings: inout [Warning]) -> Bool {
    func name(_ isFull: Bool) -> String { isFull ? "full" : "limited" }
    switch (nclx?.fullRange, stream?.fullRange) {
    case (let box?, let coded?) where box != coded:
      warnings.append(
        Warning(
          "heif.range.conflict",
          "the colour box says \(name(box)) range and the bit stream \(name(coded)): read as \(name(box)) "
            + "(\(setting: "input-range") \(name(coded)) reads it as \(name(coded)))"))
      return box
    case (let box?, _): return box
    case (nil, let coded?): return coded
    case (nil, nil):
      guard let inferred = stream?.inferredFullRange else { return true }
      warnings.append(
        Warning(
          "heif.range.assumed",
          "the file does not state the range of its codes: read as \(name(inferred)), its codec's default "
            + "(\(setting: "input-range") \(name(!inferred)) reads it as \(name(!inferred)))"))
      return inferred
    }
  }

  /// Returns the encoding with "unspecified" replaced: BT.2020 for PQ and HLG, BT.709 otherwise; the sRGB curve.
  private static func encoding(primaries: Int, transfer: Int) -> ColorEncoding {
    .cicp(
      primaries: CICP.Primaries.resolved(primaries, transfer: transfer),
      transfer: transfer == CICP.Transfer.unspecified ? CICP.Transfer.sRGB : transfer)
  }
}

extension ColorEncoding {
  /// The transfer characteristics if they are a code point.
  var transferCode: Int? {
    if case .cicp(_, let transfer) = self { transfer } else { nil }
  }
}
