import HDRCore

/// Matrices that colour filters share: linear BT.2020 to linear BT.2020.
enum ColorTransform {
  /// Luminance weights of the working space.
  static let luminance = ToneOperation.luminance

  /// Returns `1 - amount` of the colour plus `amount` of its luminance times `tint`; below 0 away from the tint.
  static func tinted(_ tint: [Double], amount: Double) -> Matrix3 {
    Matrix3(
      (0..<9).map { i in
        let (row, column) = (i / 3, i % 3)
        return (row == column ? 1 - amount : 0) + amount * tint[row] * luminance[column]
      })
  }

  /// Bounds the content headroom after a matrix: h times the largest sum of a row's positive coefficients, for colours
  /// that are not negative; unknown above 64 (docs/filter-formulas.md#headroom).
  static func headroom(_ m: Matrix3, after content: Headroom) -> Headroom? {
    let largest = (0..<3).map { row in (0..<3).map { max(m[row, $0], 0) }.reduce(0, +) }.max() ?? 1
    guard largest > 0 else { return .sdr }
    let stops = content.stops + ExactMath.log2(largest)
    return stops > 6 ? nil : Headroom(stops: max(stops, 0))
  }
}
