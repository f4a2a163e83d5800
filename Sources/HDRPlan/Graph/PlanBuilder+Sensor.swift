import HDRCore
import Kernels

extension PlanBuilder {
  /// Opens a pass that loads a sensor's samples as linear light of its own colours, 1 = its white, cropped and turned.
  ///
  /// Samples of a filter array are demosaiced. If levels or opcodes need more than `load_cfa` has, a pass before it
  /// makes linear values.
  ///
  /// - Parameters:
  ///   - image: samples of the active area, one channel for filter arrays and grey, else three.
  ///   - geometry: the part of it that is shown.
  ///   - opcodes: before levels, after them, after demosaicing.
  /// - Throws: `PlanError.inconsistent` for opcodes that are not supported, and filters that lack a colour.
  mutating func begin(
    _ image: SampleImage, _ geometry: Geometry, filters: ColorFilterArray?, levels: SensorLevels,
    opcodes: [[SensorOpcode]], demosaic: Demosaic = .linear
  ) throws(PlanError) {
    let (width, height) = (image.width, image.height)
    func list(_ number: Int) -> [SensorOpcode] { number < opcodes.count ? opcodes[number] : [] }
    func pass(_ name: String, _ source: PassSource, _ stages: [Stage]) -> OpenPass {
      OpenPass(name: name, sources: [source], width: width, height: height, mapping: .identity, stages: stages)
    }
    hasAlpha = false
    let isRatioCorrected = demosaic == .rcd && filters?.isBayer ?? false
    let isDirect =
      !isRatioCorrected && image.format == .uint16 && SensorStages.areIdle(list(0) + list(1))
      && filters.map { LoadCFA.holds(levels, $0) } ?? false
    var isByPlace = false
    if !isDirect {
      var sensor = SensorStages(width: width, height: height, planes: image.channels.count, codes: image.format)
      for opcode in list(0) { try sensor.add(opcode, &words) }
      sensor.add(levels, &words)
      for opcode in list(1) { try sensor.add(opcode, &words) }
      sensor.flush(&words)
      open = pass("levels", .image(image), [loadOfCodes(image)])
      append(ofFile: sensor.stages, channels: image.channels.count)
      isByPlace = sensor.isByPlace
    }
    if let filters, isRatioCorrected {
      demosaicByRatios(filters, width: width, height: height)
      isByPlace = true
    } else if let filters {
      guard LinearDemosaic(filters).isComplete else {
        throw .inconsistent(
          "the filter pattern \(filters.letters) has places far from a colour, which is not supported")
      }
      let load = words.stage(
        .loadCFA,
        LoadCFA.words(width: width, height: height, filters, isDirect ? levels : nil) { words.table($0) })
      if isDirect {
        open = pass("demosaic", .image(image), [load])
      } else {
        let planes = close(channels: 1)
        open = pass(
          "demosaic", .earlier(pass: planes.pass, rows: .around(height: height, reach: LoadCFA.reach)), [load])
        isByPlace = false
      }
    }
    var after = SensorStages(width: width, height: height, planes: 3, codes: nil)
    for opcode in list(2) { try after.add(opcode, &words) }
    after.flush(&words)
    append(ofFile: after.stages, channels: 3)
    let isWhole = geometry == Geometry(width: width, height: height)
    if (isByPlace || after.isByPlace) && !isWhole {
      remap(width: geometry.outputWidth, height: geometry.outputHeight, geometry.mapping)
    } else {
      (open.mapping, open.width, open.height) = (geometry.mapping, geometry.outputWidth, geometry.outputHeight)
    }
  }

  /// Adds stages that a file asks for to the open pass, and to more passes if it would have more than
  /// `Pass.maxFileStages`: a file decides how much is done, but not how long a kernel is. Pictures between are
  /// binary32, so that no bit changes.
  private mutating func append(ofFile stages: [Stage], channels: Int) {
    let own = format
    format = .rgba32f
    for stage in stages {
      if open.stages.count >= Pass.maxFileStages { begin(close(channels: channels)) }
      open.loaded = nil
      append(stage)
    }
    format = own
  }

  /// Demosaics the open pass's linear values of one plane.
  private mutating func demosaicByRatios(_ filters: ColorFilterArray, width: Int, height: Int) {
    let parameters = RatioCorrected.Parameters(filters, width: width, height: height).list
    let rows = RowScale.around(height: height, reach: RatioCorrected.reach)
    func begin(_ name: String, _ kind: StageKind, of planes: PlaneRef) {
      self.begin(name, kind, of: planes, width: width, height: height, rows: rows, parameters)
    }
    // Planes of binary32: halves would lose bits of dark samples.
    let own = format
    format = .rgba32f
    begin("directions", .rcdDirections, of: close(channels: 1))
    begin("green", .rcdGreen, of: close(channels: 3))
    let green = close(channels: 3)
    begin("red and blue", .rcdOpposite, of: green)
    let opposite = close(channels: 1)
    begin("demosaic", .rcdColors, of: green)
    _ = addSource(opposite, rows: rows)
    format = own
  }

  private mutating func loadOfCodes(_ image: SampleImage) -> Stage {
    switch image.format {
    case .float16: words.stage(.loadHalf, LoadHalf.words(image))
    case .float32: words.stage(.loadFloat, LoadFloat.words(image))
    case .uint8, .uint16: words.stage(.loadSamples, LoadSamples.words(image, lumaOffset: 0, chromaOffset: 0))
    }
  }
}

extension Planner {
  /// Makes a stage with its tables.
  package typealias StageMaker = @Sendable (inout PlanDataBuilder) -> Stage

  /// Plans only the linear light of a sensor, in its own colours, or two looks of it mixed (`MixLooks`), as three
  /// planes of binary32.
  ///
  /// - Throws: `PlanError.inconsistent` as `PlanBuilder.begin`.
  package static func sensor(
    _ image: SampleImage, _ geometry: Geometry, filters: ColorFilterArray?, levels: SensorLevels,
    opcodes: [[SensorOpcode]] = [], demosaic: Demosaic = .linear, standard: [StageMaker] = [], high: [StageMaker] = [],
    amount: Double = 0
  ) throws(PlanError) -> Plan {
    var builder = PlanBuilder(width: image.width, height: image.height)
    try builder.begin(image, geometry, filters: filters, levels: levels, opcodes: opcodes, demosaic: demosaic)
    builder.mixLooks(standard: standard.map { .custom($0) }, high: high.map { .custom($0) }, amount: amount)
    return builder.finish(RenderRecipe(target: OutputSignal(encoding: .linear, sink: .floatPlanes)), PlanReport())
  }
}
