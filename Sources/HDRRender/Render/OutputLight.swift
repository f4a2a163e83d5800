import HDRCore
import HDRPlan

/// The statements of an output file about its light, with reasons (policy: docs/colour-formulas.md#metadata-layouts).
package struct OutputLight: Sendable {
  package var metadata = LightMetadata()
  /// The source of the mastering display, for records; `nil` without one.
  package var masteringSource: String?
  package var warnings: [Warning] = []
  /// True if the output's light is the source's.
  package let isUnchanged: Bool

  /// Decides the statements; `measured` is the light of the output's pixels.
  package init(
    _ source: SourceImage, _ report: PlanReport, _ options: RenditionOptions, measured: RenderedLight?
  ) {
    isUnchanged = report.keepsLight(of: source, options, measured)
    guard options.kind.curve == .pq || options.kind.curve == .hlg else { return }
    setLevel(source, report, options, measured)
    setMastering(source, report, options, measured, isUnchanged: isUnchanged)
    // The viewing environment does not depend on pixels.
    (metadata.amve, metadata.reve) = (source.light.amve, source.light.reve)
    // The light was made relative to the file's diffuse white, and is written relative to this one.
    if source.light.diffuseWhite != nil {
      metadata.diffuseWhite = options.kind.curve == .pq ? source.light.signalWhite : ReferenceWhite.nits
    }
    // What a setting states is nothing of the file's that formats without a place for it drop.
    if source.light.places[.ndwt] == .setting, ![.heic, .avif].contains(options.kind.format) {
      metadata.diffuseWhite = nil
    }
    if source.light.cclv != nil {
      if isUnchanged {
        metadata.cclv = source.light.cclv
      } else {
        warnings.append(Warning("light.cclv-dropped", "the file's colour volume (cclv) is not that of what was made"))
      }
    }
    setTone(source, report, options, isUnchanged: isUnchanged)
  }

  private mutating func setLevel(
    _ source: SourceImage, _ report: PlanReport, _ options: RenditionOptions, _ measured: RenderedLight?
  ) {
    guard options.kind.statesLightLevel else { return }
    switch options.statements.level {
    case .measured:
      metadata.clli = measured?.level
      // A few pixels of a screenshot would make displays dim all of it.
      if let level = measured?.level, let peak = source.samplePeak, report.keepsLuminances(options) {
        metadata.clli?.maxCLL = min(level.maxCLL, max(level.maxFALL, peak.rounded(.up)))
      }
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
    let own = source.light.mdcv
    var peak = max(metadata.clli?.maxCLL ?? 0, measured?.level?.maxCLL ?? 0)
    switch options.statements.mastering {
    case .none: break
    case .stated(let display): (metadata.mdcv, masteringSource) = (display, "setting")
    case .file: (metadata.mdcv, masteringSource) = (own, own == nil ? nil : "file")
    case .automatic:
      // HLG is not made for one display; the file's mastering display is kept with unchanged pixels.
      guard options.kind.curve == .pq else {
        if isUnchanged, own != nil { (metadata.mdcv, masteringSource) = (own, "file") }
        break
      }
      if let view = report.view?.aces {
        metadata.mdcv = MasteringDisplay(of: view)
        masteringSource = "view"
        // The code of the view's peak stands for a little more light, which is measured in whole cd/m².
        if peak > view.peak, peak <= max(view.peak + 1, 1.001 * view.peak) {
          peak = view.peak
          // A stated level stays.
          if let level = metadata.clli, level == measured?.level {
            metadata.clli = ContentLightLevel(maxCLL: peak, maxFALL: level.maxFALL)
          }
        }
        break
      }
      let misfit = own.flatMap { report.misfit(of: $0, peak: peak, source) }
      if let own, misfit == nil {
        (metadata.mdcv, masteringSource) = (own, "file")
      } else if options.kind.statesLightLevel {
        // A mastering display that shows the whole output is made, except for formats without a place for it.
        // Nobody says how bright a view may become that is not of ACES.
        let declared = report.view == nil ? report.outputHeadroom * report.white : 0
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

extension MasteringDisplay {
  /// Makes the display of a view: the primaries that limit its colours, its peak, and black of 0.0001 cd/m².
  fileprivate init(of view: ACESView) {
    let limit = view.limit
    self.init(
      primaries: [limit.red, limit.green, limit.blue, limit.white], maxLuminance: view.peak, minLuminance: 0.0001)
  }
}

extension SourceImage {
  /// The light level of the samples, in cd/m², where the reader measured it in place of the brightest pixel's.
  fileprivate var samplePeak: Double? { light.places[.clli] == .samples ? light.clli?.maxCLL : nil }
}

extension PlanReport {
  /// Returns true if PQ states the luminances of the source's light, of which nothing was changed.
  fileprivate func keepsLuminances(_ options: RenditionOptions) -> Bool {
    options.kind.curve == .pq && edits.isEmpty && options.recipe.luts.isEmpty && operatorName == "none"
      && (gainMapWeight ?? 0) == 0 && white == ReferenceWhite.nits && view == nil
  }

  /// Returns true if the output's light is the source's: the same curve and primaries, and no colour change.
  fileprivate func keepsLight(
    of source: SourceImage, _ options: RenditionOptions, _ measured: RenderedLight?
  ) -> Bool {
    guard case .cicp(_, let transfer) = source.color.encoding, transfer == outputCICP.transfer else { return false }
    return edits.isEmpty && options.recipe.luts.isEmpty && operatorName == "none" && (gainMapWeight ?? 0) == 0
      && readsScene == writesScene && (measured?.clippedShare ?? 0) == 0
      && Planner.declaredPrimaries(source) == outputCICP.primaries && source.light.referenceWhite == signalWhite
  }

  /// Returns the reason why a file's mastering display does not fit the output; `nil` if it fits.
  ///
  /// - Parameter peak: the peak of the output, cd/m².
  fileprivate func misfit(of display: MasteringDisplay, peak: Double, _ source: SourceImage) -> String? {
    if display.primaries == nil { return "the file's has no primaries" }
    if Planner.declaredPrimaries(source) != outputCICP.primaries { return "the primaries changed" }
    if operatorName != "none" { return "\(operatorName) was applied" }
    if peak > display.maxLuminance { return "the picture reaches \(short(peak)) cd/m²" }
    return nil
  }
}
