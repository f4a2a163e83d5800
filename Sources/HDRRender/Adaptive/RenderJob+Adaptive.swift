import CodecService
import GPURender
import HDRCore
import HDRPlan
import ImageFiles
import Kernels

extension RenderJob {
  /// Makes the parts of an Adaptive HDR file: payloads are kept if nothing changes them, else encoded again, else
  /// computed from two renditions.
  func makeAdaptive(_ adaptive: AdaptiveOptions) throws(HDRError) -> AdaptiveRequest {
    if case .picture = task.source { return try makeAdaptive(ofFrame: try source(.pixels), adaptive) }
    let file = try sourceFile()
    if let partner = task.partner {
      var request = try join(file, partner, adaptive)
      try addAppleMap(&request, file, adaptive)
      try keepReference(request)
      return request
    }
    let head = try decode(file, .metadata)
    let way = try adaptiveWay(file, head, adaptive)
    explain("adaptive  \(way.reason)")
    var request: AdaptiveRequest
    switch way {
    case .keepBoth, .keepBase: request = try keep(file, head, way, adaptive)
    case .recode, .edit:
      request = try recode(
        try decode(file, .pixels), adaptive, isEdited: way == .edit)
    case .editBase: request = try editBase(file, adaptive)
    case .compute:
      let source = try decode(file, .pixels)
      request = try compute(sdr: source, hdr: source, adaptive)
    }
    try finish(&request, head, way, adaptive)
    try addAppleMap(&request, file, adaptive)
    try keepReference(request)
    return request
  }

  /// Makes the parts from the samples of a frame, which has no payloads to keep.
  private func makeAdaptive(
    ofFrame frame: SourceImage, _ adaptive: AdaptiveOptions
  ) throws(HDRError) -> AdaptiveRequest {
    let way = try AdaptiveWay(frame, adaptive, choice.rendition)
    explain("adaptive  \(way.reason)")
    var request = try compute(sdr: frame, hdr: frame, adaptive)
    try finish(&request, frame, way, adaptive)
    try addAppleMap(&request, nil, adaptive)
    try keepReference(request)
    return request
  }

  /// Chooses the way. Other outputs of the source need its pixels too; if these are damaged, all outputs fail alike.
  private func adaptiveWay(
    _ file: InputFile, _ head: SourceImage, _ adaptive: AdaptiveOptions
  ) throws(HDRError) -> AdaptiveWay {
    do throws(HDRError) {
      return try AdaptiveWay(head, adaptive, choice.rendition)
    } catch {
      if isShared { _ = try decode(file, .pixels) }
      throw error
    }
  }

  /// Makes Apple's map from the ISO map, if it is asked for and the file has none that could be kept.
  private func addAppleMap(
    _ request: inout AdaptiveRequest, _ file: InputFile?, _ adaptive: AdaptiveOptions
  ) throws(HDRError) {
    guard adaptive.writesAppleMap, request.appleMap == nil else { return }
    guard !request.metadata.baseIsHDR else {
      throw HDRError(code: "adaptive.apple-map", message: "Apple's gain map needs an SDR base, and this one is HDR")
    }
    var maker = AppleMapMaker(metadata: request.metadata, color: request.mapColor)
    maker.primaries = request.baseColor.cicp.primaries
    if case .samples(let image) = request.map {
      request.appleMap = maker.item(image)
    } else if let file, let image = try decode(file, .pixels, onDevice: false).gainMap?.image {
      request.appleMap = maker.item(image)
    }
  }

  /// Sets the settings and metadata common to all ways, and reports the facts about the file.
  private func finish(
    _ request: inout AdaptiveRequest, _ source: SourceImage, _ way: AdaptiveWay, _ adaptive: AdaptiveOptions
  ) throws(HDRError) {
    let metadata = TravellingMetadata(
      source, choice.rendition.metadata, channels: choice.rendition.channels, into: adaptive.container.format,
      isKept: request.base.isCoded)
    found.warn(metadata.warnings)
    (request.motion, request.auxiliaries) = try takeExtras(
      source, into: adaptive.container.format, isKept: request.base.isCoded)
    request.exif = metadata.exif
    request.xmp = metadata.xmp
    request.photoshop = metadata.photoshop
    request.bindings = adaptive.bindings
    request.quality = choice.rendition.coding.quality
    request.mapQuality = adaptive.mapQuality
    let coding = choice.rendition.coding
    request.optimizesJPEG = coding.jpeg.isOptimized
    request.isProgressiveJPEG = coding.isProgressiveJPEG
    if coding.isProgressiveJPEG, request.base.isCoded || request.map.isCoded {
      request.recodedPixels = source.image.codedPixelCount + (source.gainMap?.image.codedPixelCount ?? 0)
    }
    request.effort = adaptive.container == .png ? coding.pngEffort : coding.jxlEffort
    request.deflatesInChunks = coding.deflatesInChunks
    request.threads = tools.codecThreads
    if case .samples(let image) = request.base {
      (found.width, found.height) = (image.width, image.height)
    } else {
      (found.width, found.height) = (source.geometry.outputWidth, source.geometry.outputHeight)
    }
    if way != .compute {
      // A plan of codes has filters, but no light.
      var report = found.report ?? PlanReport()
      report.inputKind = source.inputKind
      report.outputCICP = request.baseColor.cicp
      let content = ContentHeadroom.ofFile(source)
      report.contentHeadroom = content.headroom?.factor ?? 1
      report.contentHeadroomSource = content.source
      report.displayHeadroom = Headroom(stops: request.metadata.baseHeadroom).factor
      found.report = report
    }
    let stops = (request.metadata.baseHeadroom, request.metadata.alternateHeadroom)
    found.report?.outputHeadroom = Headroom(stops: max(stops.0, stops.1)).factor
    if way != .compute {
      found.report?.operatorName = "none"
      found.report?.operatorReason = way.reason
    }
  }

  // MARK: The ways

  private func keep(
    _ file: InputFile, _ head: SourceImage, _ way: AdaptiveWay, _ adaptive: AdaptiveOptions
  ) throws(HDRError) -> AdaptiveRequest {
    let coded = try payloads(file)
    if keepsReference { referenceBase = try decode(file, .pixels, onDevice: false) }
    var source = head
    var map = coded.map
    var mapColor = source.gainMap.map { CICP.gainMap(matrix: $0.matrix, full: $0.fullRange) } ?? .gainMap()
    var metadata: GainMapMetadata?
    if way == .keepBase || map == nil {
      source = try decode(file, .pixels, onDevice: false)
      // The base keeps its rows, so the map keeps its rows too.
      var picture = source.auxiliaryGainMap
      if let size = picture?.image { picture?.geometry = Geometry(width: size.width, height: size.height) }
      guard let picture, let old = source.gainMap?.metadata else { throw Self.lostMap }
      (map, metadata) = try recodedMap(picture, old, adaptive)
      mapColor = .gainMap()
    }
    guard let map, let old = source.gainMap?.metadata else { throw Self.lostMap }
    if metadata == nil { metadata = try Self.rounded(old) }
    var request = AdaptiveRequest(
      container: adaptive.container, base: coded.base,
      baseColor: AdaptiveColor(cicp: source.knownCICP, icc: source.color.icc), map: map,
      mapColor: mapColor, metadata: metadata ?? old, alternateColor: source.alternateColor,
      alternateLight: source.gainMap?.alternateLight ?? LightMetadata(), baseLight: source.light)
    request.appleMap = coded.appleMap
    return request
  }

  /// Encodes base and map again; with `isEdited` the recipe's filters run on both.
  func recode(
    _ source: SourceImage, _ adaptive: AdaptiveOptions, isEdited: Bool = false
  ) throws(HDRError) -> AdaptiveRequest {
    guard let picture = source.auxiliaryGainMap, let old = source.gainMap?.metadata else { throw Self.lostMap }
    let (map, metadata) = try recodedMap(
      picture, old, adaptive, of: isEdited ? source : nil)
    let depth = adaptive.container.depth(max(adaptive.baseDepth, source.image.bitDepth > 8 ? 10 : 8))
    // The codes go through R'G'B' into a matrix that every container supports.
    let matrix = CICP.Matrix.usual(primaries: source.color.cicp?.primaries ?? CICP.Primaries.unspecified)
    let target = OutputSignal(
      encoding: .linear, sink: adaptive.container.sink(depth: depth), bitDepth: depth,
      chroma: adaptive.container.isPlanar ? choice.rendition.chroma : .s444)
    func basePlan(_ target: OutputSignal) throws(HDRError) -> Plan {
      guard isEdited else { return GainMapPlanner.recoded(source, target: target, matrix: matrix) }
      return try Self.rethrowing { () throws(PlanError) in
        try GainMapPlanner.edited(
          base: source, choice.rendition.recipe, content: content(of: source), target: target, matrix: matrix)
      }
    }
    let plan = try basePlan(target)
    if isEdited { found.report = plan.report }
    explain("base", plan)
    let isJPEG = adaptive.container == .jpeg
    let base = try render(plan, isJPEG ? JPEGCoding(plan, choice.rendition.coding.jpeg).map { .jpeg($0) } : nil)
    try keepBase(of: source, basePlan)
    let known = source.knownCICP
    return AdaptiveRequest(
      container: adaptive.container, base: .samples(base.narrowed(toBits: depth)),
      baseColor: AdaptiveColor(cicp: CICP(known.primaries, known.transfer, matrix, full: true), icc: source.color.icc),
      map: map,
      mapColor: .gainMap(), metadata: metadata, alternateColor: source.alternateColor,
      alternateLight: source.gainMap?.alternateLight ?? LightMetadata(), baseLight: source.light)
  }

  private func compute(
    sdr: SourceImage, hdr: SourceImage, _ adaptive: AdaptiveOptions
  ) throws(HDRError) -> AdaptiveRequest {
    // The facts describe the first plan, which is the base's.
    var report: PlanReport?
    defer { forgetRendered() }
    var renditions: Set<EditedRendition> = []
    var warnings: [Warning] = []
    let maker = RenditionPairMaker(
      options: adaptive, rendition: try withFileCurve(choice.rendition, of: hdr), pool: tools.backends.pool,
      plan: { (source, recipe) throws(HDRError) in
        let made = try self.plan(source, recipe)
        if let edited = made.report.editedRendition { renditions.insert(edited) }
        if recipe.target.encoding != .linear, report == nil {
          report = made.report
          warnings += made.report.warnings
        }
        self.explain(recipe.target.encoding == .linear ? "light" : "base", made)
        return made
      },
      renderer: pairRenderer)
    let made = try maker.make(sdr: sdr, hdr: hdr)
    report?.inputKind = hdr.inputKind
    if renditions.isSuperset(of: [.sdr, .hdr]) { report?.editedRendition = .sdrAndHDR }
    found.report = report
    found.light = made.baseLight.clli ?? made.alternateLight.clli
    // The viewing environment does not depend on pixels; boxes about HDR light go with the HDR rendition.
    var (baseLight, alternateLight) = (made.baseLight, made.alternateLight)
    if adaptive.base == .hdr {
      (baseLight.amve, baseLight.reve) = (hdr.light.amve, hdr.light.reve)
    } else {
      (alternateLight.amve, alternateLight.reve) = (hdr.light.amve, hdr.light.reve)
    }
    (found.measuredPeak, found.clippedShare) = (made.peak, 0)
    if keepsReference {
      referenceBase = SourceImage(
        format: .memory, image: made.baseCodes, color: SourceColor(ofRGB: made.baseCICP),
        geometry: Geometry(width: made.baseCodes.width, height: made.baseCodes.height))
    }
    found.warn(warnings + made.warnings)
    return AdaptiveRequest(
      container: adaptive.container, base: .samples(made.base), baseColor: AdaptiveColor(cicp: made.baseCICP),
      map: .samples(made.map), mapColor: made.mapCICP, metadata: made.metadata, alternateColor: made.alternate,
      alternateDepth: adaptive.base == .hdr ? 8 : 10, alternateLight: alternateLight, baseLight: baseLight)
  }

  /// The renderer of pairs: what devices can hold stays there.
  private var pairRenderer: PairRenderer {
    var renderer = PairRenderer { (plan, coding) throws(HDRError) in
      try self.render(plan, coding.map { .jpeg($0) })
    }
    renderer.together = self.renderPair
    renderer.light = { (plan) throws(HDRError) in try self.render(plan, measuring: StatisticsGauge()) }
    renderer.keepLight = { (plan) throws(HDRError) in try self.keepLight(plan) }
    renderer.keepBase = { (plan, coding, light) throws(HDRError) in try self.keepBase(plan, coding, beside: light) }
    func gauge(_ plan: Plan) -> GainGauge { GainGauge(planes: plan.passes.last?.sink.channels ?? 0) }
    renderer.gains = { (plan) throws(HDRError) in try self.render(plan, measuring: gauge(plan)) }
    renderer.measureGains = { (plan) throws(HDRError) in try self.measure(plan, by: gauge(plan)) }
    return renderer
  }

  /// Joins an SDR and an HDR rendition into one file; keeps the SDR payload if the container is the same.
  private func join(
    _ file: InputFile, _ partner: InputReference, _ adaptive: AdaptiveOptions
  ) throws(HDRError) -> AdaptiveRequest {
    var sdr = try decode(file, .pixels)
    let hdr = try decode(try open(partner), .pixels)
    found.warn(DroppedExtras(extras: hdr.extras, file: "of the second file, ").warnings)
    if let metadata = adaptive.editedMap {
      return try attach(hdr, metadata, to: sdr, file, adaptive)
    }
    // The SDR file's own map is not used.
    sdr.gainMap = nil
    guard !sdr.isHDR else {
      throw HDRError(code: "pair.order", message: "the first picture of a pair is SDR, and this one is HDR")
    }
    guard hdr.isHDR || hdr.gainMap != nil else {
      throw HDRError(code: "pair.order", message: "\(partner.path.display), the second picture of the pair, is SDR")
    }
    var request = try compute(sdr: sdr, hdr: hdr, adaptive)
    if adaptive.base == .sdr, choice.rendition.recipe.luts.isEmpty, !choice.rendition.isEdited, canKeep(sdr, adaptive),
      Planner.isPlainSDR(sdr, primaries: request.baseColor.cicp.primaries)
    {
      request.base = try payloads(file).base
      request.baseColor.icc = sdr.color.icc
      if keepsReference { referenceBase = sdr }
    }
    try finish(&request, sdr, .compute, adaptive)
    return request
  }

  private func canKeep(_ source: SourceImage, _ adaptive: AdaptiveOptions) -> Bool {
    adaptive.keepsBase && source.codedFormat == adaptive.container.format && source.image.alpha == nil
      && source.geometry == Geometry(width: source.image.width, height: source.image.height)
  }

  /// Joins a base and a map that was edited elsewhere, with the metadata of the file that it came from. The map is in
  /// viewing orientation, like a picture editor's file.
  private func attach(
    _ map: SourceImage, _ metadata: GainMapMetadata, to source: SourceImage, _ file: InputFile,
    _ adaptive: AdaptiveOptions
  ) throws(HDRError) -> AdaptiveRequest {
    guard metadata.isComplete, metadata.baseIsHDR == source.isHDRTransfer else {
      throw HDRError(
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
      throw HDRError(
        code: "pair.map",
        message:
          "the map is \(map.geometry.outputWidth)x\(map.geometry.outputHeight) pixels, another shape than the picture")
    }
    var request = try recode(source, adaptive)
    (request.map, request.metadata) = try recodedMap(map, metadata, adaptive)
    if canKeep(source, adaptive) {
      request.base = try payloads(file).base
      if keepsReference { referenceBase = source }
    }
    try finish(&request, source, .recode, adaptive)
    return request
  }

  // MARK: Parts

  func payloads(_ file: InputFile) throws(HDRError) -> CodedRenditions {
    do throws(CodecError) {
      return try measureParts(of: .decode) { () throws(CodecError) in
        try tools.codecs.codedRenditions(file, limits: limits)
      }.value
    } catch {
      throw HDRError(error, reading: file)
    }
  }

  /// Encodes the map's codes in the container's layout, rotated like its picture, with metadata of ISO 21496-1.
  ///
  /// - Parameter base: the map's picture, if the recipe's filters edit both.
  func recodedMap(
    _ picture: SourceImage, _ old: GainMapMetadata, _ adaptive: AdaptiveOptions, of base: SourceImage? = nil
  ) throws(HDRError) -> (AdaptivePicture, GainMapMetadata) {
    var table: CurveTable?
    var metadata = old
    if old.kind == .apple {
      guard let apple = old.apple, let iso = apple.isoMetadata else { throw Self.lostMap }
      table = apple.isoTable(transfer: choice.rendition.recipe.appleMapTransfer)
      metadata = iso
    }
    let depth = adaptive.container.depth(max(adaptive.map.depth, picture.image.bitDepth > 8 ? 10 : 8))
    let target = OutputSignal(
      encoding: .linear, sink: adaptive.container.sink(depth: depth), bitDepth: depth, chroma: .s444)
    let plan: Plan
    if let base {
      let (x, y) = base.image.axes(base.geometry), size = PictureSize(x.pixels, y.pixels)
      plan = try Self.rethrowing { () throws(PlanError) in
        try GainMapPlanner.edited(
          map: picture, choice.rendition.recipe, table: table, base: size, content: content(of: base), target: target)
      }
    } else {
      plan = GainMapPlanner.recoded(picture, table: table, target: target)
    }
    explain("gain map", plan)
    let isGrey = picture.image.model == .grey
    let image = try render(
      plan, adaptive.mapCoding(plan, choice.rendition.coding, isGrey: isGrey).map { .jpeg($0) })
    return (.samples((isGrey ? image.firstChannel : image).narrowed(toBits: depth)), try Self.rounded(metadata))
  }

  private func content(of source: SourceImage) -> Headroom { ContentHeadroom.ofFile(source).headroom ?? .sdr }

  private static func rethrowing(_ plan: () throws(PlanError) -> Plan) throws(HDRError) -> Plan {
    do throws(PlanError) { return try plan() } catch { throw HDRError(error) }
  }

  static var lostMap: HDRError {
    HDRError(code: "gainmap.missing", message: "the gain map cannot be taken out of the file")
  }

  static func rounded(_ metadata: GainMapMetadata) throws(HDRError) -> GainMapMetadata {
    guard let rounded = metadata.roundedToFractions else {
      throw HDRError(code: "gainmap.range", message: "the gain map's numbers do not fit ISO 21496-1 fractions")
    }
    return rounded
  }

  // MARK: Extraction

  /// Returns the JPEG that a camera put into its raw file.
  func makePreview() throws(HDRError) -> [UInt8] {
    let file = try sourceFile(), head = try decode(file, .metadata)
    guard head.format != head.codedFormat, let preview = try payloads(file).preview else {
      throw HDRError(
        code: "preview.none",
        message: "only camera raw files have a preview to take out, and this is \(head.format.rawValue)")
    }
    (found.width, found.height) = (head.image.width, head.image.height)
    return preview
  }

  /// Makes a part as a separate PNG: the base and the alternate as their own renditions, the map as its codes.
  func makeExtract(_ part: FilePart) throws(HDRError) -> EncodeRequest {
    let source = try decode(try sourceFile(), .pixels)
    guard let map = source.gainMap else {
      throw HDRError(code: "gainmap.none", message: "the file has no gain map, so there are no parts to take out")
    }
    var rendition = choice.rendition
    var picture = source
    let isHDR: Bool
    switch part {
    case .gainmap:
      guard let codes = source.auxiliaryGainMap else { throw Self.lostMap }
      picture = codes
      rendition.kind = .sdrPNG
      rendition.recipe.target.primaries = CICP.Primaries.bt709
      return try makeRequest(picture, rendition)
    case .base, .preview:
      isHDR = map.metadata.baseIsHDR
      picture.gainMap = nil
    case .alternate:
      guard map.metadata.isComplete else { throw Self.lostMap }
      isHDR = !map.metadata.baseIsHDR
    }
    rendition.kind = isHDR ? .pqPNG : .sdrPNG
    rendition.recipe.display = isHDR ? .high : .standard
    return try makeRequest(picture, rendition)
  }
}
