import CodecService
import HDRCore
import HDRPlan
import ImageFiles

extension RenderJob {
  /// Edits the SDR base by its own filters and keeps the gain map unchanged.
  func editBase(
    _ file: InputFile, _ adaptive: AdaptiveOptions
  ) throws(HDRError) -> AdaptiveRequest {
    let source = try decode(file, .pixels)
    guard let map = source.gainMap, !map.metadata.baseIsHDR else {
      throw HDRError(code: "adaptive.strategy", message: "map: keep edits an SDR base, and this file has another")
    }
    var request = try recode(source, adaptive)
    var base = source
    base.gainMap = nil
    let depth = adaptive.container.depth(max(adaptive.baseDepth, source.image.bitDepth > 8 ? 10 : 8))
    var recipe = choice.rendition.recipe
    recipe.target = OutputSignal(
      primaries: recipe.target.primaries ?? Planner.sdrPrimaries(source), encoding: .sdr,
      sink: adaptive.container.sink(depth: depth), bitDepth: depth,
      chroma: adaptive.container.isPlanar ? choice.rendition.chroma : .s444, isOpaque: true)
    recipe.display = .standard
    recipe.edits += choice.rendition.ownEdits?.sdr ?? []
    let plan = try plan(base, recipe)
    explain("base", plan)
    found.report = plan.report
    request.base = .samples(try render(plan).narrowed(toBits: depth))
    request.baseColor = AdaptiveColor(cicp: plan.report.outputCICP)
    base.color = SourceColor(ofRGB: plan.report.outputCICP)
    base.gainMap = map
    try keepBase(of: base) { (target) throws(HDRError) in
      var edited = base, whole = recipe
      (edited.color, edited.gainMap) = (source.color, nil)
      whole.target = target
      (whole.target.primaries, whole.target.encoding, whole.dither) = (recipe.target.primaries, .sdr, 0)
      return try self.plan(edited, whole)
    }
    try keepPayload(of: source, file, adaptive, &request)
    return request
  }

  /// Keeps the map's own bytes, if the container is the source's and nothing is turned.
  private func keepPayload(
    of source: SourceImage, _ file: InputFile, _ adaptive: AdaptiveOptions, _ request: inout AdaptiveRequest
  ) throws(HDRError) {
    let isUpright = source.geometry == Geometry(width: source.image.width, height: source.image.height)
    guard let map = source.gainMap, map.metadata.kind != .apple, adaptive.keepsMap, isUpright,
      source.codedFormat == adaptive.container.format, let coded = try payloads(file).map
    else { return }
    request.map = coded
    request.mapColor = .gainMap(matrix: map.matrix, full: map.fullRange)
    request.metadata = try Self.rounded(map.metadata)
  }
}
