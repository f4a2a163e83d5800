import HDRCore

/// Writes AVIF in PQ, HLG and SDR: an AV1 still picture of 8, 10 or 12 bits, or a grid of them.
package enum AVIFWriter: ImageWriter {
  package static let format = FileFormat.avif

  package static func encode(_ request: EncodeRequest) throws(EncodeError) -> EncodedFiles {
    try HEIFStill.file(request) { image, cicp, isLossless throws(EncodeError) in
      try HEIFPictureCoding.code(
        image, cicp: cicp,
        HEIFPictureCoding.Settings(
          container: .avif, quality: request.coding.quality, isLossless: isLossless, threads: request.threads))
    } message: {
      MessageWriter.insert(obu: MessageWriter.obu(type: 4, $0), behindHeaderOf: $1)
    }
  }
}
