import CodecService
import HDRCore
import HDRPlan
import ImageFiles

extension ItemRunner {
  /// What an Adaptive HDR file of an item consists of: payloads kept where nothing changes them, else coded anew, else
  /// computed from two renditions.
  func makeAdaptive(
    _ item: BatchItem, _ adaptive: AdaptiveOptions, _ record: inout ItemRecord, _ clock: inout PhaseClock
  ) throws(ItemFailure) -> AdaptiveRequest {
    let file = try open(item.input.path, &record, &clock)
    if let partner = item.partner { return try join(file, partner, adaptive, &record, &clock) }
    let head = try decode(file, .metadata, &record, &clock)
    let way = try AdaptiveWay(head, adaptive, choice.rendition)
    explained?(item, Explanation(title: "", lines: ["adaptive  \(way.reason)"], graph: nil))
    var request: AdaptiveRequest
    switch way {
    case .keepBoth, .keepBase: request = try keep(file, head, way, adaptive, &record, &clock)
    case .recode, .edit:
      request = try recode(
        try decode(file, .pixels, &record, &clock), adaptive, isEdited: way == .edit, &record, &clock)
    case .editBase: request = try editBase(file, adaptive, &record, &clock)
    case .compute:
      let source = try decode(file, .pixels, &record, &clock)
      request = try compute(sdr: source, hdr: source, adaptive, &record, &clock)
    }
    finish(&request, head, way, adaptive, &record)
    return request
  }

  /// Settings and metadata that all ways share, and the fields of the record.
  private func finish(
    _ request: inout AdaptiveRequest, _ source: SourceImage, _ way: AdaptiveWay, _ adaptive: AdaptiveOptions,
    _ record: inout ItemRecord
  ) {
    let metadata = TravellingMetadata(source, isJPEG: adaptive.container == .jpeg, isKept: request.base.isCoded)
    for warning in metadata.warnings where !record.warnings.contains(warning) { record.warnings.append(warning) }
    request.exif = metadata.exif
    request.xmp = metadata.xmp
    request.photoshop = metadata.photoshop
    request.bindings = adaptive.bindings
    request.quality = adaptive.quality
    request.mapQuality = adaptive.mapQuality
    request.threads = max(1, options.threads / jobs)
    if case .samples(let image) = request.base {
      (record.width, record.height) = (image.width, image.height)
    } else {
      (record.width, record.height) = (source.geometry.outputWidth, source.geometry.outputHeight)
    }
    if way != .compute {
      // A plan of codes has filters, but no light.
      var report = record.report ?? PlanReport()
      report.inputKind = source.inputKind
      report.outputCICP = request.baseColor.cicp
      let content = ContentHeadroom.ofFile(source)
      report.contentHeadroom = content.headroom?.factor ?? 1
      report.contentHeadroomSource = content.source
      report.displayHeadroom = Headroom(stops: request.metadata.baseHeadroom).factor
      record.report = report
    }
    let stops = (request.metadata.baseHeadroom, request.metadata.alternateHeadroom)
    record.report?.outputHeadroom = Headroom(stops: max(stops.0, stops.1)).factor
    if way != .compute {
      record.report?.operatorName = "none"
      record.report?.operatorReason = way.reason
    }
  }

  // MARK: The ways

  private func keep(
    _ file: InputFile, _ head: SourceImage, _ way: AdaptiveWay, _ adaptive: AdaptiveOptions,
    _ record: inout ItemRecord, _ clock: inout PhaseClock
  ) throws(ItemFailure) -> AdaptiveRequest {
    let coded = try payloads(file, &clock)
    var source = head
    var map = coded.map
    var mapColor = CICP(2, 2, source.gainMap?.matrix ?? 6, full: source.gainMap?.fullRange ?? true)
    var metadata: GainMapMetadata?
    if way == .keepBase || map == nil {
      source = try decode(file, .pixels, &record, &clock)
      // The base keeps its rows, so the map keeps its own.
      var picture = source.auxiliaryGainMap
      if let size = picture?.image { picture?.geometry = Geometry(width: size.width, height: size.height) }
      guard let picture, let old = source.gainMap?.metadata else { throw Self.lostMap }
      (map, metadata) = try recodedMap(picture, old, adaptive, &record, &clock)
      mapColor = CICP(2, 2, 6, full: true)
    }
    guard let map, let old = source.gainMap?.metadata else { throw Self.lostMap }
    if metadata == nil { metadata = try Self.rounded(old) }
    return AdaptiveRequest(
      container: adaptive.container, base: coded.base,
      baseColor: AdaptiveColor(cicp: source.knownCICP, icc: source.color.icc), map: map,
      mapColor: mapColor, metadata: metadata ?? old, alternateColor: source.alternateColor,
      baseLight: source.light.clli)
  }

  /// - Parameter isEdited: the recipe's filters run on both.
  func recode(
    _ source: SourceImage, _ adaptive: AdaptiveOptions, isEdited: Bool = false, _ record: inout ItemRecord,
    _ clock: inout PhaseClock
  ) throws(ItemFailure) -> AdaptiveRequest {
    guard let picture = source.auxiliaryGainMap, let old = source.gainMap?.metadata else { throw Self.lostMap }
    let (map, metadata) = try recodedMap(
      picture, old, adaptive, of: isEdited ? source : nil, &record, &clock)
    let isPlanar = adaptive.container != .jpeg
    let depth = isPlanar ? max(adaptive.baseDepth, source.image.bitDepth > 8 ? 10 : 8) : 8
    // Codes go through R'G'B' into one matrix that every container supports.
    let matrix = source.color.cicp?.primaries == 9 ? 9 : 6
    let target = OutputTarget(
      encoding: .linear, sink: isPlanar ? .planarYCC : .rgba8, bitDepth: depth,
      chroma: isPlanar ? adaptive.baseChroma : .s444)
    let plan =
      isEdited
      ? try edited(source, target, matrix: matrix, ContentHeadroom.ofFile(source).headroom)
      : GainMapPlanner.recoded(source, target: target, matrix: matrix)
    if isEdited { record.report = plan.report }
    explain(record.item, "base", plan)
    let base = try render(plan, &record, &clock)
    let known = source.knownCICP
    return AdaptiveRequest(
      container: adaptive.container, base: .samples(base.narrowed(toBits: depth)),
      baseColor: AdaptiveColor(cicp: CICP(known.primaries, known.transfer, matrix, full: true), icc: source.color.icc),
      map: map,
      mapColor: CICP(2, 2, 6, full: true), metadata: metadata, alternateColor: source.alternateColor,
      baseLight: source.light.clli)
  }

  private func compute(
    sdr: SourceImage, hdr: SourceImage, _ adaptive: AdaptiveOptions, _ record: inout ItemRecord,
    _ clock: inout PhaseClock
  ) throws(ItemFailure) -> AdaptiveRequest {
    // The record describes the first plan, that of the base.
    var report: PlanReport?
    var renditions: Set<EditedRendition> = []
    let item = record.item
    var planned = record, rendered = record
    var planClock = PhaseClock(isAlone: jobs == 1), renderClock = PhaseClock(isAlone: jobs == 1)
    let maker = RenditionPairMaker(
      options: adaptive, rendition: choice.rendition, pool: backends.pool,
      plan: { (source, recipe) throws(ItemFailure) in
        let made = try self.plan(source, recipe, &planClock)
        if let edited = made.report.editedRendition { renditions.insert(edited) }
        if recipe.target.encoding != .linear, report == nil {
          report = made.report
          planned.warnings += made.report.warnings
        }
        explain(item, recipe.target.encoding == .linear ? "light" : "base", made)
        return made
      },
      render: { (plan) throws(ItemFailure) in try self.render(plan, &rendered, &renderClock) })
    defer {
      record.backend = rendered.backend
      record.device = rendered.device
      record.rounding = rendered.rounding
      record.isa = rendered.isa
      record.fallback = rendered.fallback
      record.sampledStrips = rendered.sampledStrips
    }
    let made = try maker.make(sdr: sdr, hdr: hdr)
    clock.add(planClock)
    clock.add(renderClock)
    report?.inputKind = hdr.inputKind
    if renditions.isSuperset(of: [.sdr, .hdr]) { report?.editedRendition = .sdrAndHDR }
    record.report = report
    record.light = made.baseLight ?? made.alternateLight
    for warning in planned.warnings + made.warnings where !record.warnings.contains(warning) {
      record.warnings.append(warning)
    }
    return AdaptiveRequest(
      container: adaptive.container, base: .samples(made.base), baseColor: AdaptiveColor(cicp: made.baseCICP),
      map: .samples(made.map), mapColor: made.mapCICP, metadata: made.metadata, alternateColor: made.alternate,
      alternateDepth: adaptive.base == .hdr ? 8 : 10, alternateLight: made.alternateLight, baseLight: made.baseLight)
  }

  /// An SDR rendition and an HDR one become one file; the SDR payload is kept where the container is its own.
  private func join(
    _ file: InputFile, _ partner: InputItem, _ adaptive: AdaptiveOptions, _ record: inout ItemRecord,
    _ clock: inout PhaseClock
  ) throws(ItemFailure) -> AdaptiveRequest {
    var sdr = try decode(file, .pixels, &record, &clock)
    let hdr = try decode(try open(partner.path, &record, &clock), .pixels, &record, &clock)
    if let metadata = adaptive.editedMap {
      return try attach(hdr, metadata, to: sdr, file, adaptive, &record, &clock)
    }
    // The SDR file's own map is not used.
    sdr.gainMap = nil
    guard !sdr.isHDR else {
      throw ItemFailure(code: "pair.order", message: "the first picture of a pair is SDR, and this one is HDR")
    }
    guard hdr.isHDR || hdr.gainMap != nil else {
      throw ItemFailure(code: "pair.order", message: "\(partner.path.display), the second picture of the pair, is SDR")
    }
    var request = try compute(sdr: sdr, hdr: hdr, adaptive, &record, &clock)
    if adaptive.base == .sdr, choice.rendition.luts.isEmpty, !choice.rendition.isEdited, canKeep(sdr, adaptive),
      Planner.isPlainSDR(sdr, primaries: request.baseColor.cicp.primaries)
    {
      request.base = try payloads(file, &clock).base
      request.baseColor.icc = sdr.color.icc
    }
    finish(&request, sdr, .compute, adaptive, &record)
    return request
  }

  private func canKeep(_ source: SourceImage, _ adaptive: AdaptiveOptions) -> Bool {
    adaptive.keepsBase && source.format == adaptive.container.sourceFormat && source.image.alpha == nil
      && source.geometry == Geometry(width: source.image.width, height: source.image.height)
  }

  /// A base and a map that was edited elsewhere, with the metadata of the file it came from. The map is in viewing
  /// orientation, as the file of a picture editor is.
  private func attach(
    _ map: SourceImage, _ metadata: GainMapMetadata, to source: SourceImage, _ file: InputFile,
    _ adaptive: AdaptiveOptions, _ record: inout ItemRecord, _ clock: inout PhaseClock
  ) throws(ItemFailure) -> AdaptiveRequest {
    guard metadata.isComplete, metadata.baseIsHDR == source.isHDRTransfer else {
      throw ItemFailure(
        code: "pair.map",
        message: "the metadata is for an \(metadata.baseIsHDR ? "HDR" : "SDR") base, and this picture is none")
    }
    var source = source
    source.gainMap = GainMap(
      metadata: metadata, image: map.image, matrix: map.color.matrix, fullRange: map.color.fullRange,
      alternateColor: nil, bindings: [])
    let ratio =
      Double(map.geometry.outputWidth * source.geometry.outputHeight)
      / Double(map.geometry.outputHeight * source.geometry.outputWidth)
    guard (0.98...1.02).contains(ratio) else {
      throw ItemFailure(
        code: "pair.map",
        message:
          "the map is \(map.geometry.outputWidth)x\(map.geometry.outputHeight) pixels, another shape than the picture")
    }
    var request = try recode(source, adaptive, &record, &clock)
    (request.map, request.metadata) = try recodedMap(map, metadata, adaptive, &record, &clock)
    if canKeep(source, adaptive) { request.base = try payloads(file, &clock).base }
    finish(&request, source, .recode, adaptive, &record)
    return request
  }

  // MARK: Parts

  func payloads(_ file: InputFile, _ clock: inout PhaseClock) throws(ItemFailure) -> CodedRenditions {
    do throws(CodecError) {
      return try clock.measureParts(of: .decode) { () throws(CodecError) in
        try codecs.codedRenditions(file, limits: options.limits)
      }.value
    } catch {
      throw ItemFailure(error, reading: file)
    }
  }

  /// The map's codes in the layout of the container, rotated as its picture is, with metadata of ISO 21496-1.
  ///
  /// - Parameter base: the picture that it is the map of, where the recipe's filters edit both.
  private func recodedMap(
    _ picture: SourceImage, _ old: GainMapMetadata, _ adaptive: AdaptiveOptions, of base: SourceImage? = nil,
    _ record: inout ItemRecord, _ clock: inout PhaseClock
  ) throws(ItemFailure) -> (AdaptivePicture, GainMapMetadata) {
    var table: CurveTable?
    var metadata = old
    if old.kind == .apple {
      guard let apple = old.apple, let iso = apple.isoMetadata else { throw Self.lostMap }
      table = apple.isoTable(transfer: choice.rendition.appleMapTransfer)
      metadata = iso
    }
    let isPlanar = adaptive.container != .jpeg
    let depth = isPlanar ? max(adaptive.map.depth, picture.image.bitDepth > 8 ? 10 : 8) : 8
    let target = OutputTarget(
      encoding: .linear, sink: isPlanar ? .planarYCC : .rgba8, bitDepth: depth, chroma: .s444)
    let plan: Plan
    if let base {
      plan = try edited(
        picture, target, table: table, base: (base.geometry.outputWidth, base.geometry.outputHeight), nil)
    } else {
      plan = GainMapPlanner.recoded(picture, table: table, target: target)
    }
    explain(record.item, "gain map", plan)
    let image = try render(plan, &record, &clock)
    let isGrey = picture.image.model == .grey
    return (.samples((isGrey ? image.firstChannel : image).narrowed(toBits: depth)), try Self.rounded(metadata))
  }

  /// The plan of a base, or of its map, with the recipe's filters on its codes.
  private func edited(
    _ picture: SourceImage, _ target: OutputTarget, matrix: Int = 6, table: CurveTable? = nil,
    base: (width: Int, height: Int)? = nil, _ content: Headroom?
  ) throws(ItemFailure) -> Plan {
    do throws(PlanError) {
      return try GainMapPlanner.edited(
        picture, choice.rendition.recipe, table: table, base: base, content: content ?? .sdr, target: target,
        matrix: matrix)
    } catch {
      throw ItemFailure(error)
    }
  }

  static var lostMap: ItemFailure {
    ItemFailure(code: "gainmap.missing", message: "the gain map cannot be taken out of the file")
  }

  static func rounded(_ metadata: GainMapMetadata) throws(ItemFailure) -> GainMapMetadata {
    guard let rounded = metadata.roundedToFractions else {
      throw ItemFailure(code: "gainmap.range", message: "the gain map's numbers do not fit ISO 21496-1 fractions")
    }
    return rounded
  }

  // MARK: Extraction

  /// One part as a PNG of its own: the base and the alternate as their own renditions, the map as its codes.
  func makeExtract(
    _ item: BatchItem, _ part: GainMapPart, _ record: inout ItemRecord, _ clock: inout PhaseClock
  ) throws(ItemFailure) -> EncodeRequest {
    let source = try decode(try open(item.input.path, &record, &clock), .pixels, &record, &clock)
    guard let map = source.gainMap else {
      throw ItemFailure(code: "gainmap.none", message: "the file has no gain map, so there are no parts to take out")
    }
    var rendition = choice.rendition
    var picture = source
    let isHDR: Bool
    switch part {
    case .gainmap:
      guard let codes = source.auxiliaryGainMap else { throw Self.lostMap }
      picture = codes
      rendition.kind = .sdrPNG
      rendition.primaries = 1
      return try makeRequest(picture, rendition, &record, &clock)
    case .base:
      isHDR = map.metadata.baseIsHDR
      picture.gainMap = nil
    case .alternate:
      guard map.metadata.isComplete else { throw Self.lostMap }
      isHDR = !map.metadata.baseIsHDR
    }
    rendition.kind = isHDR ? .pqPNG : .sdrPNG
    rendition.display = isHDR ? .high : .standard
    return try makeRequest(picture, rendition, &record, &clock)
  }
}
