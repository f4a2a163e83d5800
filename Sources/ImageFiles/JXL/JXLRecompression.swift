import FileParts
import CJXL
import HDRCore

/// A JPEG that becomes a JPEG XL file from which it can be restored byte for byte.
package struct RecompressRequest: Sendable {
  /// The primary picture's stream, or a whole file with all data after it.
  package var jpeg: [UInt8]
  /// The gain map for a `jhgm` box: a JPEG stream, whose coefficients are kept, or samples.
  package var map: AdaptivePicture?
  package var metadata: GainMapMetadata?
  /// The code point of the picture's primaries.
  package var primaries: Int
  package var alternateColor: AdaptiveColor?
  package var threads: Int
  /// The number of pixels of all its pictures; it limits the memory for coding them.
  package var pixels = 0

  package init(
    jpeg: [UInt8], map: AdaptivePicture? = nil, metadata: GainMapMetadata? = nil,
    primaries: Int = CICP.Primaries.unspecified, alternateColor: AdaptiveColor? = nil, threads: Int = 1
  ) {
    self.jpeg = jpeg
    self.map = map
    self.metadata = metadata
    self.primaries = primaries
    self.alternateColor = alternateColor
    self.threads = threads
  }
}

/// Encodes the JPEG's coefficients again without loss, a fifth smaller, with the other data for restoring it in a
/// `jbrd` box.
///
/// - Throws: `EncodeError.library` for arithmetic coding, 12 bits, CMYK, and more than 4 MB after the picture.
package func recompress(_ request: RecompressRequest) throws(EncodeError) -> EncodedFiles {
  var file = try JXLEncoding.file(of: request.jpeg, threads: request.threads)
  if let map = request.map, let metadata = request.metadata {
    let codestream: [UInt8]
    switch map {
    case .jpegStream(let stream):
      codestream = try JXLEncoding.code(coefficientsOf: stream, threads: request.threads).codestream
    case .samples(let image):
      let color = JXLColor(
        primaries: CICP.Primaries.bt709, transfer: CICP.Transfer.sRGB, isGrey: image.channels.count == 1)
      codestream = try JXLEncoding.code(
        image, hasAlpha: false,
        JXLEncoding.Settings(quality: 100, effort: 0, threads: request.threads, color: color)
      ).codestream
    case .heif, .jxl: throw .unsupported(feature: "a gain map beside a JPEG", found: "another format's payload")
    }
    let box = try JHGM(metadata, map: codestream, base: request.primaries, alternate: request.alternateColor)
    guard let payload = box.serialized else {
      throw .unsupported(feature: "a gain map in JPEG XL", found: "\(box.metadata.count) bytes of metadata")
    }
    var sink = ByteSink(reserving: file.count + payload.count + 16)
    sink.append(file)
    JXLContainer.append("jhgm", [payload], to: &sink)
    file = sink.bytes
  }
  return EncodedFiles(main: file)
}

/// Restores the JPEG of a written file and compares it with the request; reads the gain map.
///
/// - Throws: `EncodeError.verification` with the first thing that differs.
package func verifyRecompressed(_ files: EncodedFiles, _ request: RecompressRequest) throws(EncodeError) {
  let jpeg: [UInt8], found: SourceImage
  do throws(DecodeError) {
    jpeg = try restoredJPEG(files.main, byteCount: request.jpeg.count)
    found = try decodeImage(files.main, request: .pixels, limits: .readingBack)
  } catch {
    throw .verification("\(error)")
  }
  guard jpeg == request.jpeg else { throw .verification("the restored JPEG is not the one that was read") }
  guard request.map != nil else { return }
  guard let map = found.gainMap, let asked = request.metadata.flatMap({ ISO21496($0) }),
    ISO21496(map.metadata)?.serialized(for: .jpeg) == asked.serialized(for: .jpeg)
  else {
    throw .verification(
      "the gain map is not found again: \(found.warnings.map(\.message.description).joined(separator: "; "))")
  }
}

/// Restores the JPEG from which a JPEG XL file was made.
///
/// - Parameter byteCount: the largest size of the JPEG.
/// - Throws: `DecodeError.unsupported` for a file that was not made from a JPEG.
package func restoredJPEG(_ file: [UInt8], byteCount: Int) throws(DecodeError) -> [UInt8] {
  // The library rebuilds the JPEG in memory of a few times the coefficients.
  let handle = try JXLDecoderHandle(JXL_DEC_JPEG_RECONSTRUCTION, JXL_DEC_FULL_IMAGE, memory: Int.max)
  let library = handle.library, decoder = handle.decoder, place = "JPEG in JPEG XL"
  var jpeg = [UInt8](repeating: 0, count: byteCount + 1)
  var isFound = false
  let made = try file.withUnsafeBufferPointer { (input) throws(DecodeError) -> Int in
    handle.input(input)
    handle.closeInput()
    return try jpeg.withUnsafeMutableBufferPointer { (room) throws(DecodeError) -> Int in
      while true {
        let status = handle.next()
        switch status {
        case JXL_DEC_JPEG_RECONSTRUCTION:
          isFound = true
          guard library.JxlDecoderSetJPEGBuffer(decoder, room.baseAddress, room.count) == JXL_DEC_SUCCESS else {
            throw handle.failure(JXL_DEC_ERROR, place: place)
          }
        case JXL_DEC_FULL_IMAGE, JXL_DEC_SUCCESS:
          guard isFound else { throw .unsupported(feature: "restoring a JPEG", found: "a picture that was none") }
          return room.count - library.JxlDecoderReleaseJPEGBuffer(decoder)
        case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
          throw .unsupported(feature: "restoring a JPEG", found: "a picture that was none")
        case JXL_DEC_JPEG_NEED_MORE_OUTPUT: throw .malformed(where: place, what: "more than \(byteCount) bytes")
        default: throw handle.failure(status, place: place)
        }
      }
    }
  }
  return Array(jpeg.prefix(made))
}
