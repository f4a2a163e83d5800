import GPURender
import HDRCore
import HDRPlan

extension DeviceCoding {
  /// Says how a device may encode a plan's picture, as the writer of its rendition does; `nil` for pictures that it does
  /// not encode.
  package init?(_ plan: Plan, _ rendition: RenditionOptions) {
    switch rendition.kind.format {
    case .jpeg:
      guard let coding = JPEGCoding(plan, rendition.coding.jpeg) else { return nil }
      self = .jpeg(coding)
    case .png:
      guard rendition.coding.deflate == .chunks, plan.kept == nil, let last = plan.passes.last,
        [.rgba16, .rgba8].contains(last.sink.kind)
      else { return nil }
      let line = PNGLine(
        width: last.width, sampleBytes: last.sink.kind == .rgba16 ? 2 : 1, keepsAlpha: plan.report.hasAlpha)
      self = .deflate(DeflateCoding(DeflateLayout(line, height: last.height)))
    default: return nil
    }
  }
}
