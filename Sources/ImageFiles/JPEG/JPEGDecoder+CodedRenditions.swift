import FileParts
import HDRCore

extension JPEGDecoder {
  /// Copies the streams of a JPEG file: the primary from SOI to EOI, and the stream with the gain map that the reader
  /// chooses.
  ///
  /// - Throws: `.unsupported` for processes and colour models that are not decoded, `.truncated` without end of image,
  ///   `.limit` for pictures beyond `limits`. A map that the reader ignores is no error: `map` is `nil`.
  package static func codedRenditions(
    _ bytes: [UInt8], limits: DecodeLimits
  ) throws(DecodeError) -> CodedRenditions {
    try checkFileSize(bytes, limits)
    let jpeg = try JPEGStructure(bytes, at: 0)
    _ = try checkedPixels(jpeg.width, jpeg.height, limits, place: "JPEG frame header")
    _ = try describeJPEGSamples(jpeg)
    guard jpeg.hasEnd else { throw .truncated(where: "JPEG scan") }
    // Warnings are reported when the file is decoded; here only the stream is needed.
    var ignored: [Warning] = []
    let metadata = JPEGMetadata(jpeg, bytes, limits: limits, warnings: &ignored)
    let search = JPEGGainMapSearch(bytes: bytes, primary: jpeg, metadata: metadata, request: .metadata, limits: limits)
    let map = search.pick(warnings: &ignored)?.stream
    return CodedRenditions(
      base: .jpegStream(Array(bytes[jpeg.start..<jpeg.end])),
      map: map.map { .jpegStream(Array(bytes[$0.start..<$0.end])) })
  }
}
