import BatchEngine
import HDRCore
import HDRPlan

/// One thing to verify: a name and a plan.
package struct VerificationCase: Sendable {
  package var name: String
  package var plan: Plan
  package init(name: String, plan: Plan) {
    self.name = name
    self.plan = plan
  }

  package var pixels: Int { plan.passes.last.map { $0.width * $0.height } ?? 0 }

  /// Whether a LUT is looked up.
  var hasLUT: Bool {
    plan.passes.contains { $0.stages.contains { [.lut1D, .lut3D, .lut3DTrilinear].contains($0.kind) } }
  }
}

/// What a case is about.
package enum VerificationGroup: String, Sendable, Hashable, CaseIterable {
  /// Layouts of samples and orientations.
  case decoding
  /// Samples of sensors, and looks of camera profiles.
  case cameras = "camera raw"
  /// Single stages and sinks on random bits and ramps.
  case stages
  /// Tone operators.
  case operators
  case filters
  case gainMaps = "gain maps"
  case luts = "LUTs"
  /// Whole recipes.
  case recipes
  /// Small and odd ones.
  case sizes
  /// Recipes of drawn filters with drawn values.
  case random
}

/// The cases of `verify`: every stage and sink on random bits and ramps, whole recipes on every layout, and small odd sizes.
package enum VerificationCases {
  /// Everything, `pixels` a case (rounded to whole rows).
  package static func all(pixels: Int) -> [VerificationCase] {
    VerificationGroup.allCases.flatMap { cases(of: $0, pixels: pixels) }
  }

  /// The cases of a group, `pixels` each; of `random` none, see `random(_:seed:each:)`.
  package static func cases(of group: VerificationGroup, pixels: Int) -> [VerificationCase] {
    switch group {
    case .decoding: layouts(pixels: pixels)
    case .cameras: cameras(pixels: pixels)
    case .stages: stages(pixels: pixels).filter { !$0.hasLUT } + sinks(pixels: pixels)
    case .operators: operators(pixels: pixels / 4)
    case .filters: filters()
    case .gainMaps: gainMaps(pixels: pixels)
    case .luts: (stages(pixels: pixels) + recipes(pixels: pixels)).filter(\.hasLUT)
    case .recipes: recipes(pixels: pixels).filter { !$0.hasLUT }
    case .sizes: edges()
    case .random: []
    }
  }

  /// Random recipes of up to 12 filters on small pictures, the same for every run with one seed.
  package static func random(_ count: Int, seed: UInt64, each: (VerificationCase, _ filters: Int) -> Void) {
    var recipes = RandomRecipes(seed: seed), made = 0, attempt: UInt64 = 0
    // Values that a filter refuses are drawn again; most are taken.
    while made < count && attempt < 10 * UInt64(count) + 100 {
      let steps = recipes.steps(upTo: 12)
      if let plan = editing(steps, seed: attempt) {
        made += 1
        each(
          VerificationCase(name: "random \(made) " + steps.map(\.name).joined(separator: " "), plan: plan), steps.count)
      }
      attempt += 1
    }
  }

  static let width = 1021

  static func rows(_ pixels: Int) -> Int { max(1, (pixels + width - 1) / width) }

  // MARK: Single stages

  /// Parameters of a stage, as a recipe would set them; none for those that other cases cover.
  static func parameters(_ kind: StageKind, _ words: inout PlanWords) -> [Stage] {
    func curve(_ table: CurveTable) -> Stage {
      words.stage(.curve, CurveStage.words([table], offsets: [words.table(table.words)]))
    }
    switch kind {
    case .yccToRGB:
      return [words.stage(kind, YCCToRGB.words(kr: 0.2627, kb: 0.0593, lumaScale: 1.0 / 876, chromaScale: 1.0 / 3584))]
    case .yccToRYB:
      guard let source = ConstantLuminance(matrix: 10, primaries: 9, transfer: 14) else { return [] }
      return [words.stage(kind, YCCToRYB.words(source, lumaScale: 1.0 / 876, chromaScale: 1.0 / 3584))]
    case .ycgcoLifting: return [words.stage(kind, YCgCoLifting.words(bits: 8))]
    case .affine: return [words.stage(kind, Affine.words(scale: [0.37, 1.9, -2.3], offset: [0.01, -0.2, 0.5]))]
    case .matrix3:
      let m = Primaries.bt2020.matrix(to: .bt709) ?? .identity
      return [words.stage(kind, Matrix3Stage.words(m))]
    case .curve:
      return [
        curve(TransferCurve.pq.encodeTable), curve(TransferCurve.pq.decodeTable), curve(TransferCurve.sRGB.encodeTable),
        curve(TransferCurve.hlg.decodeTable), curve(TransferCurve.gamma(2.4).decodeTable),
      ]
    case .scaleByMax:
      return ReferenceWhiteTone.stages(content: Headroom(factor: 12), display: Headroom(factor: 1.7)).compactMap {
        guard case .scaleByMax(let octaves, let k, let factor) = $0 else { return nil }
        let table = CurveTable(octaves: octaves, k: k, factor)
        return words.stage(kind, ScaleByMax.words(table, offset: words.table(table.words)))
      }
    case .scaleByLuminance:
      let table = CurveTable(octaves: -30..<8, k: 5) { 4.926 * ExactMath.pow($0, 0.2) }
      return [
        words.stage(
          kind, ScaleByLuminance.words(weights: Transfer.HLG.luminance, table, offset: words.table(table.words)))
      ]
    case .scaleByFirst:
      let first = CurveTable(octaves: -12..<4, k: 6) { 1 / (1 + $0) }
      let others = CurveTable(octaves: -12..<4, k: 6) { ExactMath.pow($0, 0.3) }
      return [
        words.stage(
          kind,
          ScaleByFirst.words(first: first, others: others, offsets: [first, others].map { words.table($0.words) }))
      ]
    case .mixedGains:
      return [0, 0.4, 2.7].flatMap { stops in
        toneMetadata.stages(display: Headroom(stops: stops)).compactMap { stage in
          guard case .mixedGains(let curves) = stage else { return nil }
          return words.stage(kind, MixedGains.words(curves) { words.table($0) })
        }
      }
    case .addPositive:
      return [words.stage(kind, AddPositive.words(weights: [0.7, -0.6, -0.1], amount: -0.07))]
    case .pbrNeutral: return [words.stage(kind, PBRNeutral.words())]
    case .clamp: return [words.stage(kind, ClampStage.words(low: -0.3, high: 2.5))]
    case .lut1D:
      let nodes = (0..<33).flatMap { i in [0.9, 1.0, 1.2].map { (Double(i) / 32 * $0 * $0).word } }
      let table = words.table(nodes)
      return [true, false].map { extrapolates in
        words.stage(
          kind,
          LUT1DStage.words(
            offset: table, size: 33, scale: [32, 16, 8], bias: [0, 3, -1], extrapolates: extrapolates))
      }
    case .lut3D, .lut3DTrilinear:
      return [17, 2].map { size in
        let cube = TestPictures.look(size: size).cube!
        var nodes: [UInt32] = []
        for i in 0..<(size * size * size) { nodes += cube.values[3 * i..<3 * i + 3].map(\.bitPattern) + [0] }
        let n = Double(size - 1)
        return words.stage(
          kind,
          LUT3DStage.words(
            offset: words.table(nodes), size: size, scale: [n, n, n], bias: [0, 0, 0], limit: size == 2 ? 0 : 64 * n))
      }
    case .desaturate:
      return [words.stage(kind, Desaturate.words(luminance: Primaries.bt709.luminance, peak: 1.5))]
    case .unpremultiply, .premultiply: return [words.stage(kind, [])]
    case .rgbToYCC:
      return [
        words.stage(
          kind,
          RGBToYCC.words(
            kr: 0.2627, kb: 0.0593, lumaScale: 876, lumaOffset: 64, chromaScale: 896, chromaOffset: 512))
      ]
    case .hueSatMap:
      return hueSatMaps().flatMap { map in [true, false].map { HueSatMapStage.stage(map, isHDR: $0, &words) } }
    case .rgbTone: return [RGBToneStage.stage(toneCurve, &words)]
    case .user:
      return [words.stage(kind, UserStage.words(headroom: 4, contentHeadroom: 8, width: width, height: 1))]
    case .constantColor: return [words.stage(kind, ConstantColor.words([0.2, -0.1, 3, 0.5]))]
    // Loads come with layouts and cameras, gain stages with gain maps, and stages of filters with filters.
    default: return []
    }
  }

  /// Halves through a load, some stages and a sink.
  static func plan(
    _ picture: SampleImage, sink kind: SinkKind = .floatPlanes, chroma: ChromaSubsampling = .s444,
    hasAlpha: Bool = false,
    _ stages: (inout PlanWords) -> [Stage]
  ) -> Plan {
    var words = PlanWords()
    var all = [words.stage(.loadHalf, LoadHalf.words(picture))]
    all += stages(&words)
    let sink: Sink =
      switch kind {
      case .rgba16f: words.sink(kind, [])
      case .rgba16: words.sink(kind, StoreRGBA16.words(dither: 0))
      case .rgba8: words.sink(kind, StoreRGBA8.words(dither: 1))
      case .planarYCC:
        words.sink(
          kind, StorePlanarYCC.words(bits: 10, chroma: chroma, hasAlpha: hasAlpha), channels: hasAlpha ? 4 : 3,
          chroma: chroma, bitDepth: 10)
      case .floatPlanes: words.sink(kind, StoreFloatPlanes.words(channels: 3), channels: 3)
      }
    let pass = Pass(
      name: "verify", sources: [.image(picture)], width: picture.width, height: picture.height, mapping: .identity,
      stages: all, sink: sink)
    return Plan(passes: [pass], constants: words.constants, tables: words.tables, report: PlanReport())
  }

  static func stages(pixels: Int) -> [VerificationCase] {
    let half = rows(max(1, pixels / 2))
    let noise = TestPictures.randomHalves(width: width, height: half, seed: 1)
    let ramp = TestPictures.lightHalves(width: width, height: half, peak: 64, seed: 2)
    var cases: [VerificationCase] = []
    for kind in StageKind.allCases {
      var words = PlanWords()
      if parameters(kind, &words).isEmpty && kind != .loadHalf { continue }
      for (picture, name) in [(noise, "random bits"), (ramp, "ramp")] {
        cases.append(
          VerificationCase(
            name: "stage \(kind.rawValue), \(name)", plan: plan(picture) { parameters(kind, &$0) }))
      }
    }
    return cases
  }

  static func sinks(pixels: Int) -> [VerificationCase] {
    let noise = TestPictures.randomHalves(width: width, height: rows(pixels), seed: 3)
    let light = TestPictures.lightHalves(width: width, height: rows(pixels), peak: 2, seed: 4)
    var cases = SinkKind.allCases.filter { $0 != .planarYCC }.flatMap { kind in
      [
        VerificationCase(name: "sink \(kind.rawValue), random bits", plan: plan(noise, sink: kind) { _ in [] }),
        VerificationCase(name: "sink \(kind.rawValue), ramp", plan: plan(light, sink: kind) { _ in [] }),
      ]
    }
    for (chroma, hasAlpha) in [
      (ChromaSubsampling.s420, false), (.s422, false), (.s444, false), (.s420, true), (.s444, true),
    ] {
      cases.append(
        VerificationCase(
          name: "sink store_planar_ycc \(chroma.rawValue)\(hasAlpha ? ", alpha" : "")",
          plan: plan(light, sink: .planarYCC, chroma: chroma, hasAlpha: hasAlpha) { parameters(.rgbToYCC, &$0) }))
    }
    return cases
  }

  // MARK: Layouts of sources

  static func source(
    _ image: SampleImage, primaries: Int, transfer: Int, matrix: Int, full: Bool, orientation: Orientation = .up
  ) -> SourceImage {
    SourceImage(
      format: "test", image: image,
      color: SourceColor(
        matrix: matrix, fullRange: full, encoding: .cicp(primaries: primaries, transfer: transfer),
        cicp: CICP(primaries, transfer, matrix, full: full)),
      geometry: Geometry(width: image.width, height: image.height, orientation: orientation))
  }

  static let linearHalf = RenderRecipe(target: OutputTarget(encoding: .linear, sink: .rgba16f))

  static func recipe(_ name: String, _ source: SourceImage, _ recipe: RenderRecipe) -> VerificationCase? {
    (try? Planner.plan(source, recipe)).map { VerificationCase(name: name, plan: $0) }
  }

  static func layouts(pixels: Int) -> [VerificationCase] {
    var cases: [VerificationCase?] = []
    let h = rows(pixels)
    let matrices: [(Int, Int)] = [(1, 1), (5, 6), (9, 9), (12, 12), (7, 7), (9, 8), (9, 14)]
    for (index, chroma) in ChromaSubsampling.allCases.enumerated() {
      for (bits, siting) in [(8, ChromaSiting.center), (10, .left), (12, .topLeft)] {
        let image = TestPictures.randomPlanes(
          width: width, height: h, bits: bits, chroma: chroma, siting: siting, alpha: bits == 8,
          seed: UInt64(10 * index + bits))
        let (primaries, matrix) = matrices[(index + bits) % matrices.count]
        cases.append(
          recipe(
            "layout \(chroma.rawValue) \(bits) bit, matrix \(matrix), \(bits == 10 ? "narrow" : "full")",
            source(image, primaries: primaries, transfer: bits == 8 ? 13 : 16, matrix: matrix, full: bits != 10),
            linearHalf))
      }
    }
    for (matrix, transfer) in [
      (CICP.Matrix.bt2020ConstantLuminance, CICP.Transfer.pq),
      (CICP.Matrix.derivedConstantLuminance, CICP.Transfer.bt709), (CICP.Matrix.ycgcoTwoBits, CICP.Transfer.pq),
      (CICP.Matrix.ycgcoOneBit, CICP.Transfer.sRGB),
    ] {
      let image = TestPictures.randomPlanes(
        width: width, height: h, bits: 10, chroma: .s444, siting: .left, seed: UInt64(matrix))
      let source = source(image, primaries: CICP.Primaries.bt2020, transfer: transfer, matrix: matrix, full: true)
      cases.append(recipe("layout 4:4:4 10 bit, matrix \(matrix), full", source, linearHalf))
    }
    for (image, name) in [
      (TestPictures.randomCodes(width: width, height: h, format: .float32, seed: 61), "R G B A"),
      (TestPictures.randomCodes(width: width, height: h, format: .float32, seed: 62).firstChannel, "grey"),
    ] {
      cases.append(
        recipe(
          "layout binary32, \(name)",
          source(
            image, primaries: CICP.Primaries.bt709, transfer: CICP.Transfer.linear, matrix: CICP.Matrix.identity,
            full: true),
          linearHalf))
    }
    for orientation in Orientation.allCases {
      let image = TestPictures.photoP010(width: width & ~1, height: h & ~1 | 2, seed: UInt64(orientation.rawValue))
      cases.append(
        recipe(
          "layout P010, orientation \(orientation.rawValue)",
          source(
            image, primaries: CICP.Primaries.bt2020, transfer: CICP.Transfer.pq, matrix: CICP.Matrix.bt2020,
            full: false, orientation: orientation),
          linearHalf))
    }
    // Floats of any bits: light, and codes.
    for (index, transfer) in [CICP.Transfer.linear, CICP.Transfer.pq, CICP.Transfer.hlg, CICP.Transfer.sRGB]
      .enumerated()
    {
      for format in [SampleFormat.float16, .float32] {
        let image = TestPictures.randomCodes(width: width, height: h, format: format, seed: UInt64(90 + index))
        let turned = source(
          image, primaries: CICP.Primaries.p3, transfer: transfer, matrix: CICP.Matrix.identity, full: true,
          orientation: Orientation(rawValue: 1 + 2 * index) ?? .up)
        cases.append(recipe("layout \(format.rawValue), transfer \(transfer)", turned, linearHalf))
      }
    }
    return cases.compactMap { $0 }
  }

  /// SMPTE ST 2094-50 metadata of the general form: three alternates in P3 for headrooms 1, 2 and 9.2, each with a mix
  /// and a curve of its own, the first with slopes.
  static let toneMetadataBytes: [UInt8] = [
    0x00, 0x40, 0x59, 0xd8, 0x34, 0x00, 0x00, 0xf7, 0x27, 0x10, 0x3a, 0x98, 0x3a, 0x98, 0x13, 0x88,
    0x13, 0x88, 0x18, 0x01, 0xf4, 0x03, 0xe8, 0x07, 0xd0, 0x13, 0x88, 0x0b, 0xb8, 0x13, 0x88, 0x2e,
    0xe0, 0x59, 0xd8, 0x41, 0xda, 0x31, 0x8f, 0x2e, 0x1f, 0x39, 0x44, 0x27, 0x10, 0x80, 0x1c, 0x03,
    0xe8, 0x07, 0xd0, 0x0d, 0xac, 0x13, 0x88, 0x00, 0x00, 0x0f, 0xa0, 0x23, 0x28, 0x32, 0xc8, 0x7d,
    0x00, 0x00, 0x14, 0x00, 0xfa, 0x03, 0xe8, 0x13, 0x24, 0x00, 0x00, 0x07, 0xd0, 0x23, 0x28,
  ]
  static let toneMetadata = (try? HeadroomAdaptiveMetadata(parsing: toneMetadataBytes)) ?? HeadroomAdaptiveMetadata()

  // MARK: Whole recipes

  static func withGainMap(
    _ source: SourceImage, width: Int, height: Int, rgb: Bool, gamma: [Double], hdrBase: Bool = false
  ) -> SourceImage {
    var copy = source
    let map = TestPictures.randomPlanes(
      width: width, height: height, bits: 8, chroma: rgb ? .s420 : .none, siting: .center, seed: 77)
    copy.gainMap = GainMap(
      metadata: GainMapMetadata(
        kind: .iso, baseHeadroom: hdrBase ? 2.3 : 0, alternateHeadroom: hdrBase ? 0 : 2.3,
        min: rgb ? [-0.3, -0.2, -0.1] : [0, 0, 0], max: rgb ? [2.1, 2.3, 2.2] : [2.3, 2.3, 2.3], gamma: gamma,
        isMultichannel: rgb, usesBaseColorSpace: !rgb),
      image: map, matrix: CICP.Matrix.bt601, fullRange: true,
      alternateColor: SourceColor(
        matrix: CICP.Matrix.identity, fullRange: true,
        encoding: .cicp(primaries: CICP.Primaries.bt2020, transfer: CICP.Transfer.pq)),
      bindings: [])
    return copy
  }

  static func recipes(pixels: Int) -> [VerificationCase] {
    let w = width & ~1, h = rows(pixels) + 1 & ~1
    let photo = TestPictures.photoP010(width: w, height: h, seed: 5)
    let pq = source(
      photo, primaries: CICP.Primaries.bt2020, transfer: CICP.Transfer.pq, matrix: CICP.Matrix.bt2020, full: false)
    let hlg = source(
      photo, primaries: CICP.Primaries.bt2020, transfer: CICP.Transfer.hlg, matrix: CICP.Matrix.bt2020, full: false)
    let jpeg = source(
      TestPictures.randomPlanes(width: w, height: h, bits: 8, chroma: .s420, siting: .center, seed: 6),
      primaries: CICP.Primaries.p3,
      transfer: CICP.Transfer.sRGB, matrix: CICP.Matrix.bt601, full: true)
    let mono = withGainMap(jpeg, width: w / 4, height: max(1, h / 4), rgb: false, gamma: [1, 1, 1])
    let color = withGainMap(jpeg, width: w / 2, height: max(1, h / 2), rgb: true, gamma: [0.9, 1, 1.4])
    let big = withGainMap(jpeg, width: w + 9, height: h + 7, rgb: true, gamma: [1, 1, 1])
    let down = withGainMap(pq, width: w, height: h, rgb: false, gamma: [1, 1, 1], hdrBase: true)
    var curved = pq
    curved.light.toneMetadata = toneMetadataBytes
    let lut = TestPictures.look(size: 33)
    let two = DisplayChoice.headroom(Headroom(factor: 2))
    func to(_ encoding: OutputTarget.Encoding, _ sink: SinkKind, primaries: Int? = nil) -> OutputTarget {
      OutputTarget(primaries: primaries, encoding: encoding, sink: sink)
    }
    return [
      recipe(
        "recipe reference", withGainMap(pq, width: w / 4, height: max(1, h / 4), rgb: false, gamma: [1, 1, 1]),
        Recipes.reference(lut)),
      recipe("recipe lut-pq", pq, Recipes.lutPQ(lut)),
      recipe("recipe hlg-to-pq", hlg, Recipes.hlgToPQ),
      recipe("recipe PQ to SDR P3, 8 bit", pq, RenderRecipe(target: to(.sdr, .rgba8, primaries: CICP.Primaries.p3))),
      recipe("recipe PQ to SDR, dithered", pq, RenderRecipe(target: to(.sdr, .rgba8), dither: 1)),
      recipe(
        "recipe PQ to headroom 2, BT.2390", pq,
        RenderRecipe(target: to(.pq, .rgba16), display: two, tone: .named("bt2390"))),
      recipe(
        "recipe PQ to headroom 2, clip, sRGB primaries", pq,
        RenderRecipe(target: to(.linear, .rgba16f, primaries: CICP.Primaries.bt709), display: two, tone: .named("clip"))
      ),
      recipe("recipe PQ with ST 2094-50 curves to SDR", curved, RenderRecipe(target: to(.sdr, .rgba8))),
      recipe(
        "recipe PQ with ST 2094-50 curves to headroom 1.5", curved,
        RenderRecipe(target: to(.pq, .rgba16), display: .headroom(Headroom(factor: 1.5)))),
      recipe(
        "recipe PQ with ST 2094-50 curves to headroom 8", curved,
        RenderRecipe(target: to(.linear, .rgba16f), display: .headroom(Headroom(factor: 8)))),
      recipe("recipe PQ to HLG 4:2:0", pq, RenderRecipe(target: to(.hlg, .planarYCC))),
      recipe("recipe HLG to SDR", hlg, RenderRecipe(target: to(.sdr, .rgba8))),
      recipe(
        "recipe HLG LUT to PQ 4:2:0", hlg,
        RenderRecipe(target: to(.pq, .planarYCC), lut: LUTChoice(lut: lut, space: .hlg))),
      recipe(
        "recipe sRGB-space LUT, extrapolated", pq,
        RenderRecipe(target: to(.linear, .rgba16f), lut: LUTChoice(lut: lut, space: .srgb))),
      recipe(
        "recipe two LUTs, trilinear, P3", pq,
        {
          var made = RenderRecipe(target: to(.pq, .rgba16))
          made.luts = [
            LUTChoice(lut: lut, space: .init(.gamma24, .p3), interpolation: .trilinear),
            LUTChoice(lut: lut, space: .pq, extrapolates: false, interpolation: .trilinear),
          ]
          return made
        }()),
      recipe("recipe gain map mono 1/4", mono, linearHalf),
      recipe("recipe gain map RGB 1/2 at headroom 2", color, RenderRecipe(target: to(.pq, .rgba16), display: two)),
      recipe("recipe gain map larger than base", big, linearHalf),
      recipe("recipe gain map, HDR base, to SDR", down, RenderRecipe(target: to(.sdr, .rgba8))),
      recipe(
        "recipe gain map then Reference White", color,
        RenderRecipe(target: to(.sdr, .rgba8), tone: .named("reference-white"))),
    ].compactMap { $0 }
  }

  // MARK: Tone operators

  /// Every operator on light of any kind, to a linear rendition and an integer one.
  static func operators(pixels: Int) -> [VerificationCase] {
    let light = TestPictures.lightHalves(width: width, height: rows(pixels), peak: 8, seed: 51)
    let linear = source(
      light, primaries: CICP.Primaries.bt2020, transfer: CICP.Transfer.linear, matrix: CICP.Matrix.identity, full: true)
    return ToneOperators.all.flatMap { tone -> [VerificationCase?] in
      let isUp = tone.direction == .up
      let content = isUp ? Headroom.sdr : Headroom(factor: 6), display = Headroom(factor: isUp ? 4 : 1.5)
      func make(_ target: OutputTarget, _ gamut: GamutChoice, _ values: ToneValues) -> RenderRecipe {
        RenderRecipe(
          target: target, display: .headroom(display), tone: .named(tone.name, values), contentHeadroom: content,
          gamut: gamut)
      }
      let half = OutputTarget(primaries: CICP.Primaries.p3, encoding: .linear, sink: .rgba16f)
      let all = ToneValues(
        Dictionary(
          uniqueKeysWithValues: tone.parameters.map {
            ($0.name, min(max(0.3, $0.range.lowerBound), $0.range.upperBound))
          }))
      return [
        recipe("tone \(tone.name)", linear, make(half, .none, ToneValues())),
        recipe("tone \(tone.name), parameters, compress", linear, make(half, .desaturate, all)),
        recipe(
          "tone \(tone.name), PQ", linear, make(OutputTarget(encoding: .pq, sink: .rgba16), .clip, ToneValues())),
      ]
    }.compactMap { $0 }
  }

  // MARK: Making gain maps

  static func gainMaps(pixels: Int) -> [VerificationCase] {
    let h = rows(pixels)
    func pair(_ format: SampleFormat, _ h: Int, wide: Bool = false, noise: Bool = false) -> RenditionPair {
      RenditionPair(
        base: TestPictures.randomCodes(width: width, height: h, format: format, seed: 41),
        baseCurve: format == .uint8 ? .sRGB : .pq,
        baseToMath: wide ? Primaries.bt709.matrix(to: .bt2020)! : .identity,
        alternate: noise
          ? TestPictures.randomHalves(width: width, height: h, seed: 42)
          : TestPictures.lightHalves(width: width, height: h, peak: 16, seed: 43),
        luminance: Primaries.bt2020.luminance, baseIsHDR: format == .uint16)
    }
    var cases = appleMaps(pixels: pixels / 2)
    func ratio(_ name: String, _ pair: RenditionPair, _ options: GainMapOptions) {
      guard let plan = try? GainMapPlanner.gains(pair, options) else { return }
      cases.append(VerificationCase(name: "gain map, \(name)", plan: plan))
    }
    ratio("3 channels", pair(.uint8, h), GainMapOptions())
    ratio("random bits", pair(.uint8, h, noise: true), GainMapOptions())
    ratio("wider primaries", pair(.uint8, h, wide: true), GainMapOptions())
    ratio("luminance, half size", pair(.uint8, h, wide: true), GainMapOptions(channels: 1, scale: 2))
    ratio("maximum, quarter size", pair(.uint8, h), GainMapOptions(channels: 1, grey: .maximum, scale: 4))
    ratio("HDR base", pair(.uint16, h, noise: true), GainMapOptions(scale: 2))
    let gains = TestPictures.randomGains(width: width, height: h, seed: 44)
    let metadata = GainMapMetadata(
      kind: .iso, baseHeadroom: 0, alternateHeadroom: 3, min: [-3, -2, 0], max: [5, 6, 6], gamma: [1, 0.8, 1.2])
    for (sink, depth, dither) in [(SinkKind.rgba8, 8, 1.0), (.rgba16, 16, 0), (.planarYCC, 10, 0)] {
      let target = OutputTarget(encoding: .linear, sink: sink, bitDepth: depth, chroma: .s444)
      cases.append(
        VerificationCase(
          name: "gain map, codes \(sink.rawValue)",
          plan: GainMapPlanner.codes(gains, metadata, target: target, dither: dither)))
    }
    return cases
  }

  // MARK: Small and odd

  static func edges() -> [VerificationCase] {
    var cases: [VerificationCase?] = []
    for (w, h) in [(1, 1), (1, 7), (7, 1), (2, 3), (3, 2), (1025, 2), (17, 33)] {
      let image = TestPictures.randomPlanes(
        width: w, height: h, bits: 10, chroma: .s420, siting: .left, seed: UInt64(w * 100 + h))
      for orientation in [Orientation.up, .right, .down] {
        let base = source(
          image, primaries: CICP.Primaries.bt2020, transfer: CICP.Transfer.pq, matrix: CICP.Matrix.bt2020, full: true,
          orientation: orientation)
        let mapped = withGainMap(
          base, width: max(1, w / 2), height: max(1, h / 2), rgb: true, gamma: [1, 1, 1], hdrBase: true)
        cases += [
          recipe(
            "edge \(w)x\(h) orientation \(orientation.rawValue) to 4:2:0", base,
            RenderRecipe(target: OutputTarget(encoding: .pq, sink: .planarYCC))),
          recipe(
            "edge \(w)x\(h) orientation \(orientation.rawValue) with map", mapped,
            RenderRecipe(target: OutputTarget(encoding: .sdr, sink: .rgba8))),
        ]
      }
    }
    return cases.compactMap { $0 }
  }
}

/// Recipes with names: those of `bench kernel`.
package enum Recipes {
  /// P010 → PQ → gain map → 33³ LUT in PQ → Reference White → half.
  package static func reference(_ lut: CubeLUT) -> RenderRecipe {
    RenderRecipe(
      target: OutputTarget(encoding: .linear, sink: .rgba16f), display: .headroom(Headroom(factor: 2)),
      tone: .named("reference-white"), lut: LUTChoice(lut: lut, space: .pq))
  }

  /// A PQ-space LUT on PQ input: unpack, matrix, LUT, nothing else.
  package static func lutPQ(_ lut: CubeLUT) -> RenderRecipe {
    RenderRecipe(target: OutputTarget(encoding: .pq, sink: .rgba16), lut: LUTChoice(lut: lut, space: .pq))
  }

  package static let hlgToPQ = RenderRecipe(target: OutputTarget(encoding: .pq, sink: .rgba16))
}
