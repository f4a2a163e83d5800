import HDRCore
import HDRPlan
import ImageFiles

extension RenderJob {
  /// Keeps what a rendition is compared with when it is coded, if it will be judged.
  ///
  /// - Parameters:
  ///   - recipe: the recipe of `plan`, whose signal the reference has.
  func keepReference(
    _ request: EncodeRequest, _ source: SourceImage, _ recipe: RenderRecipe, _ plan: Plan
  ) throws(HDRError) {
    guard keepsReference else { return }
    var whole = recipe
    whole.target = recipe.target.whole
    whole.dither = 0
    // Floats of light, and 16 bits without dither, have all that there is.
    let isWhole = whole.target == recipe.target && recipe.dither == 0 || recipe.target.encoding == .linear
    guard !isWhole || plan.kept != nil else {
      reference = OutputReference(request, light: nil, cicp: request.cicp)
      return
    }
    let again = try self.plan(source, whole)
    reference = OutputReference(
      request, light: try render(again, isCoded: false), cicp: again.report.outputCICP)
  }

  /// Keeps what an Adaptive HDR file is compared with.
  func keepReference(_ request: AdaptiveRequest) throws(HDRError) {
    guard keepsReference, let base = referenceBase else { return }
    referenceBase = nil
    reference = OutputReference(request, base: base)
  }

  /// Keeps a base in full chroma, if the file will be judged.
  ///
  /// - Parameters:
  ///   - source: the picture with the colour and the gain map of the base.
  ///   - plan: makes it in 16 bits.
  func keepBase(of source: SourceImage, _ plan: (OutputSignal) throws(HDRError) -> Plan) throws(HDRError) {
    guard keepsReference else { return }
    let made = try plan(OutputSignal(encoding: .linear, sink: .rgba16, bitDepth: 16, chroma: .s444, isOpaque: true))
    var base = source
    base.image = try render(made, isCoded: false)
    base.geometry = Geometry(width: base.image.width, height: base.image.height)
    (base.color.matrix, base.color.fullRange) = (CICP.Matrix.identity, true)
    referenceBase = base
  }
}

extension OutputSignal {
  /// This signal in 16 bits, with a chroma sample for each pixel.
  fileprivate var whole: OutputSignal {
    guard encoding != .linear else { return self }
    var signal = OutputSignal(
      primaries: primaries, encoding: encoding, sink: .rgba16, bitDepth: 16, chroma: .s444, isOpaque: isOpaque)
    signal.transfer = transfer
    signal.profile = nil
    return signal
  }
}
