import HDRCore

/// What content and display headroom decide: the weight of a gain map and the tone operator.
struct HeadroomDecision {
  /// How much of the gain map is applied; `nil` without one.
  var share: GainMapShare?
  /// Stages in linear BT.2020.
  var toneStages: [ToneStage] = []
  /// Clamps that belong into the destination's primaries.
  var destinationClamps: [ToneStage] = []
  /// The tone operator that ran.
  var tone: (any ToneOperator.Type)?
  /// Light that the result does not exceed by intention; `nil` where no operator ran.
  var peak: Double?
  /// Whether no colour inside BT.2020 can exceed the peak.
  var staysInside = true

  init(_ source: SourceImage, _ recipe: RenderRecipe, _ report: inout PlanReport) throws(PlanError) {
    let base = ContentHeadroom.ofBase(source)
    var file = ContentHeadroom.ofFile(source), black: Double?
    if let mastering = recipe.mastering { (file, black) = try Self.described(mastering, source) }
    let isKnown = recipe.contentHeadroom != nil || file.headroom != nil
    func edited(_ content: Headroom) -> Headroom { recipe.headroom(afterEditing: content) ?? content }
    var content = recipe.contentHeadroom ?? edited(file.headroom ?? .nominal)
    let described = content
    report.inputKind = source.inputKind
    report.contentHeadroomSource =
      recipe.contentHeadroom == nil
      ? file.source : (recipe.isContentMeasured ? "measured" : "content-headroom")
    if recipe.contentHeadroom == nil, isKnown, !recipe.editsAsSDR, recipe.headroom(afterEditing: .sdr) == nil {
      report.warnings.append(
        Warning("headroom.edited", "filters leave the content headroom unknown; the one before them is assumed"))
    }
    if !isKnown {
      report.warnings.append(
        Warning("headroom.unknown", "the file does not say its content headroom; 1000/203 is assumed"))
    }

    let largest = recipe.target.largestHeadroom
    var (asked, values) = try Self.operatorByName(recipe.tone)
    var display = recipe.display.headroom(of: content, recipe.target.encoding)
    // Up-conversion has no display of its own: that of the methods' documents.
    if recipe.display == .automatic, recipe.target.encoding != .sdr, asked?.direction == .up {
      display = max(content, .nominal)
    }
    if display > largest && content > largest {
      report.warnings.append(
        Warning(
          "headroom.signal",
          "\(recipe.target.encoding.rawValue) carries a headroom of \(oneDecimal(largest.factor)) at most; rendered for that"
        ))
    }
    display = min(display, largest)

    // The gain map first: its own curve, unless an operator was asked for by name.
    var operatorName = "none"
    var reason = "content headroom does not exceed display headroom"
    if let map = source.gainMap?.metadata, map.isComplete {
      var follow = display
      if case .named = recipe.tone { follow = map.mostHeadroom }
      // What filters do to the light decides nothing here.
      follow = recipe.headroomToEdit(source) ?? follow
      let share = GainMapShare(map, display: follow, recipe.applePartialHeadroom)
      self.share = share
      if !recipe.edits.isEmpty { report.editedRendition = EditedRendition(map, share.result) }
      if recipe.contentHeadroom == nil { content = edited(share.result) }
      report.gainMapWeight = share.weight
      report.gainMapFormula =
        share.appleHeadroom == nil
        ? "iso" : "apple \(recipe.appleMapTransfer.rawValue) \(recipe.applePartialHeadroom.rawValue)"
      operatorName = "gain-map"
      reason = "the file carries its own curve"
      if map.baseHeadroom == map.alternateHeadroom {
        report.warnings.append(
          Warning("gainmap.equal-headrooms", "both headrooms of the gain map are equal; the base is shown"))
      }
    } else if let stored = base.headroom, recipe.contentHeadroom == nil, recipe.mastering == nil {
      content = edited(stored)
    }

    let hasMap = source.gainMap?.metadata.isComplete == true
    let adaptive = source.light.headroomAdaptive
    report.toneMetadata = adaptive?.text
    report.editedFrom = (share?.result ?? base.headroom ?? .nominal).factor
    var chosen: (any ToneOperator.Type)?
    // Curves stored with the picture apply to the unedited picture only.
    let ownCurves = adaptive.flatMap {
      $0.baselineHeadroom == nil || $0.shares(displayStops: display.stops).isEmpty ? nil : $0
    }
    let editsSDR =
      recipe.editsAsSDR && display.isSDR && (recipe.contentHeadroom == nil || recipe.isContentMeasured)
    let isAsItWas =
      !hasMap && recipe.contentHeadroom == nil && recipe.mastering == nil && recipe.luts.isEmpty
      && recipe.movesPixelsOnly
    switch recipe.tone {
    case .none: if !hasMap { reason = "tone-map none" }
    case .auto where ownCurves != nil && isAsItWas: chosen = HeadroomAdaptiveTone.self
    case .auto where editsSDR:
      // What the author made for this display keeps its tones; what filters put above the display is cut.
      if recipe.headroom(afterEditing: .sdr).map({ $0 > display }) ?? true { chosen = ClipTone.self }
    case .auto:
      if ownCurves != nil {
        report.warnings.append(
          Warning(
            "tone.metadata-unused",
            "the picture's ST 2094-50 curves are not for what was made of it: a gain map, filters, LUTs or a stated "
              + "headroom go before them; tone-map st2094-50 takes them all the same"))
      }
      if content.stops > display.stops + 1e-9 {
        // Content described by luminances uses the ITU's curves. After a gain map the description does not apply.
        switch recipe.mastering {
        case nil: chosen = ReferenceWhiteTone.self
        case .hlg: chosen = hasMap ? ReferenceWhiteTone.self : HLGPeak.self
        case .hdr10, .file: chosen = hasMap ? ReferenceWhiteTone.self : BT2390.self
        }
      }
    case .named:
      switch asked?.direction {
      case .down where asked == HeadroomAdaptiveTone.self && adaptive?.baselineHeadroom != nil:
        if ownCurves != nil { chosen = asked }
      case .down: if content.stops > display.stops + 1e-9 { chosen = asked }
      case .up:
        if content > .sdr {
          reason = "\(asked?.name ?? "") takes SDR content, and this is HDR"
        } else if display > content {
          chosen = asked
        } else {
          reason = "the display shows no more than the content has"
        }
      case .both: chosen = asked
      case nil: break
      }
    }
    var output = content
    if let chosen, let black { values = values.setting(BT2390.contentBlack, black, of: chosen) }
    if let chosen {
      let own = chosen == HeadroomAdaptiveTone.self ? ownCurves : nil
      for stage in own?.stages(display: display) ?? chosen.stages(content: content, display: display, values) {
        if case .clamp = stage { destinationClamps.append(stage) } else { toneStages.append(stage) }
      }
      tone = chosen
      staysInside = own.map { $0.staysInside } ?? chosen.staysInside
      report.operatorParameters = values.all(chosen)
      report.operatorSpace = own?.space ?? chosen.space
      if chosen == HeadroomAdaptiveTone.self && own == nil {
        report.warnings.append(
          Warning("tone.no-metadata", "the picture has no ST 2094-50 metadata; reference-white runs in their place"))
      }
      let isSampled = chosen == ReferenceWhiteTone.self || own?.usesReferenceWhiteToneMapping == true
      if isSampled && max(content.stops, own?.baselineHeadroom ?? 0) > 5 {
        report.warnings.append(
          Warning(
            "tone.not-monotonic",
            "the sampled curve of reference-white turns back for content of headroom 32 and more; "
              + "reference-white-exact does not"))
      }
      let first = share.map { $0.weight != 0 } ?? false
      operatorName = first ? "gain-map+" + chosen.name : chosen.name
      reason = recipe.tone == .auto ? "content headroom exceeds display headroom" : "asked for by name"
      if editsSDR && recipe.tone == .auto { reason = "the SDR rendition was edited: light above the display is cut" }
      if own != nil && recipe.tone == .auto { reason = "the picture brings its own gain curves" }
      output = chosen.result(content: content, display: display, values)
      if chosen.direction == .both { output = min(content, display) }
      if let own { output = Headroom(stops: own.resultStops(displayStops: display.stops)) }
      peak = min(output, display, largest).factor
    }
    report.operatorName = operatorName
    report.operatorReason = reason
    report.contentHeadroom = described.factor
    report.displayHeadroom = display.factor
    report.outputHeadroom = min(output, largest).factor
  }

  /// Headroom of the content and its black in cd/m², as a caller describes them.
  private static func described(
    _ mastering: MasteringChoice, _ source: SourceImage
  ) throws(PlanError) -> (ContentHeadroom.Found, black: Double?) {
    let white = source.light.referenceWhite
    switch mastering {
    case .hlg: return (.init(headroom: .nominal, source: "hdr10 hlg"), nil)
    case .hdr10(let black, let peak, _):
      return (.init(headroom: Headroom(factor: max(1, peak / white)), source: "hdr10"), black)
    case .file:
      let light = source.light
      guard let peak = light.clli.map(\.maxCLL) ?? light.mdcv.map(\.maxLuminance), peak > 0 else {
        throw .missingChoice("hdr10 file: the file has no mastering display and no light level")
      }
      return (
        .init(headroom: Headroom(factor: max(1, min(peak, 10_000) / white)), source: "hdr10 file"),
        light.mdcv?.minLuminance
      )
    }
  }

  /// The operator that a choice names.
  private static func operatorByName(
    _ choice: ToneChoice
  ) throws(PlanError) -> ((any ToneOperator.Type)?, ToneValues) {
    guard case .named(let name, let values) = choice else { return (nil, ToneValues()) }
    guard let found = ToneOperators.named(name) else {
      throw .unknownOperator(name, known: ToneOperators.all.map { $0.name })
    }
    if let complaint = values.complaint(found) { throw .invalidParameter(complaint) }
    return (found, values)
  }

  private func oneDecimal(_ x: Double) -> String {
    let tenths = Int((x * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}

extension SourceImage {
  /// "sdr", "pq", "hlg", "linear", or "gain-map (iso)" and so on, for records.
  public var inputKind: String {
    if let map = gainMap {
      return "gain-map (\(map.metadata.kind.rawValue)\(map.metadata.baseIsHDR ? ", HDR base" : ""))"
    }
    if case .cicp(_, let transfer) = color.encoding {
      switch transfer {
      case CICP.Transfer.pq: return "pq"
      case CICP.Transfer.hlg: return "hlg"
      case CICP.Transfer.linear: return "linear"
      default: return "sdr"
      }
    }
    return "sdr"
  }
}
