import FileParts
import HDRCore

/// Writes `rgba16f`: the kernel's own half words, little-endian R G B A, rows top-down without padding, linear light
/// with 1.0 = reference white; and a sidecar (`RawSidecar`).
package enum RawHalfWriter: ImageWriter {
  package static let format = FileFormat.rgba16f

  package static func encode(_ request: EncodeRequest) throws(EncodeError) -> EncodedFiles {
    let rows = try PixelRows(request.image, format: .float16, kind: request.kind)
    let lineBytes = 8 * rows.width
    var sink = ByteSink(reserving: lineBytes * rows.height)
    for y in 0..<rows.height { sink.append(UnsafeRawBufferPointer(start: rows.row(y), count: lineBytes)) }
    return EncodedFiles(main: sink.bytes, sidecar: RawSidecar(request).bytes)
  }

  package static func verify(_ files: EncodedFiles, _ request: EncodeRequest) throws(EncodeError) {
    try RawSidecar.verify(files, request, byteCount: 8 * request.image.width * request.image.height)
  }
}
