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
  /// Names of its formats for people.
  static var formats: [String] { get }
  /// Extensions of such files, lower case.
  static var extensions: [String] { get }
  /// Whether the first bytes of a file (up to 64) are of this family.
  static func recognizes(_ head: ArraySlice<UInt8>) -> Bool
  /// Whether a file whose first bytes are recognized is read here and not by a later reader of the same family.
  static func takes(_ bytes: [UInt8]) -> Bool
  /// Whether files may hold several pictures, of which `DecodeLimits.reading` chooses.
  static var hasPictures: Bool { get }
  /// Whether a caller may state code points in place of the file's own, and where subsampled chroma lies:
  /// `ReadingOptions.raw`.
  static var takesCodePoints: Bool { get }
  static var takesChromaSiting: Bool { get }
  /// What it may call beside the libraries that are linked.
  static var libraries: RunTimeLibraries { get }
  /// Decodes the file. Bytes are untrusted: any fault is a `DecodeError`, never a trap.
  static func decode(_ bytes: [UInt8], request: DecodeRequest, limits: DecodeLimits) throws(DecodeError) -> SourceImage
  /// Base and gain map payloads as they stand in the file.
  static func codedRenditions(_ bytes: [UInt8], limits: DecodeLimits) throws(DecodeError) -> CodedRenditions
}

extension ImageDecoder {
  public static func takes(_ bytes: [UInt8]) -> Bool { true }
  public static var hasPictures: Bool { false }
  public static var takesCodePoints: Bool { false }
  public static var takesChromaSiting: Bool { false }
  public static var libraries: RunTimeLibraries { .all }

  public static func codedRenditions(
    _ bytes: [UInt8], limits: DecodeLimits
  ) throws(DecodeError) -> CodedRenditions {
    throw .unsupported(feature: "taking payloads out", found: name)
  }
}

/// Names of the formats that can be read, for people.
public let readableFormats = imageDecoders.flatMap { $0.formats }

/// Extensions of the files that can be read, lower case.
public let readableExtensions = imageDecoders.flatMap { $0.extensions }

/// How many bytes tell the format of a file.
public let formatBytes = 64

/// The reader of a file, found by its first `formatBytes` bytes, unless a caller describes it.
///
/// - Throws: `DecodeError.unsupported`.
@discardableResult
public func decoder(
  of bytes: [UInt8], _ reading: ReadingOptions = ReadingOptions()
) throws(DecodeError) -> any ImageDecoder.Type {
  if reading.isRaw { return RawDecoder.self }
  let head = bytes.prefix(formatBytes)
  guard let decoder = imageDecoders.first(where: { $0.recognizes(head) && $0.takes(bytes) }) else {
    throw .unsupported(feature: "file format", found: ForeignFormat.describe(head))
  }
  return decoder
}

/// Reads a picture of any supported format.
public func decodeImage(
  _ bytes: [UInt8], request: DecodeRequest = .pixels, limits: DecodeLimits = DecodeLimits()
) throws(DecodeError) -> SourceImage {
  try decoder(of: bytes, limits).decode(bytes, request: request, limits: limits)
}

/// Takes base and gain map payloads out of a JPEG, HEIC or AVIF file without decoding them.
///
/// - Throws: `DecodeError.unsupported` for other formats and for pictures with alpha.
public func codedRenditions(
  _ bytes: [UInt8], limits: DecodeLimits = DecodeLimits()
) throws(DecodeError) -> CodedRenditions {
  try decoder(of: bytes, limits).codedRenditions(bytes, limits: limits)
}

/// - Throws: also for a choice among pictures of a format that has one, and for statements that the format does not take.
private func decoder(of bytes: [UInt8], _ limits: DecodeLimits) throws(DecodeError) -> any ImageDecoder.Type {
  let decoder = try decoder(of: bytes, limits.reading)
  if !decoder.hasPictures {
    let only = FilePicture(width: 0, height: 0)
    _ = try limits.reading.index(among: [only], main: 0)
  }
  try limits.reading.checkStatements(for: decoder)
  return decoder
}
