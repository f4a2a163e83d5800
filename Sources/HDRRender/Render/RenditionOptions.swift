import FileParts
import CPURender
import HDRCore
import HDRPlan
import ImageFiles
import Kernels

/// The options of a rendition: the recipe of its pixels, the kind of file and its coding.
package struct RenditionOptions: Sendable {
  package var kind: OutputKind
  /// The chroma subsampling of Y'CbCr planes.
  package var chroma = ChromaSubsampling.s420
  /// The range of Y'CbCr planes; the default is `OutputKind.isFullRange`.
  package var fullRange: Bool
  /// A value of `OutputKind.bitDepths`; `nil`: the default one.
  package var bitDepth: Int?
  package var coding: CodingOptions
  /// True if the quality is found by encoding several times: the picture is one for all of them.
  package var searchesQuality = false
  private var chosen: RenderRecipe
  /// The method to measure the content's headroom, even if the file states it; `nil`: only if the file does not.
  package var contentMeasure: HeadroomMeasure?
  package var statements = LightStatements()
  /// The SMPTE ST 2094-50 metadata that replaces the file's own.
  package var toneMetadata: [UInt8]?
  /// The largest headroom of Apple's gain maps; `nil`: theirs.
  package var appleHeadroomCap: Headroom?
  /// The look of camera raw files.
  package var cameraLook = CameraLook()
  /// Further filters of each rendition of an Adaptive HDR file; `nil`: both have the same edits.
  package var ownEdits: OwnEdits?
  /// The view of an Adaptive HDR file's HDR rendition; that of the SDR one is the recipe's.
  package var hdrView: ViewChoice?
  package var metadata = MetadataChoice.all
  package var motion = MotionChoice.keep
  /// True if the video of a Live Photo is copied.
  package var copiesLive = false
  package var credentials = CredentialsChoice.drop
  /// The other channels and parts of OpenEXR files that go into OpenEXR.
  package var channels = EXRChannelChoice.all

  package init(kind: OutputKind) {
    self.kind = kind
    fullRange = kind.isFullRange
    coding = CodingOptions(quality: kind.format.standardQuality)
    chosen = RenderRecipe(
      target: OutputSignal(primaries: kind.primaries, encoding: kind.curve, sink: kind.layout.sink))
  }

  /// The recipe for the planner. Primaries, space and profile of its target can be set; the rest of the target follows from
  /// the kind of file and its coding, in the layout that the encoder takes (`EncodeRequest`).
  package var recipe: RenderRecipe {
    get {
      var recipe = chosen
      recipe.target = target
      return recipe
    }
    set { chosen = newValue }
  }

  /// True if a source's planes may be coded as they are (`Plan.kept`).
  var mayKeepPlanes: Bool {
    let target = target
    return (target.keptChroma != nil || target.keepsPlanes) && !isEdited && chosen.luts.isEmpty
  }

  /// True if the encoder gets light in binary32.
  package var rendersFloats: Bool { kind.takesFloats || (bitDepth ?? kind.bitDepths[0]) == 32 }

  private var target: OutputSignal {
    let isPlanar = kind.layout == .planarYCC, depth = bitDepth ?? kind.bitDepths[0]
    // A single channel gets the smallest chroma planes.
    let sampling = kind.raw.map { $0.chroma == .none ? ChromaSubsampling.s420 : $0.chroma }
    var target = OutputSignal(
      primaries: chosen.target.primaries, encoding: kind.curve,
      sink: rendersFloats ? .floatPlanes : kind.layout.sink,
      bitDepth: depth, chroma: isPlanar ? sampling ?? chroma : .s444, fullRange: isPlanar ? fullRange : true,
      isOpaque: kind.isOpaque, isPremultiplied: kind.takesPremultiplied)
    (target.profile, target.space) = (chosen.target.profile, chosen.target.space)
    target.transfer = kind.transfer
    target.keepsPlanes = kind.raw != nil
    if kind == .sdrJPEG, !searchesQuality { target.keptChroma = coding.jpeg.chroma }
    return target
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
      image, report, options,
      TravellingMetadata(source, options.metadata, channels: options.channels, into: options.kind.format),
      light: OutputLight(source, report, options, measured: measured).metadata, threads: threads)
  }
}

/// The metadata that goes from a source into its rendition.
package struct TravellingMetadata: Sendable {
  var exif: [UInt8]?
  var xmp: [UInt8]?
  /// The image resources for JPEG and TIFF outputs.
  var photoshop: [UInt8]?
  /// The video that the file will hold.
  var motion: MotionVideo?
  /// The pictures that the file will hold beside the picture.
  var auxiliaries: [AuxiliaryItem] = []
  var warnings: [Warning] = []

  /// Selects metadata. Exif is copied completely (encoders reset pixel fields), XMP without fields about pixels.
  ///
  /// - Parameters:
  ///   - choice: the part of it to copy.
  ///   - channels: those of OpenEXR that the caller does not want to lose without a word.
  ///   - format: the output's; the Exif of JPEG states the orientation of kept rows.
  ///   - isKept: true if coded rows are kept, and with them the metadata that describes them.
  package init(
    _ source: SourceImage, _ choice: MetadataChoice, channels: EXRChannelChoice = .all, into format: FileFormat,
    isKept: Bool = false
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
    if format != .exr, let part = source.exr { warnings += part.lost(choice, channels, into: format) }
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
      xmp: metadata.xmp, coding: options.coding, contentHeadroom: report.outputHeadroom,
      displayHeadroom: report.displayHeadroom, threads: threads)
    self.light = light
    white = report.white
    photoshop = metadata.photoshop
    (motion, auxiliaries) = (metadata.motion, metadata.auxiliaries)
    let target = options.recipe.target
    icc = target.profile?.bytes
    space = target.space
    if let space, options.kind.statesSpaceByProfile { icc = ICCProfileWriter.profile(of: space) }
  }
}
