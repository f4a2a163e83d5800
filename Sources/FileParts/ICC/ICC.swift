import HDRCore

/// Resolves an ICC profile to the colour of pixels of `model`.
///
/// 1. A `cicp` tag with code points this program supports decides alone.
/// 2. An RGB profile without it is PQ or HLG if its curves are, or if the name of a profile of tables says so.
/// 3. An RGB matrix/TRC profile or a grey TRC profile is evaluated here: its own curves, colorants from the D50 of the
///    profile to linear BT.2020 with D65 white. Colorants within 0.0006 in xy of an H.273 row become that row.
/// 4. Any other RGB profile is baked by Little CMS in float, relative colorimetric, into a cube.
///
/// - Parameter evaluates: if false, 4 gives a cube that changes nothing, and no library sees the profile.
/// - Returns: `nil` when the profile cannot be used; `warnings` then has one `icc.*` entry with the reason, and the
///   caller continues as if there were no profile. Never fails otherwise, never traps.
/// - Source: docs/colour-formulas.md#icc; limits of docs/isolation.md#limits.
package func resolveICC(
  _ profile: [UInt8], model: ColorModel, evaluates: Bool = true, warnings: inout [Warning]
) -> (encoding: ColorEncoding, cicp: CICP?, description: String?)? {
  do throws(ICCProfile.Fault) {
    let icc = try ICCProfile(profile)
    if let cicp = icc.cicp {
      if let encoding = encoding(for: cicp, in: icc) { return (encoding, cicp, icc.description) }
      warnings.append(
        Warning("icc.cicp", "code points \(cicp.primaries)/\(cicp.transfer)/\(cicp.matrix) in the profile are ignored"))
    }
    if let encoding = try unstatedHDR(icc, warnings: &warnings) { return (encoding, nil, icc.description) }
    return (try encoding(of: icc, model: model, evaluates: evaluates), nil, icc.description)
  } catch {
    warnings.append(Warning(error.code, "ICC profile ignored: \(error.what)"))
    return nil
  }
}

/// Returns the code points of a profile (`cicp`); `nil` if it has none, or is no profile. No library reads it.
package func codePoints(ofICC profile: [UInt8]) -> CICP? { (try? ICCProfile(profile))?.cicp }

/// The transfer characteristics that can be decoded (docs/colour-formulas.md#transfer).
private let supportedTransfers: Set<Int> = [1, 4, 5, 6, 7, 8, 11, 13, 14, 15, 16, 17, 18]

/// True if this program can decode the colour of H.273 code points.
package func isSupported(primaries: Int, transfer: Int) -> Bool {
  Primaries(code: primaries) != nil && supportedTransfers.contains(transfer)
}

private func encoding(for cicp: CICP, in icc: ICCProfile) -> ColorEncoding? {
  // Clause 9.2.17: only for RGB, YCbCr and XYZ data of input and display profiles; the matrix of RGB data is 0.
  guard ["RGB ", "YCbr", "XYZ "].contains(icc.colorSpace), ["scnr", "mntr", "spac"].contains(icc.deviceClass),
    cicp.matrix == CICP.Matrix.identity, isSupported(primaries: cicp.primaries, transfer: cicp.transfer)
  else { return nil }
  return .cicp(primaries: cicp.primaries, transfer: cicp.transfer)
}

/// Returns PQ or HLG by the curves of a profile without `cicp`, or by its name if it has tables; never SDR.
private func unstatedHDR(_ icc: ICCProfile, warnings: inout [Warning]) throws(ICCProfile.Fault) -> ColorEncoding? {
  guard icc.colorSpace == "RGB " else { return nil }
  let transfer: Int, how: String
  var primaries = CICP.Primaries.bt2020
  if icc.hasMatrix {
    guard case .matrixTRC(let curves, _, let code) = try matrixEncoding(of: icc),
      let found = ICCProfile.hdrTransfer(curves)
    else { return nil }
    (transfer, how) = (found, "curve")
    if let code {
      primaries = code
    } else {
      warnings.append(Warning("icc.hdr-primaries", "the profile's primaries are not in the list; BT.2020 is assumed"))
    }
  } else {
    guard let found = icc.namedHDRTransfer else { return nil }
    (transfer, how) = (found, "name")
    if icc.description?.uppercased().contains("P3") == true { primaries = CICP.Primaries.p3 }
  }
  let name = transfer == CICP.Transfer.pq ? "PQ" : "HLG"
  warnings.append(Warning("icc.hdr", "the ICC profile has no cicp tag; its \(how) says \(name)"))
  return .cicp(primaries: primaries, transfer: transfer)
}

private func encoding(
  of icc: ICCProfile, model: ColorModel, evaluates: Bool
) throws(ICCProfile.Fault) -> ColorEncoding {
  guard ["scnr", "mntr", "spac", "prtr"].contains(icc.deviceClass) else {
    throw ICCProfile.Fault("unsupported", "profile class '\(icc.deviceClass)'")
  }
  switch icc.colorSpace {
  case "RGB ":
    if icc.hasMatrix { return try matrixEncoding(of: icc) }
    return evaluates ? try bakedEncoding(of: icc) : unchangedColors
  case "GRAY" where model == .grey:
    // Grey is neutral: equal light in all three channels, at the white of the working space.
    let curve = try icc.curve("kTRC")
    return .matrixTRC(curves: [curve, curve, curve], toBT2020: Matrix3.identity.rows, primaries: CICP.Primaries.bt2020)
  default:
    throw ICCProfile.Fault("mismatch", "a profile for '\(icc.colorSpace)' on a \(model.rawValue) picture")
  }
}

func matrixEncoding(of icc: ICCProfile) throws(ICCProfile.Fault) -> ColorEncoding {
  let curves = [try icc.curve("rTRC"), try icc.curve("gTRC"), try icc.curve("bTRC")]
  guard let red = icc.xyz("rXYZ"), let green = icc.xyz("gXYZ"), let blue = icc.xyz("bXYZ") else {
    throw ICCProfile.Fault("invalid", "a colorant tag is not an XYZ triple")
  }
  let colorants = Matrix3((0..<3).flatMap { [red[$0], green[$0], blue[$0]] })
  guard let colour = matrixToBT2020(colorants: colorants, chad: icc.chromaticAdaptation) else {
    throw ICCProfile.Fault("invalid", "the colorants do not span a colour space")
  }
  return .matrixTRC(curves: curves, toBT2020: colour.matrix.rows, primaries: colour.primaries)
}

/// Converts colorants relative to D50 to a matrix for linear BT.2020; it is exact for primaries of H.273.
private func matrixToBT2020(colorants: Matrix3, chad: Matrix3?) -> (matrix: Matrix3, primaries: Int?)? {
  guard colorants.isUsable else { return nil }
  let d65 = Primaries.xyz(Primaries.d65)
  // Without `chad` the device's white is taken as D65, adapted to the PCS by Bradford; only names depend on it.
  let undo: Matrix3
  if let chad {
    guard chad.isUsable, let inverse = chad.inverse else { return nil }
    undo = inverse
  } else {
    undo = Primaries.bradford(from: [0.96422, 1, 0.82521], to: d65)
  }
  let native = undo * colorants
  let white = native * [1, 1, 1]
  guard white.allSatisfy({ $0.isFinite && $0 > 0 }) else { return nil }
  let found = Primaries(
    red: chromaticity(native.column(0)), green: chromaticity(native.column(1)), blue: chromaticity(native.column(2)),
    white: chromaticity(white))
  if let code = found.code(within: 0.0006), let exact = Primaries(code: code)?.checkedMatrixToBT2020 {
    return (exact, code)
  }
  // The device's own white becomes the working white exactly, in spite of rounding in the tags.
  guard let toBT2020 = Primaries.bt2020.rgbToXYZ?.inverse else { return nil }
  let matrix = toBT2020 * (Primaries.bradford(from: white, to: d65) * native)
  return matrix.isUsable ? (matrix, nil) : nil
}
