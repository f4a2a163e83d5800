/// The kernels that encode JPEG, in the order in which they run; the first runs once for each component. The raw value
/// names the GLSL function `void NAME(uvec2 block, uint k)`.
package enum JPEGKernel: String, Sendable, CaseIterable {
  case blocks = "jpeg_blocks"
  case runBits = "jpeg_run_bits"
  case groupBits = "jpeg_group_bits"
  case codes = "jpeg_codes"
  case seams = "jpeg_seams"
  case light = "jpeg_light"

  /// The place in the order.
  package var index: Int { Self.allCases.firstIndex(of: self)! }

  /// The operations of an invocation, for estimates of time: a round number, about the shader's.
  package var operations: Double {
    switch self {
    case .blocks: 8000
    case .runBits: 1000
    case .groupBits: 200
    case .codes: 40_000
    case .seams: 500
    case .light: 4000
    }
  }
}
