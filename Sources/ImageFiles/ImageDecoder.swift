import FileParts
import HDRCore

/// The parts of a file that a reader shall return.
package enum DecodeRequest: Sendable, Hashable {
  /// Structure and metadata only; `SourceImage.image.channels` stays empty, sizes are filled.
  case metadata
  /// Structure, metadata and pixels.
  case pixels
}

/// A reader of one family of files. It reads one item at a time and uses no paths, no Dispatch and no Swift
/// concurrency, so that it runs in a codec process unchanged (docs/isolation.md).
package protocol ImageDecoder: SendableMetatype {
  /// The reader's name for `doctor` and records.
  static var name: String { get }
  /// The names of its formats for users.
  static var formats: [String] { get }
  /// The extensions of such files, in lower case.
  static var extensions: [String] { get }
  /// True if the first bytes of a file (up to 64) belong to this family.
  static func recognizes(_ head: ArraySlice<UInt8>) -> Bool
  /// True if a file whose first bytes are recognized is read here and not by a later reader of the same family.
  static func takes(_ bytes: [UInt8]) -> Bool
  /// True if files may hold several pictures, of which `DecodeLimits.reading` chooses one.
  static var hasPictures: Bool { get }
  /// True if a caller may state code points in place of the file's own, and the place of subsampled chroma, by
  /// `ReadingOptions.raw`.
  static var takesCodePoints: Bool { get }
  static var takesChromaSiting: Bool { get }
  /// The libraries opened at run time that the reader may call.
  static var libraries: RunTimeLibraries { get }
  /// Decodes the file. Bytes are untrusted: any fault is a `DecodeError`, never a trap.
  static func decode(_ bytes: [UInt8], request: DecodeRequest, limits: DecodeLimits) throws(DecodeError) -> SourceImage
  /// Returns the payloads of base and gain map, bit for bit.
  static func codedRenditions(_ bytes: [UInt8], limits: DecodeLimits) throws(DecodeError) -> CodedRenditions
}

extension ImageDecoder {
  package static func takes(_ bytes: [UInt8]) -> Bool { true }
  package static var hasPictures: Bool { false }
  package static var takesCodePoints: Bool { false }
  package static var takesChromaSiting: Bool { false }
  package static var libraries: RunTimeLibraries { .all }

  package static func codedRenditions(
    _ bytes: [UInt8], limits: DecodeLimits
  ) throws(DecodeError) -> CodedRenditions {
    throw .unsupported(feature: "taking payloads out", found: name)
  }
}

/// The names of the formats that can be read, for users.
package let readableFormats = imageDecoders.flatMap { $0.formats }

/// The extensions of the files that can be read, in lower case.
package let readableExtensions = imageDecoders.flatMap { $0.extensions }

/// The number of first bytes that identify the format of a file.
package let formatBytes = 64

/// Returns the reader of a file, found by its first `formatBytes` bytes, unless the caller describes the file.
///
/// - Throws: `DecodeError.unsupported`.
@discardableResult
package func decoder(
  of bytes: [UInt8], _ reading: ReadingOptions = ReadingOptions()
) throws(DecodeError) -> any ImageDecoder.Type {
  if reading.isRaw { return RawDecoder.self }
  let head = bytes.prefix(formatBytes)
  guard let decoder = imageDecoders.first(where: { $0.recognizes(head) && $0.takes(bytes) }) else {
    throw .unsupported(feature: "file format", found: ForeignFormat.describe(head))
  }
  return decoder
}

/// Returns the libraries that the reader of a file may call. Camera raw begins as TIFF does: what a file's first
/// `formatBytes` bytes cannot tell apart has the libraries of both.
///
/// - Throws: `DecodeError.unsupported`.
package func decoderLibraries(
  of bytes: [UInt8], _ reading: ReadingOptions
) throws(DecodeError) -> RunTimeLibraries {
  let first = try decoder(of: bytes, reading)
  if reading.isRaw { return first.libraries }
  let head = bytes.prefix(formatBytes)
  return imageDecoders.filter { $0.recognizes(head) }.reduce(first.libraries) { $0.union($1.libraries) }
}

/// Reads a picture of any supported format.
package func decodeImage(
  _ bytes: [UInt8], request: DecodeRequest = .pixels, limits: DecodeLimits = DecodeLimits()
) throws(DecodeError) -> SourceImage {
  try limits.reading.placed(decoder(of: bytes, limits).decode(bytes, request: request, limits: limits))
}

/// Takes base and gain map payloads out of a JPEG, HEIC or AVIF file without decoding them.
///
/// - Throws: `DecodeError.unsupported` for other formats and for pictures with alpha.
package func codedRenditions(
  _ bytes: [UInt8], limits: DecodeLimits = DecodeLimits()
) throws(DecodeError) -> CodedRenditions {
  try decoder(of: bytes, limits).codedRenditions(bytes, limits: limits)
}

/// Returns the reader of a file, and checks that the reader supports the caller's options.
///
/// - Throws: also for a choice among pictures of a format that has only one, and for code points or siting that the
///   format does not accept.
private func decoder(of bytes: [UInt8], _ limits: DecodeLimits) throws(DecodeError) -> any ImageDecoder.Type {
  let decoder = try decoder(of: bytes, limits.reading)
  if !decoder.hasPictures {
    let only = FilePicture(width: 0, height: 0)
    _ = try limits.reading.index(among: [only], main: 0)
  }
  try limits.reading.checkStatements(for: decoder)
  try limits.reading.checkSpace(for: decoder)
  return decoder
}

extension ReadingOptions {
  /// Refuses code points and siting that a caller states for a format which states them itself.
  ///
  /// - Throws: `DecodeError.unsupported` with the formats that accept the setting.
  func checkStatements(for decoder: any ImageDecoder.Type) throws(DecodeError) {
    func refuse(
      _ setting: String, _ isStated: Bool, _ isTaken: (any ImageDecoder.Type) -> Bool
    ) throws(DecodeError) {
      guard isStated, !isTaken(decoder) else { return }
      let others = imageDecoders.filter(isTaken).flatMap { $0.formats }.joined(separator: ", ")
      throw .unsupported(
        feature: "the setting \(setting) for files of this format", found: "\(decoder.formats[0]); it is for \(others)")
    }
    try refuse("cicp", raw?.primaries != nil) { $0.takesCodePoints }
    try refuse("chroma-siting", raw?.siting != nil) { $0.takesChromaSiting }
  }
}
