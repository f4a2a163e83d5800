import CPURender
import GPURender
import HDRCore
import HDRPlan
import ImageFiles

/// Makes both renditions and their gain map, then the parts of an Adaptive HDR file (docs/gain-map-maths.md#computing).
package struct RenditionPairMaker {
  let options: AdaptiveOptions
  let rendition: RenditionOptions
  let pool: BandPool
  let plan: (SourceImage, RenderRecipe) throws(HDRError) -> Plan
  let renderer: PairRenderer
  /// Called with the name of each step as it begins; for benchmarks.
  let begins: (String) -> Void

  package init(
    options: AdaptiveOptions, rendition: RenditionOptions, pool: BandPool,
    plan: @escaping (SourceImage, RenderRecipe) throws(HDRError) -> Plan, renderer: PairRenderer,
    begins: @escaping (String) -> Void = { _ in }
  ) {
    self.options = options
    self.rendition = rendition
    self.pool = pool
    self.plan = plan
    self.renderer = renderer
    self.begins = begins
  }

  package struct Result {
    package var base: SampleImage
    package var baseCICP: CICP
    /// The base as R'G'B', which the gains are made of.
    package var baseCodes: SampleImage
    package var map: SampleImage
    package var mapCICP: CICP
    package var metadata: GainMapMetadata
    package var alternate: AdaptiveColor
    package var alternateLight = LightMetadata()
    package var baseLight = LightMetadata()
    /// The largest component of the HDR rendition.
    package var peak: Double
    package var warnings: [Warning] = []
  }

  /// Makes the pair.
  ///
  /// - Parameters:
  ///   - sdr, hdr: the same picture twice, or two files of one scene.
  package func make(sdr: SourceImage, hdr: SourceImage) throws(HDRError) -> Result {
    let signals = try PairSignals(options, rendition, sdr: sdr, hdr: hdr), isHDRBase = signals.isHDRBase
    begins("light")
    let lightPlan = try plan(hdr, recipe(signals.light, isHDR: true))
    let isToneMapped =
      rendition.hdrView == nil
      && (rendition.recipe.editStrategy == .hdr || sdr.gainMap?.metadata.isComplete != true && sdr.isHDR)
    let isUnknown = isToneMapped && recipe(signals.light, isHDR: false).headroom(afterEditing: .sdr) == nil
    func planBase(_ signal: OutputSignal, _ content: Headroom?) throws(HDRError) -> Plan {
      try plan(isHDRBase ? hdr : sdr, recipe(signal, isHDR: isHDRBase, content: content))
    }
    let maker = PairRenditionMaker(
      renderer: renderer, pool: pool, isHDRBase: isHDRBase,
      jpeg: options.container == .jpeg ? rendition.coding.jpeg : nil, begins: begins)
    var renditions = try maker.make(lightPlan, isUnknown: isUnknown) { (content) throws(HDRError) in
      try planBase(signals.codes, content)
    } gains: { (light, base) throws(HDRError) in
      try gainsPlan(signals.pair(light: light, base: base))
    }
    var baseCICP = renditions.basePlan.report.outputCICP
    if options.container.isPlanar {
      let planar = try planBase(signals.planar(rendition.chroma), renditions.content)
      renditions.base = try renderer.render(planar, nil)
      baseCICP = planar.report.outputCICP
    }
    // The other rendition as light.
    if isHDRBase {
      let other = try plan(sdr, recipe(signals.light, isHDR: false, content: renditions.content))
      renditions.light = try renderer.render(other, nil)
    }
    let measured = renditions.measured, headroom = try self.headroom(of: measured, hdr)
    let pair = signals.pair(light: renditions.light, base: renditions.codes)
    let limits = GainLimits(
      options.map, base: isHDRBase ? headroom : .sdr, alternate: isHDRBase ? .sdr : headroom, isToneMapped: isToneMapped
    )
    let (gains, statistics) = try self.gains(of: pair, renditions.way, limits)
    guard let statistics,
      let metadata = GainMapMetadata(
        statistics, options.map, limits, usesBaseColorSpace: signals.math == signals.basePrimaries)
    else {
      throw HDRError(code: "adaptive.range", message: "the gains of the map do not fit the metadata's fractions")
    }
    begins("codes")
    let (map, mapCICP) = try code(gains, of: pair, metadata)
    var result = Result(
      base: renditions.base.narrowed(toBits: options.container == .jpeg ? 8 : signals.depth).forEncoder,
      baseCICP: baseCICP, baseCodes: renditions.codes, map: map, mapCICP: mapCICP, metadata: metadata,
      alternate: AdaptiveColor(
        cicp: CICP(
          signals.math, isHDRBase ? CICP.Transfer.sRGB : CICP.Transfer.pq, CICP.Matrix.usual(primaries: signals.math),
          full: true)),
      peak: measured.figures.peak)
    let level = LightMetadata(clli: measured.figures.lightLevel)
    if isHDRBase { result.baseLight = level } else { result.alternateLight = level }
    result.warnings = warnings(of: measured.figures, headroom, signals)
    return result
  }

  private func warnings(of light: LightFigures, _ headroom: Headroom, _ signals: PairSignals) -> [Warning] {
    var warnings: [Warning] = []
    if light.outsideShare > 0.001, signals.cutsColors {
      let percent = (light.outsideShare * 1000).rounded() / 10
      warnings.append(
        Warning(
          "adaptive.gamut",
          "\(percent) % of the HDR pixels lie outside the base's primaries and lose colour; "
            + "\(setting: "map-space") wider keeps them, \(setting: "primaries") widens the base"))
    }
    if headroom.stops <= 0 {
      warnings.append(
        Warning("adaptive.flat", "the HDR rendition is no brighter than reference white: readers will show the base"))
    }
    return warnings
  }

  // MARK: Headroom

  /// Returns the headroom to declare: of the recipe, of the HDR view, or of the light.
  private func headroom(of measured: MeasuredLight, _ source: SourceImage) throws(HDRError) -> Headroom {
    if let said = rendition.recipe.contentHeadroom ?? viewHeadroom { return said }
    return try editedHeadroom(source, measured)
  }

  /// The headroom of the HDR view, unless the caller has chosen how to measure it.
  private var viewHeadroom: Headroom? {
    guard options.map.headroom == GainMapOptions().headroom, let view = rendition.hdrView, view.view.peak != nil
    else { return nil }
    return view.headroom(.linear)
  }

  /// Returns the headroom to declare: of measured light, or of the file's declared headroom after filters.
  private func editedHeadroom(_ source: SourceImage, _ measured: MeasuredLight) throws(HDRError) -> Headroom {
    var recipe = rendition.recipe
    recipe.edits += rendition.ownEdits?.hdr ?? []
    guard !recipe.movesPixelsOnly, let map = source.gainMap?.metadata, map.isComplete else {
      return try measured.headroom(options.map.headroom)
    }
    let isAsked = rendition.contentMeasure != nil || options.map.headroom != GainMapOptions().headroom
    let edited = isAsked ? nil : recipe.headroom(afterEditing: map.maxHeadroom)
    // Light below white is still a rendition that differs from the base: some display must select it.
    let headroom: Headroom
    if let edited { headroom = edited } else { headroom = try measured.headroom(options.map.headroom) }
    return max(headroom, Headroom(stops: 0.125))
  }

  // MARK: Recipes

  /// Returns a rendition's recipe. HDR keeps all its light; SDR comes from the tone operator or the file's own map.
  ///
  /// - Parameter content: the headroom of the HDR rendition, if it had to be measured.
  private func recipe(_ target: OutputSignal, isHDR: Bool, content: Headroom? = nil) -> RenderRecipe {
    var recipe = rendition.recipe
    if let own = rendition.ownEdits { recipe.edits += isHDR ? own.hdr : own.sdr }
    // Each rendition is edited separately, HDR in full, unless the SDR one is to come from the edited HDR one.
    if recipe.editStrategy != .hdr { recipe.editStrategy = isHDR && !recipe.edits.isEmpty ? .hdr : .sdrAndHDR }
    if let content, !isHDR, recipe.contentHeadroom == nil {
      recipe.contentHeadroom = content
      recipe.isContentMeasured = true
    }
    recipe.target = target
    recipe.display = isHDR ? .high : .standard
    if isHDR { recipe.view = rendition.hdrView }
    if isHDR {
      recipe.tone = .auto
      recipe.gamut = .none
    }
    recipe.dither = isHDR ? 0 : recipe.dither
    return recipe
  }
}
