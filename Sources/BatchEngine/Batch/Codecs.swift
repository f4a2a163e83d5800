import HDRCore
import ImageFiles

/// The border to everything that reads or writes picture formats: bytes in, planes and metadata out, and back. One item at
/// a time, no paths (design/decisions.md 19): an implementation may sit in another process.
package protocol CodecBorder: Sendable {
  func decode(_ bytes: [UInt8], request: DecodeRequest, limits: DecodeLimits) throws(DecodeError) -> SourceImage
  /// Payloads of base and gain map, not decoded.
  func codedRenditions(_ bytes: [UInt8], limits: DecodeLimits) throws(DecodeError) -> CodedRenditions
  func encode(_ request: FileRequest) throws(EncodeError) -> EncodedFiles
  /// Whether a written file says what the request asked for.
  func verify(_ files: EncodedFiles, _ request: FileRequest) throws(EncodeError)
}

/// Codecs in this process, on the calling thread.
package struct InProcessCodecs: CodecBorder {
  package init() {}

  package func decode(
    _ bytes: [UInt8], request: DecodeRequest, limits: DecodeLimits
  ) throws(DecodeError) -> SourceImage {
    try decodeImage(bytes, request: request, limits: limits)
  }

  package func codedRenditions(_ bytes: [UInt8], limits: DecodeLimits) throws(DecodeError) -> CodedRenditions {
    try ImageFiles.codedRenditions(bytes, limits: limits)
  }

  package func encode(_ request: FileRequest) throws(EncodeError) -> EncodedFiles {
    switch request {
    case .rendition(let request): try encodeImage(request)
    case .adaptive(let request): try encodeAdaptive(request)
    }
  }

  package func verify(_ files: EncodedFiles, _ request: FileRequest) throws(EncodeError) {
    switch request {
    case .rendition(let request): try verifyEncoded(files, request)
    case .adaptive(let request): try verifyAdaptive(files, request)
    }
  }
}
