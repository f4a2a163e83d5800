import CPUReference
import HDRCore
import HDRPlan
import TestSupport
import Testing

/// LUT files and transforms against OpenColorIO 2.6, through the stages that plans have.
@Suite(.enabled(if: LUTVectors.isHere, "skipped: no data")) struct LUTVectorTests {
  /// Files that OpenColorIO takes and this program does not, with the code of the refusal.
  static let refusals: [String: LUTError.Code] = [
    "clf/illegal/indexMap_test2.clf": .indexMap, "grading_hue_curve.ctf": .grading,
    "lut1d_hue_adjust_test.ctf": .hueAdjust,
    "lut3by1d_nan_infinity_example.clf": .number, "lut_inv_pairs.ctf": .inverse, "reference_alias.ctf": .reference,
  ]
  /// Files that neither takes, with the code of the refusal.
  static let refused: [String: LUTError.Code] = [
    "error_truncated_file.3dl": .count, "legacy_flmlk_desat.lut": .format,
    "matrix_offsets_example_1_3.ctf": .arrayCount, "clf/illegal/array_bad_dimension.clf": .arrayCount,
    "clf/illegal/array_missing_values.clf": .arrayCount, "clf/illegal/cdl_bad_power.clf": .cdlValue,
    "clf/illegal/cdl_bad_slope.clf": .cdlValue, "clf/illegal/cdl_missing_offset.clf": .cdlValue,
    "clf/illegal/cdl_missing_slope.clf": .cdlValue, "clf/illegal/exponent_bad_value.clf": .value,
    "clf/illegal/log_bad_style.clf": .style, "clf/illegal/lut1d_half_domain_missing_values.clf": .arrayCount,
    "clf/illegal/lut1d_raw_half_set_false.clf": .value, "clf/illegal/matrix_end_missing.clf": .xml,
    "clf/illegal/range_bad_noclamp.clf": .value, "clf/illegal/range_empty.clf": .value,
    "clf/illegal/transform_bad_outdepth.clf": .bitDepth, "clf/illegal/transform_corrupted_tag.clf": .xml,
    "clf/illegal/transform_empty.clf": .node, "clf/illegal/transform_missing_inbitdepth.clf": .bitDepth,
    "clf/pre-smpte_only/illegal/process_list_bad_version.clf": .version,
    "clf/pre-smpte_only/illegal/transform_id_empty.clf": .id,
  ]
  /// Larger tolerances, with the reason.
  static let tolerances: [String: Double] = [
    // OpenColorIO's own power is that far from the formula.
    "exposure_contrast_linear.ctf": 3e-5, "exposure_contrast_video.ctf": 3e-5, "clf/exponent_all_styles.clf": 2e-5,
    // Below 0 OpenColorIO takes the other end of a run of equal halves.
    "clf/lut1d_half_domain_raw_half_set.clf": 2e-4,
  ]

  static func parse(_ name: String, _ bytes: [UInt8], id: String? = nil) throws(LUTError) -> LUTChain {
    guard let format = LUTFormat(name: name) else { throw LUTError(.format, reason: "no ending") }
    return try LUTChain(parsing: bytes, as: format, id: id)
  }

  /// Runs the stages of a chain on colours, clamped to the domains of tables.
  static func run(
    _ chain: LUTChain, _ colors: [[Double]], _ interpolation: LUTChoice.Interpolation = .tetrahedral
  ) throws -> [[Double]] {
    try run(
      LUTChoice(lut: chain, space: ColorSpace(.linear, .bt2020), extrapolates: false, interpolation: interpolation),
      colors)
  }

  static func run(_ choice: LUTChoice, _ colors: [[Double]]) throws -> [[Double]] {
    let image = SampleImage.interleaved(width: 1, height: 1, channelCount: 4, format: .float16, bitDepth: 16)
    let source = SourceImage(
      format: .memory, image: image,
      color: SourceColor(matrix: 0, fullRange: true, encoding: .cicp(primaries: 9, transfer: 8)),
      geometry: Geometry(width: 1, height: 1))
    var recipe = RenderRecipe(target: OutputSignal(encoding: .linear, sink: .floatPlanes), tone: .none)
    recipe.luts = [choice]
    let plan = try Planner.plan(source, recipe)
    var lanes = colors.map { SIMD4<Float>(Float($0[0]), Float($0[1]), Float($0[2]), 1) }
    CPURenderer.apply(
      Array(plan.passes[0].stages.dropFirst()), constants: plan.constants, tables: plan.tables, to: &lanes)
    return lanes.map { [Double($0.x), Double($0.y), Double($0.z)] }
  }

  /// - Parameter beyond: a colour and its channel that is left out.
  static func expect(
    _ got: [[Double]], _ want: [[Double]], _ tolerance: Double, _ what: String,
    beyond: (color: Int, channel: Int)? = nil
  ) {
    #expect(got.count == want.count && !got.isEmpty, "\(what): other counts")
    for (index, (a, b)) in zip(got, want).enumerated() {
      // Stages keep numbers within 2^20.
      for channel in 0..<3 where abs(b[channel]) <= 0x1p20 {
        if let beyond, beyond == (index, channel) { continue }
        let error = abs(a[channel] - b[channel]) / max(1, abs(b[channel]))
        #expect(error <= tolerance, "\(what), colour \(index): \(a) and not \(b)")
      }
    }
  }

  @Test(arguments: LUTVectors.names.filter { !LUTVectors.refused.contains($0) })
  func openColorIOAgreesOnEachFile(_ name: String) throws {
    if let code = Self.refusals[name] {
      let error = #expect(throws: LUTError.self) { try Self.parse(name, LUTVectors.bytes(name)) }
      #expect(error?.code == code, "\(String(describing: error))")
      return
    }
    let tolerance = Self.tolerances[name] ?? 1e-5
    var compared = 0
    for (key, want) in LUTVectors.results(name) {
      let id = key.hasPrefix("cccid:") ? String(key.dropFirst(6)) : nil
      var chain = try Self.parse(name, LUTVectors.bytes(name), id: id)
      if key == "inverse" {
        let hasCube = chain.operations.contains { if case .cube = $0 { true } else { false } }
        if hasCube || name == "own/prelut4.csp" {
          let error = #expect(throws: LUTError.self) { try chain.inverse() }
          #expect(error?.code == .inverse)
          continue
        }
        chain = try chain.inverse()
      }
      // OpenColorIO's nearest of 3D tables is its linear.
      let isLinear = key == "linear" || key == "nearest"
      let got = try Self.run(chain, LUTVectors.input, isLinear ? .trilinear : .tetrahedral)
      // Blue is 8 there and becomes 2^96 on its way; tables hold 2^36.
      let beyond = name == "clf/log_all_styles.clf" ? (color: 7, channel: 2) : nil
      Self.expect(got, want, tolerance, "\(name) \(key)", beyond: beyond)
      compared += 1
    }
    #expect(compared > 0)
  }

  @Test(.enabled(if: ACESVectors.isHere, "skipped: no data")) func bothInterpolationsFollowTheVectors() throws {
    let (numbers, given, made) = ACESVectors.cube(), size = 4
    try #require(numbers.count == 3 * size * size * size)
    let values = (0..<size * size * size).flatMap { node -> [Float] in
      let r = node % size, g = node / size % size, b = node / size / size, at = 3 * ((r * size + g) * size + b)
      return numbers[at..<at + 3].map { Float($0) }
    }
    let cube = CubeLUT.Table3D(size: size, domainMin: [0, 0, 0], domainMax: [1, 1, 1], values: values)
    let chain = LUTChain([.cube(cube, nil)])
    for (name, interpolation) in [("tetrahedral", LUTChoice.Interpolation.tetrahedral), ("linear", .trilinear)] {
      Self.expect(try Self.run(chain, given, interpolation), made[name] ?? [], 2e-6, name)
    }
  }

  /// Every result is what a node holds. OpenColorIO 2.6 takes linear for nearest, as the rows above show.
  @Test(arguments: ["iridas_1d.cube", "iridas_3d.cube", "resolve_1d3d.cube", "own/domain.cube", "own/three.spi1d"])
  func nearestTakesTheValueOfANode(_ name: String) throws {
    let chain = try Self.parse(name, LUTVectors.bytes(name)), lut = try #require(chain.tables)
    func nearest(_ x: Double, _ size: Int, _ low: Double, _ high: Double) -> Int {
      Int(min(max((x - low) / (high - low), 0), 1) * Double(size - 1) + 0.5)
    }
    let wanted = LUTVectors.input.map { color -> [Double] in
      var color = color
      if let table = lut.shaper {
        color = (0..<3).map { c in
          Double(table.values[3 * nearest(color[c], table.size, table.domainMin[c], table.domainMax[c]) + c])
        }
      }
      guard let cube = lut.cube else { return color }
      let at = (0..<3).map { nearest(color[$0], cube.size, cube.domainMin[$0], cube.domainMax[$0]) }
      let node = (at[2] * cube.size + at[1]) * cube.size + at[0]
      return (0..<3).map { Double(cube.values[3 * node + $0]) }
    }
    #expect(try Self.run(chain, LUTVectors.input, .nearest) == wanted)
    let extrapolated = LUTChoice(lut: chain, space: ColorSpace(.linear, .bt2020), interpolation: .nearest)
    #expect(try Self.run(extrapolated, LUTVectors.input) == wanted)
  }

  @Test func everyRefusedFileHasItsCode() {
    let unknown = "error_unknown_format.txt"
    #expect(Set(LUTVectors.refused) == Set(Self.refused.keys).union([unknown]))
    #expect(LUTFormat(name: unknown) == nil)
    for (name, code) in Self.refused {
      let error = #expect(throws: LUTError.self) { try Self.parse(name, LUTVectors.bytes(name)) }
      #expect(error?.code == code, "\(name): \(String(describing: error))")
    }
  }

  @Test(arguments: LUTVectors.malformed)
  func everyMalformedFileIsRefusedWithItsCode(_ name: String) {
    let error = #expect(throws: LUTError.self) { try Self.parse(name, LUTVectors.malformedBytes(name)) }
    #expect(error?.code.rawValue == LUTVectors.malformedCode(name), "\(String(describing: error))")
    #expect((error?.line ?? 0) > 0 && error?.description.contains("\n") == false)
  }

  @Test("an id that a file of corrections has not is refused, and several without an id give a note")
  func correctionsAreChosen() throws {
    let name = "own/several.ccc", bytes = LUTVectors.bytes(name)
    let error = #expect(throws: LUTError.self) { try Self.parse(name, bytes, id: "cc0009") }
    #expect(error?.code == .cdlID)
    #expect(try Self.parse(name, bytes).notes.count == 1 && Self.parse(name, bytes, id: "1").notes.isEmpty)
    #expect(try Self.parse("cdl_test_ASC_SAT.cc", LUTVectors.bytes("cdl_test_ASC_SAT.cc")).notes.count == 1)
  }
}
