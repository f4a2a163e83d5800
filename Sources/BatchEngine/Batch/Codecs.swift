import HDRCore
import ImageFiles

/// The border to everything that reads or writes picture formats: bytes in, planes and metadata out, and back. One item at
/// a time, no paths (design/decisions.md 19): an implementation may sit in another process.
package protocol CodecBorder: Sendable {
  func decode(_ bytes: [UInt8], limits: DecodeLimits) throws(DecodeError) -> SourceImage
  func encode(_ request: EncodeRequest) throws(EncodeError) -> EncodedFiles
  /// Whether a written file says what the request asked for.
  func verify(_ files: EncodedFiles, _ request: EncodeRequest) throws(EncodeError)
}

/// Codecs in this process, on the calling thread.
package struct InProcessCodecs: CodecBorder {
  package init() {}

  package func decode(_ bytes: [UInt8], limits: DecodeLimits) throws(DecodeError) -> SourceImage {
    try decodeImage(bytes, request: .pixels, limits: limits)
  }

  package func encode(_ request: EncodeRequest) throws(EncodeError) -> EncodedFiles { try encodeImage(request) }

  package func verify(_ files: EncodedFiles, _ request: EncodeRequest) throws(EncodeError) {
    try verifyEncoded(files, request)
  }
}
