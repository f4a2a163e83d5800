import CPUReference
import HDRCore
import HDRPlan
import Kernels
import TestPlans
import TestSupport
import Testing

/// Stages in binary32 against the vectors' single-precision tolerances.
@Suite(.enabled(if: SharedData.hasVectors, "skipped: no data"))
struct StageVectorTests {
  let color = SharedData.json("specs/color-vectors.json") ?? [:]
  let tone = SharedData.json("specs/tone-mapping-vectors.json") ?? [:]

  func rows(_ file: [String: Any], _ name: String, _ key: String = "rows") -> [[String: Any]] {
    (file[name] as? [String: Any])?[key] as? [[String: Any]] ?? []
  }

  /// Runs stages on pixels.
  func run(_ pixels: [[Double]], _ make: (inout PlanDataBuilder) -> [Stage]) -> [[Double]] {
    var words = PlanDataBuilder()
    let stages = make(&words)
    var lanes = pixels.map { SIMD4<Float>(Float($0[0]), Float($0[1]), Float($0[2]), 1) }
    CPURenderer.apply(stages, constants: words.constants, tables: words.tables, to: &lanes)
    return lanes.map { [Double($0.x), Double($0.y), Double($0.z)] }
  }

  func curve(_ table: CurveTable, _ values: [Double]) -> [Double] {
    run(values.map { [$0, $0, $0] }) { words in
      let offset = words.table(table.words)
      return [words.stage(.curve, CurveStage.words([table], offsets: [offset]))]
    }.map { $0[1] }
  }

  @Test func pqTableDecodesTheSignalsOfTheVectors() {
    let all = rows(color, "pq", "eotf")
    let got = curve(TransferCurve.pq.decodeTable, all.map { $0.number("signal") })
    for (row, edr) in zip(all, got) { expectClose(edr, row.number("edr"), abs: 2e-7, rel: 1e-4) }
  }

  @Test func pqTableEncodesTheLightOfTheVectors() {
    let all = rows(color, "pq", "inverse_eotf")
    let got = curve(TransferCurve.pq.encodeTable, all.map { $0.number("nits") / 203 })
    for (row, signal) in zip(all, got) { expectClose(signal, row.number("signal"), abs: 5e-6, rel: 0) }
  }

  @Test func pqTablesStayWithinAHundredthOfATwelveBitCode() {
    // Light below 2^-30 of reference white (2e-7 cd/m²) counts as black: the first 16-bit codes.
    let codes = (0...65535).map { Double($0) / 65535 }.filter { Transfer.pqEOTF($0) / 203 >= 0x1p-30 }
    #expect(codes.count > 65_500)
    let light = curve(TransferCurve.pq.decodeTable, codes)
    var worst = 0.0
    for (code, edr) in zip(codes, light) { worst = max(worst, abs(Transfer.pqInverseEOTF(edr * 203) - code) * 4095) }
    #expect(worst < 0.01, "decode: \(worst) codes")
    let again = curve(TransferCurve.pq.encodeTable, codes.map { Transfer.pqEOTF($0) / 203 })
    worst = zip(codes, again).map { abs($0 - $1) * 4095 }.max() ?? 1
    #expect(worst < 0.01, "encode: \(worst) codes")
  }

  @Test func hlgTablesFollowTheVectors() {
    let inverse = rows(color, "hlg_oetf", "inverse_oetf")
    for (row, scene) in zip(inverse, curve(TransferCurve.hlg.decodeTable, inverse.map { $0.number("signal") })) {
      expectClose(scene, row.number("scene"), abs: 1e-6, rel: 2e-6)
    }
    let forward = rows(color, "hlg_oetf", "oetf")
    for (row, signal) in zip(forward, curve(TransferCurve.hlg.encodeTable, forward.map { $0.number("scene") })) {
      expectClose(signal, row.number("signal"), abs: 1e-6, rel: 2e-6)
    }
  }

  @Test func sRGBTablesFollowTheVectors() {
    let all = rows(color, "sdr_curves")
    let x = all.map { $0.number("x") }
    for (row, got) in zip(all, curve(TransferCurve.sRGB.decodeTable, x)) {
      expectClose(got, row.number("srgb_decode"), abs: 1e-6, rel: 3e-6)
    }
    for (row, got) in zip(all, curve(TransferCurve.sRGB.encodeTable, x)) {
      expectClose(got, row.number("srgb_encode"), abs: 1e-6, rel: 3e-6)
    }
  }

  @Test func referenceWhiteTablesFollowTheVectors() {
    for row in rows(tone, "rwtmo") {
      let content = Headroom(factor: row.number("content_headroom")),
        display = Headroom(factor: row.number("target_headroom"))
      let rgb = row["rgb_in_bt2020"] as? [Double]
      let v = rgb?.max() ?? row.number("max_rgb_in")
      let got = run([rgb ?? [v, v * 0.5, -v * 0.25]]) { words in
        ReferenceWhiteTone.operations(content: content, display: display).compactMap { stage in
          guard case .scaleByMax(let octaves, let k, let factor) = stage else { return nil }
          let table = CurveTable(octaves: octaves, k: k, factor)
          return words.stage(.scaleByMax, ScaleByMax.words(table, offset: words.table(table.words)))
        }
      }[0]
      // The table follows the curve's kinks to a few parts in 10^5 (a hundredth of a 12-bit PQ code).
      if rgb != nil {
        expectClose(got, row.numbers("rgb_out"), abs: 2e-6, rel: 3e-5)
      } else {
        expectClose(got[0], row.number("out"), abs: 2e-6, rel: 3e-5)
        expectClose(got[1], 0.5 * got[0], abs: 2e-6, rel: 1e-6)
      }
    }
  }

  /// Tables and stages in binary32 against the stages' formulas in binary64, for every operator.
  @Test(arguments: ToneOperators.all.map { $0.name }) func operatorsInTablesFollowTheirFormulas(name: String) throws {
    let op = try #require(ToneOperators.named(name))
    var pixels: [SIMD4<Float>] = []
    let levels: [Float] = [0, 0.001, 0.03, 0.18, 0.5, 0.76, 1, 1.49, 2.2, 3, 4.5, 4.92]
    let unit: Float = op.direction == .up ? 1 / 4.92 : 1
    for r in levels { for g in levels { for b in levels { pixels.append(SIMD4(r * unit, g * unit, b * unit, 1)) } } }
    let image = SampleImage.interleaved(width: 1, height: 1, channelCount: 4, format: .float16, bitDepth: 16)
    let source = SourceImage(
      format: .memory, image: image,
      color: SourceColor(matrix: 0, fullRange: true, encoding: .cicp(primaries: 9, transfer: 8)),
      geometry: Geometry(width: 1, height: 1))
    let isUp = op.direction == .up
    let content = isUp ? Headroom.sdr : Headroom(factor: 4.926), display = Headroom(factor: isUp ? 4.926 : 1.5)
    var recipe = RenderRecipe(
      target: OutputSignal(encoding: .linear, sink: .floatPlanes), display: .headroom(display), tone: .named(name),
      contentHeadroom: content, gamut: .none)
    recipe.beyond = .keep
    let plan = try Planner.plan(source, recipe)
    #expect(plan.report.operatorName == name)
    var got = pixels
    // Without the load of samples.
    let stages = Array(plan.passes[0].stages.dropFirst())
    CPURenderer.apply(stages, constants: plan.constants, tables: plan.tables, to: &got)
    var worst = 0.0
    for (pixel, result) in zip(pixels, got) {
      let want = op.operations(content: content, display: display).reduce([0, 1, 2].map { Double(pixel[$0]) }) {
        $1.apply($0)
      }
      let scale = max(0.02, want.map { abs($0) }.max() ?? 0)
      for channel in 0..<3 { worst = max(worst, abs(Double(result[channel]) - want[channel]) / scale) }
    }
    // A twentieth of a 12-bit PQ code is 2.5e-4 of the light; corners of curves lie inside segments. The pieces of
    // bt2446a as printed do not join: a table goes across the step in one segment.
    #expect(worst < (name == "bt2446a" ? 2e-3 : 1.2e-4), "\(worst)")
  }

  @Test func gamutMappingDesaturatesAsTheVectorsSay() {
    let all = rows(tone, "gamut_map")
    #expect(all.count == 14)
    for row in all {
      let got = run([row.numbers("rgb_in")]) { words in
        [words.stage(.desaturate, Desaturate.words(luminance: row.numbers("luma"), peak: row.number("peak")))]
      }[0]
      expectClose(got, row.numbers("desaturate"), abs: 2e-6, rel: 2e-6)
    }
  }

  @Test func lutStagesInterpolateAsTheVectorsSay() {
    let group = color["lut3d"] as? [String: Any] ?? [:]
    let all = group["rows"] as? [[String: Any]] ?? []
    #expect(all.count == 40)
    for row in all {
      let n = Int(row.number("size"))
      var values: [Float] = []
      for b in 0..<n {
        for g in 0..<n {
          for r in 0..<n {
            let x = Double(r) / Double(n - 1), y = Double(g) / Double(n - 1), z = Double(b) / Double(n - 1)
            values += [
              Float(0.8 * x + 0.1 * y * z + 0.02), Float(ExactMath.pow(y, 1.5) + 0.05 * x),
              Float(0.9 * z + 0.1 * x * y - 0.01),
            ]
          }
        }
      }
      // Far outside, the extension multiplies node rounding by the distance.
      let reach = (row.numbers("input").map { abs($0) }.max() ?? 1) * Double(n)
      let inside = row["tetrahedral"] != nil
      for (extrapolates, kind) in [
        (true, StageKind.lut3D), (false, .lut3D), (true, .lut3DTrilinear), (false, .lut3DTrilinear),
      ] {
        let got = run([row.numbers("input")]) {
          lutStage(&$0, n, [0, 0, 0], [1, 1, 1], values, extrapolates: extrapolates, kind)
        }[0]
        let name = kind == .lut3D ? "tetrahedral" : "trilinear"
        let key = inside ? name : (extrapolates ? "extrapolated_" : "clamped_") + name
        expectClose(got, row.numbers(key), abs: 2e-6 * max(1, reach), rel: 2e-6, key)
      }
    }
    for row in group["domain_rows"] as? [[String: Any]] ?? [] {
      let n = Int(row.number("size")), low = row.numbers("domain_min"), high = row.numbers("domain_max")
      var values: [Float] = []
      for b in 0..<n {
        for g in 0..<n {
          for r in 0..<n {
            let p = [r, g, b].enumerated().map { low[$0] + (high[$0] - low[$0]) * Double($1) / Double(n - 1) }
            values += [
              Float(0.1 * p[0] * p[0] + 0.5 * p[1]), Float(0.7 * p[1] + 0.02 * p[2]), Float(p[2] - 0.1 * p[0]),
            ]
          }
        }
      }
      for (key, extrapolates) in [("tetrahedral", false), ("extrapolated_tetrahedral", true)] {
        let got = run([row.numbers("input")]) { lutStage(&$0, n, low, high, values, extrapolates: extrapolates) }[0]
        expectClose(got, row.numbers(key), abs: 3e-6, rel: 2e-6, key)
      }
    }
  }

  func lutStage(
    _ words: inout PlanDataBuilder, _ n: Int, _ low: [Double], _ high: [Double], _ values: [Float], extrapolates: Bool,
    _ kind: StageKind = .lut3D
  ) -> [Stage] {
    var nodes: [UInt32] = []
    for i in 0..<(n * n * n) { nodes += values[3 * i..<3 * i + 3].map(\.bitPattern) + [0] }
    let scale = (0..<3).map { Double(n - 1) / (high[$0] - low[$0]) }
    let bias = (0..<3).map { -low[$0] * scale[$0] }
    let offset = words.table(nodes)
    return [
      words.stage(
        kind,
        LUT3DStage.words(
          offset: offset, size: n, scale: scale, bias: bias, limit: extrapolates ? 64 * Double(n - 1) : 0))
    ]
  }

  /// A picture after `load_samples` alone, as planes.
  func loaded(_ image: SampleImage) -> SampleImage {
    var words = PlanDataBuilder()
    let load = words.stage(.loadSamples, LoadSamples.words(image, lumaOffset: 0, chromaOffset: 0))
    let sink = words.sink(.floatPlanes, StoreFloatPlanes.words(channels: 3), channels: 3)
    let pass = Pass(
      name: "load", sources: [.image(image)], width: image.width, height: image.height, mapping: .identity,
      stages: [load], sink: sink)
    let plan = Plan(passes: [pass], constants: words.constants, tables: words.tables, report: PlanReport())
    return renderOnCPU(plan)
  }

  /// Words of P010 and P016 as the stage reads them, and the signals of their codes.
  @Test func biplanarWordsHaveTheSignalsOfTheVectors() {
    for (key, value, shift) in [("rows", "value10", 6), ("p016", "value16", 0)] {
      let all = rows(color, "biplanar_10bit", key)
      #expect(all.count >= 5)
      let buffer = PixelBuffer(byteCount: 16)
      for (x, row) in all.enumerated() {
        buffer.base.storeBytes(of: UInt16(row.number("word_u16")), toByteOffset: 2 * x, as: UInt16.self)
      }
      let plane = SamplePlane(buffer: buffer, rowBytes: 16, stepBytes: 2, width: all.count, height: 1)
      let output = loaded(
        SampleImage(
          width: all.count, height: 1, model: .grey, format: .uint16, bitDepth: 16 - shift, lowZeroBits: shift,
          chroma: .none, siting: .left, channels: [plane]))
      for (x, row) in all.enumerated() {
        let got = output.channels[0].buffer.base.load(fromByteOffset: 4 * x, as: Float.self)
        #expect(Double(got) == row.number(value))
        guard shift == 6 else { continue }
        let code = Int(row.number(value))
        let narrow = SampleRange(bits: 10, fullRange: false).values([code, code, code])
        expectClose(narrow[0], row.number("narrow_luma_signal"), abs: 1e-15, rel: 1e-15)
        expectClose(narrow[1], row.number("narrow_chroma_signal"), abs: 1e-15, rel: 1e-15)
        let full = SampleRange(bits: 10, fullRange: true).values([code, code, code])
        expectClose(full[0], row.number("full_range_signal"), abs: 1e-15, rel: 1e-15)
      }
    }
  }

  /// PQ and HLG signals as light over reference white, through the tables of the plan.
  @Test func signalsBecomeLightOverReferenceWhite() {
    let all = rows(color, "edr")
    #expect(all.count == 9)
    for row in all {
      let signal = row.number("signal"), isPQ = row["kind"] as? String == "pq"
      let exact =
        isPQ ? Transfer.pqEOTF(signal) : Transfer.hlgEOTF([signal, signal, signal], peak: 1000)[1]
      expectClose(exact / 203, row.number("edr203"), abs: 1e-12, rel: 1e-11)
      guard isPQ else { continue }
      expectClose(exact / 100, row.number("edr100"), abs: 1e-12, rel: 1e-11)
      expectClose(curve(TransferCurve.pq.decodeTable, [signal])[0], row.number("edr203"), abs: 2e-6, rel: 1e-4)
    }
    let nominal = (color["edr"] as? [String: Any])?["nominal_headroom"] as? [String: Any] ?? [:]
    expectClose(Headroom.nominal.factor, nominal.number("hlg_1000"), abs: 1e-12, rel: 1e-12)
    expectClose(Headroom.nominal.factor, nominal.number("pq_default_1000"), abs: 1e-12, rel: 1e-12)
    expectClose(Headroom.nominal.stops, nominal.number("log2_hlg"), abs: 1e-12, rel: 1e-12)
    expectClose(Transfer.pqEOTF(1) / 203, nominal.number("pq_full_range"), abs: 1e-12, rel: 1e-12)
  }

  /// Checks upsampling on one axis: 4:2:2 with chroma on the even samples and between them.
  @Test(arguments: [("cosited_x2", ChromaSiting.left), ("midway_x2", .center)])
  func chromaIsUpsampledOnOneAxisByItsSiting(key: String, siting: ChromaSiting) {
    let group = color["chroma_upsampling_1d"] as? [String: Any] ?? [:]
    let chroma = group.numbers("input"), want = group.numbers(key)
    #expect(chroma.count == 4)
    let image = SampleImage.planar(
      width: 8, height: 1, model: .ycc, format: .uint8, bitDepth: 8, chroma: .s422, siting: siting)
    for (x, value) in chroma.enumerated() {
      image.channels[2].buffer.base.storeBytes(of: UInt8(value), toByteOffset: x, as: UInt8.self)
    }
    let output = loaded(image)
    let got = (0..<8).map { x in
      Double(output.channels[2].buffer.base.load(fromByteOffset: 4 * x, as: Float.self))
        / Double(LoadSamples.chromaScale(image))
    }
    expectClose(got, want, abs: 1e-4, rel: 0, key)
  }

  @Test func chromaIsUpsampledOnBothAxes() {
    let group = color["chroma_upsampling_1d"] as? [String: Any] ?? [:]
    let two = group["type0_left_2d"] as? [String: Any] ?? [:]
    let chroma = two["chroma"] as? [[Double]] ?? [], want = two["upsampled_4x4_rows"] as? [[Double]] ?? []
    let image = SampleImage.planar(width: 4, height: 4, model: .ycc, format: .uint8, bitDepth: 8, chroma: .s420)
    for (y, row) in chroma.enumerated() {
      for (x, value) in row.enumerated() {
        for c in 1...2 {
          let plane = image.channels[c]
          plane.buffer.base.storeBytes(of: UInt8(value), toByteOffset: y * plane.rowBytes + x, as: UInt8.self)
        }
      }
    }
    let output = loaded(image)
    #expect(want.count == 4)
    for (y, row) in want.enumerated() {
      for (x, value) in row.enumerated() {
        let plane = output.channels[1]
        let got = plane.buffer.base.load(fromByteOffset: y * plane.rowBytes + 4 * x, as: Float.self)
        expectClose(Double(got) / Double(LoadSamples.chromaScale(image)), value, abs: 1e-4, rel: 0)
      }
    }
  }
}
