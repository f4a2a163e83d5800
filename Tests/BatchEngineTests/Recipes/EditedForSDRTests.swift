import BatchEngine
import CPURender
import Foundation
import HDRCore
import HDRPlan
import HDRRender
import Measure
import ImageFiles
import TestPlans
import TestSupport
import Testing

/// Filters for displays of headroom 1 get the SDR rendition, and filters that change nothing change nothing.
@Suite struct EditedForSDRTests {
  /// Files with maps of every kind: ISO, hdrgm, Apple's; SDR and HDR bases.
  static let files = [
    "gainmap_jpeg/apple_gainmap_new.jpg", "gainmap_jpeg/gain_mapped-photo-colorful_daisies.jpg",
    "gainmap_jpeg/paris_exif_xmp_icc_gainmap_bigendian.jpg", "gainmap_jpeg/memorial.jpg", "gainmap_jpeg/small_uhdr.jpg",
    "gainmap_jpeg/made_uhdr_pq.jpg", "heic_gainmap/ios18_tmap_crop_1280x1792.heic",
    "heic_gainmap/made_libultrahdr_pq.heic", "avif_gainmap/seine_sdr_gainmap_srgb.avif",
    "avif_gainmap/seine_hdr_gainmap_small_srgb.avif",
  ].filter { SharedData.url("data/images/" + $0) != nil }

  static func exposure(_ ev: Double) -> FilterStep { FilterStep("exposure", ["ev": .number(ev)]) }

  static func source(_ path: String) throws -> SourceImage {
    try decodeImage(try #require(SharedData.bytes("data/images/" + path)))
  }

  static func plan(
    _ source: SourceImage, _ steps: [FilterStep], _ kind: OutputKind = .sdrJPEG, primaries: Int? = nil,
    _ change: (inout RenditionOptions) -> Void = { _ in }
  ) throws -> Plan {
    var options = RenditionOptions(kind: kind)
    options.recipe.target.primaries = primaries
    options.recipe.edits = steps
    change(&options)
    return try Planner.plan(source, options.recipe)
  }

  /// R, G, B codes of an SDR file.
  static func codes(_ source: SourceImage, _ steps: [FilterStep], primaries: Int? = nil) throws -> [UInt8] {
    var plan = try plan(source, steps, .sdrPNG, primaries: primaries)
    plan.kept = nil
    return CPUBackend.best.render(plan, threads: 2).colorCodes
  }

  static func expectSame(_ a: Plan, _ b: Plan, _ what: String) {
    #expect(a.constants == b.constants && a.tables == b.tables, "\(what)")
    #expect(a.passes.map(\.kernelKey) == b.passes.map(\.kernelKey), "\(what)")
    #expect((a.kept == nil) == (b.kept == nil), "\(what)")
    #expect(a.report.outputHeadroom == b.report.outputHeadroom, "\(what)")
  }

  /// Steps without an effect, which every output may have.
  static let idle: [FilterStep] = [
    exposure(0), FilterStep("gamma", ["power": .number(1)]), FilterStep("color-controls"), FilterStep("hue-adjust"),
    FilterStep("gaussian-blur", ["radius": .number(0)]),
    FilterStep(
      "tone-map-headroom",
      [
        "target-headroom": .number(32),
        "source-headroom": .number(8),
      ]), FilterStep("highlight-shadow"), FilterStep("color-matrix"),
  ]

  @Test("filters that change nothing leave the plan of any output as it is", arguments: files)
  func nothingIsNothing(path: String) throws {
    let source = try Self.source(path)
    for kind in OutputKind.allCases {
      for display in [DisplayChoice.automatic, .standard, .headroom(Headroom(factor: 2)), .constrainedHigh(), .high] {
        let plain = try Self.plan(source, [], kind) { $0.recipe.display = display }
        for strategy in [EditStrategy.automatic, .sdrAndHDR] {
          let edited = try Self.plan(source, Self.idle, kind) {
            ($0.recipe.display, $0.recipe.editStrategy) = (display, strategy)
          }
          Self.expectSame(plain, edited, "\(path) to \(kind) for \(display)")
          #expect(edited.report.idleEdits == Self.idle.map(\.name))
          #expect(edited.report.edits.isEmpty)
        }
      }
    }
  }

  @Test("an Adaptive file keeps its payloads") func payloadsAreKept() throws {
    let path = try EditedLightTests.bright.get().path
    let output = try AdaptiveBatchTests.make(path, product: AdaptiveBatchTests.adaptive(.jpeg)) {
      $0.rendition.recipe.edits = Self.idle
    }
    #expect(output.record.report?.operatorReason == "base and map payloads kept bit for bit")
    #expect(output.record.report?.idleEdits == Self.idle.map(\.name))
  }

  @Test("steps that are called idle change no pixel") func idleFiltersAreIdle() throws {
    let picture = FilterPicture.noise(hasAlpha: true)
    var found: Set<String> = []
    var recipes = RandomRecipes(seed: 11)
    for filter in Filters.all {
      let steps = [FilterStep(filter.name)] + (0..<20).map { _ in recipes.step(filter) }
      for step in steps where step.changesNothing {
        found.insert(step.name)
        let edited = try picture.edited(step)
        #expect(edited.pixels == picture.pixels, "\(step)")
      }
    }
    print("idle with some values: \(found.sorted())")
    #expect(found.isSuperset(of: ["exposure", "gamma", "color-controls", "hue-adjust"]))
    #expect(!FilterStep("tone-map-headroom", ["target-headroom": .number(4)]).changesNothing)
    #expect(!FilterStep("gaussian-blur").changesNothing)
    #expect(!Self.exposure(1e-3).changesNothing)
  }

  /// Light as the SDR display gets it, before it is rounded.
  static func light(_ source: SourceImage, _ steps: [FilterStep]) throws -> [Float] {
    var recipe = RenderRecipe(
      target: OutputSignal(primaries: 9, encoding: .linear, sink: .floatPlanes), display: .standard, gamut: .none)
    recipe.edits = steps
    let image = CPUBackend.best.render(try Planner.plan(source, recipe), threads: 2)
    return image.channels.prefix(3).flatMap { plane in
      (0..<plane.height).flatMap { y in
        (0..<plane.width).map { x in
          (plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes).load(as: Float.self)
        }
      }
    }
  }

  @Test("half a stop is half a stop where nothing clips", arguments: files) func halfAStop(path: String) throws {
    try expectHalfAStop(try Self.source(path), path)
  }

  @Test func halfAStopIsHalfAStopOnBothBases() throws {
    let bright = try EditedLightTests.bright.get().source
    try expectHalfAStop(bright, "SDR base")
    let (_, made) = try EditedLightTests.adaptive([Self.exposure(-0.25)], base: .hdr)
    #expect(made.gainMap?.metadata.baseIsHDR == true)
    try expectHalfAStop(made, "HDR base")
  }

  private func expectHalfAStop(_ source: SourceImage, _ what: String) throws {
    let before = try Self.light(source, []), after = try Self.light(source, [Self.exposure(0.5)])
    let factor = Float(ExactMath.exp2(0.5))
    var worst: Float = 0, count = 0
    for (a, b) in zip(before, after) {
      if a * factor < 1 {
        worst = max(worst, abs(b - a * factor))
        count += 1
      } else {
        #expect(b <= 1)
      }
    }
    #expect(count > before.count / 4 && worst < 1e-5, "\(what): off by \(worst)")
    let report = try Self.plan(source, [Self.exposure(0.5)]).report
    #expect(report.editedRendition == .sdr && report.editedFrom == 1)
    #expect(report.operatorName.hasSuffix("clip"), "\(report.operatorName)")
    // The file's own rendition for SDR: its base, or its base with the map.
    #expect(report.gainMapWeight == (source.gainMap?.metadata.baseIsHDR == true ? -1 : 0))
  }

  @Test("kind, display and strategy decide which rendition is edited") func renditions() throws {
    let source = try EditedLightTests.bright.get().source
    let most = try #require(source.gainMap?.metadata.maxHeadroom)
    typealias Case = (kind: OutputKind, display: DisplayChoice, strategy: EditStrategy, EditedRendition, weight: Double)
    let two = Headroom(factor: 2), share = two.stops / most.stops
    let cases: [Case] = [
      (.sdrJPEG, .automatic, .automatic, .sdr, 0), (.sdrJPEG, .automatic, .hdr, .hdr, 1),
      (.sdrJPEG, .high, .automatic, .sdr, 0), (.sdrJPEG, .automatic, .sdrAndHDR, .sdr, 0),
      (.pqPNG, .automatic, .automatic, .hdr, 1), (.pqPNG, .standard, .automatic, .sdr, 0),
      (.pqPNG, .headroom(two), .automatic, .hdr, 1), (.pqPNG, .headroom(two), .sdrAndHDR, .between, share),
      (.rgba16f, .automatic, .sdrAndHDR, .hdr, 1), (.rgba16f, .constrainedHigh(), .automatic, .hdr, 1),
    ]
    for (kind, display, strategy, rendition, weight) in cases {
      for ev in [-3.0, 1] {
        let plan = try Self.plan(source, [Self.exposure(ev)], kind) {
          ($0.recipe.display, $0.recipe.editStrategy) = (display, strategy)
        }
        let what = "\(kind) \(display) \(strategy) ev \(ev)"
        #expect(plan.report.editedRendition == rendition, "\(what)")
        #expect(abs((plan.report.gainMapWeight ?? -9) - weight) < 1e-9, "\(what)")
        #expect(plan.explanation.contains { $0.hasPrefix("edits     from headroom ") && $0.contains("rendition") })
      }
    }
    let old = try Self.plan(source, [Self.exposure(0)], .sdrJPEG) { $0.recipe.editStrategy = .hdr }
    #expect(old.report.operatorName == "gain-map+reference-white")
    let moved = try Self.plan(source, [FilterStep("flip")], .sdrJPEG)
    #expect((moved.report.editedRendition, moved.report.gainMapWeight) == (.sdr, 0))
  }

  @Test("the record says which rendition was edited") func record() throws {
    let path = try EditedLightTests.bright.get().path
    func made(_ product: ItemProduct, _ steps: [FilterStep]) throws -> String {
      try AdaptiveBatchTests.make(path, product: product) { $0.rendition.recipe.edits = steps }.record.json.line
    }
    let adaptive = AdaptiveBatchTests.adaptive(.jpeg)
    #expect(try made(.rendition, [Self.exposure(1)]).contains(#""editedRendition":"sdr","idleEdits":[]"#))
    #expect(
      try made(.rendition, [Self.exposure(0)]).contains(#""edits":[],"editedRendition":null,"idleEdits":["exposure"]"#))
    #expect(try made(adaptive, [Self.exposure(1)]).contains(#""editedRendition":"sdr+hdr""#))
    #expect(try made(adaptive, [FilterStep("flip")]).contains(#""editedRendition":"sdr+gain""#))
  }

  @Test("second pictures come as SDR too") func inputs() throws {
    let source = try EditedLightTests.bright.get().source
    var base = source
    base.gainMap = nil
    func codes(_ input: SourceImage) throws -> [UInt32] {
      let plan = try Self.plan(source, [FilterStep("source-over", ["input": .word("mark")])]) {
        $0.recipe.inputs = ["mark": FilterInput(.picture(input))]
      }
      let image = CPUBackend.best.render(plan, threads: 2)
      let words = image.channels[0].buffer.base.assumingMemoryBound(to: UInt32.self)
      return (0..<image.width * image.height).map { words[$0] }
    }
    #expect(try codes(source) == codes(base))
  }
}
