import CPURender
import HDRCore
import HDRPlan
import ImageFiles

/// What to make of every picture of a batch: recipe and file settings.
package struct RenditionOptions: Sendable {
  package var kind: OutputKind
  /// `--primaries`: code point of the output's primaries; `nil` as in `OutputTarget.primaries`.
  package var primaries: Int?
  /// `--icc-output`.
  package var outputProfile: OutputProfile?
  package var display: DisplayChoice
  package var beyond = BeyondChoice.automatic
  package var sdrBelow = Headroom.sdr
  package var tone: ToneChoice
  /// Found in the file where `tone` wants it.
  package var fileCurve: FileCurve?
  /// In the order in which they are applied.
  package var luts: [LUTChoice]
  package var contentHeadroom: Headroom?
  /// Measure the content's headroom even if the file states it; otherwise it is measured only if the file does not.
  package var contentMeasure: HeadroomMeasure?
  package var mastering: MasteringChoice?
  package var hlg = HLGLight.automatic
  package var statements = LightStatements()
  /// SMPTE ST 2094-50 metadata instead of the file's own.
  package var toneMetadata: [UInt8]?
  package var gamut: GamutChoice
  /// Codes; 0 for none.
  package var dither: Double
  /// Of Y'CbCr planes.
  package var chroma: ChromaSubsampling
  /// Of Y'CbCr planes; where none is given, `OutputKind.isFullRange`.
  package var fullRange: Bool
  /// One of `OutputKind.bitDepths`; `nil`: the usual one.
  package var bitDepth: Int?
  /// 0...100, lossy kinds.
  package var quality: Int
  /// 0...9, PNG.
  package var pngEffort: Int
  package var exrCompression = EXRCompression.zip
  /// 1...9, JPEG XL; 0: what suits the quality.
  package var jxlEffort = 0
  /// Of camera raw files.
  package var cameraLook = CameraLook()
  /// How Apple's gain maps are read.
  package var appleMapTransfer = AppleMapTransfer.bt709
  package var applePartialHeadroom = ApplePartialHeadroom.capped
  /// Filters in the order in which they are applied, and the second pictures that they name.
  package var edits: [FilterStep] = []
  package var inputs: [String: EditInput] = [:]
  /// Further filters of each rendition of an Adaptive HDR file; `nil`: both are edited alike.
  package var ownEdits: OwnEdits?
  package var editStrategy = EditStrategy.automatic
  /// As in `RenderRecipe`.
  package var allowsSDRFilters = false
  package var workingFormat = WorkingFormat.rgba16f
  package var metadata = MetadataChoice.all

  package init(
    kind: OutputKind, primaries: Int? = nil, display: DisplayChoice = .automatic, tone: ToneChoice = .auto,
    luts: [LUTChoice] = [], contentHeadroom: Headroom? = nil, gamut: GamutChoice = .automatic, dither: Double = 0,
    chroma: ChromaSubsampling = .s420, fullRange: Bool? = nil, bitDepth: Int? = nil, quality: Int? = nil,
    pngEffort: Int = 1
  ) {
    self.kind = kind
    self.primaries = primaries
    self.display = display
    self.tone = tone
    self.luts = luts
    self.contentHeadroom = contentHeadroom
    self.gamut = gamut
    self.dither = dither
    self.chroma = chroma
    self.fullRange = fullRange ?? kind.isFullRange
    self.bitDepth = bitDepth
    self.quality = quality ?? kind.standardQuality
    self.pngEffort = pngEffort
  }

  /// Takes out filters that change nothing, as the planner does.
  ///
  /// - Returns: names of those taken out.
  @discardableResult
  mutating func leaveOutIdleFilters() -> [String] {
    var recipe = recipe
    let names = recipe.leaveOutIdleFilters()
    edits = recipe.edits
    return names
  }

  /// The recipe that the planner gets.
  package var recipe: RenderRecipe {
    var recipe = RenderRecipe(
      target: kind.target(primaries: primaries, chroma: chroma, fullRange: fullRange, bitDepth: bitDepth),
      display: display, tone: tone,
      contentHeadroom: contentHeadroom, gamut: gamut, dither: dither, appleMapTransfer: appleMapTransfer,
      applePartialHeadroom: applePartialHeadroom)
    recipe.target.profile = outputProfile
    recipe.target.keepsPlanes = kind.raw != nil
    if kind == .sdrJPEG { recipe.target.keptChroma = .jpeg(quality: quality) }
    recipe.fileCurve = fileCurve
    recipe.beyond = beyond
    recipe.sdrBelow = sdrBelow
    recipe.luts = luts
    recipe.mastering = mastering
    recipe.hlg = hlg
    recipe.edits = edits
    recipe.inputs = inputs
    recipe.editStrategy = editStrategy
    recipe.allowsSDRFilters = allowsSDRFilters
    recipe.workingFormat = workingFormat
    return recipe
  }
}

extension OutputKind {
  /// The signal of this kind of file in the layout that its encoder takes (`EncodeRequest`).
  ///
  /// - Parameters:
  ///   - primaries: code point; `nil` as in `OutputTarget.primaries`.
  ///   - chroma, fullRange: of Y'CbCr planes.
  ///   - bitDepth: one of `bitDepths`; `nil`: the usual one.
  func target(primaries: Int?, chroma: ChromaSubsampling, fullRange: Bool, bitDepth: Int?) -> OutputTarget {
    let isPlanar = layout == .planarYCC, depth = bitDepth ?? bitDepths[0]
    // Of one channel the smallest planes are made.
    let sampling = raw.map { $0.chroma == .none ? ChromaSubsampling.s420 : $0.chroma }
    return OutputTarget(
      primaries: primaries, encoding: curve, sink: depth == 32 ? .floatPlanes : layout.sink, bitDepth: depth,
      chroma: isPlanar ? sampling ?? chroma : .s444, fullRange: isPlanar ? fullRange : true, isOpaque: isOpaque,
      isPremultiplied: takesPremultiplied)
  }
}

extension OutputKind.Layout {
  fileprivate var sink: SinkKind {
    switch self {
    case .rgba8: .rgba8
    case .rgba16: .rgba16
    case .rgba16f: .rgba16f
    case .planarYCC: .planarYCC
    }
  }
}

extension EncodeRequest {
  /// The request for a rendered picture, with its light measured.
  package init(
    _ image: SampleImage, _ report: PlanReport, _ options: RenditionOptions, of source: SourceImage, _ pool: BandPool,
    threads: Int
  ) {
    let measured = RenderedLight(image, report, pool)
    self.init(
      image, report, options, TravellingMetadata(source, options.metadata, takesResources: options.kind.takesResources),
      light: OutputLight(source, report, options, measured: measured).metadata, threads: threads)
  }
}

/// Metadata that goes from a source into its rendition.
package struct TravellingMetadata: Sendable {
  var exif: [UInt8]?
  var xmp: [UInt8]?
  /// For JPEG and TIFF outputs.
  var photoshop: [UInt8]?
  var warnings: [Warning] = []

  /// Exif travels whole (encoders reset what describes the pixels); of the XMP what does not describe the pixels.
  ///
  /// - Parameters:
  ///   - choice: what of it.
  ///   - takesResources: whether the output can carry image resources.
  ///   - isKept: whether coded rows are kept, and with them the metadata that describes them.
  ///   - tellsOrientation: whether the output's Exif says how kept rows lie, as in JPEG.
  package init(
    _ source: SourceImage, _ choice: MetadataChoice, takesResources: Bool, isKept: Bool = false,
    tellsOrientation: Bool = false
  ) {
    exif =
      isKept && tellsOrientation
      ? choice.exif(source.exif, keeping: source.geometry.orientation) : source.exif.flatMap(choice.exif)
    photoshop = source.photoshop.flatMap { isKept ? $0 : photoshopWithoutPixelDescription($0) }.flatMap(
      choice.photoshop)
    if photoshop != nil && !takesResources {
      photoshop = nil
      warnings.append(Warning("iptc.dropped", "IPTC data have no place in this format and were left out"))
    }
    guard choice != .none, let xmp = source.xmp else { return }
    if let rest = xmpWithoutPixelDescription(xmp) {
      self.xmp = choice.xmp(rest)
    } else {
      warnings.append(Warning("xmp.dropped", "the XMP packet cannot be read and was left out"))
    }
  }
}

extension EncodeRequest {
  /// The request for a rendered picture: signalling from the plan's report.
  package init(
    _ image: SampleImage, _ report: PlanReport, _ options: RenditionOptions, _ metadata: TravellingMetadata,
    light: LightMetadata, threads: Int
  ) {
    self.init(
      kind: options.kind, image: image, hasAlpha: report.hasAlpha, cicp: report.outputCICP, exif: metadata.exif,
      xmp: metadata.xmp, quality: options.quality,
      effort: options.kind.format == "jxl" ? options.jxlEffort : options.pngEffort,
      contentHeadroom: report.outputHeadroom, displayHeadroom: report.displayHeadroom, threads: threads)
    self.light = light
    white = report.white
    photoshop = metadata.photoshop
    exrCompression = options.exrCompression
    icc = options.outputProfile?.bytes
  }
}
