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

  /// Transfer characteristics that mean HDR by themselves: PQ (16) and HLG (18).
  public var isHDR: Bool { transfer == 16 || transfer == 18 }

  public static let sRGB = CICP(1, 13, 0, full: true)
  public static let unspecified = CICP(2, 2, 2, full: true)
}
