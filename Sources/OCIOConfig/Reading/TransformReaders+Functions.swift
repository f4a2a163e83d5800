/// Functions that OpenColorIO defines by their names and numbers.
extension TransformReaders {
  static let fixedFunction: Reader = { fields throws(ConfigError) in
    let style = try fields.name("style"), numbers = try fields.numbers("params") ?? []
    guard let row = functions[style.lowercased()] else {
      return .refused(
        unsupported.contains(style.lowercased()) ? .function : .style,
        "the function \(style) of FixedFunctionTransform is not \(unsupported.contains(style.lowercased()) ? "supported" : "known")"
      )
    }
    guard numbers.count == row.count else {
      throw ConfigError(.value, fields.place, "\(style) has \(numbers.count) params, \(row.count) are wanted")
    }
    guard let function = row.make(numbers) else {
      throw fields.fault("params", "are out of the range of \(style)")
    }
    return .operation(.fixedFunction(function))
  }

  /// A row says how many numbers a function takes, and makes it of them; `nil` for numbers out of its range.
  fileprivate struct FunctionRow: Sendable {
    var count = 0
    var make: @Sendable ([Double]) -> FixedFunction?
  }

  private static func plain(_ function: FixedFunction) -> FunctionRow { FunctionRow { _ in function } }

  fileprivate static let functions: [String: FunctionRow] = [
    "aces_redmod03": plain(.acesRedMod03), "aces_redmod10": plain(.acesRedMod10),
    "aces_glow03": plain(.acesGlow03), "aces_glow10": plain(.acesGlow10),
    "aces_darktodim10": plain(.acesDarkToDim10),
    "rgb_to_hsv": plain(.rgbToHSV), "xyz_to_xyy": plain(.xyzToXYY), "xyz_to_uvy": plain(.xyzToUVY),
    "xyz_to_luv": plain(.xyzToLUV), "lin_to_pq": plain(.linearToPQ),
    "aces_gamutcomp13": FunctionRow(count: 7) { p in
      guard p[..<3].allSatisfy({ (1.001...65_504).contains($0) }), p[3..<6].allSatisfy({ (0...0.9995).contains($0) }),
        (1...65_504).contains(p[6])
      else { return nil }
      return .acesGamutComp13(limits: Array(p[..<3]), thresholds: Array(p[3..<6]), power: p[6])
    },
    "aces2_outputtransform": FunctionRow(count: 9) { p in
      (1...10_000).contains(p[0]) ? .acesOutputTransform20(peak: p[0], primaries: Array(p[1...])) : nil
    },
    "rec2100_surround": FunctionRow(count: 1) { p in
      (0.01...100).contains(p[0]) ? .rec2100Surround(gamma: p[0]) : nil
    },
    "lin_to_gammalog": FunctionRow(count: 10) { p in
      guard p[5] > 0, p[5] != 1, p[2] > 0, p[3] != 0, p[6] != 0, p[8] != 0 else { return nil }
      return .linearToGammaLog(
        FixedFunction.GammaLog(
          mirror: p[0], break: p[1], power: p[2], postScale: p[3], preOffset: p[4], base: p[5],
          sides: LogSides(logSlope: p[6], logOffset: p[7], linSlope: p[8], linOffset: p[9])))
    },
    "lin_to_doublelog": FunctionRow(count: 13) { p in
      guard p[0] > 0, p[0] != 1, p[1] <= p[2], p[3] != 0, p[5] != 0, p[7] != 0, p[9] != 0, p[11] != 0 else {
        return nil
      }
      return .linearToDoubleLog(
        FixedFunction.DoubleLog(
          base: p[0], low: p[1], high: p[2],
          lowSides: LogSides(logSlope: p[3], logOffset: p[4], linSlope: p[5], linOffset: p[6]),
          highSides: LogSides(logSlope: p[7], logOffset: p[8], linSlope: p[9], linOffset: p[10]), slope: p[11],
          offset: p[12]))
    },
  ]

  /// Functions that OpenColorIO has and this room does not.
  private static let unsupported: Set<String> = [
    "aces_gamutmap02", "aces_gamutmap07", "aces2_gamutcompress", "aces2_rgb_to_hmj", "aces2_rgb_to_jmh",
    "aces2_tonescalecompress", "rgb_to_hsy_lin", "rgb_to_hsy_log", "rgb_to_hsy_vid",
  ]
}

extension FixedFunction {
  /// Makes a function of the name that configs have for it, in any case of letters, and of its numbers.
  ///
  /// - Returns: `nil` for other names, another count of numbers, and numbers out of the function's range.
  package init?(style: String, _ numbers: [Double]) {
    guard let row = TransformReaders.functions[style.lowercased()], row.count == numbers.count,
      let function = row.make(numbers)
    else { return nil }
    self = function
  }
}
