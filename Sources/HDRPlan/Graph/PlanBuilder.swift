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

  // MARK: Load

  /// Makes the stages from samples to R'G'B' in nominal 0...1 (or linear halves).
  private mutating func loadStages(_ image: SampleImage, _ color: SourceColor) -> [Stage] {
    let matrix = color.matrix, fullRange = color.fullRange
    if image.format == .float16 { return [words.stage(.loadHalf, LoadHalf.words(image))] }
    if image.format == .float32 { return [words.stage(.loadFloat, LoadFloat.words(image))] }
    let range = SampleRange(bits: image.bitDepth, fullRange: fullRange)
    let lumaOffset = Int(range.lumaOffset), chromaOffset = Int(range.chromaOffset)
    let chroma = Double(LoadSamples.chromaScale(image))
    if image.model == .ycc && matrix != CICP.Matrix.identity {
      let load = words.stage(
        .loadSamples, LoadSamples.words(image, lumaOffset: lumaOffset, chromaOffset: chromaOffset))
      if let ycc = YCbCr(matrix: matrix, primaries: color.cicp?.primaries ?? 1) {
        return [
          load,
          words.stage(
            .yccToRGB,
            YCCToRGB.words(
              kr: ycc.kr, kb: ycc.kb, lumaScale: 1 / range.lumaScale, chromaScale: 1 / (range.chromaScale * chroma))),
        ]
      }
      let y = 1 / range.lumaScale, c = 1 / (range.chromaScale * chroma)
      if let extra = YCgCoLifting.extraBits(matrix: matrix) {
        return [load, words.stage(.ycgcoLifting, YCgCoLifting.words(bits: max(1, image.bitDepth - extra)))]
      }
      if let source = color.constantLuminance(of: image) {
        return [load, words.stage(.yccToRYB, YCCToRYB.words(source, lumaScale: y, chromaScale: c))]
      }
      if matrix == CICP.Matrix.ictcp {
        let hlg = color.encoding == .cicp(primaries: CICP.Primaries.bt2020, transfer: CICP.Transfer.hlg)
        let back = (hlg ? ICtCp.lmsToICtCpHLG : ICtCp.lmsToICtCpPQ).inverse!
        return [load, words.stage(.matrix3, Matrix3Stage.words(back * Matrix3.diagonal(y, c, c)))]
      }
      // YCgCo: planes Y, Cg, Co, made of R, G, B codes (H.273 equations 44 to 46), so all have the swing of luma.
      let d = y / chroma
      return [load, words.stage(.matrix3, Matrix3Stage.words(Matrix3([y, -d, d, y, d, 0, y, -d, -d])))]
    }
    // R'G'B', grey, or G'B'R' planes (matrix 0, already reordered by `normalized`).
    return [
      words.stage(.loadSamples, LoadSamples.words(image, lumaOffset: lumaOffset, chromaOffset: lumaOffset)),
      scale([1 / range.lumaScale, 1 / range.lumaScale, 1 / range.lumaScale], [0, 0, 0]),
    ]
  }

  mutating func scale(_ factors: [Double], _ offsets: [Double]) -> Stage {
    words.stage(.affine, Affine.words(scale: factors, offset: offsets))
  }

  private mutating func scale(_ factor: Double, _ offset: Double) -> Stage {
    scale([factor, factor, factor], [offset, offset, offset])
  }

  // MARK: Steps

  mutating func add(_ steps: [PixelOperation]) { open.steps += steps }

  mutating func add(_ step: PixelOperation) { open.steps.append(step) }

  /// Adds a stage after the steps so far.
  mutating func append(_ stage: Stage) {
    open.stages.append(stage)
  }

  mutating func curve(_ tables: [CurveTable]) {
    let offsets = tables.map { words.table($0.words) }
    append(words.stage(.curve, CurveStage.words(tables, offsets: offsets)))
  }

  private mutating func codes(_ curve: CodeCurve, _ direction: CodeTables.Direction) {
    let tables = CodeTables.known(curve, direction)
    let offset = words.table(tables.positive.words + tables.negative.words)
    append(
      words.stage(
        .signedCurve, SignedCurve.words([(tables.positive, tables.negative)], offsets: [offset])))
  }

  private mutating func write(_ step: PixelOperation) {
    switch step {
    case .decode(let transfer): curve([transfer.decodeTable])
    case .encode(let transfer): curve([transfer.encodeTable])
    case .decodeCode(.affine(let factor, let offset)): append(scale(factor, offset))
    case .encodeCode(.affine(let factor, let offset)): append(scale(1 / factor, -offset / factor))
    case .decodeCode(let curve): codes(curve, .decode)
    case .encodeCode(let curve): codes(curve, .encode)
    case .deviceCurves(let curves):
      curve(curves.map { one in CurveTable(octaves: -12..<1, k: 6) { one.value($0) } })
    case .inverseCurves(let curves):
      curve(curves.map { one in CurveTable(octaves: -20..<1, k: 7) { one.inverse($0) } })
    case .matrix(let m): append(words.stage(.matrix3, Matrix3Stage.words(m)))
    case .hlgOOTF(let peak, let white, let isOpen):
      let gamma = Transfer.hlgGamma(peak: peak)
      luminanceGain(isOpen ? -32..<15 : -30..<8, ofMagnitudes: isOpen) { peak / white * ExactMath.pow($0, gamma - 1) }
    case .hlgInverseOOTF(let peak, let white, true):
      let gamma = Transfer.hlgGamma(peak: peak)
      luminanceGain(-36..<20, ofMagnitudes: true) {
        $0 > 0 ? white / peak * ExactMath.pow($0 * white / peak, (1 - gamma) / gamma) : 0
      }
    case .hlgInverseOOTF(let peak, let white, false):
      let gamma = Transfer.hlgGamma(peak: peak)
      // Display light relative to `white` in, scene light out; a lower limit keeps out-of-gamut colours finite.
      luminanceGain(-30..<8) { white / peak * ExactMath.pow(max($0 * white / peak, 1e-6), (1 - gamma) / gamma) }
    case .gainMap(let step): addGainMap(step)
    case .tone(.scaleByMax(let octaves, let k, let factor)):
      let table = CurveTable(octaves: octaves, k: k, factor)
      append(words.stage(.scaleByMax, ScaleByMax.words(table, offset: words.table(table.words))))
    case .tone(.scaleByLuminance(let octaves, let k, let factor)):
      let table = CurveTable(octaves: octaves, k: k, factor)
      append(
        words.stage(
          .scaleByLuminance,
          ScaleByLuminance.words(weights: ToneOperation.luminance, table, offset: words.table(table.words))))
    case .tone(.scaleByFirst(let octaves, let k, let first, let others)):
      let own = CurveTable(octaves: octaves, k: k, first), other = CurveTable(octaves: octaves, k: k, others)
      append(
        words.stage(
          .scaleByFirst,
          ScaleByFirst.words(first: own, others: other, offsets: [own, other].map { words.table($0.words) })))
    case .tone(.curve(let octaves, let k, let f)): curve([CurveTable(octaves: octaves, k: k, f)])
    case .tone(.matrix(let m)): append(words.stage(.matrix3, Matrix3Stage.words(m)))
    case .tone(.addPositive(let weights, let amount)):
      append(words.stage(.addPositive, AddPositive.words(weights: weights, amount: amount)))
    case .tone(.mixedGains(let curves)):
      append(words.stage(.mixedGains, MixedGains.words(curves) { words.table($0) }))
    case .tone(.pbrNeutral): append(words.stage(.pbrNeutral, PBRNeutral.words()))
    case .tone(.clamp(let low, let high)), .tone(.limit(let low, let high)), .clamp(let low, let high):
      append(words.stage(.clamp, ClampStage.words(low: low, high: high)))
    case .lut(let lut, let extrapolates, let interpolation): addLUT(lut, extrapolates, interpolation)
    case .bakedLUT(let size, let values):
      addCube(size: size, values: values, low: [0, 0, 0], high: [1, 1, 1], extrapolates: false)
    case .desaturate(let luminance, let peak):
      append(words.stage(.desaturate, Desaturate.words(luminance: luminance, peak: peak)))
    case .unpremultiply: append(words.stage(.unpremultiply, []))
    case .premultiply: append(words.stage(.premultiply, []))
    case .affine(let factors, let offsets): append(scale(factors, offsets))
    case .custom(let make): append(make(&words))
    }
  }

  private mutating func luminanceGain(
    _ octaves: Range<Int>, ofMagnitudes: Bool = false, _ f: (Double) -> Double
  ) {
    let table = CurveTable(octaves: octaves, k: 5, f)
    append(
      words.stage(
        .scaleByLuminance,
        ScaleByLuminance.words(
          weights: Transfer.HLG.luminance, ofMagnitudes: ofMagnitudes, table, offset: words.table(table.words))))
  }

  private mutating func addLUT(
    _ lut: CubeLUT, _ extrapolates: Bool, _ interpolation: LUTChoice.Interpolation
  ) {
    let isNearest = interpolation == .nearest, extrapolates = extrapolates && !isNearest
    if var shaper = lut.shaper {
      if isNearest { addNodes(shaper.size, &shaper.domainMin, &shaper.domainMax) }
      let (scale, bias) = Self.nodeUnits(shaper.size, shaper.domainMin, shaper.domainMax)
      let table = words.table(shaper.values.map(\.bitPattern))
      append(
        words.stage(
          .lut1D,
          LUT1DStage.words(offset: table, size: shaper.size, scale: scale, bias: bias, extrapolates: extrapolates)))
    }
    if var cube = lut.cube {
      if isNearest { addNodes(cube.size, &cube.domainMin, &cube.domainMax) }
      addCube(
        size: cube.size, values: cube.values, low: cube.domainMin, high: cube.domainMax, extrapolates: extrapolates,
        interpolation)
    }
  }

  /// Turns values of a table's domain into the numbers of their nearest nodes, which are its domain then: at nodes all
  /// interpolations give the node's value.
  private mutating func addNodes(_ size: Int, _ low: inout [Double], _ high: inout [Double]) {
    let (factors, offsets) = Self.nodeUnits(size, low, high), last = Double(size - 1)
    append(scale(factors, offsets))
    append(words.stage(.clamp, ClampStage.words(low: 0, high: last)))
    append(words.stage(.colorPosterize, PosterizeStage.words(levels: 1)))
    (low, high) = ([0, 0, 0], [last, last, last])
  }

  /// The distance outside the cube up to which extrapolation follows, in domain widths (docs/filter-formulas.md#luts).
  static let extrapolationLimit = 65_536.0

  private mutating func addCube(
    size: Int, values: [Float], low: [Double], high: [Double], extrapolates: Bool,
    _ interpolation: LUTChoice.Interpolation = .tetrahedral
  ) {
    var nodes: [UInt32] = []
    nodes.reserveCapacity(size * size * size * 4)
    for i in 0..<(size * size * size) {
      nodes += [values[3 * i].bitPattern, values[3 * i + 1].bitPattern, values[3 * i + 2].bitPattern, 0]
    }
    let (scale, bias) = Self.nodeUnits(size, low, high)
    let limit = extrapolates ? Self.extrapolationLimit * Double(size - 1) : 0
    append(
      words.stage(
        interpolation == .trilinear ? .lut3DTrilinear : .lut3D,
        LUT3DStage.words(offset: words.table(nodes), size: size, scale: scale, bias: bias, limit: limit)))
  }

  /// Returns the scale and bias from a value in a domain to node numbers.
  static func nodeUnits(_ size: Int, _ low: [Double], _ high: [Double]) -> (scale: [Double], bias: [Double]) {
    let scale = (0..<3).map { Double(size - 1) / (high[$0] - low[$0]) }
    return (scale, (0..<3).map { -low[$0] * scale[$0] })
  }

  // MARK: Gain map

  /// Adds a pass that turns map samples into log2 gains at the map's size; the base's pass interpolates them.
  private mutating func addGainMap(_ step: GainMapOperation) {
    let meta = step.metadata, map = step.image
    let shared =
      step.apple != nil
      || (0..<3).allSatisfy {
        meta.min[$0] == meta.min[0] && meta.max[$0] == meta.max[0] && meta.gamma[$0] == meta.gamma[0]
      }
    let channels = map.model == .grey && shared ? 1 : 3
    var prepare = loadStages(
      map,
      SourceColor(
        matrix: CICP.Matrix.ofCodes(step.matrix), fullRange: step.fullRange,
        encoding: .cicp(primaries: CICP.Primaries.bt709, transfer: CICP.Transfer.linear),
        cicp: CICP(step.mapPrimaries, 2, step.matrix, full: step.fullRange)))
    prepare.append(words.stage(.clamp, ClampStage.words(low: 0, high: 1)))
    if let apple = step.apple {
      // One table from the value to stops; no gamma, no range.
      prepare.append(words.stage(.curve, CurveStage.words([apple], offsets: [words.table(apple.words)])))
    } else if !meta.gamma.allSatisfy({ $0 == 1 }) {
      let tables = meta.gamma.map { gamma in CurveTable(octaves: -16..<1, k: 6) { ExactMath.pow($0, 1 / gamma) } }
      let offsets = tables.map { words.table($0.words) }
      prepare.append(words.stage(.curve, CurveStage.words(tables, offsets: offsets)))
    }
    if step.apple == nil { prepare.append(scale((0..<3).map { meta.max[$0] - meta.min[$0] }, meta.min)) }
    let placed = step.geometry ?? Geometry(width: map.width, height: map.height)
    let own = map.axes(placed), base = step.base
    passes.append(
      Pass(
        name: "gain map", sources: [.image(map)], width: own.x.count, height: own.y.count, mapping: placed.mapping,
        stages: prepare, sink: words.sink(.floatPlanes, StoreFloatPlanes.words(channels: channels), channels: channels))
    )

    // Gains that are finer than the base are averaged first; the stage interpolates coarser ones.
    let gainsX = own.x.count > base.x.count ? base.x : own.x, gainsY = own.y.count > base.y.count ? base.y : own.y
    if gainsX != own.x || gainsY != own.y { addReduction(from: own, to: (gainsX, gainsY), channels: channels) }
    let columns = GainMapStage.axisTable(base.x, map: gainsX)
    let rows = GainMapStage.axisTable(base.y, map: gainsY)
    open.sources.append(
      .earlier(
        pass: passes.count - 1,
        rows: RowScale(
          firstRow: stride(from: 0, to: rows.count, by: 3).map { Int32(bitPattern: rows[$0]) },
          lastRow: stride(from: 1, to: rows.count, by: 3).map { Int32(bitPattern: rows[$0]) })))
    append(
      words.stage(
        .gainMap,
        GainMapStage.words(
          weight: step.weight, channels: channels, baseOffset: meta.baseOffset,
          alternateOffset: meta.alternateOffset, columns: words.table(columns), rows: words.table(rows),
          sameSize: gainsX.lies(on: base.x) && gainsY.lies(on: base.y), stretch: base.x.stretch(of: gainsX))))
  }

  /// Adds a pass that averages the last pass's planes down to a size.
  mutating func addReduction(
    from: (x: SampleAxis, y: SampleAxis), to: (x: SampleAxis, y: SampleAxis), channels: Int
  ) {
    let columns = LoadArea.axisTable(to.x, of: from.x)
    let rows = LoadArea.axisTable(to.y, of: from.y)
    let rowTaps = LoadArea.taps(to.y, of: from.y)
    let first = stride(from: 0, to: rows.count, by: rowTaps + 2).map { Int32(bitPattern: rows[$0]) }
    let last = stride(from: 0, to: rows.count, by: rowTaps + 2).map {
      Int32(bitPattern: rows[$0]) + Int32(bitPattern: rows[$0 + 1]) - 1
    }
    let load = words.stage(
      .loadArea,
      LoadArea.words(
        channels: channels, columns: words.table(columns), columnTaps: LoadArea.taps(to.x, of: from.x),
        rows: words.table(rows), rowTaps: rowTaps))
    passes.append(
      Pass(
        name: "gain map, averaged",
        sources: [.earlier(pass: passes.count - 1, rows: RowScale(firstRow: first, lastRow: last))],
        width: to.x.count, height: to.y.count, mapping: .identity, stages: [load],
        sink: words.sink(.floatPlanes, StoreFloatPlanes.words(channels: channels), channels: channels)))
  }

  // MARK: Sink

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
