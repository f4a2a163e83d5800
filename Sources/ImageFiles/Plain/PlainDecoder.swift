import FileParts
import HDRCore

/// A reader of a format without a compression library: a header, and samples that follow from it. A new one is a folder
/// with such a reader, a case of `FileFormat` and a line in `imageDecoders`.
protocol PlainDecoder: ImageDecoder {
  /// The format of its files.
  static var format: FileFormat { get }
  /// Reads the header of a file.
  ///
  /// The size of the picture is checked against the limits and against the bytes that there are, before `PlainPicture.read`
  /// asks for memory.
  static func picture(_ bytes: [UInt8], _ limits: DecodeLimits) throws(DecodeError) -> PlainPicture
}

/// A header as a picture without samples, and the way to its samples.
struct PlainPicture {
  /// The stored picture, without samples.
  var image: SampleImage
  var color: SourceColor
  var orientation = Orientation.up
  /// The bits of a sample that the file states, where samples are kept in others.
  var statedBitDepth: Int?
  var header: [HeaderField] = []
  var texts = TextStatements()
  var unknown = UnknownParts()
  var warnings: [Warning] = []
  /// Returns `image` with its samples, and adds warnings that only samples give.
  var read: (inout [Warning]) throws(DecodeError) -> SampleImage
}

extension PlainDecoder {
  static var libraries: RunTimeLibraries { [] }
  static var takesCodePoints: Bool { true }

  static func decode(
    _ bytes: [UInt8], request: DecodeRequest, limits: DecodeLimits
  ) throws(DecodeError) -> SourceImage {
    try checkFileSize(bytes, limits)
    let picture = try picture(bytes, limits), size = (picture.image.width, picture.image.height)
    var warnings = picture.warnings
    let image = request == .pixels ? try picture.read(&warnings) : picture.image
    var source = SourceImage(
      format: format, image: image, color: picture.color,
      geometry: Geometry(width: size.0, height: size.1, orientation: picture.orientation), warnings: warnings)
    source.statedBitDepth = picture.statedBitDepth
    source.header = Array(picture.header.prefix(HeaderField.most))
    let (xmp, left) = picture.texts.moved(into: nil, exif: nil)
    source.xmp = xmp
    source.extras.trailers = picture.unknown.trailers + left
    return source
  }
}
