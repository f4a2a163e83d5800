import HDRCore
import HDRPlan
import ImageFiles

/// The ST 2094-50 metadata that a file's profile got, for the record.
package struct ProfileToneFacts: Sendable, Hashable {
  /// The origin of the curves.
  package enum Source: String, Sendable, Hashable {
    case file, setting, fit
    case referenceWhite = "reference-white"
  }

  package var source: Source
  package var bytes: Int
  /// The control points of a fitted curve for SDR displays, and its errors; else `nil`.
  package var points: Int?
  package var errors: ToneMetadataFit.Errors?
}

extension RenderJob {
  /// The largest error of fitted curves, in stops at 95 % of the pixels.
  private static let mostStops = 0.5

  /// Makes the payload of the profile's tag `HAGC`, if one is asked for (docs/light-metadata.md#hagc).
  ///
  /// - Parameters:
  ///   - recipe: that of the rendition, with a measured headroom.
  ///   - isUnchanged: true if the output's light is the source's.
  /// - Throws: `HDRError` `hagc.transfer` for a profile without code points and for another white, `hagc.lossy` for
  ///   lossy JPEG XL, `hagc.fit` if curves are demanded and cannot be fitted.
  func profileTone(
    _ source: SourceImage, _ rendition: RenditionOptions, _ recipe: RenderRecipe, isUnchanged: Bool
  ) throws(HDRError) -> [UInt8]? {
    guard let choice = rendition.statements.profileTone, let report = found.report else { return nil }
    guard CICP.Transfer.takesToneMetadata(report.outputCICP.transfer), rendition.recipe.target.space == nil else {
      throw HDRError(
        code: "hagc.transfer",
        message: "HAGC is for PQ, HLG or linear light with code points, and this output states another space")
    }
    guard report.signalWhite == ReferenceWhite.nits else {
      throw HDRError(
        code: "hagc.transfer",
        message: "HAGC is for light relative to 203 cd/m², and 1.0 is \(short(report.signalWhite))")
    }
    guard rendition.kind.format != .jxl || rendition.coding.quality >= 100 else {
      throw HDRError(
        code: "hagc.lossy", message: "HAGC needs JPEG XL without loss: leave out \(setting: "quality")")
    }
    switch choice {
    case .payload(let bytes):
      let payload = HeadroomAdaptiveMetadata.payload(ofT35: bytes[...]) ?? bytes
      found.profileTone = ProfileToneFacts(source: .setting, bytes: payload.count)
      return payload
    case .referenceWhite: return referenceWhite(report)
    case .fit(let isForced): return try fitted(source, recipe, isDemanded: true, isForced: isForced)
    case .automatic:
      if let payload = source.light.toneMetadata, isUnchanged {
        found.profileTone = ProfileToneFacts(source: .file, bytes: payload.count)
        return payload
      }
      if let map = source.gainMap?.metadata, map.isComplete, !map.baseIsHDR, recipe.view == nil,
        let payload = try fitted(source, recipe, isDemanded: false, isForced: false)
      {
        return payload
      }
      return referenceWhite(report)
    }
  }

  private func referenceWhite(_ report: PlanReport) -> [UInt8]? {
    let headroom = Headroom(factor: max(1, report.outputHeadroom))
    guard headroom.stops >= ToneMetadataFit.leastStops else {
      found.warn([Self.noCurve])
      return nil
    }
    let payload = HeadroomAdaptiveMetadata.referenceWhitePayload(for: headroom)
    found.profileTone = ProfileToneFacts(source: .referenceWhite, bytes: payload.count)
    return payload
  }

  private static var noCurve: Warning {
    Warning("hagc.none", "the picture has no light above reference white, so that HAGC is left out")
  }

  /// Fits curves to the renditions of the recipe for this display and for displays of less headroom.
  ///
  /// - Returns: `nil` for SDR light, and for curves that are too far off unless they are demanded.
  private func fitted(
    _ source: SourceImage, _ recipe: RenderRecipe, isDemanded: Bool, isForced: Bool
  ) throws(HDRError) -> [UInt8]? {
    guard recipe.view == nil else {
      throw HDRError(code: "hagc.fit", message: "a view makes one rendition, and HAGC is fitted to two")
    }
    guard let hdr = try light(source, recipe) else { return nil }
    let fit = try ToneMetadataFit(hdr) { (stops) throws(HDRError) in
      var other = recipe
      other.display = stops == 0 ? .standard : .headroom(Headroom(stops: stops))
      return try self.light(source, other)
    }
    guard let fit else {
      found.warn([Self.noCurve])
      return nil
    }
    let errors = fit.errors
    let text =
      "the fitted curves are \(short(errors.stops.p95, places: 2)) stops off the SDR rendition at 95 % of the pixels"
    if errors.stops.p95 > Self.mostStops, !isForced {
      guard !isDemanded else {
        throw HDRError(
          code: "hagc.fit", message: "\(text): \(setting: "icc-hagc") force-fit writes them, reference-white others")
      }
      found.warn([Warning("hagc.fit", "\(text), so that reference-white is written")])
      return nil
    }
    if fit.brighterShare > ToneMetadataFit.mostBrighter {
      let percent = (fit.brighterShare * 1000).rounded() / 10
      found.warn([
        Warning(
          "hagc.sdr-brighter", "the SDR rendition is brighter at \(percent) % of the pixels, and HAGC cannot say it")
      ])
    }
    found.profileTone = ProfileToneFacts(
      source: .fit, bytes: fit.payload.count, points: fit.points, errors: errors)
    explain("HAGC  \(fit.points) points, \(text)")
    return fit.payload
  }

  /// Renders a recipe as linear light in BT.2020, made small.
  private func light(_ source: SourceImage, _ recipe: RenderRecipe) throws(HDRError) -> ReducedLight? {
    var recipe = recipe
    recipe.target = OutputSignal(
      primaries: CICP.Primaries.bt2020, encoding: .linear, sink: .rgba16f, bitDepth: 16, chroma: .s444, isOpaque: true)
    recipe.dither = 0
    return ReducedLight(try render(try plan(source, recipe)))
  }
}
