/// The kernels that encode JPEG. The raw value names the GLSL function `void NAME(uvec2 block, uint k)`.
package enum JPEGKernel: String, Sendable, CaseIterable {
  case blocks = "jpeg_blocks"
  case head = "jpeg_head"
  case runBits = "jpeg_run_bits"
  case groupBits = "jpeg_group_bits"
  case codes = "jpeg_codes"
  case seams = "jpeg_seams"
  case light = "jpeg_light"
  case counts = "jpeg_counts"
  case sums = "jpeg_sums"

  /// The kernels that make a scan, and those that count its symbols before, in the order in which they run. The first
  /// runs once for each component, and sums are made twice.
  package static let scan = [blocks, head, runBits, groupBits, codes, seams, light]
  package static let symbols = [blocks, head, counts, sums]

  /// The operations of an invocation, for estimates of time: a round number, about the shader's.
  package var operations: Double {
    switch self {
    case .blocks: 8000
    case .head: 10
    case .runBits: 1000
    case .groupBits: 200
    case .codes: 40_000
    case .seams: 500
    case .light: 4000
    case .counts: 40_000
    case .sums: 300
    }
  }
}
