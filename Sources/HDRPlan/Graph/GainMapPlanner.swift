import HDRCore
import Kernels

/// Two renditions of one picture that a gain map is wanted for: the base as codes, the other as light.
package struct RenditionPair: Sendable {
  /// R G B codes of 8 or 16 bits, full range.
  package var base: SampleImage
  /// The curve from a base code to linear light.
  package var baseCurve: TransferCurve
  /// The matrix from the base's primaries to those of the arithmetic.
  package var baseToMath: Matrix3
  /// R G B A halves in the primaries of the arithmetic: linear light, 1.0 = reference white; the base's size.
  package var alternate: SampleImage
  /// Luminance weights of the primaries of the arithmetic.
  package var luminance: [Double]
  package var baseIsHDR: Bool
  /// Counts negative light of the alternate as black: no gain map holds it, and it would dominate the range of gains.
  package var cutsNegativeLight = false

  package init(
    base: SampleImage, baseCurve: TransferCurve, baseToMath: Matrix3, alternate: SampleImage, luminance: [Double],
    baseIsHDR: Bool
  ) {
    self.base = base
    self.baseCurve = baseCurve
    self.baseToMath = baseToMath
    self.alternate = alternate
    self.luminance = luminance
    self.baseIsHDR = baseIsHDR
  }
}

/// Plans that make gain maps and turn them into codes (docs/gain-map-maths.md#computing).
package enum GainMapPlanner {
  /// Makes the log2 gains of a pair as binary32 planes, 1 or 3, averaged down to `options.size` of the base.
  ///
  /// - Throws: `PlanError.inconsistent` for renditions of different sizes or layouts that are not codes.
  package static func gains(_ pair: RenditionPair, _ options: GainMapOptions) throws(PlanError) -> Plan {
    var builder = try builder(pair)
    _ = builder.addGains(pair, options)
    return builder.finished
  }

  /// Begins with the light of a pair.
  private static func builder(_ pair: RenditionPair) throws(PlanError) -> PlanBuilder {
    let base = pair.base, alternate = pair.alternate
    guard base.width == alternate.width, base.height == alternate.height else {
      throw .inconsistent(
        "the renditions are \(base.width)x\(base.height) and \(alternate.width)x\(alternate.height) pixels")
    }
    guard base.model == .rgb, base.format == .uint8 || base.format == .uint16, base.lowZeroBits == 0,
      alternate.format == .float16
    else { throw .inconsistent("a gain map is made of base codes and linear halves") }
    return PlanBuilder(
      SourceImage(
        format: .rgba16f, image: alternate,
        color: SourceColor(
          matrix: CICP.Matrix.identity, fullRange: true,
          encoding: .cicp(primaries: CICP.Primaries.bt2020, transfer: CICP.Transfer.linear)),
        geometry: Geometry(width: alternate.width, height: alternate.height)))
  }

  /// Makes the codes of a map from its gains: `((L - min) / (max - min))^gamma`, quantised with the values of
  /// `metadata`, which must be those that the file will hold.
  ///
  /// - Parameters:
  ///   - gains: the output of the plan of `gains`.
  ///   - target: `rgba8`, `rgba16` or `planarYCC`; its matrix is that of `cicp`.
  package static func codes(
    _ gains: SampleImage, _ metadata: GainMapMetadata, target: OutputSignal, dither: Double
  ) -> Plan {
    var builder = PlanBuilder(planes: gains)
    return codes(&builder, metadata, target, dither)
  }

  /// Makes the codes of a map from a pair, with the bits that the codes of its gains have: gains are made on the way, and
  /// nothing holds all of them.
  ///
  /// - Throws: as `gains`.
  package static func codes(
    of pair: RenditionPair, _ options: GainMapOptions, _ metadata: GainMapMetadata, target: OutputSignal, dither: Double
  ) throws(PlanError) -> Plan {
    var builder = try builder(pair)
    builder.begin(builder.addGains(pair, options))
    return codes(&builder, metadata, target, dither)
  }

  /// Ends a plan whose open pass loads gains.
  private static func codes(
    _ builder: inout PlanBuilder, _ metadata: GainMapMetadata, _ target: OutputSignal, _ dither: Double
  ) -> Plan {
    let range = (0..<3).map { metadata.max[$0] - metadata.min[$0] }
    builder.add(
      .affine(
        scale: range.map { $0 > 0 ? 1 / $0 : 0 },
        offset: (0..<3).map { range[$0] > 0 ? -metadata.min[$0] / range[$0] : 0 }))
    builder.add(.clamp(low: 0, high: 1))
    if !metadata.gamma.allSatisfy({ $0 == 1 }) {
      builder.addCurves(metadata.gamma.map { gamma in CurveTable(octaves: -16..<1, k: 6) { ExactMath.pow($0, gamma) } })
    }
    return builder.finish(recipe(target, dither), report(target))
  }

  /// Returns the codes of a picture in another layout with their colour unchanged: for pictures that are encoded anew.
  ///
  /// - Parameter table: applied to each value 0...1 first; for maps of another formula.
  package static func recoded(
    _ source: SourceImage, table: CurveTable? = nil, target: OutputSignal, matrix: Int = 6, dither: Double = 0
  ) -> Plan {
    var builder = PlanBuilder(source.withRGBPlanes)
    if let table {
      builder.add(.clamp(low: 0, high: 1))
      builder.addCurves([table])
    }
    return builder.finish(recipe(target, dither), report(target, matrix: matrix))
  }

  /// Applies a recipe's filters to a base, for base and gain map edited alike. Filters that mix pixels get the light of
  /// its codes, if their curve is known, in its own primaries. If pixels only move, codes stay unchanged.
  ///
  /// - Parameters:
  ///   - recipe: its filters must move pixels only.
  ///   - content: the headroom of the file, for the report.
  /// - Throws: `PlanError.invalidParameter` for filters that change colour, and the errors of filters.
  package static func edited(
    base source: SourceImage, _ recipe: RenderRecipe, content: Headroom, target: OutputSignal, matrix: Int = 6
  ) throws(PlanError) -> Plan {
    var builder = PlanBuilder(source.withRGBPlanes)
    var report = editReport(target, matrix, content)
    let curve = recipe.resolvedEdits.allSatisfy(\.keepsPixels) ? nil : source.color.codeCurve
    if let curve { builder.add(curve.decode) }
    var recipe = curve == nil ? onCodes(recipe) : recipe
    recipe.editStrategy = .sdrAndGain
    try Planner.edit(&builder, recipe, &report)
    if let curve { builder.add(curve.encode) }
    return builder.finish(Self.recipe(target, 0), report)
  }

  /// Applies the filters that edit the base to the gain map's codes.
  ///
  /// - Parameters:
  ///   - recipe: as for the base; its numbers are pixels of the base.
  ///   - table: as for `recoded`.
  ///   - base: the base's size. If it is only scaled as a whole, so is the map. For other filters the map is brought to
  ///     that size, and then to its own share of the result's.
  package static func edited(
    map source: SourceImage, _ recipe: RenderRecipe, table: CurveTable?, base: PictureSize, content: Headroom,
    target: OutputSignal
  ) throws(PlanError) -> Plan {
    var builder = PlanBuilder(source.withRGBPlanes)
    if let table {
      builder.add(.clamp(low: 0, high: 1))
      builder.addCurves([table])
    }
    var report = editReport(target, CICP.Matrix.bt601, content)
    let recipe = onCodes(recipe), own = builder.size
    /// Returns the map's size for a size of the base.
    func share(of size: PictureSize) -> PictureSize {
      PictureSize(
        max(1, (size.width * own.width + base.width / 2) / base.width),
        max(1, (size.height * own.height + base.height / 2) / base.height))
    }
    func edit(_ change: (inout Edit) throws(PlanError) -> Void) throws(PlanError) {
      var edit = Edit(builder: builder, inputs: [:], recipe: recipe, headroom: nil)
      edit.premultiply()
      try change(&edit)
      edit.unpremultiply()
      builder = edit.builder
    }
    if let sizes = recipe.scaledSizes(of: base) {
      builder.isGrey = source.image.model == .grey
      for (step, size) in zip(recipe.resolvedEdits, sizes) {
        let size = share(of: size)
        try edit { edit throws(PlanError) in
          try edit.checkSize(step.name, size.width, size.height)
          Scale.resample(&edit, to: size, step.values)
        }
        report.edits.append(PlanReport.Edit(name: step.name, headroom: content.factor))
      }
    } else {
      try edit { $0.resize(width: base.width, height: base.height) }
      try Planner.edit(&builder, recipe, &report)
      let size = share(of: PictureSize(builder.open.width, builder.open.height))
      try edit { $0.resize(width: size.width, height: size.height) }
    }
    return builder.finish(self.recipe(target, 0), report)
  }

  /// Returns a recipe whose filters get codes, which have up to 16 bits; halves would not hold them.
  private static func onCodes(_ recipe: RenderRecipe) -> RenderRecipe {
    var recipe = recipe
    (recipe.editStrategy, recipe.workingFormat) = (.sdrAndGain, .rgba32f)
    return recipe
  }

  private static func editReport(_ target: OutputSignal, _ matrix: Int, _ content: Headroom) -> PlanReport {
    var report = report(target, matrix: matrix)
    (report.editedFrom, report.editedRendition) = (content.factor, .sdrAndGain)
    return report
  }

  private static func recipe(_ target: OutputSignal, _ dither: Double) -> RenderRecipe {
    RenderRecipe(target: target, dither: dither)
  }

  private static func report(_ target: OutputSignal, matrix: Int = CICP.Matrix.bt601) -> PlanReport {
    var report = PlanReport()
    report.outputCICP = .gainMap(
      matrix: target.sink == .planarYCC ? matrix : CICP.Matrix.identity, full: target.fullRange)
    return report
  }
}

extension PlanBuilder {
  /// Adds one curve for all channels, or three.
  mutating func addCurves(_ tables: [CurveTable]) {
    add(
      .custom { words in
        let offsets = tables.map { words.table($0.words) }
        return words.stage(.curve, CurveStage.words(tables, offsets: offsets))
      })
  }

  /// Adds a pass for the ratios, and one that averages them if the map is smaller than the base.
  mutating func addGains(_ pair: RenditionPair, _ options: GainMapOptions) -> PlaneRef {
    let base = pair.base, channels = options.channels
    let largest = (1 << base.bitDepth) - 1
    // If the arithmetic uses the base's own primaries, the base's half of the ratio is a table of its codes.
    let isLog = channels == 3 && base.format == .uint8 && pair.baseToMath.isIdentity()
    let light: [Double] = (0...largest).map { pair.baseCurve.decode(Double($0) / Double(largest)) }
    let tables: [UInt32] = (0..<3).map { channel in
      words.table(
        light.map { value in
          isLog
            ? ExactMath.log2(Swift.max(value + options.baseOffset[channel], Double(GainRatio.tiny))).word : value.word
        })
    }
    if pair.cutsNegativeLight { add(.clamp(low: 0, high: Double(E32.largest))) }
    addSource(base)
    add(
      .custom { words in
        words.stage(
          .gainRatio,
          GainRatio.words(
            bytes: base.format.bytes, mode: channels == 3 ? .perChannel : options.grey, sign: pair.baseIsHDR ? -1 : 1,
            tables: tables, isLog: isLog, baseOffset: options.baseOffset, alternateOffset: options.alternateOffset,
            matrix: pair.baseToMath, luminance: pair.luminance))
      })
    let gains = close(channels: channels), size = options.size(width: base.width, height: base.height)
    if size.width < base.width || size.height < base.height {
      addReduction(
        from: (SampleAxis(base.width), SampleAxis(base.height)),
        to: (SampleAxis(size.width), SampleAxis(size.height)), channels: channels)
      return PlaneRef(
        pass: passes.count - 1, width: size.width, height: size.height, channels: channels, isOpaque: false)
    }
    return gains
  }

  /// The plan of the passes so far.
  fileprivate var finished: Plan {
    Plan(passes: passes, constants: words.constants, tables: words.tables, report: PlanReport())
  }
}

extension SourceColor {
  /// The steps from codes of 0...1 to light and back; `nil` for profiles that are tables, and unknown curves.
  fileprivate var codeCurve: (decode: PixelOperation, encode: PixelOperation)? {
    switch encoding {
    case .cicp(_, let transfer): TransferCurve(code: transfer).map { (.decode($0), .encode($0)) }
    case .matrixTRC(let curves, _, _): (.device(curves), .inverse(curves))
    case .bakedLUT, .space: nil
    }
  }
}

extension RenderRecipe {
  /// Returns the sizes of a picture after each filter if all of them only scale it as a whole, else `nil`.
  fileprivate func scaledSizes(of size: PictureSize) -> [PictureSize]? {
    var sizes: [PictureSize] = []
    for step in resolvedEdits {
      guard step.complaint == nil, let next = step.filter?.scaled(sizes.last ?? size, step.values) else { return nil }
      sizes.append(next)
    }
    return sizes
  }
}

extension FilterStep {
  fileprivate var keepsPixels: Bool { filter?.keepsPixels(values) == true }
}
