import HDRCore

/// The subsampling of Y'CbCr in a TIFF file: the luma columns and rows that share a chroma sample (tag 530).
struct TIFFChroma {
  let horizontal: Int
  let vertical: Int
  let kind: ChromaSubsampling

  /// Takes the two numbers.
  ///
  /// - Throws: `.unsupported` for others than those of the five kinds.
  init(horizontal: Int, vertical: Int) throws(DecodeError) {
    (self.horizontal, self.vertical) = (horizontal, vertical)
    switch (horizontal, vertical) {
    case (1, 1): kind = .s444
    case (2, 1): kind = .s422
    case (2, 2): kind = .s420
    case (1, 2): kind = .s440
    case (4, 1): kind = .s411
    default: throw .unsupported(feature: "this chroma subsampling", found: "\(horizontal)x\(vertical)")
    }
  }
}
