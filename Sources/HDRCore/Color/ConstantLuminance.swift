/// Luma that carries the luminance of linear light, and differences of signals from it (ITU-T H.273 equations 51 to 60,
/// MatrixCoefficients 10 and 13; docs/colour-formulas.md#ycbcr).
package struct ConstantLuminance: Sendable, Hashable {
  /// The weight of R in the luminance.
  package let kr: Double
  package let kb: Double
  /// H.273's transfer function of the signal.
  package let curve: TransferCurve

  /// Returns `nil` for other matrices, and for primaries and transfer characteristics that are not known. Code 13
  /// derives the weights from `primaries`.
  package init?(matrix code: Int, primaries: Int, transfer: Int) {
    let alike: Int
    switch code {
    case CICP.Matrix.bt2020ConstantLuminance: alike = CICP.Matrix.bt2020
    case CICP.Matrix.derivedConstantLuminance: alike = CICP.Matrix.derived
    default: return nil
    }
    guard let weights = YCbCr(matrix: alike, primaries: primaries),
      let curve = TransferCurve(transferFunction: transfer)
    else { return nil }
    (kr, kb, self.curve) = (weights.kr, weights.kb, curve)
  }

  /// The largest distance of R' below and above Y'; Cr of -0.5 and 0.5 stands for it.
  package var red: (below: Double, above: Double) { (signal(1 - kr), 1 - signal(kr)) }
  package var blue: (below: Double, above: Double) { (signal(1 - kb), 1 - signal(kb)) }

  /// The matrix from linear R, Y, B to linear R, G, B.
  package var greenFromLuminance: Matrix3 {
    let kg = 1 - kr - kb
    return Matrix3([1, 0, 0, -kr / kg, 1 / kg, -kb / kg, 0, 0, 1])
  }

  /// Converts Y', Cb, Cr to R', Y', B'.
  package func signals(_ ycc: [Double]) -> [Double] {
    let r = ycc[2] > 0 ? red.above : red.below, b = ycc[1] > 0 ? blue.above : blue.below
    return [ycc[0] + 2 * r * ycc[2], ycc[0], ycc[0] + 2 * b * ycc[1]]
  }

  /// Converts R'G'B' to Y', Cb, Cr.
  package func fromRGB(_ rgb: [Double]) -> [Double] {
    let light = rgb.map(curve.decode)
    let y = curve.encode(kr * light[0] + (1 - kr - kb) * light[1] + kb * light[2])
    func difference(_ d: Double, _ range: (below: Double, above: Double)) -> Double {
      d / (2 * (d > 0 ? range.above : range.below))
    }
    return [y, difference(rgb[2] - y, blue), difference(rgb[0] - y, red)]
  }

  /// Returns the signal for a share of the light of signal 1.
  private func signal(_ share: Double) -> Double { curve.encode(share * curve.decode(1)) }
}

extension TransferCurve {
  /// Makes the transfer function that H.273's equations name: the one that coded the light. It differs from the
  /// display's if a camera's curve is standardised.
  init?(transferFunction code: Int) {
    switch code {
    case CICP.Transfer.bt709, 6, 11, 14, 15: self = .bt709Scene
    default: self.init(code: code)
    }
  }
}
