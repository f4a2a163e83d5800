/// The words of Radiance pictures: three mantissas of 8 bits and an exponent for all.
///
/// Source: G. Ward, "Real Pixels", Graphics Gems II (1991); values as OpenImageIO reads them, without the half step that
/// Radiance's own library adds.
package enum RGBE {
  /// The light of one step of a mantissa, by the exponent's byte: 2^(e - 136); of byte 0 it is 0.
  package static let steps: [Float] = (0...255).map {
    $0 == 0 ? 0 : Float(sign: .plus, exponent: $0 - 136, significand: 1)
  }

  /// Light below this is written as 0.
  package static let least: Float = 1e-32

  /// Returns the exponent's byte of a pixel by its largest component; 0 for black.
  package static func exponent(_ most: Float) -> Int {
    guard most >= least else { return 0 }
    return most.isFinite ? min(Int(most.exponent) + 129, 255) : 255
  }

  /// Returns the mantissa of a component; negative ones are 0.
  package static func mantissa(_ value: Float, _ exponent: Int) -> UInt8 {
    guard exponent > 0, value > 0 else { return 0 }
    return UInt8(min((value * Float(sign: .plus, exponent: 136 - exponent, significand: 1)).rounded(.down), 255))
  }
}
