import ArgumentParser
import BatchEngine
import HDRCore
import HDRPlan
import ImageFiles

/// Options of Adaptive HDR outputs.
struct AdaptiveArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Which rendition ordinary readers show; an HDR base needs HEIC or AVIF. Default sdr.", valueName: "rendition"))
  var base: AdaptiveOptions.Base?

  @Option(help: ArgumentHelp("Bits of an SDR base in HEIC and AVIF: 8 or 10. Default 8.", valueName: "bits"))
  var baseDepth: Int?

  @Option(help: ArgumentHelp("One gain for R, G and B (1), or one each (3). Default 3.", valueName: "n"))
  var mapChannels: Int?

  @Option(help: ArgumentHelp("The base is this many times as large as the map: 1, 2, 4. Default 1.", valueName: "n"))
  var mapScale: Int?

  @Option(help: ArgumentHelp("Bits of the map: 8, or 10 in HEIC and AVIF. Default 8.", valueName: "bits"))
  var mapDepth: Int?

  @Option(help: ArgumentHelp("Quality of the map, 0...100. Default 90.", valueName: "q"))
  var mapQuality: Int?

  @Option(
    help: ArgumentHelp(
      """
      Gains that the map reaches: full, gap (without isolated specks), or without this many percent at either end. \
      Default gap.
      """,
      valueName: "rule"))
  var mapRange: MapRangeArgument?

  @Option(
    help: ArgumentHelp(
      "Declared headroom: max, or the light that this many percent of the pixels do not exceed. Default 99.99.",
      valueName: "rule"))
  var mapHeadroom: MapHeadroomArgument?

  @Option(
    help: ArgumentHelp(
      """
      Primaries of the map's arithmetic: the base's, or the wider ones of both renditions. Default: base in JPEG, whose \
      older readers know nothing else; wider in HEIC and AVIF.
      """,
      valueName: "space"))
  var mapSpace: AdaptiveOptions.Space?

  @Option(help: ArgumentHelp("Linear light added before the ratio. Default 0.015625 (1/64).", valueName: "light"))
  var mapOffset: Double?

  @Option(help: ArgumentHelp("Gamma of the map's codes. Default 1.", valueName: "gamma"))
  var mapGamma: Double?

  @Flag(help: "Dither an 8-bit map by half a code to either side.")
  var mapDither = false

  @Option(
    help: ArgumentHelp(
      "adaptive-jpeg: how the file says that it has a map, a list of iso, hdrgm, container, mpf. Default all.",
      valueName: "list"))
  var mapMetadata: BindingsArgument?

  @Flag(help: "A gain map that is there and cannot be used fails its file.")
  var strict = false

  /// Whether an option describes a map that has to be made.
  private var describesMap: Bool {
    mapChannels != nil || mapScale != nil || mapRange != nil || mapHeadroom != nil || mapSpace != nil
      || mapOffset != nil || mapGamma != nil || mapDither
  }

  func validate() throws {
    func check<T: Equatable>(_ value: T?, _ allowed: [T], _ name: String) throws {
      guard let value, !allowed.contains(value) else { return }
      let list = allowed.map { "\($0)" }.joined(separator: ", ")
      throw ValidationError("\(name) is one of \(list), not \(value)")
    }
    try check(baseDepth, [8, 10], "--base-depth")
    try check(mapChannels, [1, 3], "--map-channels")
    try check(mapScale, [1, 2, 4], "--map-scale")
    try check(mapDepth, [8, 10], "--map-depth")
    if let mapQuality, !(0...100).contains(mapQuality) {
      throw ValidationError("--map-quality is 0...100, not \(mapQuality)")
    }
    if let mapOffset, !(mapOffset.isFinite && (0...1).contains(mapOffset)) {
      throw ValidationError("--map-offset is 0...1, not \(mapOffset)")
    }
    if let mapGamma, !(mapGamma.isFinite && (0.05...20).contains(mapGamma)) {
      throw ValidationError("--map-gamma is 0.05...20, not \(mapGamma)")
    }
  }

  /// - Parameter makesAnew: an option of the rendition describes the base, so the source's own is not kept.
  /// - Throws: `UsageError` for an option without effect.
  func product(_ target: TargetArgument?, _ rendition: RenditionArguments) throws(UsageError) -> ItemProduct {
    guard case .adaptive(let container) = target else {
      if describesMap || base != nil || baseDepth != nil || mapDepth != nil || mapQuality != nil || mapMetadata != nil {
        throw UsageError("--base, --base-depth and --map-* are for --to adaptive-*")
      }
      return .rendition
    }
    if container == .jpeg {
      if base == .hdr { throw UsageError("--base hdr needs adaptive-heic or adaptive-avif: JPEG readers expect SDR") }
      if baseDepth == 10 || mapDepth == 10 {
        throw UsageError("JPEG has 8 bits: 10 need adaptive-heic or adaptive-avif")
      }
    } else if mapMetadata != nil {
      throw UsageError("--map-metadata is for adaptive-jpeg; HEIC and AVIF have one way, tmap")
    }
    var options = AdaptiveOptions(container: container)
    options.base = base ?? .sdr
    options.baseDepth = baseDepth ?? 8
    options.baseChroma = (rendition.chroma ?? .s420).subsampling
    options.space = mapSpace ?? (container == .jpeg ? .base : .wider)
    options.map.channels = mapChannels ?? 3
    options.map.scale = mapScale ?? 1
    options.map.depth = mapDepth ?? 8
    options.map.range = mapRange?.range ?? options.map.range
    options.map.headroom = mapHeadroom?.measure ?? options.map.headroom
    if let mapOffset {
      options.map.baseOffset = [mapOffset, mapOffset, mapOffset]
      options.map.alternateOffset = options.map.baseOffset
    }
    options.map.gamma = mapGamma ?? 1
    options.map.dithers = mapDither
    options.quality = rendition.quality ?? 90
    options.mapQuality = mapQuality ?? 90
    options.bindings = mapMetadata?.bindings ?? .all
    options.recomputes = describesMap || rendition.describesRendition
    options.keepsBase = rendition.quality == nil && rendition.chroma == nil && baseDepth == nil
    options.keepsMap = mapQuality == nil && mapDepth == nil
    return .adaptive(options)
  }
}

/// `--map-range`.
struct MapRangeArgument: ExpressibleByArgument {
  var range: GainRange

  init?(argument: String) {
    switch argument {
    case "full": range = .full
    case "gap": range = .gap
    default:
      guard let percent = Double(argument), (0..<50).contains(percent) else { return nil }
      range = .percentile(percent)
    }
  }
}

/// `--map-headroom`.
struct MapHeadroomArgument: ExpressibleByArgument {
  var measure: HeadroomMeasure

  init?(argument: String) {
    if argument == "max" {
      measure = .maximum
      return
    }
    guard let percent = Double(argument), percent > 0, percent <= 100 else { return nil }
    measure = .percentile(percent)
  }
}

/// `--map-metadata iso,hdrgm`.
struct BindingsArgument: ExpressibleByArgument {
  var bindings: AdaptiveBindings

  init?(argument: String) {
    let names: [String: AdaptiveBindings] = [
      "iso": .iso, "hdrgm": .hdrgm, "container": .container, "mpf": .multiPicture,
    ]
    bindings = []
    for word in argument.split(separator: ",") {
      guard let binding = names[String(word)] else { return nil }
      bindings.insert(binding)
    }
    guard bindings.contains(.iso) || bindings.contains(.hdrgm) else { return nil }
  }
}
