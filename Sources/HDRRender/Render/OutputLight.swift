import HDRCore
import HDRPlan

/// What an output file says about its light, and why (policy: docs/colour-formulas.md#metadata-layouts).
package struct OutputLight: Sendable {
  package var metadata = LightMetadata()
  /// Where the mastering display comes from, for records; `nil` without one.
  package var masteringSource: String?
  package var warnings: [Warning] = []

  /// - Parameter measured: of the output's pixels.
  package init(
    _ source: SourceImage, _ report: PlanReport, _ options: RenditionOptions, measured: RenderedLight?
  ) {
    guard options.kind.curve == .pq || options.kind.curve == .hlg else { return }
    let isUnchanged = report.keepsLight(of: source, options, measured)
    setLevel(options, measured)
    setMastering(source, report, options, measured, isUnchanged: isUnchanged)
    // What surrounds the viewer is no matter of pixels.
    (metadata.amve, metadata.reve) = (source.light.amve, source.light.reve)
    // Light was made relative to the file's diffuse white, and is written relative to this one.
    if source.light.diffuseWhite != nil { metadata.diffuseWhite = ReferenceWhite.nits }
    if source.light.cclv != nil {
      if isUnchanged {
        metadata.cclv = source.light.cclv
      } else {
        warnings.append(Warning("light.cclv-dropped", "the file's colour volume (cclv) is not that of what was made"))
      }
    }
    setTone(source, report, options, isUnchanged: isUnchanged)
  }

  private mutating func setLevel(_ options: RenditionOptions, _ measured: RenderedLight?) {
    guard options.kind.statesLightLevel else { return }
    switch options.statements.level {
    case .measured: metadata.clli = measured?.level
    case .none: break
    case .stated(let level):
      metadata.clli = level
      if let found = measured?.level, found.maxCLL > level.maxCLL + 1 {
        warnings.append(
          Warning(
            "light.clli",
            "the picture reaches \(short(found.maxCLL)) cd/m², and clli says MaxCLL \(short(level.maxCLL))"))
      }
    }
  }

  private mutating func setMastering(
    _ source: SourceImage, _ report: PlanReport, _ options: RenditionOptions, _ measured: RenderedLight?,
    isUnchanged: Bool
  ) {
    let own = source.light.mdcv, peak = max(metadata.clli?.maxCLL ?? 0, measured?.level?.maxCLL ?? 0)
    switch options.statements.mastering {
    case .none: break
    case .stated(let display): (metadata.mdcv, masteringSource) = (display, "setting")
    case .file: (metadata.mdcv, masteringSource) = (own, own == nil ? nil : "file")
    case .automatic:
      // HLG is made for no display of its own; what a file says of it stays with its pixels.
      guard options.kind.curve == .pq else {
        if isUnchanged, own != nil { (metadata.mdcv, masteringSource) = (own, "file") }
        break
      }
      let misfit = own.flatMap { report.misfit(of: $0, peak: peak, source) }
      if let own, misfit == nil {
        (metadata.mdcv, masteringSource) = (own, "file")
      } else if options.kind.statesLightLevel {
        // A mastering display shows all that there is. Formats without a place for it get none made.
        let declared = report.outputHeadroom * report.white
        metadata.mdcv = MasteringDisplay.forOutput(
          primaries: report.outputCICP.primaries, contentHeadroom: max(declared, peak) / ReferenceWhite.nits)
        masteringSource = misfit.map { "output: \($0)" } ?? "output"
      }
    }
    if let display = metadata.mdcv, peak > display.maxLuminance.rounded(.up) {
      warnings.append(
        Warning(
          "light.mdcv",
          "the picture reaches \(short(peak)) cd/m², and the mastering display \(short(display.maxLuminance))"))
    }
  }

  private mutating func setTone(
    _ source: SourceImage, _ report: PlanReport, _ options: RenditionOptions, isUnchanged: Bool
  ) {
    let payload = source.light.toneMetadata
    switch options.statements.tone {
    case .none: break
    case .keep: metadata.toneMetadata = payload
    case .referenceWhite:
      metadata.toneMetadata = HeadroomAdaptiveMetadata.referenceWhitePayload(
        for: Headroom(factor: max(1, report.outputHeadroom)))
    case .automatic:
      guard payload != nil else { break }
      let isAnchored = source.light.referenceWhite == ReferenceWhite.nits
      if isUnchanged && isAnchored {
        metadata.toneMetadata = payload
      } else if report.operatorName != HeadroomAdaptiveTone.name {
        warnings.append(
          Warning("tone.metadata-dropped", "the file's ST 2094-50 metadata are not for what was made of the picture"))
      }
    }
  }
}

extension PlanReport {
  /// Whether the output's light is the source's: the same curve and primaries, and nothing that changes a colour.
  fileprivate func keepsLight(
    of source: SourceImage, _ options: RenditionOptions, _ measured: RenderedLight?
  ) -> Bool {
    guard case .cicp(_, let transfer) = source.color.encoding, transfer == outputCICP.transfer else { return false }
    return edits.isEmpty && options.luts.isEmpty && operatorName == "none" && (gainMapWeight ?? 0) == 0
      && readsScene == writesScene && (measured?.clippedShare ?? 0) == 0
      && Planner.declaredPrimaries(source) == outputCICP.primaries && source.light.referenceWhite == signalWhite
  }

  /// Why the mastering display of a file does not fit the output; `nil`: it does.
  ///
  /// - Parameter peak: of the output, cd/m².
  fileprivate func misfit(of display: MasteringDisplay, peak: Double, _ source: SourceImage) -> String? {
    if display.primaries == nil { return "the file's has no primaries" }
    if Planner.declaredPrimaries(source) != outputCICP.primaries { return "the primaries changed" }
    if operatorName != "none" { return "\(operatorName) was applied" }
    if peak > display.maxLuminance { return "the picture reaches \(short(peak)) cd/m²" }
    return nil
  }
}
