import HDRCore
import OCIOConfig
import Testing

/// Transforms as configs state them.
@Suite struct TransformReadingTests {
  /// Returns the operations of a transform.
  private func operations(_ transform: String, version: String = "2.6") throws -> [ConfigOperation] {
    try Config.small(version: version, transform: transform).operations(from: "lin", to: .scene, .all)
  }

  private func kind(_ transform: String) throws -> ConfigOperation.Kind? { try operations(transform).first?.kind }

  /// Returns the code of the refusal, and whether reading already gives it.
  private func refusal(_ transform: String, version: String = "2.6") -> (code: ConfigError.Code, isEarly: Bool)? {
    let config: Config
    do throws(ConfigError) {
      config = try Config.small(version: version, transform: transform)
    } catch {
      return (error.code, true)
    }
    do throws(ConfigError) {
      _ = try config.operations(from: "lin", to: .scene, .all)
    } catch {
      return (error.code, false)
    }
    return nil
  }

  @Test func matricesKeepRowsAndOffset() throws {
    let kind = try kind(
      "!<MatrixTransform> {matrix: [1,2,3,0, 4,5,6,0, 7,8,10,0, 0,0,0,1], offset: [0.1, 0.2, 0.3, 0]}")
    #expect(kind == .matrix(Matrix3([1, 2, 3, 4, 5, 6, 7, 8, 10]), offset: [0.1, 0.2, 0.3]))
    #expect(try operations("!<MatrixTransform> {}").isEmpty)
  }

  @Test func curvesTakeOneNumberOrOneForEachChannel() throws {
    #expect(try kind("!<ExponentTransform> {value: 2.2}") == .exponent([2.2, 2.2, 2.2], .clamp))
    #expect(
      try kind("!<ExponentTransform> {value: [2, 3, 4, 1], style: PASS_THRU}") == .exponent([2, 3, 4], .passThrough))
    #expect(
      try kind("!<ExponentWithLinearTransform> {gamma: 2.4, offset: 0.055, style: mirror}")
        == .exponentWithLinear(gamma: [2.4, 2.4, 2.4], offset: [0.055, 0.055, 0.055], .mirror))
    #expect(try kind("!<LogTransform> {}") == .log(base: 2))
    let sides = [0.3, 0.4, 0.5].map { LogSides(logSlope: $0, logOffset: 0.1, linSlope: 2, linOffset: 0.05) }
    let keys =
      "base: 10, log_side_slope: [0.3, 0.4, 0.5], log_side_offset: 0.1, lin_side_slope: 2, lin_side_offset: 0.05"
    #expect(try kind("!<LogAffineTransform> {\(keys)}") == .logAffine(base: 10, sides))
    #expect(
      try kind("!<LogCameraTransform> {\(keys), lin_side_break: 0.01, linear_slope: 3}")
        == .logCamera(base: 10, sides, breaks: [0.01, 0.01, 0.01], linearSlopes: [3, 3, 3]))
    #expect(
      try kind("!<AllocationTransform> {allocation: lg2, vars: [-8, 5, 0.01]}")
        == .allocationLog2(low: -8, high: 5, offset: 0.01))
  }

  @Test func rangesAndGradesAreRead() throws {
    #expect(
      try kind("!<RangeTransform> {min_in_value: 0, min_out_value: 0.1}")
        == .range(ConfigRange(low: .init(from: 0, to: 0.1), high: nil)))
    #expect(
      try kind("!<CDLTransform> {slope: [1, 2, 3], sat: 0.9, style: asc}")
        == .cdl(slope: [1, 2, 3], offset: [0, 0, 0], power: [1, 1, 1], saturation: 0.9, clamps: true))
    var contrast = ExposureContrast(style: .video)
    (contrast.exposure, contrast.contrast) = (0.5, 1.2)
    #expect(
      try kind("!<ExposureContrastTransform> {style: video, exposure: {value: 0.5, dynamic: true}, contrast: 1.2}")
        == .exposureContrast(contrast))
    var grade = GradingPrimary(style: .log)
    grade.brightness = .init(0.1, 0.2, 0.3, master: 0.4)
    (grade.pivot, grade.clampBlack, grade.saturation) = (0.5, 0.1, 0.9)
    let text = "style: log, brightness: {rgb: [0.1, 0.2, 0.3], master: 0.4}, saturation: 0.9, "
    #expect(
      try kind("!<GradingPrimaryTransform> {\(text)pivot: {contrast: 0.5}, clamp: {black: 0.1}}")
        == .gradingPrimary(grade))
  }

  @Test func functionsTakeTheirNumbers() throws {
    #expect(try kind("!<FixedFunctionTransform> {style: aces_redmod10}") == .fixedFunction(.acesRedMod10))
    #expect(
      try kind("!<FixedFunctionTransform> {style: REC2100_Surround, params: [0.78]}")
        == .fixedFunction(.rec2100Surround(gamma: 0.78)))
    #expect(
      try kind("!<FixedFunctionTransform> {style: ACES2_OutputTransform, params: [1000, 1, 2, 3, 4, 5, 6, 7, 8]}")
        == .fixedFunction(.acesOutputTransform20(peak: 1000, primaries: [1, 2, 3, 4, 5, 6, 7, 8])))
    #expect(
      try kind(
        "!<FixedFunctionTransform> {style: Lin_TO_DoubleLog, params: [10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]}")
        == .fixedFunction(
          .linearToDoubleLog(
            .init(
              base: 10, low: 1, high: 2, lowSides: .init(logSlope: 3, logOffset: 4, linSlope: 5, linOffset: 6),
              highSides: .init(logSlope: 7, logOffset: 8, linSlope: 9, linOffset: 10), slope: 11, offset: 12))))
  }

  @Test func filesKeepWhatTheySay() throws {
    let text = "src: a.ccc, cccid: x, cdl_style: asc, interpolation: cubic, direction: inverse"
    let operation = try #require(try operations("!<FileTransform> {\(text)}").first)
    #expect(operation.isInverse)
    #expect(operation.kind == .file(ConfigFile(path: "a.ccc", interpolation: .cubic, correction: "x", clampsCDL: true)))
    #expect(try kind("!<FileTransform> {src: a.clf}") == .file(ConfigFile(path: "a.clf")))
  }

  @Test("children of a group are done in order, and undone the other way round")
  func groupsKeepTheirOrder() throws {
    let group =
      "!<GroupTransform> {%, children: [!<FileTransform> {src: a}, !<FileTransform> {src: b, direction: inverse}]}"
    #expect(try operations(group.replacing("%", with: "name: g")).paths == ["a", "-b"])
    #expect(try operations(group.replacing("%", with: "direction: inverse")).paths == ["b", "-a"])
  }

  @Test(arguments: [
    "!<MatrixTransform> {matrix: [1, 2]}", "!<MatrixTransform> {matrix: [1,0,0,0, 0,x,0,0, 0,0,1,0, 0,0,0,1]}",
    "!<MatrixTransform> {matrix: [.nan,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]}",
    "!<MatrixTransform> {offset: [1e300,0,0,0]}",
    "!<MatrixTransform> [1]", "!<ExponentTransform> {value: 0}", "!<ExponentTransform> {value: [1, 2]}",
    "!<ExponentTransform> {style: other}", "!<ExponentWithLinearTransform> {gamma: 2.4}",
    "!<ExponentWithLinearTransform> {gamma: 0.5, offset: 0}", "!<LogTransform> {base: 1}", "!<LogTransform> {base: -2}",
    "!<LogAffineTransform> {lin_side_slope: 0}", "!<LogCameraTransform> {}",
    "!<LogCameraTransform> {lin_side_break: -1}", "!<RangeTransform> {}", "!<RangeTransform> {min_in_value: 0}",
    "!<RangeTransform> {min_in_value: 0, min_out_value: 0, style: noClamp}",
    "!<RangeTransform> {min_in_value: 1, min_out_value: 0, max_in_value: 1, max_out_value: 1}",
    "!<CDLTransform> {slope: [-1, 1, 1]}", "!<CDLTransform> {power: [0, 1, 1]}", "!<CDLTransform> {sat: -1}",
    "!<FileTransform> {}", "!<FileTransform> {src: [a]}", "!<BuiltinTransform> {}", "!<GroupTransform> {}",
    "!<FixedFunctionTransform> {style: REC2100_Surround}",
    "!<FixedFunctionTransform> {style: REC2100_Surround, params: [0]}", "!<ExposureContrastTransform> {pivot: 0}",
    "!<GradingPrimaryTransform> {style: log, gamma: {rgb: [0, 1, 1], master: 1}}",
    "!<AllocationTransform> {vars: [1, 1]}", "!<MatrixTransform> {direction: sideways}",
  ])
  func valuesThatNothingTakesAreRefused(transform: String) throws {
    let found = try #require(refusal(transform), "\(transform)")
    #expect(found.code == .value && found.isEarly, "\(transform)")
  }

  @Test(
    arguments: [
      ("!<GradingToneTransform> {style: log, anything: 1}", .grading), ("!<FooTransform> {}", .transform),
      ("{a: 1}", .transform), ("!<FixedFunctionTransform> {style: RGB_TO_HSY_LIN}", .function),
      ("!<FixedFunctionTransform> {style: nope}", .style), ("!<BuiltinTransform> {style: nope}", .style),
      ("!<ExponentTransform> {value: [1, 1, 1, 2]}", .alpha),
      ("!<MatrixTransform> {matrix: [1,0,0,0.5, 0,1,0,0, 0,0,1,0, 0,0,0,1]}", .alpha),
      ("!<MatrixTransform> {matrix: [1,0,0,0, 1,0,0,0, 0,0,1,0, 0,0,0,1], direction: inverse}", .singular),
      ("!<CDLTransform> {slope: [0, 1, 1], direction: inverse}", .singular),
      ("!<FileTransform> {src: a/../b.clf}", .file), ("!<FileTransform> {src: $NOPE/a}", .variable),
      ("!<ColorSpaceTransform> {src: nope, dst: raw}", .name),
    ] as [(String, ConfigError.Code)])
  func transformsThatCannotBeDoneAreRefusedWhenUsed(transform: String, code: ConfigError.Code) throws {
    let found = try #require(refusal(transform), "\(transform)")
    #expect(found.code == code && !found.isEarly, "\(transform)")
  }

  @Test("a built-in transform has a version, and its name any case")
  func stylesHaveVersions() throws {
    #expect(BuiltinStyle.all.count == 99 && Set(BuiltinStyle.all.map { $0.name.lowercased() }).count == 99)
    let style = "!<BuiltinTransform> {style: arri_logc4_to_aces2065-1}"
    #expect(
      try operations(style, version: "2.2").first?.kind == .builtin(try #require(.named("ARRI_LOGC4_to_ACES2065-1"))))
    #expect(refusal(style, version: "2.1")?.code == .style)
    #expect(try operations("!<BuiltinTransform> {style: IDENTITY}").isEmpty)
  }
}
