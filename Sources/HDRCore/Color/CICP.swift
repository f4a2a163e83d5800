/// The four code points of ITU-T H.273: primaries, transfer characteristics, matrix coefficients, range.
public struct CICP: Sendable, Hashable, Codable {
  public var primaries: Int
  public var transfer: Int
  public var matrix: Int
  public var fullRange: Bool

  public init(_ primaries: Int, _ transfer: Int, _ matrix: Int, full fullRange: Bool) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    self.fullRange = fullRange
  }

  /// True if the transfer characteristics alone mean HDR.
  public var isHDR: Bool { Transfer.isHDR(transfer) }

  package static let sRGB = CICP(Primaries.bt709, Transfer.sRGB, Matrix.identity, full: true)
  package static let unspecified = CICP(
    Primaries.unspecified, Transfer.unspecified, Matrix.unspecified, full: true)

  /// Returns the code points of gain maps. Codes are not light: only matrix and range count (ISO 21496-1 clause 6).
  package static func gainMap(matrix: Int = Matrix.bt601, full: Bool = true) -> CICP {
    CICP(Primaries.unspecified, Transfer.unspecified, matrix, full: full)
  }

  /// Colour primaries: table 2.
  public enum Primaries {
    public static let bt709 = 1, unspecified = 2, bt2020 = 9
    /// P3 with white D65.
    public static let p3 = 12

    /// Primaries that outputs can have.
    package static let outputs = [bt709, bt2020, p3]

    /// Replaces "unspecified": by BT.2020 for PQ and HLG, else by BT.709.
    package static func resolved(_ code: Int, transfer: Int) -> Int {
      guard code == unspecified else { return code }
      return Transfer.isHDR(transfer) ? bt2020 : bt709
    }
  }

  /// Transfer characteristics: table 3.
  public enum Transfer {
    public static let bt709 = 1, unspecified = 2, linear = 8, sRGB = 13, pq = 16, hlg = 18

    package static func isHDR(_ code: Int) -> Bool { code == pq || code == hlg }

    /// True if a profile of this transfer may have curves of ST 2094-50: light above reference white has codes.
    package static func takesToneMetadata(_ code: Int) -> Bool { isHDR(code) || code == linear }
  }

  /// Matrix coefficients: table 4.
  public enum Matrix {
    public static let identity = 0, bt709 = 1, unspecified = 2
    /// The BT.601 matrix for 625 lines, which JPEG uses.
    public static let bt601 = 6
    /// BT.2020 with non-constant luminance.
    public static let bt2020 = 9
    public static let ycgco = 8
    /// BT.2020 with constant luminance.
    public static let bt2020ConstantLuminance = 10
    /// Weights that follow from the primaries, without and with constant luminance.
    public static let derived = 12, derivedConstantLuminance = 13
    public static let ictcp = 14
    /// Reversible YCgCo, whose codes have two bits more than R'G'B', or one.
    public static let ycgcoTwoBits = 16, ycgcoOneBit = 17

    /// Returns the matrix for codes that are not light, where constant luminance is computed from the codes themselves.
    package static func ofCodes(_ matrix: Int) -> Int {
      switch matrix {
      case bt2020ConstantLuminance: bt2020
      case derivedConstantLuminance: derived
      default: matrix
      }
    }

    /// Returns the usual matrix of primaries if nothing is stated: BT.2020's, else BT.601.
    package static func usual(primaries: Int) -> Int { primaries == Primaries.bt2020 ? bt2020 : bt601 }
  }
}
