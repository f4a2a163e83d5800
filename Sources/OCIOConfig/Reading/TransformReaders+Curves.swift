/// Curves of each channel. Their alpha has to stay as it is.
extension TransformReaders {
  /// Returns R, G and B of a key that has four numbers, or one for all three; refuses another alpha than `alpha`.
  private static func rgb(
    _ key: String, _ fields: inout ConfigFields, alpha: Double
  ) throws(ConfigError) -> (rgb: [Double], keepsAlpha: Bool)? {
    guard let list = try fields.numbersOrOne(key) else { return nil }
    switch list.count {
    case 1: return (Array(repeating: list[0], count: 3), true)
    case 3: return (list, true)
    case 4: return (Array(list[..<3]), list[3] == alpha)
    default: throw fields.fault(key, "has \(list.count) numbers; 1, 3 or 4 are wanted")
    }
  }

  private static let changesAlpha = Transform.Kind.refused(
    .alpha, "the transform changes alpha, which is not supported: give it an alpha that stays as it is")

  static let exponent: Reader = { fields throws(ConfigError) in
    let (value, keepsAlpha) = try rgb("value", &fields, alpha: 1) ?? ([1, 1, 1], true)
    guard value.allSatisfy({ $0 > 0 && $0 <= 100 }) else { throw fields.fault("value", "is above 0, and 100 at most") }
    let style = try fields.word("style", ExponentStyle.self) ?? .clamp
    return keepsAlpha ? .operation(.exponent(value, style)) : changesAlpha
  }

  static let exponentWithLinear: Reader = { fields throws(ConfigError) in
    guard let gamma = try rgb("gamma", &fields, alpha: 1), let offset = try rgb("offset", &fields, alpha: 0) else {
      throw ConfigError(.value, fields.place, "gamma and offset are wanted")
    }
    guard gamma.rgb.allSatisfy({ (1...10).contains($0) }) else { throw fields.fault("gamma", "is 1 to 10") }
    guard offset.rgb.allSatisfy({ (0...0.9).contains($0) }) else { throw fields.fault("offset", "is 0 to 0.9") }
    let style = try fields.word("style", ExponentWithLinearStyle.self) ?? .linear
    guard gamma.keepsAlpha, offset.keepsAlpha else { return changesAlpha }
    return .operation(.exponentWithLinear(gamma: gamma.rgb, offset: offset.rgb, style))
  }

  private static func base(_ fields: inout ConfigFields) throws(ConfigError) -> Double {
    let base = try fields.number("base") ?? 2
    guard base > 0, base != 1 else { throw fields.fault("base", "is above 0 and not 1") }
    return base
  }

  /// Reads the sides of a logarithm, whose slopes have an inverse.
  private static func sides(_ fields: inout ConfigFields) throws(ConfigError) -> [LogSides] {
    let logSlope = try fields.channels("log_side_slope") ?? [1, 1, 1]
    let linSlope = try fields.channels("lin_side_slope") ?? [1, 1, 1]
    let logOffset = try fields.channels("log_side_offset") ?? [0, 0, 0]
    let linOffset = try fields.channels("lin_side_offset") ?? [0, 0, 0]
    guard !logSlope.contains(0) else { throw fields.fault("log_side_slope", "is not 0") }
    guard !linSlope.contains(0) else { throw fields.fault("lin_side_slope", "is not 0") }
    return (0..<3).map {
      LogSides(logSlope: logSlope[$0], logOffset: logOffset[$0], linSlope: linSlope[$0], linOffset: linOffset[$0])
    }
  }

  static let log: Reader = { fields throws(ConfigError) in .operation(.log(base: try base(&fields))) }

  static let logAffine: Reader = { fields throws(ConfigError) in
    .operation(.logAffine(base: try base(&fields), try sides(&fields)))
  }

  static let logCamera: Reader = { fields throws(ConfigError) in
    let base = try base(&fields), sides = try sides(&fields)
    guard let breaks = try fields.channels("lin_side_break") else {
      throw ConfigError(.value, fields.place, "lin_side_break is missing")
    }
    let slopes = try fields.channels("linear_slope")
    guard slopes?.contains(0) != true else { throw fields.fault("linear_slope", "is not 0") }
    // The line goes through the logarithm at the break, which must exist there.
    guard zip(sides, breaks).allSatisfy({ $0.linSlope * $1 + $0.linOffset > 0 }) else {
      throw fields.fault("lin_side_break", "lies where the logarithm is not defined")
    }
    return .operation(.logCamera(base: base, sides, breaks: breaks, linearSlopes: slopes))
  }

  static let allocation: Reader = { fields throws(ConfigError) in
    let kind = try fields.word("allocation", Allocation.self) ?? .uniform, vars = try fields.numbers("vars") ?? []
    switch (kind, vars.count) {
    case (.uniform, 0): return .operation(.allocationUniform(low: 0, high: 1))
    case (.lg2, 0): return .operation(.allocationLog2(low: -10, high: 6, offset: 0))
    case (_, 2), (.lg2, 3):
      guard vars[0] != vars[1] else { throw fields.fault("vars", "has two different ends") }
      return .operation(
        kind == .uniform
          ? .allocationUniform(low: vars[0], high: vars[1])
          : .allocationLog2(low: vars[0], high: vars[1], offset: vars.count == 3 ? vars[2] : 0))
    default: throw fields.fault("vars", "has 2 numbers, or 3 for lg2")
    }
  }
}

private enum Allocation: String, CaseIterable {
  case uniform, lg2
}
