import HDRCore
import OCIOConfig

extension CLFNode {
  /// The styles of `FixedFunction` in lower case: the name of the function in configs, and true if it is to be undone.
  private static let functions: [String: (name: String, isInverse: Bool)] = {
    let pairs = [
      ("redmod03fwd", "redmod03rev", "aces_redmod03"), ("redmod10fwd", "redmod10rev", "aces_redmod10"),
      ("glow03fwd", "glow03rev", "aces_glow03"), ("glow10fwd", "glow10rev", "aces_glow10"),
      ("darktodim10", "dimtodark10", "aces_darktodim10"), ("gamutcomp13fwd", "gamutcomp13rev", "aces_gamutcomp13"),
      ("acesoutputtransform20fwd", "acesoutputtransform20inv", "aces2_outputtransform"),
      ("rec2100surroundfwd", "rec2100surroundrev", "rec2100_surround"), ("rgb_to_hsv", "hsv_to_rgb", "rgb_to_hsv"),
      ("xyz_to_xyy", "xyy_to_xyz", "xyz_to_xyy"), ("xyz_to_uvy", "uvy_to_xyz", "xyz_to_uvy"),
      ("xyz_to_luv", "luv_to_xyz", "xyz_to_luv"), ("lin_to_pq", "pq_to_lin", "lin_to_pq"),
      ("lin_to_gammalog", "gammalog_to_lin", "lin_to_gammalog"),
      ("lin_to_doublelog", "doublelog_to_lin", "lin_to_doublelog"),
    ]
    let rows = pairs.flatMap { [($0.0, ($0.2, false)), ($0.1, ($0.2, true))] }
    return Dictionary(uniqueKeysWithValues: rows + [("rec2100surround", ("rec2100_surround", false))])
  }()

  /// Reads a fixed function by its style, with the numbers of `params`.
  func fixedFunction() throws(LUTError) -> [LUTOperation] {
    guard let (name, isInverse) = Self.functions[style ?? ""] else {
      throw element.error(.transformStyle, "this FixedFunction is not supported; bake the file to a LUT")
    }
    let words = (element.attribute("params") ?? "").split(whereSeparator: \.isWhitespace)
    let numbers = try LUTNumbers.finite(words, words.count, line: element.line, "params")
    guard let function = FixedFunction(style: name, numbers) else {
      throw element.error(.value, "params are too many, too few, or out of the range of this style")
    }
    do throws(LUTError) {
      let operations = try function.operations()
      return isInverse ? try LUTChain(operations).inverse().operations : operations
    } catch {
      throw element.error(error.code, error.reason)
    }
  }
}
