import HDRCore

/// Writes `rgba16f`: the kernel's own half words, little endian R G B A, rows top-down without padding, linear light
/// with 1.0 = reference white; and a JSON sidecar with keys in a fixed order.
package enum RawHalfWriter: ImageWriter {
  package static let format = "rgba16f"

  package static func encode(_ request: EncodeRequest) throws(EncodeError) -> EncodedFiles {
    let rows = try PixelRows(request.image, format: .float16, kind: request.kind)
    let lineBytes = 8 * rows.width
    var sink = ByteSink(reserving: lineBytes * rows.height)
    for y in 0..<rows.height { sink.append(UnsafeRawBufferPointer(start: rows.row(y), count: lineBytes)) }
    return EncodedFiles(main: sink.bytes, sidecar: Array(sidecar(request).utf8))
  }

  package static func verify(_ files: EncodedFiles, _ request: EncodeRequest) throws(EncodeError) {
    let expected = 8 * request.image.width * request.image.height
    guard files.main.count == expected, files.sidecar?.isEmpty == false else {
      throw .verification("\(files.main.count) bytes of half floats, \(expected) expected")
    }
  }

  /// `primaries` is the word of the `--primaries` option, or the code point for others.
  private static func sidecar(_ request: EncodeRequest) -> String {
    let primaries =
      switch request.cicp.primaries {
      case 1: "\"srgb\""
      case 9: "\"bt2020\""
      case 12: "\"p3\""
      default: "\(request.cicp.primaries)"
      }
    return """
      {
        "width": \(request.image.width),
        "height": \(request.image.height),
        "primaries": \(primaries),
        "contentHeadroom": \(number(request.contentHeadroom)),
        "displayHeadroom": \(number(request.displayHeadroom)),
        "white": \(number(request.white))
      }

      """
  }

  /// The shortest decimal that reads back as the same Double; JSON has no NaN or infinity, 0 stands for "unknown".
  private static func number(_ value: Double) -> String { value.isFinite ? "\(value)" : "0" }
}
