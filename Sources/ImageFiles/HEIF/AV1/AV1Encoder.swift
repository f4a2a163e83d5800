import FileParts
import CAOM
import CDav1d
import HDRCore

/// A coded AV1 picture: the decoder configuration record (content of `av1C`) and the item's temporal unit.
package struct CodedAV1Picture {
  package var configuration: [UInt8]
  package var data: [UInt8]
  package var width: Int
  package var height: Int
}

/// An encoder of still pictures by libaom, on the calling thread. libheif 1.15.1 aborts on 10 bits, and libavif would
/// add four more codecs to the process, only for boxes that are written here anyway.
package enum AV1Encoder {
  package struct Settings {
    /// The quality, 0...100; see `quantizer`.
    package var quality: Int
    package var isLossless: Bool

    package init(quality: Int, isLossless: Bool = false) {
      self.quality = quality
      self.isLossless = isLossless
    }
  }

  package static let depths = [8, 10, 12]

  /// Returns libaom's quantiser (0...63) for a quality: 100 is 1, 90 is 5, 50 is 21.
  package static func quantizer(quality: Int) -> Int { 1 + (100 - min(max(quality, 0), 100)) * 2 / 5 }

  /// The pixels of the largest picture of AV1's highest defined levels, 8192 x 4352. Somewhat above it, libaom 3.6.0
  /// writes streams that no decoder reads (https://github.com/AOMediaCodec/libavif/pull/1467); larger pictures become
  /// grids.
  package static let largestFrame = 8192 * 4352
  package static let longestSide = 16_384

  /// The speed setting of libaom. Measured on 12 megapixels of a photograph, one core, 8-bit 4:2:0, quantiser 20: speed
  /// 9 takes 0.7 s for 1.01 MB and 42.0 dB in luma, 8 takes 2.0 s for 0.97 MB and 42.0 dB, 6 takes 4.9 s for 1.03 MB
  /// and 42.8 dB.
  private static let speed: Int32 = 9

  /// Encodes one still picture. The bits depend only on the samples, the code points and the settings.
  ///
  /// - Parameters:
  ///   - image: planar Y'CbCr 4:2:0 or 4:4:4, or one grey plane; `uint8` for 8 bits, `uint16` right-aligned for 10
  ///     and 12.
  ///   - cicp: written into the sequence header; samples are not changed.
  package static func encode(_ image: SampleImage, cicp: CICP, settings: Settings) throws(EncodeError)
    -> CodedAV1Picture
  {
    try image.checkForCoding(codec: "AV1", depths: depths)
    guard image.width <= longestSide, image.height <= longestSide, image.pixelCount <= largestFrame else {
      throw .unsupported(feature: "AV1 frame size", found: "\(image.width)x\(image.height)")
    }
    var context = aom_codec_ctx_t()
    try open(&context, image, settings)
    defer { aom_codec_destroy(&context) }
    try configure(&context, image, cicp, settings)
    let data = try code(image, cicp, &context)
    return CodedAV1Picture(
      configuration: try configuration(of: data), data: data, width: image.width, height: image.height)
  }

  private static func open(
    _ context: inout aom_codec_ctx_t, _ image: SampleImage, _ settings: Settings
  ) throws(EncodeError) {
    var configuration = aom_codec_enc_cfg_t()
    let status = aom_codec_enc_config_default(aom_codec_av1_cx(), &configuration, UInt32(AOM_USAGE_ALL_INTRA))
    guard status == AOM_CODEC_OK else { throw failure(status, nil) }
    configuration.g_w = UInt32(image.width)
    configuration.g_h = UInt32(image.height)
    // One thread, so that nothing can make the bits depend on the machine.
    configuration.g_threads = 1
    configuration.g_limit = 1
    configuration.g_lag_in_frames = 0
    configuration.g_bit_depth = [10: AOM_BITS_10, 12: AOM_BITS_12][image.bitDepth] ?? AOM_BITS_8
    configuration.g_input_bit_depth = UInt32(image.bitDepth)
    // Main profile has 4:0:0 and 4:2:0, High adds 4:4:4, Professional 12 bits.
    configuration.g_profile = image.bitDepth == 12 ? 2 : (image.chroma == .s444 ? 1 : 0)
    configuration.monochrome = image.model == .grey ? 1 : 0
    configuration.rc_end_usage = AOM_Q
    configuration.rc_min_quantizer = 0
    configuration.rc_max_quantizer = settings.isLossless ? 0 : 63
    let opened = hdr_aom_open(
      &context, &configuration, image.format == .uint16 ? aom_codec_flags_t(AOM_CODEC_USE_HIGHBITDEPTH) : 0)
    guard opened == AOM_CODEC_OK else { throw failure(opened, &context) }
  }

  private static func configure(
    _ context: inout aom_codec_ctx_t, _ image: SampleImage, _ cicp: CICP, _ settings: Settings
  ) throws(EncodeError) {
    let quantizer = settings.isLossless ? 0 : quantizer(quality: settings.quality)
    var controls: [(aome_enc_control_id, Int32)] = [
      (AOME_SET_CPUUSED, speed), (AOME_SET_CQ_LEVEL, Int32(quantizer)), (AV1E_SET_ROW_MT, 0),
      (AV1E_SET_COLOR_PRIMARIES, Int32(clamping: cicp.primaries)),
      (AV1E_SET_TRANSFER_CHARACTERISTICS, Int32(clamping: cicp.transfer)),
      (AV1E_SET_MATRIX_COEFFICIENTS, Int32(clamping: cicp.matrix)),
      (AV1E_SET_COLOR_RANGE, cicp.fullRange ? 1 : 0),
    ]
    if settings.isLossless { controls.append((AV1E_SET_LOSSLESS, 1)) }
    if image.chroma == .s420 { controls.append((AV1E_SET_CHROMA_SAMPLE_POSITION, samplePosition(image.siting))) }
    for (control, value) in controls {
      let status = hdr_aom_set(&context, control, value)
      guard status == AOM_CODEC_OK else { throw failure(status, &context) }
    }
  }

  /// Returns chroma_sample_position (AV1 6.4.2): 0 unknown, 1 left, 2 top left.
  private static func samplePosition(_ siting: ChromaSiting) -> Int32 {
    guard siting.horizontallyCosited else { return 0 }
    return siting.verticallyCosited ? 2 : 1
  }

  private static func code(
    _ image: SampleImage, _ cicp: CICP, _ context: inout aom_codec_ctx_t
  ) throws(EncodeError) -> [UInt8] {
    var picture = aom_image_t()
    let luma = image.channels[0]
    let format =
      switch (image.chroma == .s444, image.format == .uint16) {
      case (false, false): AOM_IMG_FMT_I420
      case (false, true): AOM_IMG_FMT_I42016
      case (true, false): AOM_IMG_FMT_I444
      case (true, true): AOM_IMG_FMT_I44416
      }
    let start = luma.buffer.base.assumingMemoryBound(to: UInt8.self)
    guard aom_img_wrap(&picture, format, UInt32(image.width), UInt32(image.height), 1, start) != nil else {
      throw .library(name: "libaom", code: 0, message: "it takes no picture of this size")
    }
    picture.range = cicp.fullRange ? AOM_CR_FULL_RANGE : AOM_CR_STUDIO_RANGE
    picture.bit_depth = UInt32(image.bitDepth)
    picture.monochrome = image.model == .grey ? 1 : 0
    // libaom copies chroma of grey pictures and does not use it: one neutral row serves for all.
    let neutral = PixelBuffer(byteCount: image.width * image.format.bytes)
    if image.format == .uint16 {
      neutral.base.initializeMemory(as: UInt16.self, repeating: 1 << UInt16(image.bitDepth - 1), count: image.width)
    } else {
      neutral.base.initializeMemory(as: UInt8.self, repeating: 128, count: image.width)
    }
    let planes = (0..<3).map { index -> (UnsafeMutablePointer<UInt8>, Int32) in
      guard index < image.channels.count else { return (neutral.base.assumingMemoryBound(to: UInt8.self), 0) }
      let plane = image.channels[index]
      return ((plane.buffer.base + plane.offset).assumingMemoryBound(to: UInt8.self), Int32(plane.rowBytes))
    }
    picture.planes = (planes[0].0, planes[1].0, planes[2].0)
    picture.stride = (planes[0].1, planes[1].1, planes[2].1)
    let status = aom_codec_encode(&context, &picture, 0, 1, 0)
    guard status == AOM_CODEC_OK else { throw failure(status, &context) }
    var data = packets(&context)
    // The end of input; it also returns data that libaom may still hold.
    guard aom_codec_encode(&context, nil, 0, 1, 0) == AOM_CODEC_OK else { throw failure(AOM_CODEC_ERROR, &context) }
    data += packets(&context)
    withExtendedLifetime((image, neutral)) {}
    guard !data.isEmpty else { throw .library(name: "libaom", code: 0, message: "it gave no picture") }
    // An item needs no temporal delimiter (AV1 in ISO base media files, 2.4).
    return data.starts(with: [0x12, 0x00]) ? Array(data.dropFirst(2)) : data
  }

  private static func packets(_ context: inout aom_codec_ctx_t) -> [UInt8] {
    var result: [UInt8] = []
    var position: aom_codec_iter_t?
    while let packet = aom_codec_get_cx_data(&context, &position) {
      guard packet.pointee.kind == AOM_CODEC_CX_FRAME_PKT else { continue }
      result += UnsafeRawBufferPointer(start: packet.pointee.data.frame.buf, count: packet.pointee.data.frame.sz)
    }
    return result
  }

  /// Returns the AV1CodecConfigurationRecord without OBUs (AV1 in ISO base media files, 2.3.3), from the sequence
  /// header.
  private static func configuration(of data: [UInt8]) throws(EncodeError) -> [UInt8] {
    var header = Dav1dSequenceHeader()
    guard dav1d_parse_sequence_header(&header, data, data.count) == 0 else {
      throw .library(name: "libaom", code: 0, message: "its sequence header cannot be read")
    }
    let point = header.operating_points.0
    let level = (Int(point.major_level) - 2) << 2 | Int(point.minor_level)
    let isMono = header.layout == DAV1D_PIXEL_LAYOUT_I400, is444 = header.layout == DAV1D_PIXEL_LAYOUT_I444
    var record = ByteSink()
    record.u8(0x81)
    record.u8(Int(header.profile) << 5 | level & 31)
    let depth = (header.hbd > 0 ? 0x40 : 0) | (header.hbd > 1 ? 0x20 : 0)
    let sampling = (isMono ? 0x10 : 0) | (is444 ? 0 : 0x0C)
    record.u8(Int(point.tier) << 7 | depth | sampling | Int(header.chr.rawValue) & 3)
    record.u8(0)
    return record.bytes
  }

  private static func failure(
    _ status: aom_codec_err_t, _ context: UnsafeMutablePointer<aom_codec_ctx_t>?
  ) -> EncodeError {
    let text = context.flatMap { aom_codec_error_detail($0) } ?? aom_codec_err_to_string(status)
    return .library(
      name: "libaom", code: Int(status.rawValue), message: text.map { String(cString: $0) } ?? "unknown error")
  }
}

extension LibraryRow {
  static let aom = LibraryRow("libaom") {
    (aom_codec_version_str().map { String(cString: $0) }, "writing AV1 (AVIF)")
  }
}
