/// Readers make transforms of the maps of configs, by their tags. Each takes the keys that it knows.
enum TransformReaders {
  typealias Reader = @Sendable (inout ConfigFields) throws(ConfigError) -> Transform.Kind

  static let all: [String: Reader] = [
    "AllocationTransform": allocation, "BuiltinTransform": builtin, "CDLTransform": cdl,
    "ColorSpaceTransform": colorSpace, "DisplayViewTransform": displayView, "ExponentTransform": exponent,
    "ExponentWithLinearTransform": exponentWithLinear, "ExposureContrastTransform": exposureContrast,
    "FileTransform": file, "FixedFunctionTransform": fixedFunction, "GradingPrimaryTransform": gradingPrimary,
    "GradingRGBCurveTransform": notSupported("GradingRGBCurveTransform"),
    "GradingHueCurveTransform": notSupported("GradingHueCurveTransform"),
    "GradingToneTransform": notSupported("GradingToneTransform"), "LogAffineTransform": logAffine,
    "LogCameraTransform": logCamera, "LogTransform": log, "LookTransform": look, "MatrixTransform": matrix,
    "RangeTransform": range,
  ]

  /// Returns a reader of a transform of grading that is refused when it is used.
  private static func notSupported(_ tag: String) -> Reader {
    { (fields: inout ConfigFields) throws(ConfigError) in
      fields.skipAll()
      return .refused(.grading, "\(tag) is not supported; bake the grade to a LUT")
    }
  }

  // Transforms that name something.

  static let builtin: Reader = { fields throws(ConfigError) in .builtin(try fields.name("style")) }

  static let file: Reader = { fields throws(ConfigError) in
    var file = ConfigFile(path: "")
    let source = try fields.name("src")
    file.correction = try fields.text("cccid").flatMap { $0.isEmpty ? nil : $0 }
    file.clampsCDL = try fields.word("cdl_style", CDLStyle.self) == .asc
    switch try fields.word("interpolation", Interpolation.self) {
    case .nearest: file.interpolation = .nearest
    case .tetrahedral: file.interpolation = .tetrahedral
    case .best: file.interpolation = .best
    case .cubic: file.interpolation = .cubic
    case .linear, .default, .unknown, nil: break
    }
    return .file(source: source, file)
  }

  static let colorSpace: Reader = { fields throws(ConfigError) in
    .space(
      from: try fields.name("src"), to: try fields.name("dst"), bypassesData: try fields.flag("data_bypass") ?? true)
  }

  static let displayView: Reader = { fields throws(ConfigError) in
    .view(
      display: try fields.name("display"), view: try fields.name("view"), from: try fields.name("src"),
      bypassesLooks: try fields.flag("looks_bypass") ?? false, bypassesData: try fields.flag("data_bypass") ?? true)
  }

  static let look: Reader = { fields throws(ConfigError) in
    let looks = try fields.text("looks") ?? ""
    guard looks.utf8.count <= ConfigLimits.looks else { throw fields.fault("looks", "is too long") }
    return .looks(
      looks, from: try fields.name("src"), to: try fields.name("dst"),
      converts: !(try fields.flag("skip_color_space_conversion") ?? false))
  }
}

/// The styles of CDLs: `asc` clamps.
enum CDLStyle: String, CaseIterable {
  case noclamp, asc
}

/// The interpolations of configs.
private enum Interpolation: String, CaseIterable {
  case nearest, linear, tetrahedral, cubic, best, `default`, unknown
}
