import GPURender
import HDRCore
import HDRPlan
import ImageFiles
import Kernels

extension JPEGCoding {
  /// Says how a device may encode a plan's picture, as the JPEG writer does; `nil` for pictures that it does not make.
  ///
  /// - Parameter options: grey is the first channel.
  package init?(_ plan: Plan, _ options: JPEGOptions, keepsPixels: Bool = false) {
    guard plan.kept == nil, let last = plan.passes.last, last.sink.kind == .rgba8,
      max(last.width, last.height) <= JPEGOptions.mostSide
    else { return nil }
    self.init(
      JPEGLayout(width: last.width, height: last.height, chroma: options.chroma),
      JPEGTables(quality: options.quality), keepsPixels: keepsPixels, isOptimized: options.isOptimized)
  }
}

extension AdaptiveOptions {
  /// Says how a device may encode the codes of a gain map; `nil` if other parts are made of its samples.
  func mapCoding(_ plan: Plan, _ coding: CodingOptions, isGrey: Bool) -> JPEGCoding? {
    guard container == .jpeg, !writesAppleMap, !isJudged else { return nil }
    return JPEGCoding(
      plan,
      JPEGOptions(
        quality: mapQuality, chroma: isGrey ? ChromaSubsampling.none : .s444, isOptimized: coding.jpeg.isOptimized))
  }
}
