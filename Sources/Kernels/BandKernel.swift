/// The kernels that follow those of a plan's passes in a band: they encode its pixels as JPEG, deflate its rows or measure
/// them. Others decode a JPEG's scan, without a plan. The raw value names the GLSL function `void NAME(uvec2 block, uint k)`.
package enum BandKernel: String, Sendable, CaseIterable {
  case blocks = "jpeg_blocks"
  case head = "jpeg_head"
  case runBits = "jpeg_run_bits"
  case groupBits = "jpeg_group_bits"
  case codes = "jpeg_codes"
  case seams = "jpeg_seams"
  case counts = "jpeg_counts"
  case sums = "jpeg_sums"
  case states = "jpeg_states"
  case stateSums = "jpeg_state_sums"
  case stateBases = "jpeg_state_bases"
  case coefficients = "jpeg_coefficients"
  case flags = "jpeg_flags"
  case samples = "jpeg_idct"
  case deflateRows = "deflate_rows"
  case deflateTIFFWords = "deflate_tiff_words"
  case deflateTIFFHalves = "deflate_tiff_halves"
  case deflateTIFFFloats = "deflate_tiff_floats"
  case deflateEXRHalves = "deflate_exr_halves"
  case deflateTokens = "deflate_tokens"
  case deflateCounts = "deflate_counts"
  case deflateOrder = "deflate_order"
  case deflateTrees = "deflate_trees"
  case deflateSegmentBits = "deflate_segment_bits"
  case deflateChunkBits = "deflate_chunk_bits"
  case deflateCodes = "deflate_codes"
  case deflateSeams = "deflate_seams"
  case measureCodes = "measure_codes"
  case measurePQ = "measure_pq"
  case measurePlanarPQ = "measure_planar_pq"
  case measurePlanes = "measure_planes"
  case measureHalves = "measure_halves"
  case measureLight = "measure_light"
  case measureDigits = "measure_digits"

  /// The kernels that make a JPEG's scan and measure its pixels, and those that count its symbols before, in the order in
  /// which they run. The first runs once for each component, and sums are made twice.
  package static let scan = [blocks, head, runBits, groupBits, codes, seams, measureCodes]
  package static let symbols = [blocks, head, counts, sums]
  /// The kernels that decode a JPEG's scan, in the order in which they run. The first runs in rounds, the last once for
  /// each component.
  package static let planes = [states, stateSums, stateBases, coefficients, flags, samples]

  /// The kernels that deflate rows, in the order in which they run, after that which makes the bytes of rows.
  package static let deflate = [
    deflateTokens, deflateCounts, deflateOrder, deflateTrees, deflateSegmentBits, deflateChunkBits, deflateCodes,
    deflateSeams,
  ]

  /// The operations of an invocation, for estimates of time: a round number, about the shader's.
  package var operations: Double {
    switch self {
    case .blocks: 8000
    case .states, .coefficients, .measurePlanes: 20_000
    case .stateSums: 2000
    case .stateBases: 1000
    case .flags: 500
    case .samples: 5000
    case .head: 10
    case .runBits: 1000
    case .groupBits: 200
    case .codes, .counts, .measurePQ, .measurePlanarPQ, .measureLight: 40_000
    case .seams: 500
    case .sums, .deflateCounts: 300
    case .deflateRows, .deflateTIFFWords, .deflateTIFFHalves, .deflateTIFFFloats, .deflateEXRHalves: 300
    case .deflateTokens, .measureDigits: 250_000
    case .deflateCodes: 150_000
    case .deflateTrees: 50_000
    case .deflateOrder, .deflateSegmentBits: 2000
    case .deflateChunkBits, .deflateSeams: 1000
    case .measureCodes, .measureHalves: 4000
    }
  }
}
