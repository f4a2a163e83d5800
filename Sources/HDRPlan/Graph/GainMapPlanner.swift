import HDRCore

/// Two renditions of one picture whose gain map is wanted: the base as codes, the other as light.
public struct RenditionPair: Sendable {
  /// R G B codes of 8 or 16 bits, full range.
  public var base: SampleImage
  /// From a base code to linear light.
  public var baseCurve: TransferCurve
  /// From the base's primaries to those of the arithmetic.
  public var baseToMath: Matrix3
  /// R G B A halves in the primaries of the arithmetic: linear light, 1.0 = reference white; the base's size.
  public var alternate: SampleImage
  /// Luminance weights of the primaries of the arithmetic.
  public var luminance: [Double]
  public var baseIsHDR: Bool
  /// Negative light of the alternate counts as black: no gain map holds it, and the range of the gains would be its.
  public var cutsNegativeLight = false

  public init(
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
public enum GainMapPlanner {
  /// log2 gains of a pair as binary32 planes, 1 or 3, averaged down to `options.size` of the base.
  ///
  /// - Throws: `PlanError.inconsistent` for renditions of different sizes or layouts that are not codes.
  public static func gains(_ pair: RenditionPair, _ options: GainMapOptions) throws(PlanError) -> Plan {
    let base = pair.base, alternate = pair.alternate
    guard base.width == alternate.width, base.height == alternate.height else {
      throw .inconsistent(
        "the renditions are \(base.width)x\(base.height) and \(alternate.width)x\(alternate.height) pixels")
    }
    guard base.model == .rgb, base.format == .uint8 || base.format == .uint16, base.lowZeroBits == 0,
      alternate.format == .float16
    else { throw .inconsistent("a gain map is made of base codes and linear halves") }
    var builder = PlanBuilder(
      SourceImage(
        format: "rgba16f", image: alternate,
        color: SourceColor(
          matrix: CICP.Matrix.identity, fullRange: true,
          encoding: .cicp(primaries: CICP.Primaries.bt2020, transfer: CICP.Transfer.linear)),
        geometry: Geometry(width: alternate.width, height: alternate.height)))
    return builder.finishGains(pair, options)
  }

  /// Codes of a map from its gains: `((L - min) / (max - min))^gamma`, quantised with the values of `metadata`, which
  /// must be those that the file will hold.
  ///
  /// - Parameters:
  ///   - gains: output of the plan of `gains`.
  ///   - target: `rgba8`, `rgba16` or `planarYCC`; its matrix is that of `cicp`.
  public static func codes(
    _ gains: SampleImage, _ metadata: GainMapMetadata, target: OutputTarget, dither: Double
  ) -> Plan {
    var builder = PlanBuilder(
      SourceImage(
        format: "gains", image: gains,
        color: SourceColor(
          matrix: CICP.Matrix.identity, fullRange: true,
          encoding: .cicp(primaries: CICP.Primaries.bt709, transfer: CICP.Transfer.linear)),
        geometry: Geometry(width: gains.width, height: gains.height)))
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

  /// The codes of a picture in another layout, nothing done to their colour: for pictures that are coded anew.
  ///
  /// - Parameter table: applied to each value 0...1 first; for maps of another formula.
  public static func recoded(
    _ source: SourceImage, table: CurveTable? = nil, target: OutputTarget, matrix: Int = 6, dither: Double = 0
  ) -> Plan {
    var builder = PlanBuilder(source.withRGBPlanes)
    if let table {
      builder.add(.clamp(low: 0, high: 1))
      builder.addCurves([table])
    }
    return builder.finish(recipe(target, dither), report(target, matrix: matrix))
  }

  /// The codes of a picture with a recipe's filters on them, for base and gain map edited alike.
  ///
  /// - Parameters:
  ///   - recipe: its filters must move pixels only; their numbers are pixels of the base.
  ///   - table: as for `recoded`.
  ///   - base: size of the base, where the picture is its map: filtered in that size, and then brought to its own share
  ///     of the result's.
  ///   - content: headroom of the file, for the report.
  /// - Throws: `PlanError.invalidParameter` for filters that change colour, and as filters throw.
  public static func edited(
    _ source: SourceImage, _ recipe: RenderRecipe, table: CurveTable? = nil, base: (width: Int, height: Int)? = nil,
    content: Headroom, target: OutputTarget, matrix: Int = 6
  ) throws(PlanError) -> Plan {
    var builder = PlanBuilder(source.withRGBPlanes)
    if let table {
      builder.add(.clamp(low: 0, high: 1))
      builder.addCurves([table])
    }
    var recipe = recipe
    recipe.editStrategy = .sdrAndGain
    // Codes, which halves would not hold: they have up to 16 bits.
    recipe.workingFormat = .rgba32f
    var report = report(target, matrix: matrix)
    report.editedFrom = content.factor
    report.editedRendition = .sdrAndGain
    let own = (width: builder.open.width, height: builder.open.height)
    func resize(_ width: Int, _ height: Int) {
      var edit = Edit(
        builder: builder, inputs: [:], recipe: recipe, headroom: nil)
      edit.premultiply()
      edit.resize(width: width, height: height)
      edit.unpremultiply()
      builder = edit.builder
    }
    if let base { resize(base.width, base.height) }
    try Planner.edit(&builder, recipe, &report)
    if let base {
      func share(_ size: Int, _ own: Int, _ base: Int) -> Int { max(1, (size * own + base / 2) / base) }
      resize(
        share(builder.open.width, own.width, base.width), share(builder.open.height, own.height, base.height))
    }
    return builder.finish(self.recipe(target, 0), report)
  }

  private static func recipe(_ target: OutputTarget, _ dither: Double) -> RenderRecipe {
    RenderRecipe(target: target, dither: dither)
  }

  private static func report(_ target: OutputTarget, matrix: Int = CICP.Matrix.bt601) -> PlanReport {
    var report = PlanReport()
    report.outputCICP = .gainMap(
      matrix: target.sink == .planarYCC ? matrix : CICP.Matrix.identity, full: target.fullRange)
    return report
  }
}

extension PlanBuilder {
  /// One curve for all channels, or three.
  mutating func addCurves(_ tables: [CurveTable]) {
    add(
      .custom { words in
        let offsets = tables.map { words.table($0.words) }
        return words.stage(.curve, CurveStage.words(tables, offsets: offsets))
      })
  }

  /// A pass for the ratios, and one that averages them where the map is smaller than the base.
  mutating func finishGains(_ pair: RenditionPair, _ options: GainMapOptions) -> Plan {
    let base = pair.base, channels = options.channels
    let largest = (1 << base.bitDepth) - 1
    // With the arithmetic in the base's own primaries the base's half of the ratio is a table of its codes.
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
    _ = close(channels: channels)
    let size = options.size(width: base.width, height: base.height)
    if size.width < base.width || size.height < base.height {
      addReduction(from: (base.width, base.height), channels: channels, width: size.width, height: size.height)
    }
    return Plan(passes: passes, constants: words.constants, tables: words.tables, report: PlanReport())
  }
}
