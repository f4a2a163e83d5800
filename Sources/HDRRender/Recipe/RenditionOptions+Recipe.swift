import HDRCore
import HDRPlan
import HDRRecipe
import ImageFiles

extension RenditionOptions {
  /// Takes over the settings of an output for pixels and coding; files that they name are not read here.
  init(_ kind: String, _ values: SettingValues) {
    let light = Settings.light, color = Settings.color, files = Settings.files
    // Adaptive HDR files have an SDR base; parts choose for themselves.
    let own = OutputKind(rawValue: kind) ?? (kind.hasPrefix("adaptive-") ? .sdrJPEG : .pqPNG)
    let content = values[light.contentHeadroom]
    self.init(kind: own)
    chroma = values[files.chroma]?.sampling ?? chroma
    fullRange = values[files.range].map { $0 == .full } ?? fullRange
    bitDepth = values[files.depth]
    coding.quality = values[files.quality] ?? coding.quality
    searchesQuality = QualitySearch.Goal(values) != nil
    coding.optimizesJPEG = values[files.jpegOptimize]
    coding.isProgressiveJPEG = values[files.progressive]
    switch values[files.pngEffort] {
    case .level(let level): coding.pngEffort = level
    case .gpu: coding.deflatesInChunks = true
    case nil: break
    }
    if own.format == .dpx { coding.dpxBits = bitDepth ?? coding.dpxBits }
    coding.jxlEffort = values[files.jxlEffort] ?? coding.jxlEffort
    coding.exrCompression = values[files.exrCompression] ?? coding.exrCompression
    channels = EXRChannelChoice(values[files.channels])
    // The others are items of their own.
    if values.takesAllPictures, channels == .all { channels = .none }
    if own.curve == .linear, !values.usesConfig { recipe.target.space = values[color.toSpace]?.known }
    switch values[color.primaries] {
    case .primaries(let set): recipe.target.primaries = set.code
    case .space(let space): recipe.target.space = space
    case nil: break
    }
    recipe.display = DisplayChoice(values)
    recipe.beyond = values[light.beyond]
    recipe.sdrBelow = values[light.sdrBelow]
    recipe.tone = values[light.toneMap]
    recipe.contentHeadroom = content?.headroom
    recipe.mastering = values[light.hdr10]
    recipe.hlg = values[light.hlg]
    recipe.gamut = values[color.gamut]
    takeViews(values)
    recipe.dither = values[color.dither]
    recipe.appleMapTransfer = values[light.appleMapTransfer]
    recipe.applePartialHeadroom = values[light.applePartialHeadroom]
    recipe.editStrategy = values[Settings.edits.editStrategy] ?? recipe.editStrategy
    recipe.workingFormat = values[Settings.edits.workingFormat] ?? recipe.workingFormat
    recipe.allowsSDRFilters = values[Settings.edits.allowSDRFilter]
    appleHeadroomCap = values[light.appleHeadroomCap]
    contentMeasure = content?.measure
    statements = LightStatements(values)
    cameraLook = CameraLook(values)
    metadata = values[files.metadata]
    motion = values[files.motion]
    credentials = values[files.c2pa]
    copiesLive = values[files.copyLive]
  }
}

extension RenditionOptions {
  private mutating func takeViews(_ values: SettingValues) {
    let views = Settings.views, exposure = values[views.exposure]
    // Views of a config are resolved where it is read.
    guard !values.usesConfig, let view = values[views.view]?.known else { return }
    recipe.view = ViewChoice(view, exposure: exposure)
    guard let hdr = values[views.hdrView]?.known else { return }
    guard let white = (values[views.pairWhite] ?? .stated(100)).level(sdr: view, hdr: hdr) else { return }
    hdrView = ViewChoice(hdr, exposure: exposure, white: white)
  }
}

extension LightStatements {
  init(_ values: SettingValues) {
    self.init()
    let light = Settings.light
    (level, mastering, tone) = (values[light.clli], values[light.mdcv], values[light.writeToneMetadata])
    switch values[light.iccHAGC] {
    case .automatic: profileTone = .automatic
    case .referenceWhite: profileTone = .referenceWhite
    case .fit: profileTone = .fit(isForced: false)
    case .forcedFit: profileTone = .fit(isForced: true)
    // The file is read with the recipe's others.
    case .file, nil: break
    }
  }
}

extension DisplayChoice {
  package init(_ values: SettingValues) {
    let light = Settings.light, limit = values[light.constrainedLimit]
    let shown = values[light.display], display = values[light.headroom] ?? shown?.potentialHeadroom
    self =
      switch values[light.dynamicRange] {
      case .standard: .standard
      case .constrainedHigh: .constrainedHigh(display.map { min($0, limit) } ?? limit)
      case .high: display.map { .headroom($0) } ?? .high
      case nil: display.map { .headroom($0) } ?? .automatic
      }
    guard let shown, shown.isReference, values[light.headroom] == nil else { return }
    // The content may use less than a reference display's headroom, but in no other way.
    self = .reference(shown, min(headroom(of: shown.potentialHeadroom, .linear), shown.potentialHeadroom))
  }
}

extension ItemProduct {
  init(_ kind: String, _ values: SettingValues) {
    if let container = AdaptiveContainer(output: kind) {
      self = .adaptive(AdaptiveOptions(container, values))
    } else if kind == KindNames.recompressed {
      self = .recompress(isWhole: values[Settings.files.recompress] == .whole)
    } else if let part = FilePart(output: kind) {
      self = .extract(part)
    } else {
      self = .rendition
    }
  }
}

extension FilePart {
  /// Parses `extract-base`.
  init?(output kind: String) {
    guard kind.hasPrefix("extract-") else { return nil }
    self.init(rawValue: String(kind.dropFirst("extract-".count)))
  }
}

extension AdaptiveOptions {
  init(_ container: AdaptiveContainer, _ values: SettingValues) {
    let adaptive = Settings.adaptive, light = Settings.light, color = Settings.color, files = Settings.files
    self.init(container: container)
    base = values[adaptive.base] ?? base
    // A view's colours are kept in the file of both views.
    space = values[adaptive.mapSpace] ?? (values.has(Settings.views.hdrView) ? .wider : space)
    baseDepth = values[adaptive.baseDepth] ?? 8
    map.channels = values[adaptive.mapChannels] ?? 3
    map.scale = values[adaptive.mapScale] ?? 1
    map.depth = values[adaptive.mapDepth] ?? 8
    map.range = values[adaptive.mapRange] ?? map.range
    map.headroom = values[adaptive.mapHeadroom] ?? map.headroom
    if let offset = values[adaptive.mapOffset] {
      map.baseOffset = [offset, offset, offset]
      map.alternateOffset = map.baseOffset
    }
    map.gamma = values[adaptive.mapGamma] ?? 1
    map.dithers = values[adaptive.mapDither]
    mapQuality = values[adaptive.mapQuality] ?? 90
    mapFollowsQuality = !values.has(adaptive.mapQuality)
    writesAppleMap = values[adaptive.appleMap]
    if let words = values[adaptive.mapMetadata] { bindings = AdaptiveBindings(words) }

    // The map has to be made again, and the base is not the source's own any more.
    let describesMap =
      [
        values.has(adaptive.mapChannels), values.has(adaptive.mapScale), values.has(adaptive.mapRange),
        values.has(adaptive.mapHeadroom), values.has(adaptive.mapSpace), values.has(adaptive.mapOffset),
        values.has(adaptive.mapGamma), values[adaptive.mapDither],
      ].contains(true)
    let describesBase =
      values[light.toneMap] != .auto || values[color.dither] != 0
      || [
        values.has(color.lut), values.has(color.primaries), values.has(light.contentHeadroom), values.has(light.hdr10),
        values.has(light.toneMetadata), values.has(Settings.views.view),
      ].contains(true)
    recomputes = describesMap || describesBase
    keepsBase =
      container.keepsPayloads && !values.has(files.quality) && QualitySearch.Goal(values) == nil
      && !values.has(files.jxlEffort)
      && !values.has(files.chroma) && !values.has(adaptive.baseDepth) && !values.has(Settings.reading.inputRange)
      && !values.has(Settings.reading.fromSpace)
    keepsMap = container.keepsPayloads && !values.has(adaptive.mapQuality) && !values.has(adaptive.mapDepth)
  }
}

extension AdaptiveBindings {
  /// Parses the words of `--map-metadata`.
  init(_ words: [String]) {
    let names: [String: AdaptiveBindings] = [
      "iso": .iso, "hdrgm": .hdrgm, "container": .container, "mpf": .multiPicture,
    ]
    self = words.reduce(into: []) { if let binding = names[$1] { $0.insert(binding) } }
  }
}

extension AdaptiveContainer {
  /// Parses `adaptive-jpeg`.
  package init?(output kind: String) {
    guard kind.hasPrefix("adaptive-") else { return nil }
    self.init(rawValue: String(kind.dropFirst("adaptive-".count)))
  }
}
