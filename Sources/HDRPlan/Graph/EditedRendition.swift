import HDRCore

/// The rendition of a file with a gain map that filters get.
package enum EditedRendition: String, Sendable, Hashable, CaseIterable {
  case sdr
  /// The HDR rendition in full.
  case hdr
  /// The rendition that the map gives for a display between both.
  case between
  /// Base and map, edited alike.
  case sdrAndGain = "sdr+gain"
  /// Both renditions, each by itself.
  case sdrAndHDR = "sdr+hdr"

  /// The name of the rendition for people.
  var text: String {
    switch self {
    case .sdr: "the SDR rendition"
    case .hdr: "the HDR rendition in full"
    case .between: "the rendition for the display"
    case .sdrAndGain: "base and map alike"
    case .sdrAndHDR: "both renditions"
    }
  }

  /// - Parameter headroom: the headroom of the rendition that was made with the map.
  init(_ map: GainMapMetadata, _ headroom: Headroom) {
    self = headroom.isSDR ? .sdr : headroom.stops >= map.maxHeadroom.stops - 1e-9 ? .hdr : .between
  }
}

extension GainMapMetadata {
  /// The larger of both headrooms: that of the HDR rendition in full.
  package var maxHeadroom: Headroom { Headroom(stops: Swift.max(baseHeadroom, alternateHeadroom)) }
}

extension Headroom {
  var isSDR: Bool { stops <= 1e-9 }
}

extension [FilterStep] {
  /// True if all filters only move pixels.
  package var movesPixelsOnly: Bool { allSatisfy { $0.filter?.isGeometric == true } }
}

extension RenderRecipe {
  /// True if all filters only move pixels.
  package var movesPixelsOnly: Bool { edits.movesPixelsOnly }

  /// Returns the headroom of the display that an Adaptive or gain map file is shown on, before any filters.
  func shownHeadroom(of map: GainMapMetadata) -> Headroom {
    let content = (isContentMeasured ? nil : contentHeadroom) ?? map.maxHeadroom
    return min(display.headroom(of: content, target.encoding), target.largestHeadroom)
  }

  /// Returns the headroom at which a gain map gives filters their rendition, by the display and the file only.
  ///
  /// - Returns: `nil` if there are no filters, or no map that can be applied.
  package func headroomToEdit(_ source: SourceImage) -> Headroom? {
    guard !edits.isEmpty, let map = source.gainMap?.metadata, map.isComplete else { return nil }
    if tone.wantsFullHeadroom { return map.maxHeadroom }
    let shown = shownHeadroom(of: map)
    switch editStrategy {
    case .hdr: return map.maxHeadroom
    case .automatic: return shown.isSDR || movesPixelsOnly ? shown : map.maxHeadroom
    case .sdrAndGain, .sdrAndHDR: return shown
    }
  }

  /// Returns the headroom of the light that the first filter gets; `nil` if it is unknown.
  func headroomBeforeEdits(of source: SourceImage) -> Headroom? {
    if let map = source.gainMap?.metadata, map.isComplete, let follow = headroomToEdit(source) {
      return GainMapShare(map, display: follow, applePartialHeadroom).result
    }
    return (isContentMeasured ? nil : contentHeadroom) ?? ContentHeadroom.ofBase(source).headroom
  }

  /// Returns true if filters that change colours get the file's SDR rendition for a display that shows no more. If a
  /// filter makes HDR of it, a tone operator must follow.
  package func editsSDR(_ source: SourceImage) -> Bool {
    guard !movesPixelsOnly, !edits.contains(where: { $0.filter == ApplyGainMap.self }) else { return false }
    if source.gainMap == nil, ContentHeadroom.ofFile(source).headroom?.isSDR == true {
      // A plain SDR picture: its author chose its tones too.
      if case .named = tone { return false }
      return editStrategy != .hdr && display.headroom(of: .sdr, target.encoding).isSDR
    }
    guard let map = source.gainMap?.metadata, let headroom = headroomToEdit(source) else { return false }
    return headroom.isSDR && shownHeadroom(of: map).isSDR && min(map.baseHeadroom, map.alternateHeadroom) <= 1e-9
  }
}

extension DisplayChoice {
  /// Returns the headroom of the display for a content's headroom.
  package func headroom(of content: Headroom, _ encoding: OutputSignal.Encoding) -> Headroom {
    switch self {
    case .automatic: encoding == .sdr ? .sdr : content
    case .headroom(let headroom): headroom
    case .standard: .sdr
    case .constrainedHigh(let limit): min(content, limit)
    case .high: content
    case .reference(_, let headroom): headroom
    }
  }

  /// Returns the headroom that was stated, whatever the content; `nil` if the content decides.
  func stated(_ encoding: OutputSignal.Encoding) -> Headroom? {
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
  /// True for a tone operator that was asked for by name, which works on the HDR rendition, except `clip`.
  var wantsFullHeadroom: Bool {
    if case .named(let name, _) = self { name != ClipTone.name } else { false }
  }
}

extension RenderRecipe {
  /// The light that no sample of the output exceeds; `nil` if light is not limited.
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
  /// True if the filter, with its values, leaves the colours of every picture unchanged: it asks for no step of a plan.
  /// It is false for filters that move pixels and those with second pictures, which are not checked.
  package var changesNothing: Bool {
    guard let filter, complaint == nil, !filter.isGeometric, filter.category != .generator,
      !filter.parameters.contains(where: { if case .input = $0.kind { true } else { false } })
    else { return false }
    let builder = PlanBuilder(width: 64, height: 64)
    let recipe = RenderRecipe(target: OutputSignal(encoding: .linear, sink: .rgba16f))
    var edit = Edit(
      builder: builder, inputs: [:], recipe: recipe,
      headroom: Headroom(stops: 16))
    guard (try? filter.apply(values, to: &edit)) != nil else { return false }
    let after = edit.builder
    return PixelOperation.simplified(after.open.steps).isEmpty && after.passes.isEmpty
      && after.hasAlpha == builder.hasAlpha
      && after.open.stages.count == builder.open.stages.count && after.open.sources.isEmpty
      && (after.open.width, after.open.height) == (builder.open.width, builder.open.height)
  }
}

extension EditStrategy {
  /// True if filters that change nothing are left out; false if the strategy itself decides which rendition is shown.
  var leavesOutIdleFilters: Bool { self == .automatic || self == .sdrAndHDR }
}

extension RenderRecipe {
  /// Removes filters that change nothing, so that nothing is expanded, tone mapped or measured for them.
  ///
  /// - Returns: the names of the removed filters.
  @discardableResult
  package mutating func leaveOutIdleFilters() -> [String] {
    guard editStrategy.leavesOutIdleFilters else { return [] }
    let idle = edits.filter(\.changesNothing)
    if idle.isEmpty { return [] }
    edits.removeAll { idle.contains($0) }
    return idle.map(\.name)
  }
}
