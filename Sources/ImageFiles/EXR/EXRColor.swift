import HDRCore
import PlainData

/// The colour of an OpenEXR part, by its attributes: `colorInteropID`, else chromaticities, else BT.709. Samples are
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
  /// The identifier that the file states and the list has not; `nil`: none. A config may know it.
  private(set) var otherID: String?

  /// Makes the colour of primaries that a caller states in place of the file's.
  init(_ primaries: Primaries) { state(primaries) }

  init(_ header: EXRHeader, warnings: inout [Warning]) {
    let points = Self.usable(header.chromaticities, &warnings)
    if let known = header.colorInteropID.flatMap(NamedSpace.identified) {
      (space, isStated) = (known, true)
      guard let set = known.primaries else { return }
      primaries = points.flatMap { $0.isNear(set, within: 1e-4) ? $0 : nil } ?? set
      if let points, !points.isNear(set, within: 1e-3) {
        warnings.append(
          Warning(Self.color, "the chromaticities are not those of \(known.name), which colorInteropID says and counts")
        )
      }
      return
    }
    if let id = header.colorInteropID, !["data", "unknown"].contains(id) {
      let name = String(streamSafe(id).unicodeScalars.prefix(64))
      if id.utf8.count <= 64 { otherID = name }
      let reading = points == nil ? "BT.709 is assumed" : "its chromaticities count"
      warnings.append(Warning(Self.color, "colorInteropID \"\(name)\" is not known; \(reading)"))
    }
    isGuessed = header.chromaticities == nil && [nil, "unknown"].contains(header.colorInteropID)
    if let points { state(points) }
  }

  /// Returns chromaticities that span a space.
  private static func usable(_ stated: Primaries?, _ warnings: inout [Warning]) -> Primaries? {
    guard let stated else { return nil }
    if stated.checkedMatrixToBT2020 != nil, let matrix = stated.rgbToXYZ, abs(matrix.determinant) > 1e-6 {
      return stated
    }
    warnings.append(
      Warning("exr.chromaticities", "the chromaticities span no colour space; colorInteropID or BT.709 is used"))
    return nil
  }

  /// The code of warnings about an identifier.
  static let color = "exr.color"

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
