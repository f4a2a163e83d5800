import HDRCore
import Kernels

/// The picture of a finished pass, halves or binary32 planes: premultiplied or not, as the pass made it.
struct PlaneRef: Equatable {
  var pass: Int
  var width: Int
  var height: Int
  /// The number of channels: 1, 3, or 4 with alpha.
  var channels: Int
  /// True if the fourth plane exists and is 1 everywhere.
  var isOpaque = false

  var hasAlpha: Bool { channels == 4 && !isOpaque }
}

/// A builder that writes passes, stages and words from simplified steps.
///
/// One pass is open at a time: it begins with a load, and steps are added to it. Operations that need neighbours close
/// it and open one that loads from its planes.
struct PlanBuilder {
  /// The pass being written.
  struct OpenPass {
    var name: String
    var sources: [PassSource]
    var width: Int
    var height: Int
    var mapping: SourceMapping
    /// The stages written so far: the load, and steps that were flushed.
    var stages: [Stage]
    /// The steps that are not stages yet; they are simplified together.
    var steps: [PixelOperation] = []
    /// The picture that `stages` load, if they do nothing else.
    var loaded: PlaneRef?
  }

  var words = PlanDataBuilder()
  private(set) var passes: [Pass] = []
  var open: OpenPass
  /// True if alpha can be other than 1.
  var hasAlpha: Bool
  /// The format of pictures that `close` makes.
  var format = WorkingFormat.rgba32f
  /// True if R, G and B are equal and no filter changes that: pictures that `close` makes then have one channel.
  var isGrey = false
  /// The axes of a picture that was decoded smaller, until it is resampled to pixels; `nil`: samples are pixels.
  var reduced: (x: SampleAxis, y: SampleAxis)?

  /// The axes of the picture so far.
  var axes: (x: SampleAxis, y: SampleAxis) { reduced ?? (SampleAxis(open.width), SampleAxis(open.height)) }
  /// The size of the picture so far in pixels.
  var size: PictureSize { PictureSize(axes.x.pixels, axes.y.pixels) }

  private init() {
    (open, hasAlpha) = (OpenPass(name: "", sources: [], width: 1, height: 1, mapping: .identity, stages: []), false)
  }

  /// Begins with an encoded picture.
  init(_ source: SourceImage) {
    self.init()
    begin(source)
  }

  /// Begins with planes of binary32 that another plan has made, word by word.
  init(planes image: SampleImage) {
    self.init()
    let load = words.stage(.loadFloatPlanes, LoadFloatPlanes.words(channels: image.channels.count))
    open = OpenPass(
      name: "render", sources: [.image(image)], width: image.width, height: image.height, mapping: .identity,
      stages: [load])
  }

  /// Begins with any picture.
  init(reading source: SourceImage, deadline: Deadline = .none) throws(PlanError) {
    self.init()
    words.deadline = deadline
    try begin(reading: source)
  }

  /// Begins with a transparent black picture.
  init(width: Int, height: Int) {
    self.init()
    begin(width: width, height: height)
  }

  /// Opens a pass that loads an encoded picture: R'G'B' in nominal 0...1, or linear halves.
  mutating func begin(_ source: SourceImage) {
    let geometry = source.geometry
    open = OpenPass(
      name: "render", sources: [.image(source.image)], width: geometry.outputWidth, height: geometry.outputHeight,
      mapping: geometry.mapping, stages: loadStages(source.image, source.color),
      steps: source.color.constantLuminance(of: source.image).map(PixelOperation.green) ?? [])
    hasAlpha = source.image.alpha != nil
    reduced = source.image.reduction == nil ? nil : source.image.axes(geometry)
  }

  /// Opens a pass that loads an encoded picture, or linear values of a camera.
  mutating func begin(reading source: SourceImage) throws(PlanError) {
    guard let sensor = source.sensor else { return begin(source) }
    try begin(
      source.image, source.geometry, filters: sensor.filters, levels: sensor.levels, opcodes: sensor.opcodes,
      demosaic: sensor.look.demosaic)
  }

  /// Opens a pass without a source: transparent black until a step changes it.
  mutating func begin(width: Int, height: Int) {
    open = OpenPass(
      name: "generate", sources: [], width: width, height: height, mapping: .identity,
      stages: [words.stage(.constantColor, ConstantColor.words([0, 0, 0, 0]))])
    hasAlpha = true
  }

  /// Opens a pass that loads planes.
  mutating func begin(_ planes: PlaneRef) {
    open = OpenPass(
      name: "render", sources: [.earlier(pass: planes.pass, rows: .same(height: planes.height))],
      width: planes.width, height: planes.height, mapping: .identity,
      stages: [words.stage(.loadFloatPlanes, LoadFloatPlanes.words(channels: planes.channels))], loaded: planes)
    hasAlpha = planes.hasAlpha
  }

  /// Opens a pass whose load makes its pixels from planes.
  ///
  /// - Parameter rows: rows of the planes that each row of the pass needs.
  mutating func begin(
    _ name: String, _ kind: StageKind, of planes: PlaneRef, width: Int, height: Int, rows: RowScale,
    kernel: UserKernel? = nil, _ parameters: [UInt32]
  ) {
    open = OpenPass(
      name: name, sources: [.earlier(pass: planes.pass, rows: rows)], width: width, height: height,
      mapping: .identity, stages: [words.stage(kind, parameters, kernel: kernel)])
    hasAlpha = planes.hasAlpha
  }

  /// Maps whole pixels of the picture. The open pass takes the mapping over if it only loads so far.
  mutating func remap(width: Int, height: Int, _ mapping: SourceMapping) {
    // Pixels that only move keep all bits.
    let own = format
    format = .rgba32f
    defer { format = own }
    begin(close())
    guard case .earlier(let pass, _)? = open.sources.first else { return }
    let height0 = open.height
    open.sources = [.earlier(pass: pass, rows: .same(height: height0))]
    open.mapping = mapping
    (open.width, open.height, open.loaded) = (width, height, nil)
  }

  /// Adds a picture of source 0's size as another source, read at the same pixel.
  mutating func addSource(_ image: SampleImage) { open.sources.append(.image(image)) }

  /// Adds a source for stages of the open pass, read at the same pixel unless the stage does otherwise.
  ///
  /// - Returns: its number in `Pass.sources`.
  mutating func addSource(_ planes: PlaneRef, rows: RowScale) -> Int {
    let halves = open.sources.count { passes.areHalves($0) }
    if open.sources.count == Pass.maxSources || halves == Pass.maxHalfSources { begin(close()) }
    flush()
    open.loaded = nil
    open.sources.append(.earlier(pass: planes.pass, rows: rows))
    return open.sources.count - 1
  }

  /// Writes the open steps as stages.
  mutating func flush() {
    let steps = PixelOperation.simplified(open.steps)
    open.steps = []
    if !steps.isEmpty { open.loaded = nil }
    for step in steps { write(step) }
  }

  /// Makes the sink of a picture that another pass reads. One channel alone takes less memory in binary32.
  private mutating func handOn(channels: Int) -> Sink {
    if format == .rgba32f || channels == 1 {
      return words.sink(.floatPlanes, StoreFloatPlanes.words(channels: channels), channels: channels)
    }
    var sink = words.sink(.rgba16f, [], channels: channels)
    sink.isPlanar = true
    return sink
  }

  /// Ends the open pass with a picture for others; if the pass only loads a picture, returns that one.
  mutating func close(channels: Int? = nil) -> PlaneRef {
    flush()
    if let loaded = open.loaded, loaded.hasAlpha == hasAlpha, channels == nil || channels == loaded.channels {
      return loaded
    }
    let channels = channels ?? (hasAlpha ? 4 : isGrey ? 1 : 3)
    passes.append(
      Pass(
        name: open.name, sources: open.sources, width: open.width, height: open.height, mapping: open.mapping,
        stages: open.stages, sink: handOn(channels: channels)))
    return PlaneRef(
      pass: passes.count - 1, width: open.width, height: open.height, channels: channels,
      isOpaque: channels == 4 && !hasAlpha)
  }

  mutating func add(_ steps: [PixelOperation]) { open.steps += steps }

  mutating func add(_ step: PixelOperation) { open.steps.append(step) }

  /// Adds a stage after the steps so far.
  mutating func append(_ stage: Stage) { open.stages.append(stage) }

  /// Adds a finished pass, which later passes read by its number.
  mutating func add(_ pass: Pass) { passes.append(pass) }

  /// Ends the open pass with the sink of the recipe's target and returns the plan.
  mutating func finish(_ recipe: RenderRecipe, _ report: PlanReport) -> Plan {
    flush()
    let target = recipe.target
    let sink: Sink
    switch target.sink {
    case .rgba16f: sink = words.sink(.rgba16f, [])
    case .rgba16: sink = words.sink(.rgba16, StoreRGBA16.words(dither: recipe.dither))
    case .rgba8: sink = words.sink(.rgba8, StoreRGBA8.words(dither: recipe.dither))
    case .floatPlanes:
      let channels = hasAlpha ? 4 : 3
      sink = words.sink(.floatPlanes, StoreFloatPlanes.words(channels: channels), channels: channels)
    case .planarYCC:
      let cicp = report.outputCICP
      let ycc = YCbCr(matrix: cicp.matrix, primaries: cicp.primaries) ?? YCbCr(kr: 0.2627, kb: 0.0593)
      let range = SampleRange(bits: target.bitDepth, fullRange: target.fullRange)
      append(
        words.stage(
          .rgbToYCC,
          RGBToYCC.words(
            kr: ycc.kr, kb: ycc.kb, lumaScale: range.lumaScale, lumaOffset: range.lumaOffset,
            chromaScale: range.chromaScale, chromaOffset: range.chromaOffset)))
      let keepsAlpha = hasAlpha && !target.isOpaque
      sink = words.sink(
        .planarYCC, StorePlanarYCC.words(bits: target.bitDepth, chroma: target.chroma, hasAlpha: keepsAlpha),
        channels: keepsAlpha ? 4 : 3, chroma: target.chroma, bitDepth: target.bitDepth)
    }
    passes.append(
      Pass(
        name: open.name, sources: open.sources, width: open.width, height: open.height, mapping: open.mapping,
        stages: open.stages, sink: sink))
    interleaveScattered()
    var report = report
    report.hasAlpha = hasAlpha
    report.stageNames = passes.flatMap { pass in pass.stages.map(\.kind.rawValue) + [pass.sink.kind.rawValue] }
    var plan = Plan(passes: passes, constants: words.constants, tables: words.tables, report: report)
    plan.tableEvaluations = words.evaluations
    return plan
  }

  /// Makes halves that are read at scattered places interleaved on the CPU too.
  private mutating func interleaveScattered() {
    for pass in passes where pass.stages.contains(where: \.kind.readsScattered) {
      for case .earlier(let from, _) in pass.sources { passes[from].sink.isPlanar = false }
    }
  }
}
