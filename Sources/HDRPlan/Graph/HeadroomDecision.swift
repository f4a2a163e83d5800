import HDRCore

/// The decisions that follow from content and display headroom: the weight of a gain map and the tone operator.
struct HeadroomDecision {
  /// The share of the gain map that is applied; `nil` without one.
  var share: GainMapShare?
  /// The stages in linear BT.2020.
  var toneOperations: [ToneOperation] = []
  /// The clamps that must run in the destination's primaries.
  var destinationClamps: [ToneOperation] = []
  /// The tone operator that ran.
  var tone: (any ToneOperator.Type)?
  /// The light that the result does not exceed by design; `nil` if no operator ran.
  var peak: Double?
  /// True if no colour inside BT.2020 can exceed the peak.
  var staysInside = true

  init(_ source: SourceImage, _ recipe: RenderRecipe, _ report: inout PlanReport) throws(PlanError) {
    var file = recipe.contentHeadroom(ofFile: source), black: Double?
    if let mastering = recipe.mastering { (file, black) = try Self.described(mastering, source, recipe) }
    let (asked, values) = try Self.operatorByName(recipe.tone)
    report.inputKind = source.inputKind
    let described = Self.content(file, recipe, &report)
    let kept = recipe.keptUnit(of: source)
    let display = Self.display(for: described, asked, recipe, kept, &report)
    let content = followMap(source, recipe, described, display, &report)

    let ownCurves = source.light.headroomAdaptive.flatMap {
      $0.baselineHeadroom == nil || $0.shares(displayStops: display.stops).isEmpty ? nil : $0
    }
    let situation = Situation(
      source: source, recipe: recipe, asked: asked, ownCurves: ownCurves, content: content, display: display)
    if situation.leavesCurvesUnused {
      report.warnings.append(
        Warning(
          "tone.metadata-unused",
          "the picture's ST 2094-50 curves are not for what was made of it: a gain map, filters, LUTs or a stated "
            + "headroom go before them; \(setting: "tone-map") st2094-50 takes them all the same"))
    }
    let (chosen, whyNone) = situation.choice
    var output = content
    if let chosen {
      output = run(
        chosen, black.map { values.setting(BT2390.contentBlack, $0, of: chosen) } ?? values, situation, &report)
    } else {
      report.operatorName = share == nil ? "none" : "gain-map"
      report.operatorReason =
        whyNone
        ?? (share == nil ? "content headroom does not exceed display headroom" : "the file carries its own curve")
    }
    // In a signal of luminances, a reference display's headroom is that of its peak in the signal's unit.
    let unit = recipe.display.unit(of: source) * kept
    if recipe.display.reference != nil { peak = recipe.outputBound(of: source) }
    report.contentHeadroom = described.factor * unit
    report.displayHeadroom = display.factor * kept
    report.outputHeadroom = min(
      output.factor * unit, recipe.bound.map { $0.factor * kept } ?? recipe.target.largestHeadroom.factor,
      recipe.target.largestHeadroom.factor * recipe.display.unit(of: source))
    report.white = recipe.display.reference?.white ?? ReferenceWhite.nits
  }

  /// Returns the headroom of the content after filters, as the caller or the file states it, else the nominal one.
  private static func content(
    _ file: ContentHeadroom.Found, _ recipe: RenderRecipe, _ report: inout PlanReport
  ) -> Headroom {
    if let stated = recipe.contentHeadroom {
      report.contentHeadroomSource = recipe.isContentMeasured ? "measured" : "content-headroom"
      return stated
    }
    report.contentHeadroomSource = file.source
    if file.headroom == nil {
      report.warnings.append(
        Warning("headroom.unknown", "the file does not say its content headroom; 1000/203 is assumed"))
    } else if !recipe.editsAsSDR, recipe.headroom(afterEditing: .sdr) == nil {
      report.warnings.append(
        Warning("headroom.edited", "filters leave the content headroom unknown; the one before them is assumed"))
    }
    return recipe.edited(file.headroom ?? .nominal)
  }

  /// Returns the headroom of the display, at most the largest that the target's signal carries.
  private static func display(
    for content: Headroom, _ asked: (any ToneOperator.Type)?, _ recipe: RenderRecipe, _ kept: Double,
    _ report: inout PlanReport
  ) -> Headroom {
    let largest =
      kept == 1 ? recipe.target.largestHeadroom : Headroom(factor: recipe.target.largestHeadroom.factor / kept)
    var display = recipe.display.headroom(of: content, recipe.target.encoding)
    if recipe.display.reference != nil { return display }
    // Up-conversion states no display; it uses the one of the methods' documents.
    if recipe.display == .automatic, recipe.target.encoding != .sdr, asked?.direction == .up {
      display = max(content, .nominal)
    }
    if display > largest && content > largest {
      let most = decimals(largest.factor, 1)
      report.warnings.append(
        Warning(
          "headroom.signal",
          "\(recipe.target.encoding.rawValue) carries a headroom of \(most) at most; rendered for that"))
    }
    return min(display, largest)
  }

  /// Applies the gain map first, by its own curve, unless an operator was asked for by name.
  ///
  /// - Returns: the headroom of the content after the map and filters.
  private mutating func followMap(
    _ source: SourceImage, _ recipe: RenderRecipe, _ content: Headroom, _ display: Headroom,
    _ report: inout PlanReport
  ) -> Headroom {
    let base = recipe.contentHeadroom(ofBase: source)
    report.toneMetadata = source.light.headroomAdaptive?.text
    report.editedFrom = (base.headroom ?? .nominal).factor
    guard let map = source.gainMap?.metadata, map.isComplete else {
      guard let stored = base.headroom, recipe.contentHeadroom == nil, recipe.mastering == nil else { return content }
      return recipe.edited(stored)
    }
    var follow = display
    if recipe.tone.wantsFullHeadroom { follow = map.maxHeadroom }
    // Changes of light by filters do not count here.
    follow = recipe.headroomToEdit(source) ?? follow
    let share = GainMapShare(map, display: follow, recipe.applePartialHeadroom)
    self.share = share
    if !recipe.edits.isEmpty { report.editedRendition = EditedRendition(map, share.result) }
    report.editedFrom = share.result.factor
    report.gainMapWeight = share.weight
    report.gainMapFormula =
      share.appleHeadroom == nil
      ? "iso" : "apple \(recipe.appleMapTransfer.rawValue) \(recipe.applePartialHeadroom.rawValue)"
    if map.baseHeadroom == map.alternateHeadroom {
      report.warnings.append(
        Warning("gainmap.equal-headrooms", "both headrooms of the gain map are equal; the base is shown"))
    }
    return recipe.contentHeadroom == nil ? recipe.edited(share.result) : content
  }

  /// Sets the stages of an operator.
  ///
  /// - Returns: the headroom of the result.
  private mutating func run(
    _ chosen: any ToneOperator.Type, _ values: ToneValues, _ situation: Situation, _ report: inout PlanReport
  ) -> Headroom {
    let content = situation.content, display = situation.display, recipe = situation.recipe
    let own = chosen == HeadroomAdaptiveTone.self ? situation.ownCurves : nil
    let fileCurve = chosen == FileCurveTone.self ? recipe.fileCurve : nil
    let operations = own?.operations(display: display) ?? fileCurve?.operations(display: display)
    for operation in operations ?? chosen.operations(content: content, display: display, values) {
      if case .clamp = operation { destinationClamps.append(operation) } else { toneOperations.append(operation) }
    }
    tone = chosen
    staysInside = fileCurve == nil && (own.map { $0.staysInside } ?? chosen.staysInside)
    report.operatorParameters = values.all(chosen)
    report.operatorSpace = own?.space ?? chosen.space
    if chosen == HeadroomAdaptiveTone.self && own == nil {
      report.warnings.append(
        Warning("tone.no-metadata", "the picture has no ST 2094-50 metadata; reference-white runs in their place"))
    }
    if chosen == FileCurveTone.self && fileCurve == nil {
      report.warnings.append(
        Warning("tone.no-file-curve", "the file has no gain map to take a curve from; reference-white runs instead"))
    }
    let isSampled = chosen == ReferenceWhiteTone.self || own?.usesReferenceWhiteToneMapping == true
    if isSampled && max(content.stops, own?.baselineHeadroom ?? 0) > 5 {
      report.warnings.append(
        Warning(
          "tone.not-monotonic",
          "the sampled curve of reference-white turns back for content of headroom 32 and more; "
            + "reference-white-exact does not"))
    }
    report.operatorName = share.map { $0.weight != 0 } == true ? "gain-map+" + chosen.name : chosen.name
    report.operatorReason = situation.whyChosen(isOwn: own != nil)
    var output = chosen.result(content: content, display: display, values)
    if chosen.direction == .both { output = min(content, display) }
    if let own { output = Headroom(stops: own.resultStops(displayStops: display.stops)) }
    peak = min(output, display, recipe.target.largestHeadroom).factor
    return output
  }

  /// Returns the headroom of the content and its black in cd/m², as a caller describes them.
  private static func described(
    _ mastering: MasteringChoice, _ source: SourceImage, _ recipe: RenderRecipe
  ) throws(PlanError) -> (ContentHeadroom.Found, black: Double?) {
    let white = recipe.white(of: source)
    switch mastering {
    case .hlg: return (.init(headroom: .nominal, source: "hdr10 hlg"), nil)
    case .hdr10(let black, let peak, let scale):
      guard scale == nil || ["pq", "linear"].contains(source.inputKind) else {
        throw .invalidParameter(
          "hdr10: the scale says what 1.0 of linear or PQ light stands for, and this picture is \(source.inputKind)")
      }
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

  /// Returns the operator that a choice names.
  private static func operatorByName(
    _ choice: ToneChoice
  ) throws(PlanError) -> ((any ToneOperator.Type)?, ToneValues) {
    guard case .named(let name, let values) = choice else { return (nil, ToneValues()) }
    guard let found = ToneOperators.named(name) else {
      throw .unknownOperator(name, known: ToneOperators.all.map { $0.name })
    }
    if let complaint = values.complaint(found) { throw .invalidParameter("\(complaint)") }
    return (found, values)
  }
}

extension SourceImage {
  /// "sdr", "pq", "hlg", "linear", "log", "extended" (floats with a curve), "raw" (samples of a sensor), or
  /// "gain-map (iso)" and so on, for records.
  package var inputKind: String {
    if sensor != nil { return "raw" }
    if let map = gainMap {
      return "gain-map (\(map.metadata.kind.rawValue)\(map.metadata.baseIsHDR ? ", HDR base" : ""))"
    }
    if case .space(let space) = color.encoding, space.isScene { return space.kind.rawValue }
    if case .cicp(_, let transfer) = color.encoding {
      switch transfer {
      case CICP.Transfer.pq: return "pq"
      case CICP.Transfer.hlg: return "hlg"
      case CICP.Transfer.linear: return "linear"
      default: break
      }
    }
    if image.format.isInteger { return "sdr" }
    // Floats do not end at 1.
    if case .matrixTRC(let curves, _, _) = color.encoding, curves.allSatisfy({ $0 == .identity }) { return "linear" }
    return "extended"
  }
}
