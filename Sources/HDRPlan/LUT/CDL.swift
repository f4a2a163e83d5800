import HDRCore

/// A colour correction of ASC CDL 1.2: (x · slope + offset)^power of each channel, then saturation about the luminance
/// of BT.709.
package struct CDL: Sendable, Hashable {
  package var slope: [Double]
  package var offset: [Double]
  package var power: [Double]
  package var saturation: Double
  /// True if numbers are kept within 0 to 1 before the power and at the end, as ASC's text says; else negative bases of
  /// the power stay as they are.
  package var clamps: Bool
  var isReversed = false

  /// - Parameters:
  ///   - slope: of R, G and B, from 0.
  ///   - power: of R, G and B, above 0.
  ///   - saturation: from 0.
  package init(
    slope: [Double] = [1, 1, 1], offset: [Double] = [0, 0, 0], power: [Double] = [1, 1, 1], saturation: Double = 1,
    clamps: Bool = false
  ) {
    (self.slope, self.offset, self.power, self.saturation) = (slope, offset, power, saturation)
    self.clamps = clamps
  }

  static let luminance = [0.2126, 0.7152, 0.0722]

  /// Returns the correction that undoes this one.
  func inverse() throws(LUTError) -> CDL {
    guard slope.allSatisfy({ $0 > 0 }), saturation > 0 else {
      throw LUTError(.singular, reason: "a CDL of slope 0 or saturation 0 has no inverse")
    }
    var other = self
    other.isReversed.toggle()
    return other
  }

  /// The operations in their order.
  var operations: [LUTOperation] {
    let bounds: [LUTOperation] = clamps ? [.clamp(low: 0, high: 1)] : []
    let negatives: LUTFormula.Negatives = clamps ? .clamp : .pass
    func powers(_ list: [Double]) -> [LUTOperation] {
      list == [1, 1, 1] ? [] : [.formulas(list.map { $0 == 1 ? .identity : .power($0, negatives) })]
    }
    guard isReversed else {
      return [.affine(slope, offset)] + bounds + powers(power) + Self.saturated(saturation) + bounds
    }
    let back = slope.map { 1 / $0 }
    return bounds + Self.saturated(1 / saturation) + bounds + powers(power.map { 1 / $0 })
      + [.affine(back, zip(back, offset).map { -$0 * $1 })] + bounds
  }

  /// Returns the operation that scales distances from the luminance; none for 1.
  static func saturated(_ amount: Double) -> [LUTOperation] {
    if amount == 1 { return [] }
    let rest = luminance.map { $0 * (1 - amount) }
    return [.matrix(Matrix3((0..<9).map { rest[$0 % 3] + ($0 % 4 == 0 ? amount : 0) }))]
  }
}
