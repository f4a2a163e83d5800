import CPUReference
import HDRCore
import HDRPlan
import Kernels
import TestPlans
import TestSupport
import Testing

/// Kinds weight, unnormalise, apply, apply_space, real_pixel, upsample_1d, downsample_1d and encode of
/// the gain-map vectors.
@Suite(.enabled(if: SharedData.hasVectors, "skipped: no data"))
struct GainMapVectorTests {
  let vectors = SharedData.json("specs/gain-map-vectors.json")?["vectors"] as? [[String: Any]] ?? []

  func all(_ kind: String) -> [(id: String, input: [String: Any], output: [String: Any], tolerance: Double)] {
    vectors.filter { $0["kind"] as? String == kind }.map {
      (
        $0["id"] as? String ?? "", $0["in"] as? [String: Any] ?? [:], $0["out"] as? [String: Any] ?? [:],
        $0.number("tol")
      )
    }
  }

  func three(_ values: [Double]) -> [Double] { values.count == 1 ? [values[0], values[0], values[0]] : values }

  func metadata(_ m: [String: Any]) -> GainMapMetadata {
    GainMapMetadata(
      kind: .iso, baseHeadroom: m.number("base_headroom"), alternateHeadroom: m.number("alternate_headroom"),
      min: three(m.numbers("min")), max: three(m.numbers("max")), gamma: three(m.numbers("gamma")),
      baseOffset: three(m.numbers("base_offset")), alternateOffset: three(m.numbers("alternate_offset")),
      usesBaseColorSpace: m["use_base_colour_space"] as? Bool ?? true)
  }

  @Test("a gain map has the weight of ISO 21496-1 for each display")
  func weight() {
    #expect(all("weight").count == 14)
    for v in all("weight") {
      let got = GainMapWeight.weight(
        base: v.input.number("base_headroom"), alternate: v.input.number("alternate_headroom"),
        display: v.input.number("target_headroom"))
      expectClose(got, v.output.number("weight"), abs: 1e-12, rel: 0, v.id)
    }
  }

  @Test("map codes become log2 gains by minimum, maximum and gamma")
  func unnormalise() {
    for v in all("unnormalise") {
      var m = metadata(["base_headroom": 0.0, "alternate_headroom": 1.0])
      m.min = three([v.input.number("min")])
      m.max = three([v.input.number("max")])
      m.gamma = three([v.input.number("gamma")])
      let got = m.log2Gain(v.input.number("code") / v.input.number("code_max"), channel: 0)
      expectClose(got, v.output.number("log2_gain"), abs: 1e-12, rel: 1e-12, v.id)
    }
  }

  /// Formula in binary64, and the whole path through a plan in binary32.
  @Test func appliedMapsGiveTheLightOfTheVectors() throws {
    #expect(all("apply").count == 18)
    for v in all("apply") {
      let meta = metadata(v.input["meta"] as? [String: Any] ?? [:])
      let base = v.input.numbers("base_linear"), codes = three(v.input.numbers("codes"))
      let top = v.input.number("code_max")
      let weight = GainMapWeight.weight(
        base: meta.baseHeadroom, alternate: meta.alternateHeadroom, display: v.input.number("target_headroom"))
      let want = v.output.numbers("out_linear")
      for c in 0..<3 {
        let gain = meta.log2Gain(codes[c] / top, channel: c)
        let got = meta.applied(to: base[c], log2Gain: gain, weight: weight, channel: c)
        expectClose(got, want[c], abs: 1e-11, rel: 1e-11, v.id)
      }
      guard weight != 0 else { continue }
      let lanes = try gainMapLight(base: base, codes: v.input.numbers("codes"), top: top, meta: meta, weight: weight)
      // 2^-20 relative of the terms that are subtracted.
      for c in 0..<3 {
        let scale = abs(want[c]) + meta.alternateOffset[c] + 1e-6
        #expect(abs(lanes[c] - want[c]) <= scale * 0x1p-17, "\(v.id): got \(lanes[c]), want \(want[c])")
      }
    }
  }

  /// Runs one pixel through the two passes of a plan with any linear base: the base goes in as a float-plane pass.
  func gainMapLight(base: [Double], codes: [Double], top: Double, meta: GainMapMetadata, weight: Double) throws
    -> [Double]
  {
    let bits = Int(ExactMath.log2(top + 1).rounded())
    let map = SampleImage.interleaved(
      width: 1, height: 1, channelCount: codes.count == 1 ? 1 : 3, format: .uint16, bitDepth: bits)
    for (c, code) in codes.enumerated() {
      map.channels[0].buffer.base.storeBytes(of: UInt16(code), toByteOffset: 2 * c, as: UInt16.self)
    }
    // A plan for an SDR picture with this map gives the stages; then the base's stages are replaced by a plain load.
    let dummy = SampleImage.interleaved(width: 1, height: 1, channelCount: 3, format: .uint8, bitDepth: 8)
    var source = SourceImage(
      format: .memory, image: dummy,
      color: SourceColor(matrix: 0, fullRange: true, encoding: .cicp(primaries: 9, transfer: 8)),
      geometry: Geometry(width: 1, height: 1))
    source.gainMap = GainMap(
      metadata: meta, image: map, matrix: 0, fullRange: true, alternateColor: nil, bindings: [])
    let display = meta.baseHeadroom + abs(weight) * (meta.alternateHeadroom - meta.baseHeadroom)
    var plan = try Planner.plan(
      source,
      RenderRecipe(
        target: OutputSignal(encoding: .linear, sink: .floatPlanes), display: .headroom(Headroom(stops: display))))
    let last = plan.passes.count - 1
    let gain = try #require(plan.passes[last].stages.first { $0.kind == .gainMap })
    plan.passes[last].stages = [gain]
    let outputs = plan.passes.map { CPURenderer.makeOutput($0) }
    let workspace = CPURenderer.Workspace()
    CPURenderer.render(plan, pass: 0, rows: 0..<1, outputs: [nil, nil], into: outputs[0], workspace: workspace)
    // The strip keeps what the caller puts there: load the base by a pass of float planes.
    let planes = outputs[last]
    for c in 0..<3 {
      planes.channels[c].buffer.base.storeBytes(of: Float(base[c]), as: Float.self)
    }
    var load = PlanDataBuilder()
    _ = load.stage(.loadFloatPlanes, LoadFloatPlanes.words(channels: 3))
    plan.passes[last].stages = [Stage(kind: .loadFloatPlanes, constants: plan.constants.count), gain]
    plan.constants += load.constants
    plan.passes[last].sources = [
      .earlier(pass: last, rows: RowScale(firstRow: [0], lastRow: [0])), plan.passes[last].sources[1],
    ]
    let result = CPURenderer.makeOutput(plan.passes[last])
    CPURenderer.render(
      plan, pass: last, rows: 0..<1, outputs: [outputs[0], planes], into: result, workspace: workspace)
    return (0..<3).map { Double(result.channels[$0].buffer.base.load(as: Float.self)) }
  }

  @Test func gainsApplyInTheColourSpaceOfTheMap() throws {
    for v in all("apply_space") {
      let meta = metadata(v.input["meta"] as? [String: Any] ?? [:])
      let p3 = Primaries.displayP3, base = v.input.numbers("base_linear"), codes = three(v.input.numbers("codes"))
      let there = meta.usesBaseColorSpace ? Matrix3.identity : p3.matrix(to: .bt2020)!
      let math = there * base
      let applied = (0..<3).map {
        meta.applied(to: math[$0], log2Gain: meta.log2Gain(codes[$0] / 255, channel: $0), weight: 1, channel: $0)
      }
      expectClose(there.inverse! * applied, v.output.numbers("out_in_base"), abs: 1e-10, rel: 1e-10, v.id)
    }
  }

  @Test func upsampledAxesFollowTheVectors() {
    #expect(all("upsample_1d").count == 7)
    for v in all("upsample_1d") {
      let values = v.input.numbers("values"), size = Int(v.input.number("out_size"))
      let words = GainMapStage.axisTable(SampleAxis(size), map: SampleAxis(values.count))
      let got = (0..<size).map { x in
        let t = Double(Float(bitPattern: words[3 * x + 2]))
        let a = values[Int(words[3 * x])], b = values[Int(words[3 * x + 1])]
        return a + t * (b - a)
      }
      expectClose(got, v.output.numbers("values"), abs: 1e-4, rel: 1e-6, v.id)
    }
  }

  /// Pixels of real files, to one 16-bit PQ code of what libavif rendered.
  @Test func realPixelsAreThoseThatLibavifRendered() {
    #expect(all("real_pixel").count == 15)
    for v in all("real_pixel") {
      let meta = metadata(v.input["meta"] as? [String: Any] ?? [:])
      let top = ExactMath.exp2(v.input.number("base_bits")) - 1
      let pq = (v.input["base_transfer"] as? String) == "pq"
      let weight = GainMapWeight.weight(
        base: meta.baseHeadroom, alternate: meta.alternateHeadroom, display: v.input.number("target_headroom"))
      let codes = v.input.numbers("base_codes"), map = three(v.input.numbers("map_codes"))
      let want = v.output.numbers("pq16")
      #expect(want.count == 3)
      for c in 0..<min(3, want.count) {
        let signal = codes[c] / top
        let light = pq ? Transfer.pqEOTF(signal) / 203 : Transfer.sRGBDecode(signal)
        let out = meta.applied(
          to: light, log2Gain: meta.log2Gain(map[c] / 255, channel: c), weight: weight, channel: c)
        #expect(abs(Transfer.pqInverseEOTF(max(out, 0) * 203) * 65535 - want[c]) <= 1.5, "\(v.id)")
      }
    }
  }
}

extension GainMapVectorTests {
  @Test func areaAveragesAreThoseOfTheVectors() {
    #expect(all("downsample_1d").count == 3)
    for v in all("downsample_1d") {
      let values = v.input.numbers("values"), size = Int(v.input.number("out_size"))
      let taps = LoadArea.taps(SampleAxis(size), of: SampleAxis(values.count))
      let words = LoadArea.axisTable(SampleAxis(size), of: SampleAxis(values.count))
      let got = (0..<size).map { x in
        let entry = words[x * (taps + 2)..<(x + 1) * (taps + 2)]
        let first = Int(entry[entry.startIndex]), count = Int(entry[entry.startIndex + 1])
        return (0..<count).reduce(0.0) { sum, i in
          sum + Double(Float(bitPattern: entry[entry.startIndex + 2 + i])) * values[first + i]
        }
      }
      expectClose(got, v.output.numbers("values"), abs: 1e-4, rel: 1e-6, v.id)
    }
  }

  /// A row of gains as planes.
  func gainPlanes(_ gains: [Double]) -> SampleImage {
    let image = Sink(kind: .floatPlanes, constants: 0, channels: 3).makeImage(width: gains.count, height: 1)
    for plane in image.channels {
      for (x, gain) in gains.enumerated() {
        plane.buffer.base.storeBytes(of: Float(gain), toByteOffset: 4 * x, as: Float.self)
      }
    }
    return image
  }

  func first<Sample>(_ image: SampleImage, _ channel: Int, as type: Sample.Type) -> Sample {
    withExtendedLifetime(image) { image.channels[channel].buffer.base.load(as: type) }
  }

  /// Kind encode: gain, normalised value and code by the plans that make maps, and the alternate that a reader gets.
  @Test func encodedMapsHaveTheCodesOfTheVectors() throws {
    #expect(all("encode").count == 10)
    for v in all("encode") {
      var meta = metadata(["base_headroom": 0.0, "alternate_headroom": 1.0])
      (meta.min, meta.max) = (three([v.input.number("min")]), three([v.input.number("max")]))
      meta.gamma = three([v.input.number("gamma")])
      meta.baseOffset = three([v.input.number("base_offset")])
      meta.alternateOffset = three([v.input.number("alternate_offset")])
      let base = v.input.number("base_linear"), alternate = v.input.number("alternate_linear")
      let sign = v.input.number("sign"), bits = Int(v.input.number("bits")), code = v.output.number("code")
      let gain =
        sign * (ExactMath.log2(alternate + meta.alternateOffset[0]) - ExactMath.log2(base + meta.baseOffset[0]))
      expectClose(
        min(max(gain, meta.min[0]), meta.max[0]), v.output.number("log2_gain_clamped"), abs: v.tolerance, rel: 0, v.id)

      // The ratio of two renditions: PQ codes of 16 bits and halves are within 4e-4 stops each.
      let codes = SampleImage.interleaved(width: 1, height: 1, channelCount: 3, format: .uint16, bitDepth: 16)
      let light = SampleImage.interleaved(width: 1, height: 1, channelCount: 4, format: .float16, bitDepth: 16)
      for c in 0..<3 {
        let signal = TransferCurve.pq.encode(base)
        codes.channels[c].buffer.base.storeBytes(
          of: UInt16(signal * 65535 + 0.5), toByteOffset: 2 * c, as: UInt16.self)
        light.channels[c].buffer.base.storeBytes(of: Float16(alternate), toByteOffset: 2 * c, as: Float16.self)
      }
      var options = GainMapOptions()
      (options.baseOffset, options.alternateOffset) = (meta.baseOffset, meta.alternateOffset)
      let ratio = renderOnCPU(
        try GainMapPlanner.gains(
          RenditionPair(
            base: codes, baseCurve: .pq, baseToMath: .identity, alternate: light,
            luminance: Primaries.bt2020.luminance, baseIsHDR: sign < 0), options))
      for c in 0..<3 { expectClose(Double(first(ratio, c, as: Float.self)), gain, abs: 1e-3, rel: 0, v.id) }

      let value = GainMapPlanner.codes(
        gainPlanes([gain]), meta, target: OutputSignal(encoding: .linear, sink: .floatPlanes), dither: 0)
      expectClose(Double(first(renderOnCPU(value), 0, as: Float.self)), v.output.number("t"), abs: 1e-5, rel: 0, v.id)
      let target = OutputSignal(
        encoding: .linear, sink: bits == 8 ? .rgba8 : .planarYCC, bitDepth: bits, chroma: .s444)
      let coded = renderOnCPU(GainMapPlanner.codes(gainPlanes([gain]), meta, target: target, dither: 0))
      let got = bits == 8 ? Int(first(coded, 0, as: UInt8.self)) : Int(first(coded, 0, as: UInt16.self))
      #expect(got == Int(code), "\(v.id): code \(got)")

      let back = meta.log2Gain(code / (ExactMath.exp2(Double(bits)) - 1), channel: 0)
      expectClose(
        meta.applied(to: base, log2Gain: back, weight: sign, channel: 0), v.output.number("decoded_alternate"),
        abs: v.tolerance, rel: v.tolerance, v.id)
    }
  }
}
