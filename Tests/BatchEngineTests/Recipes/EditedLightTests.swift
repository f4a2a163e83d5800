import BatchEngine
import CPURender
import Foundation
import HDRCore
import HDRPlan
import HDRRecipe
import HDRRender
import ImageFiles
import Measure
import TestPlans
import TestSupport
import Testing

/// Tests filters on the light of a bright file with a gain map: its weight comes from the display and the file alone.
@Suite struct EditedLightTests {
  /// A small Adaptive HDR JPEG of a bright picture, base and map of its own.
  final class Bright: Sendable {
    let folder: TemporaryFolder
    let path: String
    let source: SourceImage

    init() throws {
      folder = try TemporaryFolder()
      let temple = SharedData.repository.appendingPathComponent("Examples/temple.heic").path
      let output = try AdaptiveBatchTests.make(
        temple, product: AdaptiveBatchTests.adaptive(.jpeg) { $0.mapQuality = 100 }
      ) {
        ($0.rendition.coding.quality, $0.rendition.chroma) = (100, .s444)
        $0.rendition.recipe.edits = [FilterStep("crop", ["rect": .numbers([320, 896, 256, 192])])]
      }
      #expect(output.record.status != .failed, "\(output.record.message ?? "")")
      path = folder.path("bright.jpg")
      try Data(output.bytes).write(to: URL(fileURLWithPath: path))
      source = try decodeImage(output.bytes)
    }
  }

  static let bright = Result { try Bright() }
  /// Second pictures; the photo is a bright file with a gain map too.
  static let inputs: [String: FilterInput] = {
    var inputs = RandomRecipes.inputs(seed: 3)
    if case .success(let bright) = bright { inputs["photo"] = FilterInput(.picture(bright.source)) }
    return inputs
  }()

  /// A filter with values that change something.
  static func step(_ filter: any Filter.Type) -> FilterStep {
    var values = other[filter.name] ?? FilterSamples.values[filter.name] ?? [:]
    for parameter in filter.parameters {
      guard case .input(nil) = parameter.kind, values[parameter.name] == nil else { continue }
      let special = RandomRecipes.specialInput(parameter, of: filter)
      values[parameter.name] = .word(special ?? (parameter.name == "mask" ? "mask" : "photo"))
    }
    return FilterStep(filter.name, values)
  }

  static let other: [String: [String: FilterValue]] = [
    "crop": ["rect": .numbers([20, 10, 100, 90])], "white-point-adjust": ["color": .numbers([0.5, 0.5, 0.5])],
    "tone-map-headroom": ["target-headroom": .number(2)], "scale": ["width": .number(100)],
    "thumbnail": ["size": .number(90)], "affine": ["matrix": .numbers([0.9, 0.1, 3, -0.1, 0.9, 20])],
    "perspective-correction": ["top-left": .numbers([12, 9])],
    "perspective-transform": ["top-left": .numbers([12, 9])],
    "convolution-3x3": ["weights": .numbers([0, 0.1, 0, 0.1, 0.6, 0.1, 0, 0.1, 0])],
    "rotate": ["angle": .number(10)], "straighten": ["angle": .number(5)],
    "highlight-shadow": ["shadow-amount": .number(0.5)], "dither": ["intensity": .number(0.02)],
    "convert-rgb-to-lab": ["normalize": .flag(true)], "edges": ["intensity": .number(0.3)],
    "color-map": ["gradient": .word("mask")],
    // Holes and rings that leave most of 256x192 pixels to compare.
    "hole-distortion": ["radius": .number(20)], "circular-wrap": ["radius": .number(28)],
    "circle-splash-distortion": ["radius": .number(60)], "clamp": ["extent": .numbers([20, 10, 200, 150])],
    // A view that reaches beyond the picture's light. Of the default one, SDR, a third of the picture becomes the largest
    // light of the scene, 128: gains of 8 stops, of which a map of 8 bits leaves a median error of 0.012, one of 10
    // bits 0.005.
    "aces-inverse": ["view": .word("hdr4000-p3")],
  ]

  /// Light of a file at its full headroom, opaque, row by row R, G, B.
  static func light(_ source: SourceImage, _ steps: [FilterStep] = []) throws -> [Double] {
    var recipe = RenderRecipe(
      target: OutputSignal(primaries: 9, encoding: .linear, sink: .rgba16f, isOpaque: true), display: .high,
      tone: .none, gamut: .none)
    (recipe.edits, recipe.inputs, recipe.allowsSDRFilters) = (steps, inputs, true)
    recipe.editStrategy = .hdr
    return CPUBackend.best.render(try Planner.plan(source, recipe), threads: 2).colorLight
  }

  /// The file edited into an Adaptive HDR file.
  static func adaptive(
    _ steps: [FilterStep], of path: String? = nil, base: AdaptiveBase = .sdr,
    _ change: (inout BatchOptions) -> Void = { _ in }
  ) throws -> (record: ItemRecord, source: SourceImage) {
    let product = AdaptiveBatchTests.adaptive(.avif) {
      ($0.mapQuality, $0.baseDepth, $0.base) = (100, 10, base)
    }
    let output = try AdaptiveBatchTests.make(try path ?? bright.get().path, product: product) {
      ($0.rendition.coding.quality, $0.rendition.chroma) = (100, .s444)
      $0.rendition.recipe.edits = steps
      $0.rendition.recipe.inputs = inputs
      $0.rendition.recipe.allowsSDRFilters = true
      $0.rendition.recipe.target.primaries = 9
      change(&$0)
    }
    #expect(output.record.status != .failed, "\(output.record.message ?? "")")
    return (output.record, try decodeImage(output.bytes))
  }

  static func mean(_ light: [Double]) -> Double { light.reduce(0, +) / Double(light.count) }

  @Test func thePictureIsBright() throws {
    let light = try Self.light(try Self.bright.get().source)
    print("bright picture: mean \(Self.mean(light)), peak \(light.max() ?? 0)")
    #expect(Self.mean(light) > 0.3)
    #expect(try #require(light.max()) > 4)
  }

  /// Filters that make new pixels of several: `auto` resamples base and gains apart, which is another picture at edges.
  /// They are held to the rule by `sdr+hdr`.
  static let resampling = [
    "scale", "thumbnail", "stretch-crop", "rotate", "straighten", "affine", "perspective-correction",
    "perspective-transform", "affine-clamp", "perspective-transform-with-extent", "perspective-rotate",
    "keystone-correction-vertical", "keystone-correction-horizontal", "keystone-correction-combined",
    "nine-part-stretched",
  ]

  @Test(
    "the edited file at full headroom is the filter on the file at full headroom",
    arguments: Filters.all.map { $0.name })
  func invariant(name: String) throws {
    let filter = try #require(Filters.named(name)), steps = [Self.step(filter)]
    let want = try Self.light(try Self.bright.get().source, steps)
    let (record, after) = try Self.adaptive(steps) {
      if Self.resampling.contains(name) { $0.rendition.recipe.editStrategy = .sdrAndHDR }
    }
    let got = try Self.light(after)
    #expect(got.count == want.count)
    if [.distortion, .tile, .geometry].contains(filter.category) {
      let shown = want.count(where: { $0 > 1e-4 })
      #expect(shown > want.count / 2, "\(name) leaves \(shown) of \(want.count) samples to compare")
    }
    let errors = LightErrors(got, want)
    let declared = record.report?.outputHeadroom ?? 0
    print("\(name): median \(errors.median), p95 \(errors.p95), declared \(declared)")
    // 8 bits of a map are coarser over more stops.
    let allowed = declared > 64 ? 0.08 : 0.04
    #expect(errors.median < 0.01 && errors.p95 < allowed, "\(name): \(errors)")
  }

  @Test(arguments: [-4.0, -1, -0.5, 0.5, 1, 2], [AdaptiveBase.sdr, .hdr])
  func exposureScalesLight(ev: Double, base: AdaptiveBase) throws {
    let source = try Self.bright.get().source
    let before = try Self.light(source)
    let (record, after) = try Self.adaptive([FilterStep("exposure", ["ev": .number(ev)])], base: base)
    let got = try Self.light(after)
    let factor = ExactMath.exp2(ev)
    let peak = try #require(got.max()) / #require(before.max())
    let mean = Self.mean(got) / Self.mean(before)
    print("ev \(ev), \(base) base: peak x \(peak), mean x \(mean)")
    #expect(abs(peak / factor - 1) < 0.04)
    #expect(abs(mean / factor - 1) < 0.01)
    #expect(record.report?.editedRendition == .sdrAndHDR)
    let file = try #require(source.gainMap?.metadata.maxHeadroom)
    #expect(abs(try #require(after.gainMap?.metadata.maxHeadroom).stops - max(0.125, file.stops + ev)) < 1e-4)
  }

  @Test(
    "exposure scales the light of files with every kind of map, SDR and HDR bases", arguments: EditedForSDRTests.files)
  func exposureScalesLightOfRealFiles(path: String) throws {
    let before = try Self.light(try EditedForSDRTests.source(path))
    let (_, after) = try Self.adaptive([FilterStep("exposure", ["ev": .number(-1)])], of: path)
    let got = try Self.light(after)
    let peak = try #require(got.max()) / #require(before.max())
    let mean = Self.mean(got) / Self.mean(before)
    print("\(path) ev -1: peak x \(peak), mean x \(mean)")
    #expect(abs(2 * peak - 1) < 0.05)
    #expect(abs(2 * mean - 1) < 0.01)
  }

  @Test("an edited Adaptive file's base is what the SDR output of the same recipe shows") func baseIsTheSDROutput()
    throws
  {
    let source = try Self.bright.get().source
    for ev in [-1.0, 0.5] {
      let steps = [FilterStep("exposure", ["ev": .number(ev)])]
      let (_, after) = try Self.adaptive(steps)
      let want = try EditedForSDRTests.codes(source, steps, primaries: 9)
      let got = try EditedForSDRTests.codes(after, [], primaries: 9)
      let worst = zip(got, want).map { abs(Int($0) - Int($1)) }.sorted()
      #expect(worst[worst.count * 99 / 100] <= 2)
    }
  }
}
