import FileParts
import HDRCore

/// Returns the colour of a TIFF picture: its ICC profile (`cicp` first). Without one integers are sRGB, floats linear
/// light in the primaries of the file or of BT.709, 1.0 = reference white or, with StoNits, that many cd/m². LogLuv is
/// light as X, Y, Z of white D65, or of the file's WhitePoint, whatever a profile says.
///
/// - Parameter transform: the conversion of inks and Lab, which uses their profile.
func tiffColor(
  _ page: TIFFPage, model: ColorModel, transform: InkTransform?, profile: [UInt8]?, limits: DecodeLimits,
  warnings: inout [Warning]
) -> SourceColor {
  if let transform {
    warnings.append(Warning("tiff.converted", "\(transform.what)"))
    return SourceColor(matrix: CICP.Matrix.identity, fullRange: true, encoding: transform.encoding)
  }
  let (matrix, fullRange) = model == .ycc ? yccCodes(page, warnings: &warnings) : (CICP.Matrix.identity, true)
  // Faults of the file's light are reported although a profile decides.
  let own = page.isFloat ? linearEncoding(page, warnings: &warnings) : .sRGB
  if profile != nil, page.isXYZ {
    warnings.append(Warning("icc.mismatch", "ICC profile ignored: the samples are X, Y, Z"))
  }
  guard let profile, !page.isXYZ,
    var color = SourceColor(
      icc: profile, model: model, matrix: matrix, fullRange: fullRange, limits: limits, warnings: &warnings)
  else { return SourceColor(matrix: matrix, fullRange: fullRange, encoding: own) }
  color.warnAboutBands(bits: page.bits, format: "tiff", warnings: &warnings)
  if page.isFloat { color.encoding = color.encoding.ofFloats }
  return color
}

extension ColorEncoding {
  /// The encoding for floats: without curves they are light, which has no upper limit.
  fileprivate var ofFloats: ColorEncoding {
    guard case .matrixTRC(let curves, _, .some(let code)) = self, curves.allSatisfy({ $0 == .identity }) else {
      return self
    }
    return .cicp(primaries: code, transfer: CICP.Transfer.linear)
  }
}

extension TIFFPage {
  /// True if samples are X, Y, Z of light.
  var isXYZ: Bool { photometric == TIFFPhotometric.logLuv }

  /// The samples that are inks or Lab; `nil` for others.
  var inks: InkTransform.Samples? {
    let space: InkTransform.Space
    switch photometric {
    case TIFFPhotometric.cieLab: space = .cieLab
    case TIFFPhotometric.iccLab: space = .iccLab
    case TIFFPhotometric.separated: space = .cmyk
    default: return nil
    }
    return InkTransform.Samples(
      space: space, count: samplesPerPixel, alpha: alpha, isAssociated: isAssociated, isNarrow: bits == 8)
  }

  /// The matrix from X, Y, Z to linear BT.2020; `nil` for a WhitePoint that is no white.
  fileprivate var xyzToBT2020: Matrix3? {
    guard let matrix = Primaries.bt2020.rgbToXYZ?.inverse else { return nil }
    guard let white = structure.reals(TIFFTag.whitePoint, in: directory) else { return matrix }
    guard white.count == 2, white.allSatisfy({ $0 > 0.05 }), white[0] + white[1] < 0.95 else { return nil }
    let from = Primaries.xyz(Chromaticity(white[0], white[1]))
    return matrix * Primaries.bradford(from: from, to: Primaries.xyz(Primaries.d65))
  }
}

/// Returns the encoding of linear light without a profile.
private func linearEncoding(_ page: TIFFPage, warnings: inout [Warning]) -> ColorEncoding {
  let structure = page.structure
  var primaries = Primaries.bt709
  if let points = structure.reals(TIFFTag.primaryChromaticities, in: page.directory), points.count == 6 {
    let white = structure.reals(TIFFTag.whitePoint, in: page.directory) ?? []
    let found = Primaries(
      red: Chromaticity(points[0], points[1]), green: Chromaticity(points[2], points[3]),
      blue: Chromaticity(points[4], points[5]),
      white: white.count == 2 ? Chromaticity(white[0], white[1]) : Primaries.d65)
    if found.checkedMatrixToBT2020 == nil {
      warnings.append(Warning("tiff.primaries", "PrimaryChromaticities span no colour space and are ignored"))
    } else {
      primaries = found
    }
  }
  let code = primaries.code(within: 0.0006), nits = structure.reals(TIFFTag.stoNits, in: page.directory)?.first
  let isUsable = nits.map { (1e-3...1e6).contains($0) } == true
  if nits != nil, !isUsable { warnings.append(Warning("tiff.stonits", "StoNits is ignored: it is no luminance")) }
  let scale = isUsable ? (nits ?? 0) / ReferenceWhite.nits : 1
  if page.isXYZ {
    if page.xyzToBT2020 == nil { warnings.append(Warning("tiff.primaries", "WhitePoint is ignored: it is no white")) }
    let matrix = page.xyzToBT2020 ?? Primaries.bt2020.rgbToXYZ?.inverse ?? .identity
    return .matrixTRC(curves: [.identity, .identity, .identity], toBT2020: (matrix * scale).rows, primaries: nil)
  }
  if let code, scale == 1 { return .cicp(primaries: code, transfer: CICP.Transfer.linear) }
  let matrix = (code.flatMap(Primaries.init(code:)) ?? primaries).checkedMatrixToBT2020 ?? .identity
  return .matrixTRC(curves: [.identity, .identity, .identity], toBT2020: (matrix * scale).rows, primaries: code)
}

/// Returns the matrix coefficients and range of Y'CbCr samples (TIFF 6.0 section 21).
private func yccCodes(_ page: TIFFPage, warnings: inout [Warning]) -> (matrix: Int, fullRange: Bool) {
  var matrix = CICP.Matrix.bt601
  if let weights = page.structure.reals(TIFFTag.yccCoefficients, in: page.directory), weights.count == 3 {
    func isNear(_ red: Double, _ blue: Double) -> Bool { abs(weights[0] - red) < 2e-3 && abs(weights[2] - blue) < 2e-3 }
    if isNear(0.2126, 0.0722) {
      matrix = CICP.Matrix.bt709
    } else if isNear(0.2627, 0.0593) {
      matrix = CICP.Matrix.bt2020
    } else if !isNear(0.299, 0.114) {
      warnings.append(Warning("tiff.ycc", "YCbCrCoefficients are none of BT.601, 709 or 2020; taken as BT.601"))
    }
  }
  let range = page.structure.reals(TIFFTag.referenceBlackWhite, in: page.directory) ?? []
  return (matrix, !range.starts(with: [16, 235]))
}
