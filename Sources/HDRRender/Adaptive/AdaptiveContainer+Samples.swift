import HDRPlan
import ImageFiles
import Kernels

extension AdaptiveContainer {
  /// Returns the bits of stored samples if `asked` bits, 8, 10 or 16, are requested.
  func depth(_ asked: Int) -> Int {
    switch self {
    case .jpeg: 8
    case .heic, .avif: asked
    case .jxl, .png: asked > 8 ? 16 : 8
    }
  }

  /// Returns the sample layout that the encoder takes.
  func sink(depth: Int) -> SinkKind { isPlanar ? .planarYCC : depth > 8 ? .rgba16 : .rgba8 }
}
