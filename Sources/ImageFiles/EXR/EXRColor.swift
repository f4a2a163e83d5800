import HDRCore
import PlainData

/// The colour of an OpenEXR part, by its attributes: chromaticities, else `colorInteropID`, else BT.709. Samples are
/// linear light, 1.0 = reference white, unless the identifier names a space with a curve.
///
/// Source: OpenEXR, "Technical Introduction" (chromaticities, whiteLuminance); ASWF Color Interop Forum, "Color Space
/// Encodings for Texture Assets and CG Rendering" (names).
struct EXRColor {
  /// The space of the list that the file means; `nil`: chromaticities that no space has.
  private(set) var space: NamedSpace?
  /// The primaries; BT.709's for spaces without primaries.
  private(set) var primaries = Primaries.bt709
  /// True if the file or the caller states the colour.
  private(set) var isStated = false
  /// True if the file states nothing, not even what is not known.
  private(set) var isGuessed = false

  /// Makes the colour of primaries that a caller states in place of the file's.
  init(_ primaries: Primaries) { state(primaries) }

  init(_ header: EXRHeader, warnings: inout [Warning]) {
    if let stated = header.chromaticities {
      if stated.checkedMatrixToBT2020 != nil, let matrix = stated.rgbToXYZ, abs(matrix.determinant) > 1e-6 {
        state(stated)
        return
      }
      warnings.append(
        Warning("exr.chromaticities", "the chromaticities span no colour space; BT.709 or colorInteropID is used"))
    }
    isGuessed = header.chromaticities == nil && [nil, "unknown"].contains(header.colorInteropID)
    guard let id = header.colorInteropID, id.utf8.count <= 64 else { return }
    if let known = NamedSpace.identified(id) {
      (space, isStated) = (known, true)
      if let set = known.primaries { primaries = set }
    } else if !["data", "unknown"].contains(id) {
      warnings.append(Warning("exr.color", "colorInteropID \"\(streamSafe(id))\" is not known; BT.709 is assumed"))
    }
  }

  /// The warning of a file that states no colour.
  static let guess = Warning(
    "ocio.guess",
    "the file states no colour and is read as BT.709: \(setting: "from-space") says which it is, as ACEScg")

  private mutating func state(_ stated: Primaries) {
    (space, primaries, isStated) = (NamedSpace.linear(near: stated), stated, true)
  }

  /// The name of the space; `nil`: it has no name, or the file does not state it.
  var name: String? { isStated ? space?.name : nil }

  /// The primaries that the file states, for reports.
  var statedPrimaries: Primaries? { isStated && space.map { $0.primaries != nil } ?? true ? primaries : nil }

  /// Returns the colour of the picture.
  ///
  /// - Parameter scale: the light of 1.0, as a factor of reference white. A space with a curve has its own meaning of 1.0.
  func source(scale: Double = 1) -> SourceColor {
    if let space, space.kind != .linear {
      return SourceColor(matrix: CICP.Matrix.identity, fullRange: true, encoding: space.encoding)
    }
    let code = space != nil && space?.primaries == nil ? nil : primaries.code(within: 1e-4)
    let cicp = isStated ? code.map { CICP($0, CICP.Transfer.linear, CICP.Matrix.identity, full: true) } : nil
    let encoding: ColorEncoding
    if let code, scale == 1 {
      encoding = .cicp(primaries: code, transfer: CICP.Transfer.linear)
    } else {
      let exact = code.flatMap { Primaries(code: $0) }?.checkedMatrixToBT2020
      let matrix = exact ?? space?.toBT2020 ?? primaries.checkedMatrixToBT2020
      encoding = .matrixTRC(
        curves: [.identity, .identity, .identity], toBT2020: ((matrix ?? .identity) * scale).rows, primaries: code)
    }
    return SourceColor(matrix: CICP.Matrix.identity, fullRange: true, encoding: encoding, cicp: cicp)
  }
}
