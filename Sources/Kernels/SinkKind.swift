/// The list of sinks. The raw value names the GLSL function `void NAME(uvec2 block, uint k)`.
public enum SinkKind: String, Sendable, Hashable, CaseIterable {
  /// R G B A binary16, little endian, through an RGBA16F storage image on the GPU (seen as R16G16B16A16_UINT).
  case rgba16f = "store_rgba16f"
  /// R G B A unsigned 16 bit, little endian.
  case rgba16 = "store_rgba16"
  /// R G B A unsigned 8 bit.
  case rgba8 = "store_rgba8"
  /// Planes Y, Cb, Cr of 16-bit words, and alpha, value right-aligned, chroma subsampled as the sink says.
  case planarYCC = "store_planar_ycc"
  /// 1, 3 or 4 planes of binary32; the fourth is alpha.
  case floatPlanes = "store_float_planes"

  /// The type of the sink's parameters; `nil` if it has none.
  package var words: (any StageParameters.Type)? {
    switch self {
    case .rgba16f: nil
    case .rgba16: StoreRGBA16.Parameters.self
    case .rgba8: StoreRGBA8.Parameters.self
    case .planarYCC: StorePlanarYCC.Parameters.self
    case .floatPlanes: StoreFloatPlanes.Parameters.self
    }
  }
}
