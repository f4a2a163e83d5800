import HDRCore
import HDRPlan
import Kernels

extension VerificationCases {
  /// Returns a stage with each of its samples; none for kinds that other cases cover.
  private static func samples(_ kind: StageKind, _ words: inout PlanDataBuilder) -> [Stage] {
    kind.stage.samples { words.table($0) }.map { words.stage(kind, $0) }
  }

  private static func curve(_ table: CurveTable, _ words: inout PlanDataBuilder) -> Stage {
    words.stage(.curve, CurveStage.words([table], offsets: [words.table(table.words)]))
  }

  /// Returns a plan that takes halves through a load, some stages and a sink.
  static func plan(
    _ picture: SampleImage, sink kind: SinkKind = .floatPlanes, chroma: ChromaSubsampling = .s444,
    hasAlpha: Bool = false, dither: Double = 0, _ stages: (inout PlanDataBuilder) -> [Stage]
  ) -> Plan {
    var words = PlanDataBuilder()
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
      var words = PlanDataBuilder()
      if samples(kind, &words).isEmpty && kind != .loadHalf { continue }
      for (picture, name) in [(noise, "random bits"), (ramp, "ramp")] {
        cases.append(
          VerificationCase(
            name: "stage \(kind.rawValue), \(name)", plan: plan(picture) { samples(kind, &$0) }))
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
          plan: plan(light, sink: .planarYCC, chroma: chroma, hasAlpha: hasAlpha) { samples(.rgbToYCC, &$0) }))
    }
    return cases
  }

  /// Returns a case with two equal looks: any mix of them is that look, whatever the logarithms' rounding.
  static func equalLooks(pixels: Int) -> VerificationCase {
    var words = PlanDataBuilder()
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
    var words = PlanDataBuilder()
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
}
