import ArgumentParser
import BatchEngine
import HDRCore
import HDRPlan
import ImageFiles

/// Options that decide pixels and file settings.
struct RenditionArguments: ParsableArguments {
  @Option(help: ArgumentHelp("What to make.", valueName: "kind"))
  var to: TargetArgument?

  @Option(
    help: ArgumentHelp(
      """
      Display headroom: peak over reference white, as a factor (4) or in stops (2ev). Default: 1 for sdr-*, else the \
      content's own.
      """,
      valueName: "factor|stops"))
  var headroom: HeadroomArgument?

  @Option(
    help: ArgumentHelp(
      """
      Display headroom by range: standard = 1, constrained-high = the content's but at most 2ev, high = the content's.
      """,
      valueName: "range"))
  var dynamicRange: DynamicRange?

  @Option(
    help: ArgumentHelp(
      "Display headroom by display: \(DisplayArgument.listing).", valueName: "name"))
  var display: DisplayArgument?

  @Option(
    help: ArgumentHelp(
      """
      Headroom of the content, instead of what the file says: factor, stops, measured (the largest of R, G, B) or \
      p99.99 (what so many percent of the pixels do not exceed). Without it and without a word in the file: measured.
      """,
      valueName: "factor|stops|measured"))
  var contentHeadroom: ContentHeadroomArgument?

  @Option(
    help: ArgumentHelp(
      """
      What the content was made for: hlg; black:peak:scale of HDR10 in cd/m², scale being what 1.0 of linear samples \
      stands for (203 if left out); or file, its mdcv and clli. auto takes hlg-ootf or bt2390 then.
      """,
      valueName: "hlg|min:max:scale|file"))
  var hdr10: MasteringArgument?

  @Option(
    help: ArgumentHelp(
      """
      Tone operator: auto follows a gain map where there is one, else takes reference-white where the content exceeds \
      the display; a name takes that operator, with parameters as in bt2390:knee=1,display-black=0.1; none clips.
      """,
      valueName: "operator"))
  var toneMap = ToneArgument(argument: "auto")!

  @Option(
    help: ArgumentHelp(
      """
      SMPTE ST 2094-50 metadata (a binary payload, with or without its T.35 header) for every picture, instead of what \
      the file brings along; auto follows them.
      """,
      valueName: "file"))
  var toneMetadata: String?

  @Option(
    help: ArgumentHelp(
      "A .cube or .3dl file, applied before the tone operator; several in their order.", valueName: "file"))
  var lut: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Space of the LUT's input and output: a curve (\(LUTChoice.Space.curves)), with primaries after a hyphen \
      (pq-p3; p3 is srgb-p3) or else bt2020 for pq and hlg, the output's for others. One for all LUTs, or one each. \
      Default srgb for SDR inputs; needed for HDR ones.
      """,
      valueName: "space"))
  var lutSpace: [LUTChoice.Space] = []

  @Option(help: ArgumentHelp("Outside the LUT's domain: go on in a straight line, or clamp.", valueName: "rule"))
  var lutRange: LUTRange?

  @Option(help: ArgumentHelp("Between the nodes of 3D LUTs. Default tetrahedral.", valueName: "rule"))
  var lutInterpolation: LUTChoice.Interpolation?

  @Option(
    help: ArgumentHelp(
      """
      Output primaries. Default bt2020 for HDR kinds; for sdr-* p3 when the source is wider than sRGB, else srgb.
      """,
      valueName: "primaries"))
  var primaries: OutputPrimaries?

  @Option(
    help: ArgumentHelp(
      """
      Colours outside the output's gamut: mix with grey, clip, or leave them; auto is compress, for rgba16f none.
      """,
      valueName: "rule"))
  var gamut = GamutChoice.automatic

  @Option(help: ArgumentHelp("Dither before quantising, in output codes; 0 is none.", valueName: "codes"))
  var dither = 0.0

  @Option(
    help: ArgumentHelp("How the values of Apple's gain maps become gains; Apple says bt709.", valueName: "curve"))
  var appleMapTransfer = AppleMapTransfer.bt709

  @Option(
    help: ArgumentHelp(
      "Apple's gain maps between SDR and full headroom: the headroom capped, or a share of all stops.",
      valueName: "rule"))
  var applePartialHeadroom = ApplePartialHeadroom.capped

  @Option(help: ArgumentHelp("sdr-jpeg, *-heic and adaptive-*: 0...100. Default 90.", valueName: "q"))
  var quality: Int?

  @Option(help: ArgumentHelp("*-heic, adaptive-heic, adaptive-avif: chroma samples. Default 420.", valueName: "chroma"))
  var chroma: ChromaArgument?

  @Option(help: ArgumentHelp("*-heic: range of code values. Default full.", valueName: "range"))
  var range: RangeArgument?

  @Option(help: ArgumentHelp("*-png: 0 fastest ... 9 smallest. Default 1.", valueName: "n"))
  var pngEffort: Int?

  func validate() throws {
    if let complaint = toneMap.complaint { throw ValidationError("--tone-map: \(complaint)") }
    if [headroom != nil, dynamicRange != nil, display != nil].filter(\.self).count > 1 {
      throw ValidationError("--headroom, --dynamic-range and --display say the same thing: give one of them")
    }
    if contentHeadroom != nil && hdr10 != nil {
      throw ValidationError("--content-headroom and --hdr10 say the same thing: give one of them")
    }
    if case .adaptive = to, contentHeadroom?.measure != nil {
      throw ValidationError("adaptive-* files measure their headroom by --map-headroom: leave out --content-headroom")
    }
    let asksForHeadroom = headroom != nil || dynamicRange != nil || display != nil
    if case .adaptive = to, asksForHeadroom {
      throw ValidationError(
        "adaptive-* files serve every display headroom: leave out --headroom, --display and --dynamic-range")
    }
    if case .rendition(let kind) = to, kind.encoding == .sdr {
      let factor = headroom?.headroom.factor ?? display?.preset.factor ?? 1
      if factor > 1 || dynamicRange.map({ $0 != .standard }) == true {
        throw ValidationError(
          "\(kind.rawValue) has a headroom of 1: leave out --headroom, --display and --dynamic-range, or choose a pq-, "
            + "hlg- or rgba16f output")
      }
    }
    if lut.isEmpty && (!lutSpace.isEmpty || lutRange != nil || lutInterpolation != nil) {
      throw ValidationError("--lut-space, --lut-range and --lut-interpolation need --lut")
    }
    if lutSpace.count > 1 && lutSpace.count != lut.count {
      throw ValidationError("\(lut.count) --lut with \(lutSpace.count) --lut-space: give one for all or one for each")
    }
    guard dither.isFinite, (0...16).contains(dither) else { throw ValidationError("--dither is 0...16 codes") }
    let heic: [TargetArgument] = [.rendition(.pqHEIC), .rendition(.hlgHEIC)]
    let adaptive = AdaptiveContainer.allCases.map { TargetArgument.adaptive($0) }
    try check(quality, 0...100, "--quality", [.rendition(.sdrJPEG)] + heic + adaptive)
    try check(
      pngEffort, 0...9, "--png-effort", [.rendition(.pqPNG), .rendition(.hlgPNG), .rendition(.sdrPNG)])
    try check(chroma.map { _ in 0 }, 0...0, "--chroma", heic + [.adaptive(.heic), .adaptive(.avif)])
    try check(range.map { _ in 0 }, 0...0, "--range", heic)
  }

  /// An option without effect is a mistake, so it is refused.
  private func check(_ value: Int?, _ allowed: ClosedRange<Int>, _ name: String, _ kinds: [TargetArgument]) throws {
    guard let value else { return }
    if let to, !kinds.contains(to) {
      let others = kinds.map(\.name).joined(separator: ", ")
      throw ValidationError("\(name) has no effect on \(to.name), only on \(others)")
    }
    guard allowed.contains(value) else {
      throw ValidationError("\(name) is \(allowed.lowerBound)...\(allowed.upperBound), not \(value)")
    }
  }

  /// Whether an option changes the pixels of a base, so that the source's own cannot be kept.
  var describesRendition: Bool {
    !lut.isEmpty || primaries != nil || toneMap.choice != .auto || dither != 0 || contentHeadroom != nil
      || hdr10 != nil || toneMetadata != nil
  }

  private var displayChoice: DisplayChoice {
    if let headroom { return .headroom(headroom.headroom) }
    if let display { return .headroom(Headroom(factor: display.preset.factor)) }
    return switch dynamicRange {
    case .standard: .standard
    case .constrainedHigh: .constrainedHigh
    case .high: .high
    case nil: .automatic
    }
  }

  /// Reads the LUTs and makes the rendition.
  ///
  /// - Parameter inputs: needed if a LUT has no space.
  /// - Throws: `UsageError`.
  func options(inputs: [InputItem], limits: DecodeLimits) throws(UsageError) -> RenditionOptions {
    var options = RenditionOptions(
      kind: to?.kind ?? .pqPNG, primaries: primaries?.code, display: displayChoice, tone: toneMap.choice,
      luts: try lutChoices(inputs, limits), contentHeadroom: contentHeadroom?.headroom, gamut: gamut, dither: dither,
      chroma: (chroma ?? .s420).subsampling, fullRange: (range ?? .full) == .full, quality: quality ?? 90,
      pngEffort: pngEffort ?? 1)
    options.contentMeasure = contentHeadroom?.measure
    options.mastering = hdr10?.choice
    options.toneMetadata = try toneMetadataBytes()
    options.appleMapTransfer = appleMapTransfer
    options.applePartialHeadroom = applePartialHeadroom
    return options
  }

  private func toneMetadataBytes() throws(UsageError) -> [UInt8]? {
    guard let toneMetadata else { return nil }
    let path = FilePath(toneMetadata)
    do {
      let bytes = try SettingFiles.read(path, maxBytes: 1 << 16)
      _ = try HeadroomAdaptiveMetadata(parsing: bytes)
      return bytes
    } catch {
      throw UsageError("--tone-metadata \(path.display): \(FilePath.printable("\(error)"))")
    }
  }

  private func lutChoices(_ inputs: [InputItem], _ limits: DecodeLimits) throws(UsageError) -> [LUTChoice] {
    var choices: [LUTChoice] = []
    for (index, name) in lut.enumerated() {
      let path = FilePath(name), table: CubeLUT
      do {
        let bytes = try SettingFiles.read(path, maxBytes: 1 << 30)
        table = try name.lowercased().hasSuffix(".3dl") ? CubeLUT(parsing3DL: bytes) : CubeLUT(parsing: bytes)
      } catch {
        throw UsageError("--lut \(path.display): \(FilePath.printable("\(error)"))")
      }
      let space = lutSpace.isEmpty ? .srgb : lutSpace[lutSpace.count == 1 ? 0 : index]
      choices.append(
        LUTChoice(
          lut: table, space: space, extrapolates: (lutRange ?? .extrapolate) == .extrapolate,
          interpolation: lutInterpolation ?? .tetrahedral))
    }
    if lutSpace.isEmpty && !choices.isEmpty {
      for input in inputs {
        // Files that cannot be read fail in the batch.
        guard let found = try? FileInspection(input.path, limits: limits), found.source.isHDR else { continue }
        throw UsageError(
          "\(input.path.display) is HDR, and a LUT does not say which numbers it takes: "
            + "add --lut-space linear, srgb, pq or hlg")
      }
    }
    return choices
  }
}
