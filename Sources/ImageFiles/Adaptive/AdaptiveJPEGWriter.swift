import HDRCore

/// Writes Adaptive HDR JPEG.
enum AdaptiveJPEGWriter {
  static func encode(_ request: AdaptiveRequest) throws(EncodeError) -> EncodedFiles {
    throw .unsupported(feature: "container", found: request.container.rawValue)
  }
}

func codedJPEGRenditions(_ bytes: [UInt8], limits: DecodeLimits) throws(DecodeError) -> CodedRenditions {
  throw .unsupported(feature: "taking payloads out", found: "JPEG")
}
