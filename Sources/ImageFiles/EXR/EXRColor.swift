import HDRCore
import PlainData

/// The colour of an OpenEXR part, by its attributes: chromaticities, else `colorInteropID`, else BT.709. Samples are
/// linear light, 1.0 = reference white.
///
/// Source: OpenEXR, "Technical Introduction" (chromaticities, whiteLuminance); ASWF Color Interop Forum, "Color Space
/// Encodings for Texture Assets and CG Rendering" (names).
struct EXRColor {
  var primaries = Primaries.bt709
  /// True if samples are X, Y, Z with the white D65; `primaries` then has no meaning.
  var isXYZ = false
  /// True if the file or the caller states the colour.
  var isStated = false

  /// Makes the colour of primaries that a caller states in place of the file's.
  init(_ primaries: Primaries) { (self.primaries, isStated) = (primaries, true) }

  init(_ header: EXRHeader, warnings: inout [Warning]) {
    if let stated = header.chromaticities {
      if stated.checkedMatrixToBT2020 != nil, let matrix = stated.rgbToXYZ, abs(matrix.determinant) > 1e-6 {
        (primaries, isStated) = (stated, true)
        return
      }
      warnings.append(
        Warning("exr.chromaticities", "the chromaticities span no colour space; BT.709 or colorInteropID is used"))
    }
    guard let id = header.colorInteropID, id.utf8.count <= 64 else { return }
    if let known = Self.spaces.first(where: { $0.id == id }) {
      (primaries, isStated) = (known.primaries, true)
    } else if id == "lin_ciexyzd65_scene" {
      (isXYZ, isStated) = (true, true)
    } else if !["data", "unknown"].contains(id) {
      warnings.append(Warning("exr.color", "colorInteropID \"\(streamSafe(id))\" is not known; BT.709 is assumed"))
    }
  }

  /// The white of ACES (SMPTE ST 2065-1, ACES specification S-2014-004).
  private static let aces = Chromaticity(0.32168, 0.33767)
  private static let spaces: [(id: String, name: String, primaries: Primaries)] = [
    ("lin_rec709_scene", "BT.709", .bt709), ("lin_p3d65_scene", "P3-D65", .displayP3),
    ("lin_rec2020_scene", "BT.2020", .bt2020),
    (
      "lin_adobergb_scene", "Adobe RGB",
      Primaries(
        red: Chromaticity(0.64, 0.33), green: Chromaticity(0.21, 0.71), blue: Chromaticity(0.15, 0.06),
        white: Primaries.d65)
    ),
    (
      "lin_ap0_scene", "AP0",
      Primaries(
        red: Chromaticity(0.7347, 0.2653), green: Chromaticity(0, 1), blue: Chromaticity(0.0001, -0.077), white: aces)
    ),
    (
      "lin_ap1_scene", "AP1",
      Primaries(
        red: Chromaticity(0.713, 0.293), green: Chromaticity(0.165, 0.83), blue: Chromaticity(0.128, 0.044), white: aces
      )
    ),
  ]

  /// The common name of the space; `nil`: it has no name, or the file does not state it.
  var name: String? {
    if isXYZ { return "CIE XYZ" }
    return isStated ? Self.spaces.first { $0.primaries.isNear(primaries, within: 1e-4) }?.name : nil
  }

  /// Returns the `colorInteropID` of a code point's primaries; `nil`: there is none.
  static func interopID(primaries code: Int) -> String? {
    switch code {
    case CICP.Primaries.bt709: "lin_rec709_scene"
    case CICP.Primaries.bt2020: "lin_rec2020_scene"
    case CICP.Primaries.p3: "lin_p3d65_scene"
    default: nil
    }
  }

  /// Returns the colour of the picture.
  ///
  /// - Parameter scale: the light of 1.0, as a factor of reference white.
  func source(scale: Double = 1) -> SourceColor {
    let code = isXYZ ? nil : primaries.code(within: 1e-4)
    let cicp = isStated ? code.map { CICP($0, CICP.Transfer.linear, CICP.Matrix.identity, full: true) } : nil
    let encoding: ColorEncoding
    if let code, scale == 1 {
      encoding = .cicp(primaries: code, transfer: CICP.Transfer.linear)
    } else {
      let exact = code.flatMap { Primaries(code: $0) } ?? primaries
      let matrix = isXYZ ? Primaries.bt2020.rgbToXYZ?.inverse : exact.checkedMatrixToBT2020
      encoding = .matrixTRC(
        curves: [.identity, .identity, .identity], toBT2020: ((matrix ?? .identity) * scale).rows, primaries: code)
    }
    return SourceColor(matrix: CICP.Matrix.identity, fullRange: true, encoding: encoding, cicp: cicp)
  }
}
