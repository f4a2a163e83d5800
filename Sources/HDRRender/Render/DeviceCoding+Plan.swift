import GPURender
import HDRCore
import HDRPlan
import ImageFiles

extension DeviceCoding {
  /// Says how a device may encode a plan's picture, as the writer of its rendition does; `nil` for pictures that it does
  /// not encode.
  package init?(_ plan: Plan, _ rendition: RenditionOptions) {
    if rendition.kind.format == .jpeg {
      guard let coding = JPEGCoding(plan, rendition.coding.jpeg) else { return nil }
      self = .jpeg(coding)
    } else {
      guard plan.kept == nil, let last = plan.passes.last,
        let line = DeflateLine(last, rendition, channels: plan.report.hasAlpha ? 4 : 3)
      else { return nil }
      self = .deflate(DeflateCoding(DeflateLayout(line, height: last.height)))
    }
  }
}

extension DeflateLine {
  /// Says what is deflated of a pass's picture in chunks that devices make; `nil` for formats and efforts that have none.
  fileprivate init?(_ pass: Pass, _ rendition: RenditionOptions, channels: Int) {
    let width = pass.width, kind = pass.sink.kind
    switch (rendition.kind.format, kind) {
    case (.png, .rgba16), (.png, .rgba8):
      self = .png(PNGLine(width: width, sampleBytes: kind == .rgba16 ? 2 : 1, keepsAlpha: channels == 4))
    case (.tiff, .rgba16): self = .tiff(TIFFLine(.integers, width: width, channels: channels))
    case (.tiff, .rgba16f): self = .tiff(TIFFLine(.halves, width: width, channels: channels))
    case (.tiff, .floatPlanes): self = .tiff(TIFFLine(.floats, width: width, channels: channels))
    case (.exr, .rgba16f): self = .exr(EXRLine(width: width, channels: channels))
    default: return nil
    }
    let isEXR = rendition.kind.format == .exr, coding = rendition.coding
    guard isEXR ? coding.exrCompression == .zipGPU : coding.deflate == .chunks else { return nil }
  }
}
