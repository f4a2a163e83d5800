import FileParts
import HDRCore

/// Reads samples without a header, described by the caller (`ReadingOptions.raw`) or by the sidecar of our own files.
enum RawDecoder: ImageDecoder {
  static let name = "raw"
  static let formats = ["raw samples"]
  /// The only unambiguous extension; other files must be described by the caller.
  static let extensions = [OutputKind.rgba16f.fileExtension]
  static let libraries: RunTimeLibraries = []
  static let takesCodePoints = true
  static let takesChromaSiting = true

  static func recognizes(_ head: ArraySlice<UInt8>) -> Bool { false }

  static func decode(
    _ bytes: [UInt8], request: DecodeRequest, limits: DecodeLimits
  ) throws(DecodeError) -> SourceImage {
    var description = limits.reading.raw ?? RawDescription(), file = FileFormat.raw
    var warnings: [Warning] = [], space: NamedSpace?
    if description.layout == nil, let sidecar = try limits.reading.sidecar.map(RawSidecar.init(parsing:)) {
      description = sidecar.description(with: description)
      if sidecar.format == RawSidecar.half { file = .rgba16f }
      if limits.reading.raw?.primaries == nil { space = sidecar.space }
      if sidecar.white != ReferenceWhite.nits {
        warnings.append(
          Warning(
            "raw.white",
            "1.0 stands for \(short(sidecar.white)) cd/m² by the sidecar, and is read as reference white"))
      }
    }
    guard let layout = description.layout else {
      throw .undescribed(what: "samples without a header: say their format and size", give: .setting("from"))
    }
    if layout.fault == nil { try RawPicture.checkSize(bytes.count, layout, place: "raw picture") }
    let buffer = request == .pixels && layout.fault == nil ? RawPicture.buffer(bytes[...]) : nil
    var source = try RawPicture.source(buffer, layout, description, limits: limits, format: file)
    if let space { (source.color.encoding, source.color.cicp) = (space.encoding, nil) }
    source.warnings = warnings
    return source
  }
}
