import HDRCore
import OCIOConfig

extension CLFNode {
  /// A style of `FixedFunction`: how many numbers it takes, what it is of them, and true if that is to be undone.
  private struct Function: Sendable {
    var count = 0
    var isInverse = false
    var make: @Sendable ([Double]) -> FixedFunction
  }

  /// The styles that stages have, in lower case.
  private static let functions: [String: Function] = {
    func both(
      _ forward: String, _ inverse: String, count: Int = 0, _ make: @escaping @Sendable ([Double]) -> FixedFunction
    ) -> [(String, Function)] {
      [
        (forward, Function(count: count, make: make)), (inverse, Function(count: count, isInverse: true, make: make)),
      ]
    }
    let surround: @Sendable ([Double]) -> FixedFunction = { .rec2100Surround(gamma: $0[0]) }
    let rows =
      both("redmod03fwd", "redmod03rev") { _ in .acesRedMod03 }
      + both("redmod10fwd", "redmod10rev") { _ in .acesRedMod10 }
      + both("glow03fwd", "glow03rev") { _ in .acesGlow03 } + both("glow10fwd", "glow10rev") { _ in .acesGlow10 }
      + both("darktodim10", "dimtodark10") { _ in .acesDarkToDim10 }
      + both("gamutcomp13fwd", "gamutcomp13rev", count: 7) {
        .acesGamutComp13(limits: Array($0[..<3]), thresholds: Array($0[3..<6]), power: $0[6])
      }
      + both("acesoutputtransform20fwd", "acesoutputtransform20inv", count: 9) {
        .acesOutputTransform20(peak: $0[0], primaries: Array($0[1...]))
      }
      + both("rec2100surroundfwd", "rec2100surroundrev", count: 1, surround)
      + [("rec2100surround", Function(count: 1, make: surround))]
      + both("rgb_to_hsv", "hsv_to_rgb") { _ in .rgbToHSV } + both("xyz_to_xyy", "xyy_to_xyz") { _ in .xyzToXYY }
      + both("xyz_to_uvy", "uvy_to_xyz") { _ in .xyzToUVY } + both("xyz_to_luv", "luv_to_xyz") { _ in .xyzToLUV }
      + both("lin_to_pq", "pq_to_lin") { _ in .linearToPQ }
    return Dictionary(uniqueKeysWithValues: rows)
  }()

  /// Reads a fixed function by its style, with the numbers of `params`.
  func fixedFunction() throws(LUTError) -> [LUTOperation] {
    guard let function = Self.functions[style ?? ""] else {
      throw element.error(.transformStyle, "this FixedFunction is not supported; bake the file to a LUT")
    }
    let numbers = try LUTNumbers.finite(
      (element.attribute("params") ?? "").split(whereSeparator: \.isWhitespace), function.count, line: element.line,
      "params")
    let made = function.make(numbers)
    if case .rec2100Surround(let gamma) = made, !(0.01...100).contains(gamma) {
      throw element.error(.value, "params must be 0.01 to 100")
    }
    do throws(LUTError) {
      let operations = try made.operations()
      return function.isInverse ? try LUTChain(operations).inverse().operations : operations
    } catch {
      throw element.error(error.code, error.reason)
    }
  }
}
