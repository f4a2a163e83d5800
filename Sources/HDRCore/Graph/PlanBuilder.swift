/// Writes passes, stages and words from simplified steps.
struct PlanBuilder {
  let source: SourceImage
  var words = PlanWords()
  var stages: [Stage] = []
  var passes: [Pass] = []
  /// Index of the pass that makes log2 gains, and which of its rows base rows need.
  private var gainSource: PassSource?

  init(_ source: SourceImage) {
    self.source = source
    stages = loadStages(source.image, matrix: source.color.matrix, fullRange: source.color.fullRange)
  }

  // MARK: Load

  /// From samples to R'G'B' in nominal 0...1 (or linear halves).
  private mutating func loadStages(_ image: SampleImage, matrix: Int, fullRange: Bool) -> [Stage] {
    if image.format == .float16 { return [words.stage(.loadHalf, LoadHalf.words(image))] }
    if image.format == .float32 {
      return [words.stage(.loadFloatPlanes, LoadFloatPlanes.words(channels: image.channels.count))]
    }
    let range = SampleRange(bits: image.bitDepth, fullRange: fullRange)
    let lumaOffset = Int(range.lumaOffset), chromaOffset = Int(range.chromaOffset)
    let chroma = Double(LoadSamples.chromaScale(image))
    if image.model == .ycc && matrix != 0 {
      let load = words.stage(
        .loadSamples, LoadSamples.words(image, lumaOffset: lumaOffset, chromaOffset: chromaOffset))
      if let ycc = YCbCr(matrix: matrix, primaries: source.color.cicp?.primaries ?? 1) {
        return [
          load,
          words.stage(
            .yccToRGB,
            YCCToRGB.words(
              kr: ycc.kr, kb: ycc.kb, lumaScale: 1 / range.lumaScale, chromaScale: 1 / (range.chromaScale * chroma))),
        ]
      }
      let y = 1 / range.lumaScale, c = 1 / (range.chromaScale * chroma)
      if matrix == 14 {
        let hlg = source.color.encoding == .cicp(primaries: 9, transfer: 18)
        let back = (hlg ? ICtCp.lmsToICtCpHLG : ICtCp.lmsToICtCpPQ).inverse!
        return [load, words.stage(.matrix3, Matrix3Stage.words(back * Matrix3.diagonal(y, c, c)))]
      }
      // YCgCo (code 8): planes Y, Cg, Co.
      return [load, words.stage(.matrix3, Matrix3Stage.words(Matrix3([y, -c, c, y, c, 0, y, -c, -c])))]
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

  // MARK: Steps

  mutating func add(_ steps: [Step]) { for step in steps { add(step) } }

  mutating func curve(_ tables: [CurveTable]) {
    let offsets = tables.map { words.table($0.words) }
    stages.append(words.stage(.curve, CurveStage.words(tables, offsets: offsets)))
  }

  private mutating func add(_ step: Step) {
    switch step {
    case .decode(let transfer): curve([transfer.decodeTable])
    case .encode(let transfer): curve([transfer.encodeTable])
    case .deviceCurves(let curves):
      curve(curves.map { one in CurveTable(octaves: -12..<1, k: 6) { one.value($0) } })
    case .matrix(let m): stages.append(words.stage(.matrix3, Matrix3Stage.words(m)))
    case .hlgOOTF(let peak, let white):
      let gamma = Transfer.hlgGamma(peak: peak)
      luminanceGain { peak / white * ExactMath.pow($0, gamma - 1) }
    case .hlgInverseOOTF(let peak, let white):
      let gamma = Transfer.hlgGamma(peak: peak)
      // Display light relative to `white` in, scene light out; a floor keeps out-of-gamut colours finite.
      luminanceGain { white / peak * ExactMath.pow(max($0 * white / peak, 1e-6), (1 - gamma) / gamma) }
    case .gainMap(let step): addGainMap(step)
    case .tone(.scaleByMax(let octaves, let k, let factor)):
      let table = CurveTable(octaves: octaves, k: k, factor)
      stages.append(words.stage(.scaleByMax, ScaleByMax.words(table, offset: words.table(table.words))))
    case .tone(.scaleByLuminance(let octaves, let k, let factor)):
      let table = CurveTable(octaves: octaves, k: k, factor)
      stages.append(
        words.stage(
          .scaleByLuminance,
          ScaleByLuminance.words(weights: ToneStage.luminance, table, offset: words.table(table.words))))
    case .tone(.scaleByFirst(let octaves, let k, let first, let others)):
      let own = CurveTable(octaves: octaves, k: k, first), other = CurveTable(octaves: octaves, k: k, others)
      stages.append(
        words.stage(
          .scaleByFirst,
          ScaleByFirst.words(first: own, others: other, offsets: [own, other].map { words.table($0.words) })))
    case .tone(.curve(let octaves, let k, let f)): curve([CurveTable(octaves: octaves, k: k, f)])
    case .tone(.matrix(let m)): stages.append(words.stage(.matrix3, Matrix3Stage.words(m)))
    case .tone(.addPositive(let weights, let amount)):
      stages.append(words.stage(.addPositive, AddPositive.words(weights: weights, amount: amount)))
    case .tone(.pbrNeutral): stages.append(words.stage(.pbrNeutral, PBRNeutral.words()))
    case .tone(.clamp(let low, let high)), .tone(.limit(let low, let high)), .clamp(let low, let high):
      stages.append(words.stage(.clamp, ClampStage.words(low: low, high: high)))
    case .lut(let lut, let extrapolates, let interpolation): addLUT(lut, extrapolates, interpolation)
    case .bakedLUT(let size, let values):
      addCube(size: size, values: values, low: [0, 0, 0], high: [1, 1, 1], extrapolates: false)
    case .desaturate(let luminance, let peak):
      stages.append(words.stage(.desaturate, Desaturate.words(luminance: luminance, peak: peak)))
    case .unpremultiply: stages.append(words.stage(.unpremultiply, []))
    }
  }

  private mutating func luminanceGain(_ f: (Double) -> Double) {
    let table = CurveTable(octaves: -30..<8, k: 5, f)
    stages.append(
      words.stage(
        .scaleByLuminance,
        ScaleByLuminance.words(weights: Transfer.HLG.luminance, table, offset: words.table(table.words))))
  }

  private mutating func addLUT(
    _ lut: CubeLUT, _ extrapolates: Bool, _ interpolation: LUTChoice.Interpolation
  ) {
    if let shaper = lut.shaper {
      let (scale, bias) = Self.nodeUnits(shaper.size, shaper.domainMin, shaper.domainMax)
      let table = words.table(shaper.values.map(\.bitPattern))
      stages.append(
        words.stage(
          .lut1D,
          LUT1DStage.words(offset: table, size: shaper.size, scale: scale, bias: bias, extrapolates: extrapolates)))
    }
    if let cube = lut.cube {
      addCube(
        size: cube.size, values: cube.values, low: cube.domainMin, high: cube.domainMax, extrapolates: extrapolates,
        interpolation)
    }
  }

  /// How far outside the cube extrapolation follows, in domain widths (specs/filters-and-luts.md §2.4).
  static let extrapolationLimit = 64.0

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
    stages.append(
      words.stage(
        interpolation == .trilinear ? .lut3DTrilinear : .lut3D,
        LUT3DStage.words(offset: words.table(nodes), size: size, scale: scale, bias: bias, limit: limit)))
  }

  /// From a value in a domain to node numbers.
  static func nodeUnits(_ size: Int, _ low: [Double], _ high: [Double]) -> (scale: [Double], bias: [Double]) {
    let scale = (0..<3).map { Double(size - 1) / (high[$0] - low[$0]) }
    return (scale, (0..<3).map { -low[$0] * scale[$0] })
  }

  // MARK: Gain map

  /// A pass of its own turns map samples into log2 gains at the map's size; the base's pass interpolates them.
  private mutating func addGainMap(_ step: GainMapStep) {
    let meta = step.metadata, map = step.image
    let shared =
      step.apple != nil
      || (0..<3).allSatisfy {
        meta.min[$0] == meta.min[0] && meta.max[$0] == meta.max[0] && meta.gamma[$0] == meta.gamma[0]
      }
    let channels = map.model == .grey && shared ? 1 : 3
    var prepare = loadStages(map, matrix: step.matrix, fullRange: step.fullRange)
    prepare.append(words.stage(.clamp, ClampStage.words(low: 0, high: 1)))
    if let apple = step.apple {
      // From the value to stops in one table; no gamma, no range.
      prepare.append(words.stage(.curve, CurveStage.words([apple], offsets: [words.table(apple.words)])))
    } else if !meta.gamma.allSatisfy({ $0 == 1 }) {
      let tables = meta.gamma.map { gamma in CurveTable(octaves: -16..<1, k: 6) { ExactMath.pow($0, 1 / gamma) } }
      let offsets = tables.map { words.table($0.words) }
      prepare.append(words.stage(.curve, CurveStage.words(tables, offsets: offsets)))
    }
    if step.apple == nil { prepare.append(scale((0..<3).map { meta.max[$0] - meta.min[$0] }, meta.min)) }
    passes.append(
      Pass(
        name: "gain map", sources: [.image(map)], width: map.width, height: map.height, mapping: .identity,
        stages: prepare, sink: words.sink(.floatPlanes, StoreFloatPlanes.words(channels: channels), channels: channels))
    )

    // Gains that are finer than the base are averaged down first; coarser ones are interpolated by the stage.
    let width = Swift.min(map.width, step.baseWidth), height = Swift.min(map.height, step.baseHeight)
    if width < map.width || height < map.height {
      addReduction(
        from: (map.width, map.height), channels: channels, width: width, height: height)
    }
    let columns = GainMapStage.axisTable(size: step.baseWidth, mapSize: width)
    let rows = GainMapStage.axisTable(size: step.baseHeight, mapSize: height)
    gainSource = .floatPlanes(
      pass: passes.count - 1,
      rows: RowScale(
        firstRow: stride(from: 0, to: rows.count, by: 3).map { Int32(bitPattern: rows[$0]) },
        lastRow: stride(from: 1, to: rows.count, by: 3).map { Int32(bitPattern: rows[$0]) }))
    let same = width == step.baseWidth && height == step.baseHeight
    stages.append(
      words.stage(
        .gainMap,
        GainMapStage.words(
          weight: step.weight, channels: channels, baseOffset: meta.baseOffset,
          alternateOffset: meta.alternateOffset, columns: words.table(columns), rows: words.table(rows),
          sameSize: same)))
  }

  /// A pass that averages the last pass's planes down to a size.
  mutating func addReduction(from size: (width: Int, height: Int), channels: Int, width: Int, height: Int) {
    let columns = LoadArea.axisTable(size: width, sourceSize: size.width)
    let rows = LoadArea.axisTable(size: height, sourceSize: size.height)
    let rowTaps = LoadArea.taps(size: height, of: size.height)
    let first = stride(from: 0, to: rows.count, by: rowTaps + 2).map { Int32(bitPattern: rows[$0]) }
    let last = stride(from: 0, to: rows.count, by: rowTaps + 2).map {
      Int32(bitPattern: rows[$0]) + Int32(bitPattern: rows[$0 + 1]) - 1
    }
    let load = words.stage(
      .loadArea,
      LoadArea.words(
        channels: channels, columns: words.table(columns),
        columnTaps: LoadArea.taps(size: width, of: size.width), rows: words.table(rows), rowTaps: rowTaps))
    passes.append(
      Pass(
        name: "gain map, averaged",
        sources: [.floatPlanes(pass: passes.count - 1, rows: RowScale(firstRow: first, lastRow: last))],
        width: width, height: height, mapping: .identity, stages: [load],
        sink: words.sink(.floatPlanes, StoreFloatPlanes.words(channels: channels), channels: channels)))
  }

  // MARK: Sink

  mutating func finish(_ recipe: RenderRecipe, _ report: PlanReport) -> Plan {
    let target = recipe.target
    let sink: Sink
    switch target.sink {
    case .rgba16f: sink = words.sink(.rgba16f, [])
    case .rgba16: sink = words.sink(.rgba16, StoreRGBA16.words(dither: recipe.dither))
    case .rgba8: sink = words.sink(.rgba8, StoreRGBA8.words(dither: recipe.dither))
    case .floatPlanes: sink = words.sink(.floatPlanes, StoreFloatPlanes.words(channels: 3), channels: 3)
    case .planarYCC:
      let cicp = report.outputCICP
      let ycc = YCbCr(matrix: cicp.matrix, primaries: cicp.primaries) ?? YCbCr(kr: 0.2627, kb: 0.0593)
      let range = SampleRange(bits: target.bitDepth, fullRange: target.fullRange)
      stages.append(
        words.stage(
          .rgbToYCC,
          RGBToYCC.words(
            kr: ycc.kr, kb: ycc.kb, lumaScale: range.lumaScale, lumaOffset: range.lumaOffset,
            chromaScale: range.chromaScale, chromaOffset: range.chromaOffset)))
      sink = words.sink(
        .planarYCC, StorePlanarYCC.words(bits: target.bitDepth, chroma: target.chroma), chroma: target.chroma,
        bitDepth: target.bitDepth)
    }
    var sources: [PassSource] = [.image(source.image)]
    if let gainSource { sources.append(gainSource) }
    passes.append(
      Pass(
        name: "render", sources: sources, width: source.geometry.outputWidth, height: source.geometry.outputHeight,
        mapping: source.geometry.mapping, stages: stages, sink: sink))
    var report = report
    report.stageNames = passes.flatMap { pass in pass.stages.map(\.kind.rawValue) + [pass.sink.kind.rawValue] }
    return Plan(passes: passes, constants: words.constants, tables: words.tables, report: report)
  }
}
