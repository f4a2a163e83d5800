import HDRCore

extension HeadroomDecision {
  /// The content, display and recipe that decide the tone operator.
  struct Situation {
    var source: SourceImage
    var recipe: RenderRecipe
    /// The operator that was asked for by name.
    var asked: (any ToneOperator.Type)?
    /// The picture's ST 2094-50 curves that fit the display.
    var ownCurves: HeadroomAdaptiveMetadata?
    /// The content headroom after a gain map and filters.
    var content: Headroom
    var display: Headroom

    private var hasMap: Bool { source.gainMap?.metadata.isComplete == true }
    private var exceedsDisplay: Bool { content.stops > display.stops + 1e-9 }

    /// True if the display shows more than the light that an HLG signal stands for on a display of 1000 cd/m².
    private var exceedsHLG: Bool {
      (source.inputKind == "hlg" || recipe.mastering == .hlg) && display.stops > content.stops + 1e-9
    }

    /// True if an SDR rendition was edited for an SDR display.
    private var editsSDR: Bool {
      recipe.editsAsSDR && display.isSDR && (recipe.contentHeadroom == nil || recipe.isContentMeasured)
    }

    /// True if curves stored with the picture apply: they fit the unedited picture only.
    private var isAsItWas: Bool {
      !hasMap && recipe.contentHeadroom == nil && recipe.mastering == nil && recipe.luts.isEmpty
        && recipe.movesPixelsOnly
    }

    /// True if `auto` does not use the picture's own curves.
    var leavesCurvesUnused: Bool { recipe.tone == .auto && ownCurves != nil && !isAsItWas && !editsSDR }

    /// The operator, or the reason why there is none if the headrooms do not show it.
    var choice: (tone: (any ToneOperator.Type)?, whyNone: String?) {
      if recipe.display.reference != nil { return (nil, "a reference display shows light as it is") }
      return switch recipe.tone {
      case .none: (nil, hasMap ? nil : "tone-map none")
      case .auto: (automatic, nil)
      case .named: named
      }
    }

    private var automatic: (any ToneOperator.Type)? {
      if ownCurves != nil && isAsItWas { return HeadroomAdaptiveTone.self }
      if editsSDR {
        // The author's rendition for this display keeps its tones; light that filters put above the display is cut.
        return recipe.headroom(afterEditing: .sdr).map { $0 > display } ?? true ? ClipTone.self : nil
      }
      guard exceedsDisplay else { return nil }
      // Content described by luminances uses the ITU's curves. After a gain map the description does not apply.
      switch recipe.mastering {
      case .hlg where !hasMap: return HLGPeak.self
      case .hdr10 where !hasMap, .file where !hasMap: return BT2390.self
      default: return ReferenceWhiteTone.self
      }
    }

    private var named: (tone: (any ToneOperator.Type)?, whyNone: String?) {
      guard let asked else { return (nil, nil) }
      switch asked.direction {
      case .down where asked == HeadroomAdaptiveTone.self && source.light.headroomAdaptive?.baselineHeadroom != nil:
        return (ownCurves == nil ? nil : asked, nil)
      case .down: return (exceedsDisplay || asked == HLGPeak.self && exceedsHLG ? asked : nil, nil)
      case .up where content > .sdr: return (nil, "\(asked.name) takes SDR content, and this is HDR")
      case .up: return display > content ? (asked, nil) : (nil, "the display shows no more than the content has")
      case .both: return (asked, nil)
      }
    }

    /// - Parameter isOwn: the picture's own curves run.
    func whyChosen(isOwn: Bool) -> String {
      guard recipe.tone == .auto else { return "asked for by name" }
      if isOwn { return "the picture brings its own gain curves" }
      if hasMap && !recipe.movesPixelsOnly && !editsSDR {
        return "content headroom exceeds display headroom, and the file's own curve is not for the edited picture"
      }
      return editsSDR
        ? "the SDR rendition was edited: light above the display is cut" : "content headroom exceeds display headroom"
    }
  }
}
