import HDRCore

/// Which rendition of a file with a gain map filters get.
public enum EditedRendition: String, Sendable, Hashable, CaseIterable {
  case sdr
  /// The HDR rendition in full.
  case hdr
  /// What the map gives for a display between both.
  case between
  /// Base and map alike.
  case sdrAndGain = "sdr+gain"
  /// Each by itself.
  case sdrAndHDR = "sdr+hdr"

  /// For people.
  var text: String {
    switch self {
    case .sdr: "the SDR rendition"
    case .hdr: "the HDR rendition in full"
    case .between: "the rendition for the display"
    case .sdrAndGain: "base and map alike"
    case .sdrAndHDR: "both renditions"
    }
  }

  /// - Parameter headroom: of the rendition that was made of the map.
  init(_ map: GainMapMetadata, _ headroom: Headroom) {
    self = headroom.isSDR ? .sdr : headroom.stops >= map.mostHeadroom.stops - 1e-9 ? .hdr : .between
  }
}

extension GainMapMetadata {
  /// The larger of both headrooms: the HDR rendition in full.
  public var mostHeadroom: Headroom { Headroom(stops: Swift.max(baseHeadroom, alternateHeadroom)) }
}

extension Headroom {
  var isSDR: Bool { stops <= 1e-9 }
}

extension [FilterStep] {
  /// Whether all filters move pixels only.
  package var movesPixelsOnly: Bool { allSatisfy { $0.filter?.isGeometric == true } }
}

extension RenderRecipe {
  /// Whether all filters move pixels only.
  public var movesPixelsOnly: Bool { edits.movesPixelsOnly }

  /// Headroom of the display that an Adaptive or gain map file is shown on, before filters and their light.
  func shownHeadroom(of map: GainMapMetadata) -> Headroom {
    let content = (isContentMeasured ? nil : contentHeadroom) ?? map.mostHeadroom
    return min(display.headroom(of: content, target.encoding), target.largestHeadroom)
  }

  /// Headroom at which a gain map is followed to give filters their rendition: by the display and the file alone.
  ///
  /// - Returns: `nil` where there are no filters, or no map that can be applied.
  public func headroomToEdit(_ source: SourceImage) -> Headroom? {
    guard !edits.isEmpty, let map = source.gainMap?.metadata, map.isComplete else { return nil }
    if tone.wantsFullHeadroom { return map.mostHeadroom }
    let shown = shownHeadroom(of: map)
    switch editStrategy {
    case .hdr: return map.mostHeadroom
    case .automatic: return shown.isSDR || movesPixelsOnly ? shown : map.mostHeadroom
    case .sdrAndGain, .sdrAndHDR: return shown
    }
  }

  /// Headroom of the light that the first filter gets; `nil`: nothing says it.
  func headroomBeforeEdits(of source: SourceImage) -> Headroom? {
    if let map = source.gainMap?.metadata, map.isComplete, let follow = headroomToEdit(source) {
      return GainMapShare(map, display: follow, applePartialHeadroom).result
    }
    return (isContentMeasured ? nil : contentHeadroom) ?? ContentHeadroom.ofBase(source).headroom
  }

  /// Whether filters that change colours get the SDR rendition of a file for a display that shows no more. A filter that
  /// makes HDR of it needs a tone operator behind it.
  public func editsSDR(_ source: SourceImage) -> Bool {
    guard !movesPixelsOnly, !edits.contains(where: { $0.filter == ApplyGainMap.self }) else { return false }
    if source.gainMap == nil, ContentHeadroom.ofFile(source).headroom?.isSDR == true {
      // A plain SDR picture: its tones are its author's too.
      if case .named = tone { return false }
      return editStrategy != .hdr && display.headroom(of: .sdr, target.encoding).isSDR
    }
    guard let map = source.gainMap?.metadata, let headroom = headroomToEdit(source) else { return false }
    return headroom.isSDR && shownHeadroom(of: map).isSDR && min(map.baseHeadroom, map.alternateHeadroom) <= 1e-9
  }
}

extension DisplayChoice {
  /// Headroom of the display for a content's.
  package func headroom(of content: Headroom, _ encoding: OutputTarget.Encoding) -> Headroom {
    switch self {
    case .automatic: encoding == .sdr ? .sdr : content
    case .headroom(let headroom): headroom
    case .standard: .sdr
    case .constrainedHigh(let limit): min(content, limit)
    case .high: content
    case .reference(_, let headroom): headroom
    }
  }

  /// The headroom that was stated, whatever the content; `nil`: the content decides.
  func stated(_ encoding: OutputTarget.Encoding) -> Headroom? {
    switch self {
    case .automatic: encoding == .sdr ? .sdr : nil
    case .headroom(let headroom): headroom
    case .standard: .sdr
    case .constrainedHigh(let limit): limit
    case .high: nil
    case .reference(_, let headroom): headroom
    }
  }
}

extension ToneChoice {
  /// A tone operator that was asked for by name works on the HDR rendition; `clip` cuts what a map leaves.
  var wantsFullHeadroom: Bool {
    if case .named(let name, _) = self { name != ClipTone.name } else { false }
  }
}

extension RenderRecipe {
  /// What no sample of the output exceeds; `nil`: light stays as it is.
  var bound: Headroom? {
    switch beyond {
    case .keep: nil
    case .clip: display.stated(target.encoding) ?? target.largestHeadroom
    case .automatic: display.stated(target.encoding)
    }
  }
}

// MARK: Filters that change nothing

extension FilterStep {
  /// Whether the filter, with its values, leaves the colours of every picture as they are: it asks for no step of a plan.
  /// Filters that move pixels and those with second pictures are not looked at.
  public var changesNothing: Bool {
    guard let filter, complaint == nil, !filter.isGeometric, filter.category != .generator,
      !filter.parameters.contains(where: { if case .input = $0.kind { true } else { false } })
    else { return false }
    let builder = PlanBuilder(width: 64, height: 64)
    let recipe = RenderRecipe(target: OutputTarget(encoding: .linear, sink: .rgba16f))
    var edit = Edit(
      builder: builder, inputs: [:], recipe: recipe,
      headroom: Headroom(stops: 16))
    guard (try? filter.apply(values, to: &edit)) != nil else { return false }
    let after = edit.builder
    return Step.simplified(after.open.steps).isEmpty && after.passes.isEmpty && after.hasAlpha == builder.hasAlpha
      && after.open.stages.count == builder.open.stages.count && after.open.sources.isEmpty
      && (after.open.width, after.open.height) == (builder.open.width, builder.open.height)
  }
}

extension EditStrategy {
  /// Whether filters that change nothing are left out: not where the strategy itself decides what is shown.
  var leavesOutIdleFilters: Bool { self == .automatic || self == .sdrAndHDR }
}

extension RenderRecipe {
  /// Takes out filters that change nothing, so that nothing is expanded, tone mapped or measured for their sake.
  ///
  /// - Returns: names of those taken out.
  @discardableResult
  public mutating func leaveOutIdleFilters() -> [String] {
    guard editStrategy.leavesOutIdleFilters else { return [] }
    let idle = edits.filter(\.changesNothing)
    if idle.isEmpty { return [] }
    edits.removeAll { idle.contains($0) }
    return idle.map(\.name)
  }
}
