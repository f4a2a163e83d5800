import CDe265
import HDRCore

/// Decodes the one picture of an `hvc1` item with libde265, in the calling thread.
enum HEVCPicture {
  /// - Parameter data: NAL units behind their lengths.
  /// - Returns: planes as coded, inside the conformance window.
  /// - Throws: `.malformed` and `.truncated` for broken structure, `.library` for everything libde265 complains of: a
  ///   damaged slice is an error here, not a grey patch.
  static func decode(
    _ data: ArraySlice<UInt8>, _ configuration: HEVCConfiguration, width: Int, height: Int, place: String
  ) throws(DecodeError) -> SampleImage {
    let sps = try configuration.sequenceParameterSet()
    try check(sps, width: width, height: height, place: place)
    guard let decoder = de265_new_decoder() else {
      throw .library(name: "libde265", code: 0, message: "no decoder")
    }
    defer { de265_free_decoder(decoder) }
    de265_set_parameter_bool(decoder, DE265_DECODER_PARAM_SUPPRESS_FAULTY_PICTURES, 1)

    for unit in configuration.nalUnits { try push(unit, to: decoder) }
    var pictures = 0
    for unit in try configuration.split(data, place: place) {
      guard let header = HEVCUnitHeader(unit), header.layer == 0 else { continue }
      if header.type == HEVCUnitHeader.sequenceParameterSet {
        try check(try HEVCSequenceParameterSet(unit), width: width, height: height, place: place)
      }
      if header.isSlice, header.startsPicture { pictures += 1 }
      // An item is one picture; a second one would only cost time.
      if pictures > 1 { break }
      try push(unit, to: decoder)
    }
    guard pictures > 0 else { throw .malformed(where: place, what: "no coded picture inside") }
    try check(de265_flush_data(decoder))
    return try image(from: decoder, sps, width: width, height: height, place: place)
  }

  private static func check(
    _ sps: HEVCSequenceParameterSet, width: Int, height: Int, place: String
  ) throws(DecodeError) {
    guard sps.width == width, sps.height == height else {
      throw .malformed(where: place, what: "coded size \(sps.width)x\(sps.height), ispe says \(width)x\(height)")
    }
  }

  private static func push(_ unit: ArraySlice<UInt8>, to decoder: UnsafeMutableRawPointer) throws(DecodeError) {
    guard let count = Int32(exactly: unit.count) else { throw .malformed(where: "NAL unit", what: "2 GiB or more") }
    try check(unit.withUnsafeBytes { de265_push_NAL(decoder, $0.baseAddress, count, 0, nil) })
  }

  private static func check(_ code: de265_error) throws(DecodeError) {
    if code != DE265_OK { throw libraryError(code) }
  }

  private static func libraryError(_ code: de265_error) -> DecodeError {
    .library(name: "libde265", code: Int(code.rawValue), message: String(cString: de265_get_error_text(code)))
  }

  /// Complaints that leave the picture intact: threads, and messages beside the picture.
  private static func isHarmless(_ warning: de265_error) -> Bool {
    [
      DE265_WARNING_NO_WPP_CANNOT_USE_MULTITHREADING, DE265_WARNING_NUMBER_OF_THREADS_LIMITED_TO_MAXIMUM,
      DE265_WARNING_SPS_MISSING_CANNOT_DECODE_SEI,
    ].contains(warning)
  }

  private static func image(
    from decoder: UnsafeMutableRawPointer, _ sps: HEVCSequenceParameterSet, width: Int, height: Int, place: String
  ) throws(DecodeError) -> SampleImage {
    var more: Int32 = 1
    while more != 0, de265_peek_next_picture(decoder) == nil {
      let code = de265_decode(decoder, &more)
      // All data were given and the end was announced: waiting for input means that they did not suffice.
      try check(code)
    }
    while true {
      let warning = de265_get_warning(decoder)
      if warning == DE265_OK { break }
      if !isHarmless(warning) { throw libraryError(warning) }
    }
    guard let picture = de265_peek_next_picture(decoder) else {
      throw .malformed(where: place, what: "the coded picture is damaged")
    }
    return try copy(picture, sps.format, width: width, height: height, place: place)
  }

  private static func copy(
    _ picture: OpaquePointer, _ format: CodedFormat, width: Int, height: Int, place: String
  ) throws(DecodeError) -> SampleImage {
    let chroma = HEVCConfiguration.subsampling(Int(de265_get_chroma_format(picture).rawValue & 3))
    let image = format.makeImage(width: width, height: height)
    for (index, plane) in image.channels.enumerated() {
      let channel = Int32(index)
      var stride: Int32 = 0
      let columns = Int(de265_get_image_width(picture, channel)), rows = Int(de265_get_image_height(picture, channel))
      guard chroma == format.chroma, columns == plane.width, rows == plane.height,
        Int(de265_get_bits_per_pixel(picture, channel)) == format.bitDepth,
        let source = de265_get_image_plane(picture, channel, &stride)
      else { throw .malformed(where: place, what: "the decoded picture is not what its parameter set says") }
      plane.copyRows(from: source, stride: Int(stride), width: columns, height: rows)
    }
    return image
  }
}
