import CJXL
import HDRCore

/// A tile of a DNG in JPEG XL: camera values, whatever colour the codestream names. Source: DNG 1.7.1, and the DNG
/// SDK's dng_jxl.cpp.
struct JXLTile {
  let width: Int
  let height: Int
  let planes: Int
  /// The bit depth of the file's samples.
  let bits: Int
  let format: SampleFormat
  let place: String

  /// The bytes that the library may take, in addition to the tile's.
  private static let memory = 256 << 20

  /// Decodes the tile.
  ///
  /// - Parameter bytes: a codestream without boxes.
  /// - Returns: interleaved samples, rows tightly packed; integers as they were coded, not scaled.
  func decode(_ bytes: ArraySlice<UInt8>) throws(DecodeError) -> PixelBuffer {
    let handle = try JXLDecoderHandle(
      JXL_DEC_BASIC_INFO, JXL_DEC_COLOR_ENCODING, JXL_DEC_FULL_IMAGE, memory: Self.memory + 16 * width * height)
    return try bytes.withUnsafeBufferPointer { (input) throws(DecodeError) in
      handle.input(input)
      let library = handle.library, decoder = handle.decoder
      _ = library.JxlDecoderSetKeepOrientation(decoder, JXL_TRUE)
      var info = JxlBasicInfo(), buffer: PixelBuffer?
      while true {
        let status = handle.next()
        switch status {
        case JXL_DEC_BASIC_INFO:
          guard library.JxlDecoderGetBasicInfo(decoder, &info) == JXL_DEC_SUCCESS else {
            throw handle.failure(JXL_DEC_ERROR, place: place)
          }
          try check(info)
        case JXL_DEC_COLOR_ENCODING:
          // Lossy tiles are stored in XYB. They are decoded to the colour that the file names, and its numbers are
          // used.
          var encoding = JxlColorEncoding()
          if info.uses_original_profile == JXL_FALSE,
            hdr_jxl_encoded_profile(decoder, JXL_COLOR_PROFILE_TARGET_ORIGINAL, &encoding) == JXL_DEC_SUCCESS
          {
            _ = library.JxlDecoderSetPreferredColorProfile(decoder, &encoding)
          }
        case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
          let types: [SampleFormat: JxlDataType] = [
            .uint16: JXL_TYPE_UINT16, .float16: JXL_TYPE_FLOAT16, .float32: JXL_TYPE_FLOAT,
          ]
          var layout = JxlPixelFormat(
            num_channels: UInt32(planes), data_type: types[format] ?? JXL_TYPE_UINT16,
            endianness: JXL_LITTLE_ENDIAN, align: 0)
          let size = width * height * planes * format.bytes
          let memory = PixelBuffer(uninitializedByteCount: size)
          guard buffer == nil,
            library.JxlDecoderSetImageOutBuffer(decoder, &layout, memory.base, size) == JXL_DEC_SUCCESS
          else { throw handle.failure(JXL_DEC_ERROR, place: place) }
          buffer = memory
        case JXL_DEC_FULL_IMAGE:
          guard let buffer else { throw .malformed(where: place, what: "no samples") }
          unscale(buffer, Int(info.bits_per_sample))
          return buffer
        default: throw handle.failure(status, place: place)
        }
      }
    }
  }

  private func check(_ info: JxlBasicInfo) throws(DecodeError) {
    guard Int(info.xsize) == width, Int(info.ysize) == height, Int(info.num_color_channels) == planes else {
      throw .malformed(
        where: place,
        what: "JPEG XL of \(info.xsize)x\(info.ysize)x\(info.num_color_channels) for \(width)x\(height)x\(planes)")
    }
    guard (info.exponent_bits_per_sample > 0) == !format.isInteger, info.bits_per_sample <= 32 else {
      throw .malformed(where: place, what: "JPEG XL of \(info.bits_per_sample) bits for samples of \(bits)")
    }
    guard info.have_animation == JXL_FALSE else { throw .malformed(where: place, what: "an animation") }
  }

  /// Undoes the library's scaling of integers to 16 bits; rounding restores codes of up to 16 bits exactly.
  private func unscale(_ buffer: PixelBuffer, _ coded: Int) {
    guard format == .uint16, coded < 16 else { return }
    let most = UInt32(1) << UInt32(coded) - 1
    let words = UnsafeMutableBufferPointer(
      start: buffer.base.assumingMemoryBound(to: UInt16.self), count: width * height * planes)
    for at in words.indices { words[at] = UInt16((UInt32(words[at]) * most + 32_767) / 65_535) }
  }
}
