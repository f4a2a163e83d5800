import HDRCore
import Kernels
import OCIOConfig

extension FixedFunction {
  /// Returns the operations of the function.
  ///
  /// - Throws: `LUTError` `transform.style` for numbers that stages do not take.
  func operations() throws(LUTError) -> [LUTOperation] {
    switch self {
    case .acesRedMod03: return [.head(.red03, isInverse: false)]
    case .acesRedMod10: return [.head(.red10, isInverse: false)]
    case .acesGlow03: return [.head(.glow03, isInverse: false)]
    case .acesGlow10: return [.head(.glow10, isInverse: false)]
    case .acesDarkToDim10: return [.luminancePower(.darkToDim)]
    case .acesGamutComp13(let limits, let thresholds, let power):
      guard limits.allSatisfy({ $0 >= 1.001 && $0 <= 65_504 }), thresholds.allSatisfy({ (0...0.9995).contains($0) }),
        (1...100).contains(power)
      else {
        throw LUTError(
          .transformStyle, reason: "limits must be 1.001 to 65504, thresholds 0 to 0.9995, and the power 1 to 100")
      }
      return [
        .gamut(ACESGamutCompression(thresholds: thresholds, limits: limits, power: power), isInverse: false)
      ]
    case .acesOutputTransform20(let peak, let points):
      guard let output = ACESOutput(peak: peak, points: points), ACESTable.isFinite(output) else {
        throw LUTError(
          .transformStyle,
          reason:
            "the peak must be 100 to 10000 cd/m², and the primaries a triangle of red, green and blue around white")
      }
      return [.matrix(ACESTransform.acesToWorking), .output(output, isInverse: false)]
    case .rec2100Surround(let gamma): return [.luminancePower(.surround(gamma))]
    case .rgbToHSV: return [.coordinates(.hsv, isInverse: false)]
    case .xyzToXYY: return [.coordinates(.xyY, isInverse: false)]
    case .xyzToUVY: return [.coordinates(.uvY, isInverse: false)]
    case .xyzToLUV: return [.coordinates(.luv, isInverse: false)]
    case .linearToPQ: return [.formula(.pq(isReversed: false))]
    case .linearToGammaLog(let log): return [.formula(.gammaLog(log, isReversed: false))]
    case .linearToDoubleLog(let log): return [.formula(.doubleLog(log, isReversed: false))]
    }
  }
}
