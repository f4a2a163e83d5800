import FileParts
import CHEIF
import Glibc
import HDRCore

/// A coded HEVC picture: the decoder configuration record (content of `hvcC`) and the item's length-prefixed NAL
/// units.
package struct CodedHEVCPicture {
  package var configuration: [UInt8]
  package var data: [UInt8]
  /// The size of the decoded picture by its parameter set, at least that of the source.
  package var width: Int
  package var height: Int
}

/// An encoder of still pictures by x265, through libheif's encoder interface. Only the bitstream is taken from it:
/// libheif 1.15.1 writes neither the light level boxes nor a colr box by default, and wraps odd sizes in a grid.
///
/// Bits do not depend on the core count or on `threads`: there is one frame thread, wavefronts are always on, and the
/// pool is only a number of workers. The encoder's SEI, which lists its CPU features, is left out.
package enum HEVCEncoder {
  package struct Settings {
    /// The quality, 0...100; see `rateFactor`.
    package var quality: Int
    package var isLossless: Bool
    package var threads: Int

    package init(quality: Int, isLossless: Bool = false, threads: Int = 1) {
      self.quality = quality
      self.isLossless = isLossless
      self.threads = threads
    }
  }

  /// The reason why HEVC cannot be encoded; `nil`: it can. A bundle made without x265 has a replacement library that
  /// encodes nothing and marks itself by a symbol (scripts/bundle, docs/bundle.md).
  package static var missing: String? {
    guard library != nil else { return "HEIC without libheif: " + String(cString: hdr_heif_missing()) }
    return libraryName == nil ? "this build holds no HEVC encoder and writes no HEIC" : nil
  }

  /// The name and version of the encoder that libheif calls; `nil`: there is none.
  static let libraryName: String? = library.flatMap { $0.is_without_x265 ? nil : $0.encoderName }

  /// The functions of libheif; `nil`: it is missing. It is opened once; a codec process does so before it locks itself
  /// in.
  static var library: hdr_heif? { hdr_heif()?.pointee }

  /// Returns x265's constant rate factor for a quality: 100 is 4, 90 is 9, 50 is 29. It takes 51 at most, from quality 6
  /// down.
  package static func rateFactor(quality: Int) -> Double { min(4 + Double(100 - min(max(quality, 0), 100)) / 2, 51) }

  /// Returns the side of the coded picture. libheif would pad smaller and odd pictures itself; padding made here
  /// repeats the edges in all planes.
  private static func codedSide(_ side: Int) -> Int { max(64, (side + 1) & ~1) }

  /// Encodes one still picture.
  ///
  /// - Parameters:
  ///   - image: planar Y'CbCr 4:2:0 or 4:4:4, or one grey plane; `uint8` for 8 bits, `uint16` right-aligned for 10
  ///     and 12.
  ///   - cicp: written into the bitstream's VUI; samples are not changed.
  package static func encode(_ image: SampleImage, cicp: CICP, settings: Settings) throws(EncodeError)
    -> CodedHEVCPicture
  {
    guard let library, missing == nil else { throw .unsupported(feature: "writing HEIC", found: missing ?? "HEVC") }
    try image.checkForCoding(codec: "HEVC", depths: [8, 10, 12])
    let width = codedSide(image.width), height = codedSide(image.height)
    guard width <= 65_535, height <= 65_535 else {
      throw .unsupported(feature: "HEIC picture size", found: "\(image.width)x\(image.height)")
    }
    let file = try library.file(of: image, width: width, height: height, cicp: cicp, settings: settings)
    do throws(DecodeError) {
      let isMain10 = image.bitDepth == 10 && image.chroma == .s420
      return try HEVCPayload.read(
        file, profile: isMain10 ? .main10 : .asCoded, width: image.width, height: image.height)
    } catch {
      throw .library(name: "libheif", code: 0, message: "its file could not be read: \(error)")
    }
  }
}

/// Calls through the table of functions: in this extension each name is the opened library's.
extension hdr_heif {
  fileprivate var encoderName: String? {
    var found: OpaquePointer?
    guard heif_context_get_encoder_descriptors(nil, heif_compression_HEVC, nil, &found, 1) > 0 else { return nil }
    return heif_encoder_descriptor_get_name(found).map { String(cString: $0) }
  }

  /// Makes a HEIF file with one picture.
  fileprivate func file(
    of image: SampleImage, width: Int, height: Int, cicp: CICP, settings: HEVCEncoder.Settings
  ) throws(EncodeError) -> [UInt8] {
    let context = heif_context_alloc()
    defer { heif_context_free(context) }
    var encoder: OpaquePointer?
    try check(heif_context_get_encoder_for_format(context, heif_compression_HEVC, &encoder))
    defer { heif_encoder_release(encoder) }
    try configure(encoder, image: image, settings: settings)

    let picture = try picture(of: image, width: width, height: height, cicp: cicp)
    defer { heif_image_release(picture) }
    guard let options = heif_encoding_options_alloc() else {
      throw .library(name: "libheif", code: 0, message: "no memory for the encoding options")
    }
    defer { heif_encoding_options_free(options) }
    options.pointee.macOS_compatibility_workaround = 0
    options.pointee.macOS_compatibility_workaround_no_nclx_profile = 0
    try check(heif_context_encode_image(context, picture, encoder, options, nil))
    return try bytes(of: context)
  }

  private func configure(
    _ encoder: OpaquePointer?, image: SampleImage, settings: HEVCEncoder.Settings
  ) throws(EncodeError) {
    let chroma = image.chroma == .s444 ? "444" : "420"
    var parameters = [
      ("chroma", chroma), ("preset", preset), ("x265:pools", "\(max(1, settings.threads))"),
      ("x265:frame-threads", "1"), ("x265:info", "0"), ("x265:keyint", "1"), ("x265:rc-lookahead", "0"),
      ("x265:bframes", "0"), ("x265:rd", "1"),
      ("x265:crf", "\(HEVCEncoder.rateFactor(quality: settings.quality))"),
    ]
    if settings.isLossless { parameters.append(("x265:lossless", "1")) }
    for (name, value) in parameters { try check(heif_encoder_set_parameter_string(encoder, name, value)) }
  }

  /// The preset of x265. On 12 megapixels of a photograph, two cores, 4:2:0, quality 90: "ultrafast" takes 2.5 s of CPU
  /// for 2.23 MB and 59.7 dB in luma, "superfast" 9.2 s for 2.16 MB and 60.0 dB, "medium" 12.9 s for 2.55 MB and 60.2
  /// dB. With `rd` 1 instead of the preset's 2, time is another 5 to 7 % less, the file 0.4 % smaller and 0.06 dB
  /// worse: equal quality for its bytes. Fifteen other settings made no difference beyond noise (docs/performance.md).
  private var preset: String { "ultrafast" }

  /// Copies the samples to libheif's own planes; the last column and row are repeated up to the coded size.
  private func picture(
    of image: SampleImage, width: Int, height: Int, cicp: CICP
  ) throws(EncodeError) -> OpaquePointer? {
    var picture: OpaquePointer?
    let isGrey = image.model == .grey
    let chroma = isGrey ? heif_chroma_monochrome : image.chroma == .s444 ? heif_chroma_444 : heif_chroma_420
    let space = isGrey ? heif_colorspace_monochrome : heif_colorspace_YCbCr
    try check(heif_image_create(Int32(width), Int32(height), space, chroma, &picture))
    do throws(EncodeError) {
      let channels = [heif_channel_Y, heif_channel_Cb, heif_channel_Cr].prefix(image.channels.count)
      for (index, channel) in channels.enumerated() {
        let isHalved = index > 0 && image.chroma == .s420
        let planeWidth = isHalved ? width / 2 : width, planeHeight = isHalved ? height / 2 : height
        try check(
          heif_image_add_plane(picture, channel, Int32(planeWidth), Int32(planeHeight), Int32(image.bitDepth)))
        var stride: Int32 = 0
        guard let target = heif_image_get_plane(picture, channel, &stride) else {
          throw .library(name: "libheif", code: 0, message: "it gives no plane")
        }
        image.channels[index].copyPadded(to: target, stride: Int(stride), width: planeWidth, height: planeHeight)
      }
      try attach(cicp, to: picture)
    } catch {
      heif_image_release(picture)
      throw error
    }
    return picture
  }

  private func attach(_ cicp: CICP, to picture: OpaquePointer?) throws(EncodeError) {
    guard let profile = heif_nclx_color_profile_alloc() else {
      throw .library(name: "libheif", code: 0, message: "no memory for the colour profile")
    }
    defer { heif_nclx_color_profile_free(profile) }
    try check(heif_nclx_color_profile_set_color_primaries(profile, UInt16(clamping: cicp.primaries)))
    try check(heif_nclx_color_profile_set_transfer_characteristics(profile, UInt16(clamping: cicp.transfer)))
    try check(heif_nclx_color_profile_set_matrix_coefficients(profile, UInt16(clamping: cicp.matrix)))
    profile.pointee.full_range_flag = cicp.fullRange ? 1 : 0
    try check(heif_image_set_nclx_color_profile(picture, profile))
  }

  private func bytes(of context: OpaquePointer?) throws(EncodeError) -> [UInt8] {
    var result: [UInt8] = []
    var writer = heif_writer()
    writer.writer_api_version = 1
    writer.write = { _, data, size, user in
      let bytes = UnsafeRawBufferPointer(start: data, count: size)
      user?.assumingMemoryBound(to: [UInt8].self).pointee.append(contentsOf: bytes)
      return heif_error(code: heif_error_Ok, subcode: heif_suberror_Unspecified, message: nil)
    }
    let status = withUnsafeMutablePointer(to: &result) { heif_context_write(context, &writer, $0) }
    try check(status)
    return result
  }

  private func check(_ status: heif_error) throws(EncodeError) {
    guard status.code != heif_error_Ok else { return }
    throw .library(
      name: "libheif", code: Int(status.code.rawValue),
      message: status.message.map { String(cString: $0) } ?? "unknown error")
  }
}

extension LibraryRow {
  static let heif = LibraryRow("libheif", opened: .hevc) {
    guard let library = HEVCEncoder.library else {
      return (nil, "writing HEVC: not there (\(String(cString: hdr_heif_missing())))")
    }
    return (
      library.heif_get_version().map { String(cString: $0) },
      HEVCEncoder.libraryName.map { "writing HEVC, with " + $0 } ?? "writing HEVC: \(HEVCEncoder.missing ?? "")"
    )
  }
}
