/// The code points that a bitstream states about itself. Parts that it does not state are `nil`.
package struct BitstreamColor: Sendable, Hashable {
  package var primaries: Int?
  package var transfer: Int?
  package var matrix: Int?
  package var fullRange: Bool?
  /// The range that the stream's standard infers if `fullRange` is `nil`; `nil`: none.
  package var inferredFullRange: Bool?

  package init(
    primaries: Int? = nil, transfer: Int? = nil, matrix: Int? = nil, fullRange: Bool? = nil,
    inferredFullRange: Bool? = nil
  ) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    self.fullRange = fullRange
    self.inferredFullRange = inferredFullRange
  }

  /// The colour of an HEVC stream without video_signal_type. H.265 clause E.3.1 infers video_full_range_flag 0.
  package static let unstatedHEVC = BitstreamColor(inferredFullRange: false)
}
