import FileParts
import HDRCore

extension SourceColor {
  /// Returns the colour of linear light in a file that has no profile.
  ///
  /// - Parameters:
  ///   - isStated: true if the file or the caller states the primaries.
  ///   - scale: the light of 1.0 in each channel, as a factor of reference white.
  static func linear(_ primaries: Primaries, isStated: Bool, scale: [Double] = [1, 1, 1]) -> SourceColor {
    let code = primaries.code(within: 1e-4), exact = code.flatMap { Primaries(code: $0) } ?? primaries
    let cicp = code.map { CICP($0, CICP.Transfer.linear, CICP.Matrix.identity, full: true) }
    if let code, scale == [1, 1, 1] {
      return SourceColor(
        matrix: CICP.Matrix.identity, fullRange: true,
        encoding: .cicp(primaries: code, transfer: CICP.Transfer.linear), cicp: isStated ? cicp : nil)
    }
    var color = linear(exact.checkedMatrixToBT2020 ?? .identity, scale: scale, primaries: code)
    color.cicp = isStated ? cicp : nil
    return color
  }

  /// Returns the colour of linear light in channels that a matrix converts to linear BT.2020.
  static func linear(_ toBT2020: Matrix3, scale: [Double] = [1, 1, 1], primaries: Int? = nil) -> SourceColor {
    let matrix = toBT2020 * Matrix3.diagonal(scale[0], scale[1], scale[2])
    return SourceColor(
      matrix: CICP.Matrix.identity, fullRange: true,
      encoding: .matrixTRC(
        curves: [.identity, .identity, .identity], toBT2020: matrix.rows, primaries: primaries))
  }
}

/// The range of light that plans take, as for OpenEXR: NaN becomes 0, infinity the largest half, anything else stays
/// within 2^20 times reference white, and what is below 2^-30 of it is 0.
@inline(__always) func boundedLight(_ value: Float) -> Float {
  let magnitude = abs(value)
  if magnitude >= 0x1p-30, magnitude <= 0x1p20 { return value }
  if magnitude == .infinity { return value < 0 ? -65_504 : 65_504 }
  return magnitude > 0x1p20 ? (value < 0 ? -0x1p20 : 0x1p20) : 0
}

extension SamplePlane {
  /// Returns the samples of a row of binary32.
  func floats(_ y: Int) -> UnsafeMutablePointer<Float> {
    (buffer.base + offset + y * rowBytes).assumingMemoryBound(to: Float.self)
  }
}
