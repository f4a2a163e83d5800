import BatchEngine
import HDRCore
import HDRPlan
import Kernels

/// A case to verify: a name and a plan.
package struct VerificationCase: Sendable {
  package var name: String
  package var plan: Plan
  /// Plans that other threads render on the same device at the same time.
  package var beside: [Plan]
  package init(name: String, plan: Plan, beside: [Plan] = []) {
    self.name = name
    self.plan = plan
    self.beside = beside
  }

  var plans: [Plan] { [plan] + beside }

  package var pixels: Int { plans.reduce(0) { $0 + ($1.passes.last.map { $0.width * $0.height } ?? 0) } }

  /// Stages of all passes.
  package var stages: Set<StageKind> { Set(plans.flatMap { $0.passes.flatMap { $0.stages.map(\.kind) } }) }

  /// True if a LUT is looked up.
  var hasLUT: Bool { !stages.isDisjoint(with: [.lut1D, .lut3D, .lut3DTrilinear]) }
}

/// The group of a case: the part of the program that it tests.
package enum VerificationGroup: String, Sendable, Hashable, CaseIterable {
  /// Layouts of samples and orientations.
  case decoding
  /// Samples of sensors, and looks of camera profiles.
  case cameras = "camera raw"
  /// Single stages and sinks on random bits and ramps.
  case stages
  /// Stages with numbers of which no two are equal.
  case numbers
  /// Tone operators.
  case operators
  case filters
  case gainMaps = "gain maps"
  case luts = "LUTs"
  /// Whole recipes.
  case recipes
  /// Small and odd ones.
  case sizes
  /// Several pictures at once on one device.
  case together
  /// Recipes of drawn filters with drawn values.
  case random
}

/// The cases of `verify`: every stage and sink on random bits and ramps, whole recipes on every layout, small odd sizes,
/// and several pictures at once.
package enum VerificationCases {
  /// Returns all cases, `pixels` a case (rounded to whole rows).
  package static func all(pixels: Int) -> [VerificationCase] {
    VerificationGroup.allCases.flatMap { cases(of: $0, pixels: pixels) }
  }

  /// Returns the cases of a group, `pixels` each; none of `random`, see `random(_:seed:each:)`.
  package static func cases(of group: VerificationGroup, pixels: Int) -> [VerificationCase] {
    switch group {
    case .decoding: layouts(pixels: pixels)
    case .cameras: cameras(pixels: pixels)
    case .stages:
      stages(pixels: pixels).filter { !$0.hasLUT } + sinks(pixels: pixels) + [
        halvesBeside(pixels: pixels), equalLooks(pixels: pixels),
      ]
    case .numbers: distinctNumbers()
    case .operators: operators(pixels: pixels / 4)
    case .filters: filters()
    case .gainMaps: gainMaps(pixels: pixels)
    case .luts: (stages(pixels: pixels) + recipes(pixels: pixels)).filter(\.hasLUT)
    case .recipes: recipes(pixels: pixels).filter { !$0.hasLUT }
    case .sizes: edges()
    case .together: together(pixels: pixels / 4)
    case .random: []
    }
  }

  /// Draws random recipes of up to 12 filters on small pictures, the same for every run with one seed.
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

  /// Returns stages with parameters, as a recipe would set them; none for kinds that other cases cover.
  static func parameters(_ kind: StageKind, _ words: inout PlanWords) -> [Stage] {
    func curve(_ table: CurveTable) -> Stage { Self.curve(table, &words) }
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
      // Maps of SDR profiles end at 1.
      return [true, false].flatMap { isHDR in
        hueSatMaps().map { HueSatMapStage.stage($0, isHDR: isHDR, &words) }
      }
    case .rgbTone: return [RGBToneStage.stage(toneCurve, &words)]
    case .user:
      return [words.stage(kind, UserStage.words(headroom: 4, contentHeadroom: 8, width: width, height: 1))]
    case .constantColor: return [words.stage(kind, ConstantColor.words([0.2, -0.1, 3, 0.5]))]
    // Loads come with layouts and cameras, gain stages with gain maps, and stages of filters with filters.
    default: return []
    }
  }

  private static func curve(_ table: CurveTable, _ words: inout PlanWords) -> Stage {
    words.stage(.curve, CurveStage.words([table], offsets: [words.table(table.words)]))
  }

  /// Returns a plan that takes halves through a load, some stages and a sink.
  static func plan(
    _ picture: SampleImage, sink kind: SinkKind = .floatPlanes, chroma: ChromaSubsampling = .s444,
    hasAlpha: Bool = false, dither: Double = 0, _ stages: (inout PlanWords) -> [Stage]
  ) -> Plan {
    var words = PlanWords()
    var all = [words.stage(.loadHalf, LoadHalf.words(picture))]
    all += stages(&words)
    let sink: Sink =
      switch kind {
      case .rgba16f: words.sink(kind, [])
      case .rgba16: words.sink(kind, StoreRGBA16.words(dither: dither))
      case .rgba8: words.sink(kind, StoreRGBA8.words(dither: dither))
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
    // Below 2^-30 curves take light for 0.
    for (name, picture, table) in [
      ("faint", ramp, TransferCurve.sRGB.encodeTable), ("faint, both signs", noise, TransferCurve.pq.encodeTable),
    ] {
      let faint = plan(picture) {
        let down = [0x1p-28, 0x1p-32, 0x1p-36]
        return [$0.stage(.affine, Affine.words(scale: down, offset: [0, 0, 0])), curve(table, &$0)]
      }
      cases.append(VerificationCase(name: "stage curve, \(name)", plan: faint))
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
    for (kind, dither) in [(SinkKind.rgba8, 1.0), (.rgba16, 0.7)] {
      cases.append(
        VerificationCase(
          name: "sink \(kind.rawValue), dithered", plan: plan(light, sink: kind, dither: dither) { _ in [] }))
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

  /// Returns a case with two equal looks: any mix of them is that look, whatever the logarithms' rounding.
  static func equalLooks(pixels: Int) -> VerificationCase {
    var words = PlanWords()
    let picture = TestPictures.lightHalves(width: width, height: rows(pixels / 4), peak: 4, seed: 41)
    func pass(_ sources: [PassSource], _ stages: [Stage]) -> Pass {
      Pass(
        name: "verify", sources: sources, width: picture.width, height: picture.height, mapping: .identity,
        stages: [words.stage(.loadHalf, LoadHalf.words(picture))] + stages,
        sink: words.sink(.floatPlanes, StoreFloatPlanes.words(channels: 3), channels: 3))
    }
    let standard = pass([.image(picture)], [])
    let mix = words.stage(.mixLooks, MixLooks.words(source: 1, amount: 0.3))
    let high = pass([.image(picture), .earlier(pass: 0, rows: .same(height: picture.height))], [mix])
    return VerificationCase(
      name: "stage mix_looks, equal looks",
      plan: Plan(passes: [standard, high], constants: words.constants, tables: words.tables, report: PlanReport()))
  }

  /// Returns a case with a file's picture and as many pictures of halves as a pass may read, each with other pixels.
  static func halvesBeside(pixels: Int) -> VerificationCase {
    let h = max(8, rows(pixels / 4))
    var words = PlanWords()
    func load(_ seed: UInt64) -> (PassSource, Stage) {
      let picture = TestPictures.lightHalves(width: width, height: h, peak: 4, seed: seed)
      return (.image(picture), words.stage(.loadHalf, LoadHalf.words(picture)))
    }
    func pass(_ sources: [PassSource], _ stages: [Stage], _ sink: Sink) -> Pass {
      Pass(name: "verify", sources: sources, width: width, height: h, mapping: .identity, stages: stages, sink: sink)
    }
    let below = (0..<Pass.maxHalfSources).map { index in
      let (picture, stage) = load(UInt64(30 + index))
      var sink = words.sink(.rgba16f, [])
      sink.isPlanar = true
      return pass([picture], [stage], sink)
    }
    let (picture, stage) = load(40)
    let modes: [Compositing.Mode] = [.addition, .sourceOver, .maximum]
    let layers = below.indices.map { index in
      words.stage(
        .composite,
        Compositing.words(
          modes[index % modes.count], source: 1 + index, x: 3 * index, y: -index, width: width, height: h))
    }
    let sources = below.indices.map { PassSource.earlier(pass: $0, rows: .all(height: h, of: h)) }
    let last = pass(
      [picture] + sources, [stage] + layers, words.sink(.floatPlanes, StoreFloatPlanes.words(channels: 4), channels: 4))
    return VerificationCase(
      name: "stage composite, a picture and \(below.count) of halves",
      plan: Plan(
        passes: below + [last], constants: words.constants, tables: words.tables, report: PlanReport()))
  }

  // MARK: Layouts of sources

  static func source(
    _ image: SampleImage, primaries: Int, transfer: Int, matrix: Int, full: Bool, orientation: Orientation = .up
  ) -> SourceImage {
    SourceImage(
      format: .memory, image: image,
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

  /// Returns cases of every operator on light of any kind, to a linear rendition and an integer one.
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

  // MARK: Numbers

  /// Returns three of the other cases for each stage with numbers, on few pixels; no two numbers of a stage are equal.
  static func distinctNumbers() -> [VerificationCase] {
    var wanted = Dictionary(uniqueKeysWithValues: StageKind.allCases.filter(\.hasNumbers).map { ($0, 3) })
    let few = 2 * width
    let others = filters() + [gainMaps, cameras, layouts, stages].flatMap { $0(few) }
    return others.enumerated().compactMap { number, test in
      let found = test.stages.filter { wanted[$0, default: 0] > 0 }
      if found.isEmpty { return nil }
      for kind in found { wanted[kind]! -= 1 }
      return VerificationCase(
        name: "numbers, \(test.name)", plan: test.plan.withDistinctNumbers(seed: UInt64(number)))
    }
  }

  // MARK: Several at once

  /// Returns cases of pictures that several threads render on one device at the same time: of one recipe, which share
  /// kernels and tables, and of several.
  static func together(pixels: Int) -> [VerificationCase] {
    let lut = TestPictures.look(size: 9), w = width & ~1, h = rows(pixels) + 1 & ~1
    let sources = (0..<6).map { seed in
      source(
        TestPictures.photoP010(width: w, height: h, seed: UInt64(70 + seed)), primaries: CICP.Primaries.bt2020,
        transfer: CICP.Transfer.pq, matrix: CICP.Matrix.bt2020, full: false)
    }
    let alike = sources.compactMap { try? Planner.plan($0, Recipes.lutPQ(lut)) }
    let different = recipes(pixels: pixels).prefix(4).map(\.plan)
    let edited = (0..<4).compactMap { seed in
      editing([FilterStep("median"), FilterStep("unsharp-mask"), FilterStep("gaussian-blur")], seed: UInt64(80 + seed))
    }
    return [("one recipe", alike), ("other recipes", different), ("filters", edited)].compactMap { name, plans in
      plans.first.map { VerificationCase(name: "together, \(name)", plan: $0, beside: Array(plans.dropFirst())) }
    }
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

/// The named recipes of `bench kernel`.
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
