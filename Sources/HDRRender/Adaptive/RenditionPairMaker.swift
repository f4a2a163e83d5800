import CPURender
import GPURender
import HDRCore
import HDRPlan
import ImageFiles

/// A base, its gains, and what was measured while they were rendered together.
package struct RenderedPair: Sendable {
  package var base: SampleImage
  package var gains: SampleImage
  package var light: LightStatistics
  package var statistics: GainStatistics
}

/// Makes both renditions and their gain map, then the parts of an Adaptive HDR file (docs/gain-map-maths.md#computing).
package struct RenditionPairMaker {
  let options: AdaptiveOptions
  let rendition: RenditionOptions
  let pool: BandPool
  let plan: (SourceImage, RenderRecipe) throws(HDRError) -> Plan
  package typealias Renderer = (Plan, JPEGCoding?) throws(HDRError) -> SampleImage
  /// Renders a plan, and encodes the picture if it can.
  let renderEncoded: Renderer
  /// Renders light, an SDR base and the plan of their gains together; returns `nil` if that is not possible.
  package typealias PairRenderer = (
    _ light: Plan, _ base: Plan, _ gains: (SampleImage, SampleImage) throws(HDRError) -> Plan
  ) throws(HDRError) -> RenderedPair?
  let renderPair: PairRenderer
  /// Renders halves of light, or gains, and measures them on the way; the sums are `nil` if they have to be measured yet.
  package typealias MeasuredRenderer<Sums> = (Plan) throws(HDRError) -> (image: SampleImage, sums: Sums?)
  private let renderLight: MeasuredRenderer<LightStatistics>
  /// Renders light that stays on a device; returns `nil` if it has to be rendered as other pictures.
  package typealias LightKeeper = (Plan) throws(HDRError) -> (image: SampleImage, light: MeasuredLight)?
  private let keepLight: LightKeeper
  /// Renders and encodes a base that stays beside light on a device; returns the encoded base and its codes, or `nil`.
  package typealias BaseKeeper = (
    Plan, JPEGCoding, _ light: SampleImage
  ) throws(HDRError) -> (base: SampleImage, codes: SampleImage)?
  private let keepBase: BaseKeeper
  private let renderGains: MeasuredRenderer<GainStatistics>
  /// Measures gains that stay on a device; returns `nil` if they have to be rendered.
  package typealias GainMeasurer = (Plan) throws(HDRError) -> GainStatistics?
  private let measureGains: GainMeasurer
  /// Called with the name of each step as it begins; for benchmarks.
  package var begins: (String) -> Void = { _ in }

  package init(
    options: AdaptiveOptions, rendition: RenditionOptions, pool: BandPool,
    plan: @escaping (SourceImage, RenderRecipe) throws(HDRError) -> Plan,
    render: @escaping Renderer,
    renderPair: @escaping PairRenderer = { (_, _, _) throws(HDRError) in nil },
    renderLight: MeasuredRenderer<LightStatistics>? = nil,
    keepLight: @escaping LightKeeper = { (_) throws(HDRError) in nil },
    keepBase: @escaping BaseKeeper = { (_, _, _) throws(HDRError) in nil },
    renderGains: MeasuredRenderer<GainStatistics>? = nil,
    measureGains: @escaping GainMeasurer = { (_) throws(HDRError) in nil },
    begins: @escaping (String) -> Void = { _ in }
  ) {
    self.options = options
    self.rendition = rendition
    self.pool = pool
    self.plan = plan
    renderEncoded = render
    self.renderPair = renderPair
    self.renderLight = renderLight ?? { (plan) throws(HDRError) in (try render(plan, nil), nil) }
    self.renderGains = renderGains ?? { (plan) throws(HDRError) in (try render(plan, nil), nil) }
    self.measureGains = measureGains
    (self.keepLight, self.keepBase) = (keepLight, keepBase)
    self.begins = begins
  }

  private func render(_ plan: Plan) throws(HDRError) -> SampleImage { try renderEncoded(plan, nil) }

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
  ///   - keepsBase: true if the base's payload is kept: its codes are needed, its coded form is not.
  package func make(sdr: SourceImage, hdr: SourceImage) throws(HDRError) -> Result {
    let isHDRBase = options.base == .hdr
    let container = options.container
    let basePrimaries =
      rendition.recipe.target.primaries
      ?? (isHDRBase ? CICP.Primaries.bt2020 : rendition.recipe.view?.view.primaries ?? Planner.sdrPrimaries(sdr))
    let otherPrimaries = rendition.hdrView?.view.primaries ?? Planner.declaredPrimaries(hdr) ?? basePrimaries
    let math = options.space == .wider && isWider(otherPrimaries, than: basePrimaries) ? otherPrimaries : basePrimaries

    begins("light")
    // The HDR rendition as light in the primaries of the arithmetic. It comes first: if filters leave its headroom
    // unknown, the headroom measured here goes to the tone operator of the other rendition. Transparent pixels lie on
    // black: a file with a map has no alpha.
    let light = OutputSignal(
      primaries: math, encoding: .linear, sink: .rgba16f, bitDepth: 16, chroma: .s444, isOpaque: true)
    let lightPlan = try plan(hdr, recipe(light, isHDR: true))
    let isToneMapped =
      rendition.hdrView == nil
      && (rendition.recipe.editStrategy == .hdr || sdr.gainMap?.metadata.isComplete != true && sdr.isHDR)
    let isUnknown = isToneMapped && recipe(light, isHDR: false).headroom(afterEditing: .sdr) == nil

    // The base as codes for the ratio, and in the encoder's layout.
    let encoding: OutputSignal.Encoding = isHDRBase ? .pq : .sdr
    let baseSource = isHDRBase ? hdr : sdr
    let depth = isHDRBase ? 10 : options.baseDepth
    let codes = OutputSignal(
      primaries: basePrimaries, encoding: encoding, sink: isHDRBase || depth > 8 ? .rgba16 : .rgba8,
      bitDepth: isHDRBase || depth > 8 ? 16 : 8, chroma: .s444, isOpaque: true)
    guard let space = Primaries(code: math), let own = Primaries(code: basePrimaries), let there = own.matrix(to: space)
    else { throw HDRError(.unsupportedColor(field: "primaries", code: math)) }
    let hasMap = hdr.gainMap?.metadata.isComplete == true
    let steps = rendition.recipe.edits + (rendition.ownEdits.map { $0.sdr + $0.hdr } ?? [])
    func pair(_ alternate: SampleImage, _ base: SampleImage) -> RenditionPair {
      var pair = RenditionPair(
        base: base, baseCurve: isHDRBase ? .pq : .sRGB, baseToMath: math == basePrimaries ? .identity : there,
        alternate: alternate, luminance: space.luminance, baseIsHDR: isHDRBase)
      pair.cutsNegativeLight = hasMap ? rendition.isEdited : !steps.movesPixelsOnly
      return pair
    }

    func gains(_ alternate: SampleImage, _ base: SampleImage) throws(HDRError) -> Plan {
      try gainsPlan(pair(alternate, base))
    }

    // If the base does not depend on the light, all are rendered together, and nothing holds all of the light.
    var earlyPlan: Plan?, together: RenderedPair?
    if !isUnknown {
      let basePlan = try plan(baseSource, recipe(codes, isHDR: isHDRBase))
      earlyPlan = basePlan
      if !isHDRBase { together = try renderPair(lightPlan, basePlan, gains) }
    }
    var alternate: SampleImage
    let measured: MeasuredLight
    // What a JPEG holds of light and of an SDR base is made on the device, if that holds both.
    var isLightKept = false
    if let together {
      // Its gains are made already.
      (alternate, measured) = (together.base, MeasuredLight(together.light))
    } else if container == .jpeg, !isHDRBase, let kept = try keepLight(lightPlan) {
      (alternate, measured, isLightKept) = (kept.image, kept.light, true)
    } else {
      let light = try renderLight(lightPlan)
      alternate = light.image
      begins("light statistics")
      measured = MeasuredLight(light.sums ?? LightStatistics(alternate, pool))
    }
    let unknown = isUnknown ? try measured.headroom(.maximum) : nil

    begins("base")
    let basePlan: Plan, baseCodes: SampleImage
    if let earlyPlan {
      basePlan = earlyPlan
    } else {
      basePlan = try plan(baseSource, recipe(codes, isHDR: isHDRBase, content: unknown))
    }
    var keptBase: SampleImage?
    if let together {
      baseCodes = together.base
    } else if isLightKept, let coding = JPEGCoding(basePlan, rendition.coding.jpeg),
      let kept = try keepBase(basePlan, coding, alternate)
    {
      (keptBase, baseCodes) = (kept.base, kept.codes)
    } else {
      // Gains are made of its samples.
      let coding = container == .jpeg ? JPEGCoding(basePlan, rendition.coding.jpeg, keepsPixels: true) : nil
      baseCodes = try renderEncoded(basePlan, coding)
    }
    var base = keptBase ?? baseCodes
    var baseCICP = basePlan.report.outputCICP
    if container.isPlanar {
      let planar = OutputSignal(
        primaries: basePrimaries, encoding: encoding, sink: .planarYCC, bitDepth: depth, chroma: rendition.chroma,
        isOpaque: true)
      let planarPlan = try plan(baseSource, recipe(planar, isHDR: isHDRBase, content: unknown))
      base = try render(planarPlan)
      baseCICP = planarPlan.report.outputCICP
    }

    // The other rendition as light.
    if isHDRBase { alternate = try render(plan(sdr, recipe(light, isHDR: false, content: unknown))) }
    let headroom: Headroom
    if let said = rendition.recipe.contentHeadroom ?? viewHeadroom {
      headroom = said
    } else {
      headroom = try editedHeadroom(hdr, measured)
    }

    begins("gains")
    var gainsImage = together?.gains, found = together?.statistics
    let renditions = pair(alternate, baseCodes)
    if together == nil {
      let plan = try gainsPlan(renditions)
      // Gains of a pair on the device, and those that are larger than their pair, are made twice, and do not leave it.
      if keptBase != nil || isLarge(gainsOf: renditions) { found = try measureGains(plan) }
      if found == nil { (gainsImage, found) = try renderGains(plan) }
    }
    begins("statistics")
    let limits = GainLimits(
      options.map, base: isHDRBase ? headroom : .sdr, alternate: isHDRBase ? .sdr : headroom, isToneMapped: isToneMapped
    )
    let planes = options.map.channels
    var statistics = found ?? gainsImage.flatMap { GainGauge(planes: planes).measure($0, pool) }
    if statistics?.lacksCounts(for: options.map.range, limits) == true {
      if gainsImage == nil { gainsImage = try render(try gainsPlan(renditions)) }
      statistics = gainsImage.flatMap { GainGauge(planes: planes, countsBuckets: true).measure($0, pool) }
    }
    guard let statistics,
      let metadata = GainMapMetadata(statistics, options.map, limits, usesBaseColorSpace: math == basePrimaries)
    else {
      throw HDRError(code: "adaptive.range", message: "the gains of the map do not fit the metadata's fractions")
    }
    begins("codes")
    let (map, mapCICP) = try code(gainsImage, of: renditions, metadata)
    var result = Result(
      base: base.narrowed(toBits: container == .jpeg ? 8 : depth).forEncoder, baseCICP: baseCICP,
      baseCodes: baseCodes, map: map, mapCICP: mapCICP,
      metadata: metadata,
      alternate: AdaptiveColor(
        cicp: CICP(
          math, isHDRBase ? CICP.Transfer.sRGB : CICP.Transfer.pq, CICP.Matrix.usual(primaries: math), full: true)),
      peak: measured.figures.peak)
    let level = LightMetadata(clli: measured.figures.lightLevel)
    if isHDRBase { result.baseLight = level } else { result.alternateLight = level }
    // The other rendition has lost colours outside the primaries of the arithmetic.
    if measured.figures.outsideShare > 0.001, math == basePrimaries, isWider(otherPrimaries, than: basePrimaries) {
      let percent = (measured.figures.outsideShare * 1000).rounded() / 10
      result.warnings.append(
        Warning(
          "adaptive.gamut",
          "\(percent) % of the HDR pixels lie outside the base's primaries and lose colour; "
            + "\(setting: "map-space") wider keeps them, \(setting: "primaries") widens the base"))
    }
    if headroom.stops <= 0 {
      result.warnings.append(
        Warning("adaptive.flat", "the HDR rendition is no brighter than reference white: readers will show the base"))
    }
    return result
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

  /// Returns true if gains, on their way from a device and to it again, are larger than the pair that they are made of.
  private func isLarge(gainsOf pair: RenditionPair) -> Bool {
    let size = options.map.size(width: pair.base.width, height: pair.base.height)
    let gainBytes = 4 * options.map.channels * size.width * size.height
    let pairBytes = 4 * (pair.base.format.bytes + pair.alternate.format.bytes) * pair.base.pixelCount
    return 2 * gainBytes > pairBytes
  }

  /// Encodes the map's codes in the layout of the container's encoder.
  ///
  /// - Parameter gains: `nil`: they are made of the pair once more.
  private func code(
    _ gains: SampleImage?, of pair: RenditionPair, _ metadata: GainMapMetadata
  ) throws(HDRError) -> (SampleImage, CICP) {
    func codes(_ target: OutputSignal) throws(HDRError) -> Plan {
      if let gains { return GainMapPlanner.codes(gains, metadata, target: target, dither: dither) }
      do throws(PlanError) {
        return try GainMapPlanner.codes(of: pair, options.map, metadata, target: target, dither: dither)
      } catch {
        throw HDRError(error)
      }
    }
    let isGrey = options.map.channels == 1
    let dither = options.map.dithers && options.map.depth == 8 ? 1.0 : 0
    if !options.container.isPlanar {
      let depth = options.container.depth(options.map.depth)
      let target = OutputSignal(
        encoding: .linear, sink: options.container.sink(depth: depth), bitDepth: depth, chroma: .s444)
      let plan = try codes(target)
      let map = try renderEncoded(plan, options.mapCoding(plan, rendition.coding, isGrey: isGrey))
      return (isGrey ? map.firstChannel : map, .gainMap())
    }
    let target = OutputSignal(encoding: .linear, sink: .planarYCC, bitDepth: options.map.depth, chroma: .s444)
    let map = try render(try codes(target))
    return ((isGrey ? map.firstChannel : map).narrowed(toBits: options.map.depth), .gainMap())
  }

  private func gainsPlan(_ pair: RenditionPair) throws(HDRError) -> Plan {
    do throws(PlanError) {
      return try GainMapPlanner.gains(pair, options.map)
    } catch {
      throw HDRError(error)
    }
  }

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

  private func isWider(_ a: Int, than b: Int) -> Bool {
    let order = [CICP.Primaries.bt709: 0, CICP.Primaries.p3: 1, CICP.Primaries.bt2020: 2]
    return (order[a] ?? 0) > (order[b] ?? 0)
  }
}

extension LightStatistics {
  /// Measures interleaved halves; the pool's threads share the rows.
  init(_ image: SampleImage, _ pool: BandPool) {
    self.init()
    let parts = pool.reduce(rows: image.height) { rows, part in
      part.add(image, rows: rows)
    } start: {
      LightStatistics()
    }
    for part in parts { merge(part) }
  }
}
