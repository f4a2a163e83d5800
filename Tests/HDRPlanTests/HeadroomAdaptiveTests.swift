import HDRCore
import HDRPlan
import Kernels
import TestSupport
import Testing

/// SMPTE ST 2094-50 metadata: binary form, evaluation, and what the planner makes of them
/// (docs/tone-formulas.md#st-2094-50).
@Suite struct HeadroomAdaptiveTests {
  /// Writes payloads, most significant bit first.
  struct Payload {
    private(set) var bytes: [UInt8] = []
    private var free = 0

    mutating func write(_ value: Int, _ count: Int) {
      for bit in (0..<count).reversed() {
        if free == 0 {
          bytes.append(0)
          free = 8
        }
        free -= 1
        bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << UInt8(free)
      }
    }

    /// Application versions, flags, reference white.
    init(version: Int = 0, white: Int? = nil, baseline: Int?) {
      for (value, bits) in [
        (0, 3), (version, 3), (0, 2), (white == nil ? 0 : 1, 1), (baseline == nil ? 0 : 1, 1), (0, 6),
      ] {
        write(value, bits)
      }
      if let white { write(white, 16) }
      if let baseline { write(baseline, 16) }
    }

    mutating func alternates(_ count: Int, space: Int = 2, sharesMix: Bool = false, sharesCurve: Bool = false) {
      for (value, bits) in [(0, 1), (count, 3), (space, 2), (sharesMix ? 1 : 0, 1), (sharesCurve ? 1 : 0, 1)] {
        write(value, bits)
      }
    }

    mutating func mix(_ type: Int, _ shares: [Int] = []) {
      write(type, 2)
      if shares.isEmpty { write(0, 6) }
      for share in shares { write(share == 0 ? 0 : 1, 1) }
      for share in shares where share != 0 { write(share, 16) }
    }

    mutating func shape(_ x: [Int], pchip: Bool) {
      write(x.count - 1, 5)
      write(pchip ? 1 : 0, 1)
      write(0, 2)
      for x in x { write(x, 16) }
    }

    mutating func words(_ list: [Int]) { for value in list { write(value, 16) } }
  }

  @Test(.enabled(if: SharedData.hasVectors, "skipped: no data")) func theSmallestPayloadMeansReferenceWhite() throws {
    let group = (SharedData.json("specs/tone-mapping-vectors.json")?["rwtmo"] as? [String: Any]) ?? [:]
    let text = try #require((group["binary_minimal"] as? [String: Any])?["bytes_hex"] as? String)
    let bytes = stride(from: 0, to: text.count, by: 2).compactMap { i in
      UInt8(text.dropFirst(i).prefix(2), radix: 16)
    }
    #expect(bytes == [0x00, 0x40, 0x59, 0xdc, 0x80])
    let read = try HeadroomAdaptiveMetadata(parsing: bytes)
    #expect(read == HeadroomAdaptiveMetadata(referenceWhiteFor: 2.3004))
    #expect(read.usesReferenceWhiteToneMapping && read.referenceWhite == nil && read.baselineHeadroom == 2.3004)
    // log2(1000/203) in ten-thousandths.
    expectClose(read.baselineHeadroom ?? 0, Headroom.nominal.stops, abs: 5e-5, rel: 0)
    #expect(try HeadroomAdaptiveMetadata(parsing: [0xb5, 0x00, 0x90, 0x00, 0x01] + bytes + [1, 2, 3]) == read)
  }

  /// The default form gives the very words of `reference-white`.
  @Test(arguments: [0.2, 1, 2.3004, 4.5, 6]) func theDefaultFormIsReferenceWhite(stops: Double) throws {
    let metadata = HeadroomAdaptiveMetadata(referenceWhiteFor: stops)
    for display in [1, 1.3, 2, 8.0 / 3, 4, 16, 70] {
      let own = metadata.operations(display: Headroom(factor: display))
      let want = ReferenceWhiteTone.operations(content: Headroom(stops: stops), display: Headroom(factor: display))
      #expect(own.count == want.count)
      for (a, b) in zip(own, want) {
        guard case .scaleByMax(let octaves, let k, let f) = a, case .scaleByMax(let octaves2, let k2, let g) = b else {
          Issue.record("no scaling by the largest component")
          continue
        }
        #expect(CurveTable(octaves: octaves, k: k, f).words == CurveTable(octaves: octaves2, k: k2, g).words)
      }
    }
  }

  /// Two alternates with mixes and slopes of their own, one for a brighter display.
  static var general: Payload {
    var p = Payload(white: 500, baseline: 20_000)
    p.alternates(3, space: 1)
    p.write(0, 16)
    p.mix(3, [10_000, 20_000, 0, 15_000, 0, 5000])
    p.shape([500, 1000, 4000], pchip: false)
    p.words([1000, 5000, 20_000])
    // Slopes of 0, -1 and that of -10 degrees.
    p.words([18_000, 9000, 16_000])
    p.write(10_000, 16)
    p.mix(1)
    p.shape([1000, 2000, 3000, 4000], pchip: true)
    p.words([0, 4000, 6000, 10_000])
    p.write(30_000, 16)
    p.mix(2)
    p.shape([250], pchip: true)
    p.words([7000])
    return p
  }

  @Test func theGeneralFormIsReadWithAllItsFields() throws {
    let read = try HeadroomAdaptiveMetadata(parsing: Self.general.bytes)
    #expect((read.referenceWhite, read.baselineHeadroom) == (100, 2))
    #expect(!read.usesReferenceWhiteToneMapping && read.primaries == .displayP3)
    #expect(read.alternates.map(\.headroom) == [0, 1, 3])
    expectClose(read.alternates[0].mix.shares, [0.2, 0.4, 0, 0.3, 0, 0.1], abs: 1e-15, rel: 0)
    #expect(read.alternates[1].mix.shares == [0, 0, 0, 0, 0, 1])
    let sixth = 1.0 / 6, mixed: [Double] = [sixth, sixth, sixth, 0.5, 0, 0]
    #expect(read.alternates[2].mix.shares == mixed)
    #expect(read.alternates[0].curve.x == [0.5, 1, 4])
    // Below the baseline light is taken away, above it added.
    #expect(read.alternates[0].curve.gain == [-0.1, -0.5, -2] && read.alternates[2].curve.gain == [0.7])
    expectClose(read.alternates[0].curve.slope[0], 0, abs: 1e-12, rel: 0)
    expectClose(read.alternates[0].curve.slope[1], -1, abs: 1e-12, rel: 0)
    expectClose(read.alternates[0].curve.slope[2], -0.176_326_980_708_465, abs: 1e-12, rel: 0)
    // Secants -0.4, -0.2, -0.4 of width 1: PCHIP has 2 a b / (a + b) inside.
    expectClose(
      read.alternates[1].curve.slope, [-0.5, -0.8 / 3, -0.8 / 3, -0.5], abs: 1e-12, rel: 0)
    #expect(read.alternates[2].curve.slope == [0])
    #expect(read.text.contains("reference white 100 cd/m²") && read.text.contains("alternates for 1, 2, 8"))
  }

  /// Shares of the alternates on displays, with the baseline between the second and the third (clause 6.2.5).
  @Test func displaysBetweenHeadroomsMixTheirNeighbours() throws {
    let read = try HeadroomAdaptiveMetadata(parsing: Self.general.bytes)
    func shares(_ display: Double) -> [Double] {
      let parts = read.shares(displayStops: display)
      return read.alternates.map { one in parts.first { $0.alternate == one }?.share ?? 0 }
    }
    let want: [(Double, [Double])] = [
      (-1, [1, 0, 0]), (0, [1, 0, 0]), (0.25, [0.75, 0.25, 0]), (1, [0, 1, 0]), (1.75, [0, 0.25, 0]), (2, [0, 0, 0]),
      (2.5, [0, 0, 0.5]), (3, [0, 0, 1]), (5, [0, 0, 1]),
    ]
    for (display, list) in want { #expect(shares(display) == list, "display \(display)") }
    #expect(read.resultStops(displayStops: 0.5) == 0.5)
    #expect(read.resultStops(displayStops: 5) == 3)

    // One number by hand at the second alternate: the component itself, at a control point and beyond the last.
    let gains = read.log2Gains([2, 0.5, 8], displayStops: 1)
    expectClose(gains, [-0.4, 0, -2], abs: 1e-12, rel: 1e-12)
    // The third alternate's one control point: constant below, constant output above.
    expectClose(read.log2Gains([0.1, 0.1, 0.1], displayStops: 3), [0.7, 0.7, 0.7], abs: 1e-12, rel: 0)
    expectClose(read.log2Gains([1, 1, 1], displayStops: 3)[0], 0.7 - 2, abs: 1e-12, rel: 0)
  }

  /// The operations follow the formula: matrices to P3 and back around the gains.
  @Test func stagesFollowTheFormula() throws {
    let read = try HeadroomAdaptiveMetadata(parsing: Self.general.bytes)
    let there = try #require(Primaries.bt2020.matrix(to: .displayP3)), back = try #require(there.inverse)
    for display in [0, 0.3, 1, 1.6, 2.5, 3] {
      let operations = read.operations(display: Headroom(stops: display))
      #expect(!operations.isEmpty)
      for rgb in [[0.2, 0.2, 0.2], [0.9, 0.3, 0.7], [3, 2, 1], [-0.2, 1.5, 0.1], [9, 9, 9]] {
        let light = there * rgb, gains = read.log2Gains(light, displayStops: display)
        let want = back * zip(light, gains).map { $0 * ExactMath.exp2($1) }
        expectClose(operations.reduce(rgb) { $1.apply($0) }, want, abs: 1e-12, rel: 1e-12, "display \(display)")
      }
    }
    #expect(read.operations(display: Headroom(stops: 2)).isEmpty)
  }

  /// The steepest slope is -1 / tan(pi / 36000); what it makes of gains between control points is held.
  @Test func theSteepestSlopeIsHeldInBounds() throws {
    var p = Payload(baseline: 20_000)
    p.alternates(1)
    p.write(0, 16)
    p.mix(1)
    p.shape([1000, 4000], pchip: false)
    p.words([5000, 20_000, 0, 65_535])
    let read = try HeadroomAdaptiveMetadata(parsing: p.bytes)
    expectClose(read.alternates[0].curve.slope, [-11_459.155_873_504, 11_459.155_873_504], abs: 0, rel: 1e-9)
    let operations = read.operations(display: .sdr)
    #expect(operations.reduce([2, 0.5, 4]) { $1.apply($0) } == [ExactMath.exp2(-63), 0.5 * ExactMath.exp2(-0.5), 1])
  }

  @Test func alternatesCanShareMixesAndCurves() throws {
    var p = Payload(baseline: 20_000)
    p.alternates(2, sharesMix: true, sharesCurve: true)
    p.write(0, 16)
    p.mix(2)
    p.shape([1000, 4000], pchip: true)
    p.words([5000, 20_000])
    p.write(10_000, 16)
    p.words([1000, 9000])
    let read = try HeadroomAdaptiveMetadata(parsing: p.bytes)
    #expect(read.alternates[0].mix == read.alternates[1].mix && read.alternates[1].curve.x == [1, 4])
    #expect(read.alternates[1].curve.gain == [-0.1, -0.9])
    // Curves of one mix become one table.
    guard case .mixedGains(let curves) = try #require(read.operations(display: Headroom(stops: 0.5)).first) else {
      Issue.record("no gains of a mix")
      return
    }
    #expect(curves.count == 1)
    // Both curves at the first control point, half each.
    expectClose(curves[0].factor(1), ExactMath.exp2(-0.3), abs: 1e-12, rel: 0)
  }

  @Test("ST 2094-50 gains apply in the metadata's own primaries")
  func ownPrimaries() throws {
    func payload(_ xy: [Int]) -> [UInt8] {
      var p = Payload(baseline: 20_000)
      p.alternates(1, space: 3)
      p.words(xy)
      p.write(0, 16)
      p.mix(0)
      p.shape([1000], pchip: true)
      p.words([10_000])
      return p.bytes
    }
    let d65 = [15_635, 16_450]
    let read = try HeadroomAdaptiveMetadata(parsing: payload([32_000, 16_500, 15_000, 30_000, 7500, 3000] + d65))
    #expect(read.primaries == .bt709)
    for bad in [
      [Int](repeating: 0, count: 8), [1, 1, 1, 1, 1, 1] + d65, [32_000, 16_500, 15_000, 30_000, 7500, 3000, 1, 0],
    ] {
      #expect(throws: DecodeError.self) { try HeadroomAdaptiveMetadata(parsing: payload(bad)) }
    }
  }

  @Test("ST 2094-50 metadata of another version or cut short is refused")
  func whatIsRefused() {
    func code(_ bytes: [UInt8]) -> String {
      do throws(DecodeError) {
        _ = try HeadroomAdaptiveMetadata(parsing: bytes)
        return "read"
      } catch { return error.code }
    }
    #expect(code([]) == "decode.truncated" && code([0x00]) == "decode.truncated")
    #expect(code(Payload(version: 1, baseline: 1).bytes) == "decode.unsupported")
    // Every cut of a payload that is whole is an error, and only the whole one is read.
    let whole = Self.general.bytes
    for count in 0..<whole.count { #expect(code(Array(whole.prefix(count))) == "decode.truncated", "\(count)") }
    #expect(code(whole) == "read")
    // A reference white and no curves.
    #expect(code(Payload(white: 500, baseline: nil).bytes) == "read")
    func one(_ headrooms: [Int], _ mix: (inout Payload) -> Void, x: [Int]) -> String {
      var p = Payload(baseline: 20_000)
      p.alternates(headrooms.count)
      for headroom in headrooms {
        p.write(headroom, 16)
        mix(&p)
        p.shape(x, pchip: true)
        p.words(x.map { _ in 1 })
      }
      return code(p.bytes)
    }
    #expect(one([10_000], { $0.mix(0) }, x: [1, 2]) == "read")
    #expect(one([10_000, 10_000], { $0.mix(0) }, x: [1, 2]) == "decode.malformed")
    #expect(one([20_000], { $0.mix(0) }, x: [1, 2]) == "decode.malformed")
    #expect(one([10_000], { $0.mix(0) }, x: [2, 1]) == "decode.malformed")
    #expect(one([10_000], { $0.mix(3, [0, 0, 0, 0, 0, 0]) }, x: [1, 2]) == "decode.malformed")
  }

  /// Whatever bytes say, reading ends and light stays finite.
  @Test("any ST 2094-50 bytes end in finite light")
  func anyBytes() {
    var state: UInt64 = 1
    func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 33
    }
    var read = 0
    for _ in 0..<4000 {
      var bytes = Self.general.bytes
      for _ in 0...(next() % 6) { bytes[4 + Int(next()) % (bytes.count - 4)] = UInt8(truncatingIfNeeded: next()) }
      guard let metadata = try? HeadroomAdaptiveMetadata(parsing: bytes) else { continue }
      read += 1
      for display in [0, 1.5, 4] {
        let operations = metadata.operations(display: Headroom(stops: display))
        for rgb in [[0.0, 0, 0], [1, 2, 0.5], [-1, 60, 4000]] {
          let sum = operations.reduce(rgb) { $1.apply($0) }.reduce(0, +)
          #expect(sum.isFinite, "\(bytes)")
        }
      }
    }
    #expect(read > 200)
  }

  // MARK: - In plans

  static func picture(_ transfer: Int, _ metadata: [UInt8]?) -> SourceImage {
    let image = SampleImage.interleaved(
      width: 4, height: 2, channelCount: 3, format: transfer == 8 ? .float16 : .uint16, bitDepth: 16)
    var source = SourceImage(
      format: .memory, image: image,
      color: SourceColor(matrix: 0, fullRange: true, encoding: .cicp(primaries: 9, transfer: transfer)),
      geometry: Geometry(width: 4, height: 2))
    source.light.toneMetadata = metadata
    source.light.clli = ContentLightLevel(maxCLL: 4000, maxFALL: 100)
    return source
  }

  @Test func automaticToneMappingFollowsTheMetadata() throws {
    let source = Self.picture(16, Self.general.bytes)
    let sdr = RenderRecipe(target: OutputSignal(encoding: .sdr, sink: .rgba8))
    let report = try Planner.plan(source, sdr).report
    #expect((report.operatorName, report.contentHeadroomSource) == ("st2094-50", "st2094-50"))
    #expect(report.contentHeadroom == 4 && report.outputHeadroom == 1)
    #expect(report.operatorSpace.hasPrefix("linear P3, 0.2 R + 0.4 G + 0.3 max + 0.1 component; component; "))
    #expect(report.toneMetadata?.contains("baseline headroom 4") == true)
    #expect(report.stageNames.contains("mixed_gains"))
    #expect(report.warnings.isEmpty)

    // A brighter display than the baseline's gets the third alternate.
    var bright = RenderRecipe(
      target: OutputSignal(encoding: .pq, sink: .rgba16), display: .headroom(Headroom(stops: 3)))
    #expect(try Planner.plan(source, bright).report.outputHeadroom == 8)
    bright.display = .automatic
    #expect(try Planner.plan(source, bright).report.operatorName == "none")
  }

  /// Curves are for the picture as it is: what changes its light goes before them unless they are asked for by name.
  @Test func automaticLeavesTheMetadataOfAnEditedPicture() throws {
    let source = Self.picture(16, Self.general.bytes)
    var recipe = RenderRecipe(target: OutputSignal(encoding: .sdr, sink: .rgba8))
    recipe.edits = [FilterStep("exposure", ["ev": .number(1)])]
    var report = try Planner.plan(source, recipe).report
    #expect(report.operatorName == "reference-white")
    #expect(report.warnings.map(\.code) == ["tone.metadata-unused"])
    recipe.tone = .named("st2094-50")
    report = try Planner.plan(source, recipe).report
    #expect(report.operatorName == "st2094-50" && report.warnings.isEmpty)
    recipe.tone = .auto
    recipe.edits = [FilterStep("flip")]
    #expect(try Planner.plan(source, recipe).report.operatorName == "st2094-50")
    recipe.edits = []
    recipe.contentHeadroom = Headroom(factor: 3)
    #expect(try Planner.plan(source, recipe).report.operatorName == "reference-white")
  }

  @Test func referenceWhiteRunsWithoutMetadata() throws {
    let recipe = RenderRecipe(target: OutputSignal(encoding: .sdr, sink: .rgba8), tone: .named("st2094-50"))
    let report = try Planner.plan(Self.picture(16, nil), recipe).report
    #expect(report.operatorName == "st2094-50" && report.warnings.map(\.code) == ["tone.no-metadata"])
  }

  /// A reference white of 100 cd/m² is what 1.0 of PQ light stands for, as with `ndwt`.
  @Test func metadataCanStateItsReferenceWhite() throws {
    var p = Payload(white: 500, baseline: nil)
    p.words([])
    let source = Self.picture(16, p.bytes)
    #expect(source.light.referenceWhite == 100)
    let found = ContentHeadroom.ofFile(source)
    expectClose(found.headroom?.factor ?? 0, 40, abs: 1e-9, rel: 0)
    #expect(found.source == "clli")
    #expect(ContentHeadroom.ofFile(Self.picture(16, Self.general.bytes)).headroom == Headroom(stops: 2))
  }
}
