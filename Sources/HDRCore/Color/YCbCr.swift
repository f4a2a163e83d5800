/// Luma coefficients and integer ranges of Y'CbCr (ITU-T H.273 MatrixCoefficients, VideoFullRangeFlag;
/// docs/colour-formulas.md#ycbcr).
package struct YCbCr: Sendable, Hashable {
  package var kr: Double
  package var kb: Double

  package init(kr: Double, kb: Double) {
    self.kr = kr
    self.kb = kb
  }

  /// Makes the coefficients of a code; `nil` if it is not of the Kr/Kb kind. Code 12 derives them from `primaries`.
  package init?(matrix code: Int, primaries: Int) {
    switch code {
    case 1: self.init(kr: 0.2126, kb: 0.0722)
    case 4: self.init(kr: 0.30, kb: 0.11)
    case 2, 5, 6: self.init(kr: 0.299, kb: 0.114)
    case 7: self.init(kr: 0.212, kb: 0.087)
    case 9: self.init(kr: 0.2627, kb: 0.0593)
    case CICP.Matrix.derived:
      guard let weights = Primaries(code: primaries)?.luminance else { return nil }
      self.init(kr: weights[0], kb: weights[2])
    default: return nil
    }
  }

  /// Converts R'G'B' to Y', Cb, Cr.
  package func fromRGB(_ rgb: [Double]) -> [Double] {
    let y = kr * rgb[0] + (1 - kr - kb) * rgb[1] + kb * rgb[2]
    return [y, (rgb[2] - y) / (2 * (1 - kb)), (rgb[0] - y) / (2 * (1 - kr))]
  }

  /// Converts Y', Cb, Cr to R'G'B', unclamped.
  package func toRGB(_ ycc: [Double]) -> [Double] {
    let r = ycc[0] + 2 * (1 - kr) * ycc[2], b = ycc[0] + 2 * (1 - kb) * ycc[1]
    return [r, (ycc[0] - kr * r - kb * b) / (1 - kr - kb), b]
  }
}

/// Integer coding of signals: code = value * scale + offset.
package struct SampleRange: Sendable, Hashable {
  package var lumaScale: Double
  package var lumaOffset: Double
  package var chromaScale: Double
  package var chromaOffset: Double

  /// Makes the range of samples of 8...16 `bits`.
  package init(bits: Int, fullRange: Bool) {
    let unit = Double(1 << max(bits - 8, 0)), largest = Double((1 << bits) - 1)
    lumaScale = fullRange ? largest : 219 * unit
    lumaOffset = fullRange ? 0 : 16 * unit
    chromaScale = fullRange ? largest : 224 * unit
    chromaOffset = Double(1 << (bits - 1))
  }

  static func round(_ x: Double) -> Double { x < 0 ? -(0.5 - x).rounded(.down) : (x + 0.5).rounded(.down) }

  /// Returns the codes of Y', Cb, Cr, clipped to `bits`.
  package func codes(_ ycc: [Double], bits: Int) -> [Int] {
    let largest = Double((1 << bits) - 1)
    let values = [
      ycc[0] * lumaScale + lumaOffset, ycc[1] * chromaScale + chromaOffset, ycc[2] * chromaScale + chromaOffset,
    ]
    return values.map { Int(min(max(Self.round($0), 0), largest)) }
  }

  package func values(_ codes: [Int]) -> [Double] {
    [
      (Double(codes[0]) - lumaOffset) / lumaScale, (Double(codes[1]) - chromaOffset) / chromaScale,
      (Double(codes[2]) - chromaOffset) / chromaScale,
    ]
  }
}

/// The ICtCp conversion (BT.2100 table 7): integer matrices over 4096, inverted numerically.
package enum ICtCp {
  package static let rgbToLMS = Matrix3([1688, 2146, 262, 683, 2951, 462, 99, 309, 3688]) * (1.0 / 4096)
  package static let lmsToICtCpPQ = Matrix3([2048, 2048, 0, 6610, -13613, 7003, 17933, -17390, -543]) * (1.0 / 4096)
  package static let lmsToICtCpHLG = Matrix3([2048, 2048, 0, 3625, -7465, 3840, 9500, -9212, -288]) * (1.0 / 4096)

  /// Converts linear BT.2020 in cd/m² to I, Ct, Cp with PQ.
  package static func fromNits(_ rgb: [Double]) -> [Double] {
    lmsToICtCpPQ * (rgbToLMS * rgb).map(Transfer.pqInverseEOTF)
  }

  package static func toNits(_ ictcp: [Double]) -> [Double] {
    rgbToLMS.inverse! * (lmsToICtCpPQ.inverse! * ictcp).map(Transfer.pqEOTF)
  }
}
