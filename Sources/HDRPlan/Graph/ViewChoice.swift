import HDRCore
import PlainData

/// The view through which scene light is shown, in place of a tone operator.
package struct ViewChoice: Sendable, Hashable {
  package var view: SceneView
  /// The stops by which the scene is made brighter before the view, before LUTs, and before filters unless one of them
  /// makes the scene.
  package var exposure: Double
  /// Looks of a config before the view, in linear BT.2020, if the view has them not inside.
  package var look: LUTChain?
  /// The cd/m² of the view that are 1.0 of the rendition; `nil`: those of the target's signal.
  package var white: Double?

  package init(_ view: SceneView, exposure: Double = 0, white: Double? = nil) {
    (self.view, self.exposure, self.white) = (view, exposure, white)
  }

  package init(_ view: ACESView, exposure: Double = 0, white: Double? = nil) {
    self.init(.aces(view), exposure: exposure, white: white)
  }

  /// The cd/m² of the view that are 1.0 of light for a signal: PQ and HLG state luminances, SDR and linear light are
  /// relative to the view's white.
  func white(of encoding: OutputSignal.Encoding) -> Double {
    if let white { return white }
    return encoding == .pq || encoding == .hlg ? ReferenceWhite.nits : view.referenceWhite
  }

  /// The largest luminance that a view may have of which nobody says it: that of PQ.
  private static let unknownPeak = 10_000.0

  /// Returns the headroom of the rendition for a signal; the largest there is if the view's peak is not known.
  package func headroom(_ encoding: OutputSignal.Encoding) -> Headroom {
    guard let peak = view.peak else { return Headroom(factor: Self.unknownPeak / white(of: encoding)) }
    return Headroom(factor: max(1, peak / white(of: encoding)))
  }

  /// Returns the operations from scene light to that of the rendition.
  func operations(_ encoding: OutputSignal.Encoding) -> [PixelOperation] {
    (look?.configSteps ?? []) + view.operations(white: white(of: encoding))
  }
}

extension SourceImage {
  /// True for light of a scene, which views show: floats of linear light, or codes of a space of scenes, without a gain map.
  package var isSceneLight: Bool { (isLinearLight || isScene) && gainMap == nil }
}

extension RenderRecipe {
  /// True if a filter makes light of a scene of a picture for a display.
  var undoesView: Bool { edits.contains { $0.filter == ACESInverseFilter.self } }

  /// Prepares a recipe with a view for a source.
  ///
  /// - Throws: `PlanError.displayLight` for a picture that is made for a display, unless a filter undoes that.
  mutating func takeView(of source: SourceImage) throws(PlanError) {
    guard let view else { return }
    guard source.isSceneLight || undoesView && source.gainMap == nil else { throw .displayLight(source.inputKind) }
    // Nothing is adapted to a display, and SDR files get the narrowest primaries that hold the view.
    tone = .none
    if target.encoding == .sdr, target.profile == nil, target.primaries == nil {
      target.primaries = view.view.primaries
    }
  }
}

extension PlanReport {
  /// Takes the largest component of what was rendered as the headroom of a view of which nobody says how bright it is.
  package mutating func take(measuredPeak peak: Double) {
    guard let view, view.peak == nil else { return }
    let headroom = min(outputHeadroom, max(1, peak))
    (contentHeadroom, displayHeadroom, outputHeadroom) = (headroom, headroom, headroom)
    contentHeadroomSource = "measured"
  }
}

extension HeadroomDecision {
  /// Decides for a view: the rendition's light is the view's.
  init(_ choice: ViewChoice, _ source: SourceImage, _ recipe: RenderRecipe, _ report: inout PlanReport) {
    let encoding = recipe.target.encoding, headroom = choice.headroom(encoding)
    report.inputKind = source.inputKind
    report.view = choice.view
    report.operatorName = choice.view.name
    report.operatorReason = "the view \(printable(choice.view.title)) was asked for"
    report.editedFrom = (recipe.contentHeadroom(ofBase: source).headroom ?? .nominal).factor
    report.contentHeadroomSource = "view"
    (report.contentHeadroom, report.displayHeadroom) = (headroom.factor, headroom.factor)
    report.outputHeadroom = min(headroom, recipe.target.largestHeadroom).factor
    staysInside = false
    if encoding == .hlg, let peak = choice.view.peak, peak != 1000 {
      report.warnings.append(
        Warning(
          "view.hlg",
          "HLG is light of a display of 1000 cd/m², and \(printable(choice.view.name)) is for \(short(peak)): a display "
            + "shows its luminances in another proportion"))
    }
  }
}
