import FileParts
import HDRCore

/// The choices of encoders. Depth, chroma and range are those of the samples that they get.
package struct CodingOptions: Sendable, Hashable {
  /// The quality of lossy kinds: 0...100.
  package var quality: Int
  /// True for Huffman tables of its own in each JPEG (`JPEGOptions.isOptimized`).
  package var optimizesJPEG: Bool
  /// True for progressive JPEG (`JPEGPicture.progressive`), whose scans have tables of their own anyway.
  package var isProgressiveJPEG = false
  /// The effort of compression in PNG and TIFF: 0 fastest ... 9 smallest.
  package var pngEffort: Int
  /// True for Deflate in chunks that devices make, too (`DeflateChunkCoder`), whatever the effort; PNG and TIFF.
  package var deflatesInChunks: Bool
  /// The effort of JPEG XL: 1 fastest ... 9 smallest; 0 chooses it by the quality.
  package var jxlEffort: Int
  package var exrCompression: EXRCompression
  /// The bits of a sample in DPX: 10 or 16.
  package var dpxBits = 10

  package init(
    quality: Int = 90, optimizesJPEG: Bool = false, pngEffort: Int = 1, deflatesInChunks: Bool = false,
    jxlEffort: Int = 0,
    exrCompression: EXRCompression = .zip
  ) {
    self.quality = quality
    self.optimizesJPEG = optimizesJPEG
    self.pngEffort = pngEffort
    self.deflatesInChunks = deflatesInChunks
    self.jxlEffort = jxlEffort
    self.exrCompression = exrCompression
  }

  package var deflate: DeflateMethod { deflatesInChunks ? .chunks : DeflateMethod(effort: pngEffort) }

  package var jpeg: JPEGOptions { JPEGOptions(quality: quality, isOptimized: optimizesJPEG && !isProgressiveJPEG) }
}
