import HDRCore

/// Operations that mix channels, and grades.
extension TransformReaders {
  static let matrix: Reader = { fields throws(ConfigError) in
    let m = try fields.numbers("matrix", count: 16) ?? [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    let offset = try fields.numbers("offset", count: 4) ?? [0, 0, 0, 0]
    let toAlpha = [m[12], m[13], m[14]], fromAlpha = [m[3], m[7], m[11], offset[3]]
    guard (toAlpha + fromAlpha).allSatisfy({ $0 == 0 }), m[15] == 1 else {
      return .refused(.alpha, "the matrix changes alpha or takes it into colour, which is not supported")
    }
    return .operation(
      .matrix(Matrix3([m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]]), offset: Array(offset[..<3])))
  }

  static let range: Reader = { fields throws(ConfigError) in
    func end(_ name: String) throws(ConfigError) -> ConfigRange.End? {
      let from = try fields.number("\(name)_in_value"), to = try fields.number("\(name)_out_value")
      guard let from, let to else {
        guard from == nil, to == nil else {
          throw ConfigError(.value, fields.place, "\(name)_in_value and \(name)_out_value go together")
        }
        return nil
      }
      return ConfigRange.End(from: from, to: to)
    }
    let low = try end("min"), high = try end("max"), clamps = try fields.word("style", RangeStyle.self) != .noclamp
    if let low, let high {
      guard low.from < high.from, low.to <= high.to else {
        throw ConfigError(.value, fields.place, "the maximum of a range is above its minimum")
      }
    } else if !clamps || low == nil && high == nil {
      throw ConfigError(.value, fields.place, "a range needs a minimum or a maximum, and both with style noClamp")
    }
    return .operation(.range(ConfigRange(low: low, high: high, clamps: clamps)))
  }

  static let cdl: Reader = { fields throws(ConfigError) in
    let slope = try fields.numbers("slope", count: 3) ?? [1, 1, 1]
    let offset = try fields.numbers("offset", count: 3) ?? [0, 0, 0]
    let power = try fields.numbers("power", count: 3) ?? [1, 1, 1]
    let key = fields.has("saturation") ? "saturation" : "sat"
    let saturation = try fields.number(key) ?? 1
    let style = try fields.word("style", CDLStyle.self) ?? .noclamp
    guard slope.allSatisfy({ $0 >= 0 }) else { throw fields.fault("slope", "is 0 or above") }
    guard power.allSatisfy({ $0 > 0 }) else { throw fields.fault("power", "is above 0") }
    guard saturation >= 0 else { throw fields.fault(key, "is 0 or above") }
    return .operation(
      .cdl(slope: slope, offset: offset, power: power, saturation: saturation, clamps: style == .asc))
  }

  static let exposureContrast: Reader = { fields throws(ConfigError) in
    var value = ExposureContrast(style: try fields.word("style") ?? .linear)
    /// Returns a number, or the `value` of a map that says that a program may change it.
    func dynamic(_ key: String) throws(ConfigError) -> Double? {
      guard fields.isMap(key) else { return try fields.number(key) }
      return try fields.inside(key) { inner throws(ConfigError) in
        inner.skip("dynamic")
        return try inner.number("value")
      } ?? nil
    }
    value.exposure = try dynamic("exposure") ?? 0
    value.contrast = try dynamic("contrast") ?? 1
    value.gamma = try dynamic("gamma") ?? 1
    value.pivot = try fields.number("pivot") ?? 0.18
    value.logExposureStep = try fields.number("log_exposure_step") ?? 0.088
    value.logMidGray = try fields.number("log_midway_gray") ?? 0.435
    guard value.contrast > 0 else { throw fields.fault("contrast", "is above 0") }
    guard value.gamma > 0 else { throw fields.fault("gamma", "is above 0") }
    guard value.pivot > 0 else { throw fields.fault("pivot", "is above 0") }
    return .operation(.exposureContrast(value))
  }

  static let gradingPrimary: Reader = { fields throws(ConfigError) in
    guard let style: GradingPrimary.Style = try fields.word("style") else {
      throw ConfigError(.value, fields.place, "style is missing")
    }
    var value = GradingPrimary(style: style)
    func take(_ key: String, _ path: WritableKeyPath<GradingPrimary, GradingPrimary.Values>) throws(ConfigError) {
      let values = try fields.inside(key) { inner throws(ConfigError) in
        (rgb: try inner.numbers("rgb", count: 3), master: try inner.number("master"))
      }
      guard let values else { return }
      guard let rgb = values.rgb, let master = values.master else {
        throw fields.fault(key, "has rgb, three numbers, and master, a number")
      }
      value[keyPath: path] = GradingPrimary.Values(rgb[0], rgb[1], rgb[2], master: master)
    }
    try take("brightness", \.brightness)
    try take("contrast", \.contrast)
    try take("gamma", \.gamma)
    try take("offset", \.offset)
    try take("exposure", \.exposure)
    try take("lift", \.lift)
    try take("gain", \.gain)
    value.saturation = try fields.number("saturation") ?? 1
    try fields.inside("pivot") { inner throws(ConfigError) in
      value.pivot = try inner.number("contrast") ?? value.pivot
      value.pivotBlack = try inner.number("black") ?? 0
      value.pivotWhite = try inner.number("white") ?? 1
    }
    try fields.inside("clamp") { inner throws(ConfigError) in
      (value.clampBlack, value.clampWhite) = (try inner.number("black"), try inner.number("white"))
    }
    let gamma = value.gamma
    guard min(gamma.red, gamma.green, gamma.blue, gamma.master) >= 0.01 else {
      throw fields.fault("gamma", "is 0.01 or above")
    }
    guard value.pivotWhite - value.pivotBlack >= 0.01 else {
      throw fields.fault("pivot", "has a white that is 0.01 above its black")
    }
    return .operation(.gradingPrimary(value))
  }
}

private enum RangeStyle: String, CaseIterable {
  case clamp, noclamp
}
