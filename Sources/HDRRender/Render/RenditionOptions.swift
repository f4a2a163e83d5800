import CPURender
import HDRCore
import HDRPlan
import ImageFiles
import Kernels

/// The options for all pictures of a batch: recipe and file settings.
package struct RenditionOptions: Sendable {
  package var kind: OutputKind
  /// The code point of the output's primaries (`--primaries`); `nil` as in `OutputTarget.primaries`.
  package var primaries: Int?
  /// The profile of `--icc-output`.
  package var outputProfile: OutputProfile?
  package var display: DisplayChoice
  package var beyond = BeyondChoice.automatic
  package var sdrBelow = Headroom.sdr
  package var tone: ToneChoice
  /// The curve found in the file, if `tone` wants it.
  package var fileCurve: FileCurve?
  /// The LUTs in the order in which they are applied.
  package var luts: [LUTChoice]
  package var contentHeadroom: Headroom?
  /// The method to measure the content's headroom, even if the file states it; `nil`: only if the file does not.
  package var contentMeasure: HeadroomMeasure?
  package var mastering: MasteringChoice?
  package var hlg = HLGLight.automatic
  package var statements = LightStatements()
  /// The SMPTE ST 2094-50 metadata that replaces the file's own.
  package var toneMetadata: [UInt8]?
  package var gamut: GamutChoice
  /// The dither in codes; 0 for none.
  package var dither: Double
  /// The chroma subsampling of Y'CbCr planes.
  package var chroma: ChromaSubsampling
  /// The range of Y'CbCr planes; the default is `OutputKind.isFullRange`.
  package var fullRange: Bool
  /// A value of `OutputKind.bitDepths`; `nil`: the default one.
  package var bitDepth: Int?
  /// The quality of lossy kinds, 0...100.
  package var quality: Int
  /// The effort of PNG, 0...9.
  package var pngEffort: Int
  package var exrCompression = EXRCompression.zip
  /// The effort of JPEG XL, 1...9; 0 chooses it by the quality.
  package var jxlEffort = 0
  /// The look of camera raw files.
  package var cameraLook = CameraLook()
  /// The transfer of Apple's gain maps.
  package var appleMapTransfer = AppleMapTransfer.bt709
  package var applePartialHeadroom = ApplePartialHeadroom.capped
  /// The filters in the order in which they are applied; `inputs` has the second pictures that they name.
  package var edits: [FilterStep] = []
  package var inputs: [String: EditInput] = [:]
  /// Further filters of each rendition of an Adaptive HDR file; `nil`: both have the same edits.
  package var ownEdits: OwnEdits?
  package var editStrategy = EditStrategy.automatic
  /// The setting for `RenderRecipe`.
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
    self.quality = quality ?? kind.format.standardQuality
    self.pngEffort = pngEffort
  }

  /// Removes filters that change nothing, as the planner does.
  ///
  /// - Returns: the names of the removed filters.
  @discardableResult
  mutating func leaveOutIdleFilters() -> [String] {
    var recipe = recipe
    let names = recipe.leaveOutIdleFilters()
    edits = recipe.edits
    return names
  }

  /// The recipe for the planner.
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
  /// Returns the signal of this kind of file in the layout that its encoder takes (`EncodeRequest`).
  ///
  /// - Parameters:
  ///   - primaries: the code point; `nil` as in `OutputTarget.primaries`.
  ///   - chroma, fullRange: for Y'CbCr planes.
  ///   - bitDepth: a value of `bitDepths`; `nil`: the default one.
  func target(primaries: Int?, chroma: ChromaSubsampling, fullRange: Bool, bitDepth: Int?) -> OutputTarget {
    let isPlanar = layout == .planarYCC, depth = bitDepth ?? bitDepths[0]
    // A single channel gets the smallest chroma planes.
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
  /// Makes the request for a rendered picture, and measures its light.
  package init(
    _ image: SampleImage, _ report: PlanReport, _ options: RenditionOptions, of source: SourceImage, _ pool: BandPool,
    threads: Int
  ) {
    let measured = RenderedLight(image, report, pool)
    self.init(
      image, report, options, TravellingMetadata(source, options.metadata, into: options.kind.format),
      light: OutputLight(source, report, options, measured: measured).metadata, threads: threads)
  }
}

/// The metadata that goes from a source into its rendition.
package struct TravellingMetadata: Sendable {
  var exif: [UInt8]?
  var xmp: [UInt8]?
  /// The image resources for JPEG and TIFF outputs.
  var photoshop: [UInt8]?
  var warnings: [Warning] = []

  /// Selects metadata. Exif is copied completely (encoders reset pixel fields), XMP without fields about pixels.
  ///
  /// - Parameters:
  ///   - choice: the part of it to copy.
  ///   - format: the output's; the Exif of JPEG states the orientation of kept rows.
  ///   - isKept: true if coded rows are kept, and with them the metadata that describes them.
  package init(
    _ source: SourceImage, _ choice: MetadataChoice, into format: FileFormat, isKept: Bool = false
  ) {
    exif =
      isKept && format == .jpeg
      ? choice.exif(source.exif, keeping: source.geometry.orientation) : source.exif.flatMap(choice.exif)
    photoshop = source.photoshop.flatMap { isKept ? $0 : photoshopWithoutPixelDescription($0) }.flatMap(
      choice.photoshop)
    if photoshop != nil && !format.holdsResources {
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
  /// Makes the request for a rendered picture, with signalling from the plan's report.
  package init(
    _ image: SampleImage, _ report: PlanReport, _ options: RenditionOptions, _ metadata: TravellingMetadata,
    light: LightMetadata, threads: Int
  ) {
    self.init(
      kind: options.kind, image: image, hasAlpha: report.hasAlpha, cicp: report.outputCICP, exif: metadata.exif,
      xmp: metadata.xmp, quality: options.quality,
      effort: options.kind.format == .jxl ? options.jxlEffort : options.pngEffort,
      contentHeadroom: report.outputHeadroom, displayHeadroom: report.displayHeadroom, threads: threads)
    self.light = light
    white = report.white
    photoshop = metadata.photoshop
    exrCompression = options.exrCompression
    icc = options.outputProfile?.bytes
  }
}
