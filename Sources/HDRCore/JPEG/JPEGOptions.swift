/// The choices by which a picture becomes a JPEG: what the library, kernels and their twins must agree on.
package struct JPEGOptions: Sendable, Hashable {
  /// The largest width and height.
  package static let mostSide = 65_535

  /// 1...100, as the library takes it.
  package let quality: Int
  /// `.none` is one grey component.
  package let chroma: ChromaSubsampling
  /// True if a picture gets Huffman tables of its own (`JPEGCodes(frequencies:)`), false for those of the standard.
  package let isOptimized: Bool

  /// - Parameters:
  ///   - quality: 0...100.
  ///   - chroma: `nil` takes 4:4:4 from quality 95 on, where quantisation no longer hides halved chroma; 4:2:0 below.
  package init(quality: Int, chroma: ChromaSubsampling? = nil, isOptimized: Bool = false) {
    self.quality = min(max(quality, 1), 100)
    self.chroma = chroma ?? (quality >= 95 ? .s444 : .s420)
    self.isOptimized = isOptimized
  }
}
