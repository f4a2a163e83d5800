import HDRCore

/// What a reader is asked for.
public enum DecodeRequest: Sendable, Hashable {
  /// Structure and metadata only; `SourceImage.image.channels` stays empty, sizes are filled.
  case metadata
  /// Pixels too.
  case pixels
}

/// A reader of one family of files. One item at a time, no paths, no Dispatch, no Swift concurrency inside: this border
/// moves into a worker process unchanged (docs/isolation.md).
public protocol ImageDecoder: SendableMetatype {
  /// Name for `doctor` and records.
  static var name: String { get }
  /// Whether the first bytes of a file (up to 64) are of this family.
  static func recognizes(_ head: ArraySlice<UInt8>) -> Bool
  /// Decodes the file. Bytes are untrusted: any fault is a `DecodeError`, never a trap.
  static func decode(_ bytes: [UInt8], request: DecodeRequest, limits: DecodeLimits) throws(DecodeError) -> SourceImage
}

/// Reads a picture of any supported format.
public func decodeImage(
  _ bytes: [UInt8], request: DecodeRequest = .pixels, limits: DecodeLimits = DecodeLimits()
) throws(DecodeError) -> SourceImage {
  let head = bytes.prefix(64)
  for decoder in imageDecoders where decoder.recognizes(head) {
    return try decoder.decode(bytes, request: request, limits: limits)
  }
  throw .unsupported(feature: "file format", found: describe(head))
}

/// The first bytes of an unknown file, for the error line.
private func describe(_ head: ArraySlice<UInt8>) -> String {
  if head.isEmpty { return "an empty file" }
  let hex = head.prefix(8).map { byte in
    let digits = String(byte, radix: 16)
    return digits.count == 1 ? "0" + digits : digits
  }
  return "bytes " + hex.joined(separator: " ")
}
