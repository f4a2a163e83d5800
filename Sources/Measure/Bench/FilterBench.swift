import BatchEngine
import CPURender
import CPlatform
import GPURender
import Glibc
import HDRCore
import HDRPlan
import HDRRender

/// `bench filters`: the time that each filter adds to a render, and the time of six of them together.
///
/// Method: a PQ photo as 10-bit planes to half floats with and without the filter; medians of `repeats` after a
/// warm-up, one core on the CPU, a device's own clock on a GPU. A filter's figure is the difference, so it includes
/// passes that it makes necessary; filters with a second picture include its decoding.
package struct FilterBench {
  /// A line of the result. Times are in nanoseconds a pixel of the source.
  package struct Row: Sendable {
    /// A filter's name, `none`, or a recipe's: `six` and `slowest two of six`.
    package var name: String
    package var backend: String
    package var device: String
    package var isa: String
    package var pixels: Int
    package var passes: Int
    package var time: Spread
    /// `time` less the median of `none` in the same run.
    package var added: Spread

    package var figure: BenchFigure {
      let on = backend == "cpu" ? "CPU \(isa), 1 thread" : device
      return BenchFigure(
        .filters, "\(name), \(on)", name == "none" ? time : added, .nanosecondsPerPixel,
        details: [
          .init("filter", .string(name)), .init("backend", .string(backend)), .init("device", .string(device)),
          .init("isa", .string(isa)), .init("pixels", .int(pixels)), .init("passes", .int(passes)),
          .init("nsPerPixel", .number(rounded(time.median))), .init("addedNsPerPixel", .number(rounded(added.median))),
        ])
    }
  }

  /// The time that a device takes to make the kernels of a recipe that it has not seen.
  package struct KernelTimes: Sendable {
    package var device: String
    package var recipe: String
    package var kernels: Int
    /// The time of making SPIR-V and pipelines with an empty cache, and again in a new renderer from the cache file.
    package var coldMilliseconds: Double
    package var cachedMilliseconds: Double
    /// The part of `cachedMilliseconds` that is composing; the driver takes the rest.
    package var composeMilliseconds: Double

    package var figure: BenchFigure {
      BenchFigure(
        .kernels, "kernels of seven filters, no cache, \(device)", Spread([coldMilliseconds]), .milliseconds,
        details: [
          .init("device", .string(device)), .init("recipe", .string(recipe)), .init("kernels", .int(kernels)),
          .init("coldMilliseconds", .number(rounded(coldMilliseconds))),
          .init("cachedMilliseconds", .number(rounded(cachedMilliseconds))),
          .init("composeMilliseconds", .number(rounded(composeMilliseconds))),
        ])
    }
  }

  package var width: Int
  package var height: Int
  package var repeats: Int
  /// The names of the filters that are measured; empty for all.
  package var names: [String]

  package init(width: Int = 4032, height: Int = 3024, repeats: Int = 7, names: [String] = []) {
    self.width = width
    self.height = height
    self.repeats = repeats
    self.names = names
  }

  /// The recipe of fused per-pixel filters.
  static let six = [
    FilterStep("exposure", ["ev": .number(0.5)]),
    FilterStep("temperature-tint", ["target-neutral": .numbers([5200, 10])]),
    FilterStep("highlight-shadow", ["shadow-amount": .number(0.3), "highlight-amount": .number(0.7)]),
    FilterStep("vibrance", ["amount": .number(0.4)]), FilterStep("color-controls", ["contrast": .number(1.1)]),
    FilterStep("vignette-effect", ["intensity": .number(0.6)]),
  ]

  /// Values that make a filter work: its defaults mostly do.
  static let values: [String: [String: FilterValue]] = [
    "gaussian-blur": ["radius": .number(20)], "exposure": ["ev": .number(0.5)], "gamma": ["power": .number(1.2)],
    "color-controls": ["contrast": .number(1.1), "saturation": .number(1.2)], "vibrance": ["amount": .number(0.4)],
    "highlight-shadow": ["shadow-amount": .number(0.3), "highlight-amount": .number(0.7)],
    "temperature-tint": ["target-neutral": .numbers([5200, 10])], "hue-adjust": ["angle": .number(0.5)],
    "scale": ["factor": .number(0.5)], "rotate": ["angle": .number(7)], "straighten": ["angle": .number(3)],
    "vignette": ["intensity": .number(0.6)], "dissolve": ["time": .number(0.5)],
    "ripple-transition": ["time": .number(0.5)], "swipe-transition": ["time": .number(0.5), "opacity": .number(0.5)],
    "bars-swipe-transition": ["time": .number(0.5)], "copy-machine-transition": ["time": .number(0.5)],
    "flash-transition": ["time": .number(0.5)], "mod-transition": ["time": .number(0.5)],
    "page-curl-transition": ["time": .number(0.5)], "page-curl-with-shadow-transition": ["time": .number(0.5)],
    "disintegrate-with-mask-transition": ["time": .number(0.5)],
    "tone-curve": ["point1": .numbers([0.25, 0.2])],
    "color-polynomial": ["red-coefficients": .numbers([0, 0.9, 0.1, 0])],
    "color-cross-polynomial": ["red-coefficients": .numbers([0.9, 0, 0.1, 0.1, 0, 0, 0, 0, 0, 0])],
    "color-monochrome": ["intensity": .number(0.6)], "white-point-adjust": ["color": .numbers([1, 0.9, 0.8])],
    "color-matrix": ["r-vector": .numbers([0.9, 0.1, 0, 0])],
    "cdl": ["slope": .numbers([1.2, 1, 0.9]), "power": .numbers([1.1, 0.9, 1.3]), "sat": .number(0.8)],
    "crop": ["rect": .numbers([8, 8, 4000, 3000])],
    "mix": ["amount": .number(0.5)], "clamp": ["extent": .numbers([40, 40, 3000, 2000])],
    "perspective-rotate": ["pitch": .number(5)], "maximum-scale-transform": ["scale": .number(0.5)],
    "perspective-transform-with-extent": ["extent": .numbers([40, 40, 3000, 2000])],
    "keystone-correction-vertical": ["top-left": .numbers([300, 200])],
    "keystone-correction-horizontal": ["top-left": .numbers([300, 200])],
    "keystone-correction-combined": ["top-left": .numbers([300, 200])],
    "nine-part-stretched": ["breakpoint1": .numbers([3000, 2000])],
    "nine-part-tiled": ["breakpoint1": .numbers([3000, 2000])],
  ]

  func step(_ filter: any Filter.Type) -> FilterStep {
    var step = FilterStep(filter.name, Self.values[filter.name] ?? TestConfig.values[filter.name] ?? [:])
    for parameter in filter.parameters {
      if case .input(nil) = parameter.kind {
        step.values.values[parameter.name] = .word(RandomRecipes.specialInput(parameter, of: filter) ?? "second")
      }
    }
    return step
  }

  func plan(_ frame: SampleImage, _ steps: [FilterStep]) -> Plan? {
    func pq(_ image: SampleImage) -> SourceImage {
      VerificationCases.source(
        image, primaries: CICP.Primaries.bt2020, transfer: CICP.Transfer.pq, matrix: CICP.Matrix.bt2020, full: false)
    }
    var recipe = RenderRecipe(
      target: OutputSignal(primaries: CICP.Primaries.bt2020, encoding: .linear, sink: .rgba16f), tone: .none,
      contentHeadroom: Headroom(stops: 4), gamut: .none)
    recipe.edits = steps
    recipe.inputs = [
      "second": FilterInput(.picture(pq(frame))), "look": FilterInput(TestPictures.look(size: 33)),
      "curves": FilterInput(TestPictures.curves(size: 1024)),
      "adaptive": FilterInput(
        .picture(
          VerificationCases.withGainMap(
            pq(frame), width: width / 2, height: height / 2, rgb: false, gamma: [1, 1, 1]))),
    ].merging(TestKernel.inputs) { $1 }.merging(TestConfig.inputs) { $1 }
    recipe.allowsSDRFilters = true
    return try? Planner.plan(pq(frame), recipe)
  }

  /// Runs everything; `each` is called as rows come in.
  ///
  /// - Parameter device: that device too, by name; else every GPU that is no software device.
  package func run(device: String?, each: (Row) -> Void, kernels: (KernelTimes) -> Void) {
    PictureMemory.keep(byteCount: MemoryNeed.keptPictures)
    defer { PictureMemory.keep(byteCount: 0) }
    let frames = (1...2).map { TestPictures.photoP010(width: width, height: height, seed: UInt64($0)) }
    let pool = BandPool(threads: 1)
    measure("cpu", "cpu", CPUBackend.best.instructionSet, frames, each) { plan in
      let start = hdr_process_cpu_seconds()
      _ = CPUBackend.best.render(plan, pool: pool)
      return hdr_process_cpu_seconds() - start
    }
    pool.close()
    for info in GPUDevice.available() where device.map({ info.answers(to: $0) }) ?? (info.type != .cpu) {
      guard info.refusal == nil, let renderer = try? GPURenderer(selection: .named(info.uuid)) else { continue }
      if let times = try? kernelTimes(info) { kernels(times) }
      measure("gpu", info.name, "spir-v", frames, each) { plan in
        guard (try? renderer.render(plan)) != nil else { return nil }
        return renderer.lastTimings.kernelNanoseconds.map { $0 * 1e-9 }
      }
    }
  }

  /// - Parameter seconds: of one run; `nil` where it failed.
  private func measure(
    _ backend: String, _ device: String, _ isa: String, _ frames: [SampleImage], _ each: (Row) -> Void,
    _ seconds: (Plan) -> Double?
  ) {
    let pixels = width * height
    func row(_ name: String, _ steps: [FilterStep]) -> Row? {
      let plans = frames.compactMap { plan($0, steps) }
      guard plans.count == frames.count else { return nil }
      var times: [Double] = []
      for i in 0...repeats {
        guard let time = seconds(plans[i % plans.count]) else { return nil }
        if i > 0 { times.append(time * 1e9 / Double(pixels)) }
      }
      return Row(
        name: name, backend: backend, device: device, isa: isa, pixels: pixels, passes: plans[0].passes.count,
        time: Spread(times), added: Spread(times))
    }
    guard let none = row("none", []) else { return }
    each(none)
    func report(_ row: Row?) -> Row? {
      guard var row else { return nil }
      row.added = row.time.map { $0 - none.time.median }
      each(row)
      return row
    }
    var known: [String: Double] = [:]
    for filter in Filters.all where names.isEmpty || names.contains(filter.name) {
      if let row = report(row(filter.name, [step(filter)])) { known[filter.name] = row.time.median }
    }
    // A LUT alone, without the curves around it.
    if let cube = Filters.named("color-cube"), names.isEmpty || names.contains("color-cube") {
      for space in ["linear-bt2020", "pq"] {
        var step = step(cube)
        step.values.values["space"] = .word(space)
        _ = report(row("colorCube, \(space)", [step]))
      }
    }
    if names.isEmpty {
      let slowest = Self.six.sorted { known[$0.name] ?? 0 > known[$1.name] ?? 0 }.prefix(2)
      _ = report(row("slowest two of six", Array(slowest)))
      _ = report(row("six", Self.six))
    }
  }

  /// Makes the kernels of a recipe that is in no cache file twice: with an empty cache, and in a new renderer.
  private func kernelTimes(_ info: GPUDeviceInfo) throws -> KernelTimes {
    let steps = Self.six + [FilterStep("gaussian-blur", ["radius": .number(3)])]
    guard let plan = plan(TestPictures.photoP010(width: 64, height: 64, seed: 3), steps) else {
      throw GPUError.badPlan("no recipe for kernel times")
    }
    let folder = try ScratchFolder()
    defer { folder.remove() }
    func milliseconds() throws -> (all: Double, compose: Double, kernels: Int) {
      var options = GPUOptions()
      options.cacheFolder = folder.path.text
      let renderer = try GPURenderer(selection: .named(info.uuid), options: options)
      let before = renderer.kernelStatistics
      _ = try renderer.render(plan)
      let after = renderer.kernelStatistics
      let compose = after.composeSeconds - before.composeSeconds
      return (
        1e3 * (compose + after.pipelineSeconds - before.pipelineSeconds), 1e3 * compose, after.kernels - before.kernels
      )
    }
    let cold = try milliseconds(), cached = try milliseconds()
    return KernelTimes(
      device: info.name, recipe: steps.map(\.name).joined(separator: "+"), kernels: cold.kernels,
      coldMilliseconds: cold.all,
      cachedMilliseconds: cached.all, composeMilliseconds: cached.compose)
  }
}
