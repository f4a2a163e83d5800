import HDRPlan
import ImageFiles

extension AdaptiveContainer {
  /// `SourceImage.format` of such files.
  var sourceFormat: String { rawValue }

  /// Bits of samples that are asked for with so many, 8 or 10.
  func depth(_ asked: Int) -> Int {
    switch self {
    case .jpeg: 8
    case .heic, .avif: asked
    case .jxl: asked > 8 ? 16 : 8
    }
  }

  /// What the encoder takes.
  func sink(depth: Int) -> SinkKind { isPlanar ? .planarYCC : depth > 8 ? .rgba16 : .rgba8 }
}
