/// The entropy-coded data of a baseline JPEG with one scan, up to EOI.
package struct JPEGScan: Sendable, Hashable {
  package var bytes: [UInt8]
  /// `.none` is grey.
  package var chroma: ChromaSubsampling
  /// The codes of each `JPEGCodeTable` if they are the picture's own; empty: those of the standard.
  package var codes: [JPEGCodes]

  package init(_ bytes: [UInt8], chroma: ChromaSubsampling, codes: [JPEGCodes] = []) {
    self.bytes = bytes
    self.chroma = chroma
    self.codes = codes
  }
}
