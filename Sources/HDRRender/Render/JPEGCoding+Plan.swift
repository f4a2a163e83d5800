import GPURender
import HDRCore
import HDRPlan
import ImageFiles
import Kernels

extension JPEGCoding {
  /// Says how a device may encode a plan's picture, as the JPEG writer does; `nil` for pictures that it does not make.
  ///
  /// - Parameter chroma: `nil` takes what the quality suggests; `.none` is the first channel, grey.
  init?(_ plan: Plan, quality: Int, chroma: ChromaSubsampling? = nil, keepsPixels: Bool = false) {
    guard plan.kept == nil, let last = plan.passes.last, last.sink.kind == .rgba8,
      max(last.width, last.height) <= JPEGLayout.mostSide
    else { return nil }
    self.init(
      JPEGLayout(width: last.width, height: last.height, chroma: chroma ?? .jpeg(quality: quality)),
      JPEGTables(quality: min(max(quality, 1), 100)), keepsPixels: keepsPixels)
  }
}

extension AdaptiveOptions {
  /// Says how a device may encode the codes of a gain map; `nil` if other parts are made of its samples.
  func mapCoding(_ plan: Plan, isGrey: Bool) -> JPEGCoding? {
    guard container == .jpeg, !writesAppleMap else { return nil }
    return JPEGCoding(plan, quality: mapQuality, chroma: isGrey ? ChromaSubsampling.none : .s444)
  }
}
