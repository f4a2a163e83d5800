import CDe265
import FileParts
import HDRCore

/// A decoder of pictures by libde265.
enum De265Picture {
  /// Decodes a picture.
  ///
  /// - Throws: `.library` for every error of libde265 that concerns the picture.
  static func decode(_ coded: HEVCCodedPicture) throws(DecodeError) -> SampleImage {
    guard let library = HEVCLibrary.de265 else {
      throw .unsupported(feature: "HEVC without libde265", found: String(cString: hdr_de265_missing()))
    }
    return try library.decode(coded)
  }
}

/// Calls through the table of functions: in this extension each name is the opened library's.
extension hdr_de265 {
  fileprivate func decode(_ coded: HEVCCodedPicture) throws(DecodeError) -> SampleImage {
    guard let decoder = de265_new_decoder() else {
      throw .library(name: "libde265", code: 0, message: "no decoder")
    }
    defer { _ = de265_free_decoder(decoder) }
    de265_set_parameter_bool(decoder, DE265_DECODER_PARAM_SUPPRESS_FAULTY_PICTURES, 1)
    for unit in coded.parameterSets { try push(unit, to: decoder) }
    for unit in coded.units { try push(unit, to: decoder) }
    try check(de265_flush_data(decoder))
    var more: Int32 = 1
    while more != 0, de265_peek_next_picture(decoder) == nil {
      // All data and the end of input were sent: a decoder that waits for input has too little data.
      try check(de265_decode(decoder, &more))
    }
    while true {
      let warning = de265_get_warning(decoder)
      if warning == DE265_OK { break }
      if !isHarmless(warning) { throw libraryError(warning) }
    }
    guard let picture = de265_peek_next_picture(decoder) else {
      throw .malformed(where: coded.place, what: "the coded picture is damaged")
    }
    return try coded.image(
      chroma: HEVCConfiguration.subsampling(Int(de265_get_chroma_format(picture).rawValue & 3)),
      bitDepth: Int(de265_get_bits_per_pixel(picture, 0))
    ) { index in
      let channel = Int32(index)
      var stride: Int32 = 0
      let samples = de265_get_image_plane(picture, channel, &stride)
      return (
        samples.map { UnsafeRawPointer($0) }, Int(stride),
        HEVCCodedPicture.Size(
          width: Int(de265_get_image_width(picture, channel)), height: Int(de265_get_image_height(picture, channel)))
      )
    }
  }

  private func push(_ unit: ArraySlice<UInt8>, to decoder: UnsafeMutableRawPointer) throws(DecodeError) {
    guard let count = Int32(exactly: unit.count) else { throw .malformed(where: "NAL unit", what: "2 GiB or more") }
    try check(unit.withUnsafeBytes { de265_push_NAL(decoder, $0.baseAddress, count, 0, nil) })
  }

  private func check(_ code: de265_error) throws(DecodeError) {
    if code != DE265_OK { throw libraryError(code) }
  }

  private func libraryError(_ code: de265_error) -> DecodeError {
    let text = de265_get_error_text(code).map { String(cString: $0) }
    return .library(name: "libde265", code: Int(code.rawValue), message: text ?? "")
  }

  /// True for errors that leave the picture intact: those about threads and SEI messages.
  private func isHarmless(_ warning: de265_error) -> Bool {
    [
      DE265_WARNING_NO_WPP_CANNOT_USE_MULTITHREADING, DE265_WARNING_NUMBER_OF_THREADS_LIMITED_TO_MAXIMUM,
      DE265_WARNING_SPS_MISSING_CANNOT_DECODE_SEI,
    ].contains(warning)
  }
}
