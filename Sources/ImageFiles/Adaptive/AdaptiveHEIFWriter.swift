import HDRCore

/// Writes Adaptive HDR HEIC and AVIF.
enum AdaptiveHEIFWriter {
  static func encode(_ request: AdaptiveRequest) throws(EncodeError) -> EncodedFiles {
    throw .unsupported(feature: "container", found: request.container.rawValue)
  }
}

func codedHEIFRenditions(_ bytes: [UInt8], limits: DecodeLimits) throws(DecodeError) -> CodedRenditions {
  throw .unsupported(feature: "taking payloads out", found: "HEIF")
}
