import FileParts
import CJXL
import HDRCore

/// A decoded codestream: its picture, or a frame of its animation, in stored orientation and the colour of its samples.
struct JXLCodestream {
  var image: SampleImage
  /// The bits of a sample by the header; `image` has 8, 16 or 32.
  var bitDepth: Int
  var color: SourceColor
  var orientation: Orientation
  /// The intensity_target, the light of the brightest sample in cd/m²; `nil`: no usable value is stated.
  var peak: Double?
  /// The frames of an animation with several, and the number, from 1, of the frame that is read; empty for a still.
  var frames: [FilePicture] = []
  var frame = 1

  /// The purpose of the samples.
  enum Purpose {
    case picture
    /// The codes of a gain map: integers without warnings about their colour.
    case gainMap

    var place: String { self == .picture ? "JPEG XL codestream" : "gain map" }
  }

  /// The bytes that the library may take in addition to its pictures.
  private static let memory = 512 << 20

  /// Decodes a codestream.
  ///
  /// - Parameter bytes: the codestream without boxes.
  static func decode(
    _ bytes: ArraySlice<UInt8>, _ purpose: Purpose, request: DecodeRequest, limits: DecodeLimits,
    warnings: inout [Warning]
  ) throws(DecodeError) -> JXLCodestream {
    let pixels = request == .pixels ? JXL_DEC_FULL_IMAGE : JXL_DEC_BASIC_INFO
    let handle = try JXLDecoderHandle(memory: memory, threads: request == .pixels ? limits.threads : 1)
    return try bytes.withUnsafeBufferPointer { (input) throws(DecodeError) in
      let frames = try JXLFrames(handle, input, place: purpose.place)
      var reading = Reading(handle, purpose, limits)
      let index = try reading.choose(frames)
      handle.subscribe(JXL_DEC_BASIC_INFO, JXL_DEC_COLOR_ENCODING, pixels)
      handle.input(input)
      // The earlier frames with which this one is blended are kept, and no others.
      if index > 0 { handle.library.JxlDecoderSkipFrames(handle.decoder, index) }
      var found = try reading.run(request)
      if frames.all.count > 1 { (found.frames, found.frame) = (frames.all, index + 1) }
      warnings += reading.warnings
      return found
    }
  }

  /// The state between events.
  private struct Reading {
    let handle: JXLDecoderHandle
    let purpose: Purpose
    let limits: DecodeLimits
    var warnings: [Warning] = []
    private var info = JxlBasicInfo()
    private var color: SourceColor?
    private var image: SampleImage?

    init(_ handle: JXLDecoderHandle, _ purpose: Purpose, _ limits: DecodeLimits) {
      (self.handle, self.purpose, self.limits) = (handle, purpose, limits)
    }

    /// Returns the index of the frame that the caller chooses.
    mutating func choose(_ frames: JXLFrames) throws(DecodeError) -> Int {
      guard purpose == .picture else { return 0 }
      warnings += frames.warnings
      if frames.all.count > 1, !limits.reading.isChosen {
        warnings.append(
          Warning("jxl.animation", "an animation of \(frames.all.count) frames: only the first is read"))
      }
      let all = frames.all.isEmpty ? [FilePicture(width: 0, height: 0)] : frames.all
      return try limits.reading.index(among: all, main: 0)
    }

    mutating func run(_ request: DecodeRequest) throws(DecodeError) -> JXLCodestream {
      let library = handle.library, decoder = handle.decoder
      _ = library.JxlDecoderSetKeepOrientation(decoder, JXL_TRUE)
      while true {
        let status = handle.next()
        switch status {
        case JXL_DEC_BASIC_INFO: try readInfo()
        case JXL_DEC_COLOR_ENCODING:
          try readColor()
          if request == .metadata { return try result(emptyImage) }
        case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
          guard image == nil, color != nil else {
            throw .malformed(where: purpose.place, what: "samples before colour")
          }
          image = try buffer()
        case JXL_DEC_FULL_IMAGE:
          guard let image else { throw .malformed(where: purpose.place, what: "no samples") }
          return try result(image)
        default: throw handle.failure(status, place: purpose.place)
        }
      }
    }

    private func result(_ image: SampleImage) throws(DecodeError) -> JXLCodestream {
      guard let color else { throw .malformed(where: purpose.place, what: "no colour") }
      let intensity = Double(info.intensity_target)
      return JXLCodestream(
        image: image, bitDepth: Int(info.bits_per_sample), color: color,
        orientation: Orientation(rawValue: Int(info.orientation.rawValue)) ?? .up,
        peak: intensity > 0 && intensity.isFinite ? intensity : nil)
    }

    // MARK: Head

    private mutating func readInfo() throws(DecodeError) {
      guard handle.library.JxlDecoderGetBasicInfo(handle.decoder, &info) == JXL_DEC_SUCCESS else {
        throw handle.failure(JXL_DEC_ERROR, place: purpose.place)
      }
      let pixels = try checkedPixels(Int(info.xsize), Int(info.ysize), limits, place: purpose.place)
      // A frame of an animation is blended with up to four others.
      handle.allow(memory: JXLCodestream.memory + (info.have_animation == JXL_TRUE ? 80 : 16) * pixels)
      try readExtraChannels()
    }

    private mutating func readExtraChannels() throws(DecodeError) {
      var ignored = 0, alphas = 0
      for index in 0..<Int(min(info.num_extra_channels, 4096)) {
        var channel = JxlExtraChannelInfo()
        guard handle.library.JxlDecoderGetExtraChannelInfo(handle.decoder, index, &channel) == JXL_DEC_SUCCESS else {
          throw handle.failure(JXL_DEC_ERROR, place: purpose.place)
        }
        switch channel.type {
        case JXL_CHANNEL_BLACK: throw .unsupported(feature: "JPEG XL colour model", found: "CMYK")
        // The library renders spot colours into the picture.
        case JXL_CHANNEL_SPOT_COLOR: break
        case JXL_CHANNEL_ALPHA where alphas == 0: alphas = 1
        default: ignored += 1
        }
      }
      if ignored > 0, purpose == .picture {
        warnings.append(Warning("jxl.channels", "\(ignored) channels beside colour and alpha are ignored"))
      }
    }

    private var isGrey: Bool { info.num_color_channels == 1 }
    /// True if samples are floats, because light may exceed 1.
    private var isFloat = false
    /// True if samples have more than 8 bits, whatever the file declares.
    private var isDeep = false

    /// Requests samples in the colour of the file, then reads the colour that they will have.
    private mutating func readColor() throws(DecodeError) {
      let decoder = handle.decoder
      var encoding = JxlColorEncoding()
      let isXYB = info.uses_original_profile == JXL_FALSE
      if isXYB {
        var wanted: JXLColor?
        let isNamed =
          hdr_jxl_encoded_profile(decoder, JXL_COLOR_PROFILE_TARGET_ORIGINAL, &encoding) == JXL_DEC_SUCCESS
          && encoding.color_space != JXL_COLOR_SPACE_XYB && encoding.transfer_function != JXL_TRANSFER_FUNCTION_UNKNOWN
        if !isNamed {
          // No colour of a profile's gamut is clipped. Light above its white is, unless the file declares such light.
          let transfer = isBright ? CICP.Transfer.linear : CICP.Transfer.sRGB
          wanted = JXLColor(primaries: CICP.Primaries.bt2020, transfer: transfer, isGrey: isGrey)
          (isFloat, isDeep) = (isBright, true)
        }
        var preferred = wanted?.encoding ?? encoding
        // If this fails, the library chooses the colour of samples; it is read below.
        _ = handle.library.JxlDecoderSetPreferredColorProfile(decoder, &preferred)
      }
      if hdr_jxl_encoded_profile(decoder, JXL_COLOR_PROFILE_TARGET_DATA, &encoding) == JXL_DEC_SUCCESS,
        encoding.color_space == JXL_COLOR_SPACE_RGB || encoding.color_space == JXL_COLOR_SPACE_GRAY
      {
        let named = JXLColor(encoding)
        let isScaled = isBright && !CICP.Transfer.isHDR(named.transfer)
        // Light above white cannot be an SDR signal.
        if isScaled { isFloat = true }
        color = named.color(
          scale: isScaled ? Double(info.intensity_target) / ReferenceWhite.nits : 1, warnings: &warnings)
      } else {
        color = try profileColor()
      }
      if info.exponent_bits_per_sample > 0 { isFloat = true }
      if purpose == .gainMap { isFloat = false }
    }

    /// True if a sample of 1 is more than the SDR white that the library assumes, 255 cd/m².
    private var isBright: Bool { info.intensity_target > 255 }

    private mutating func profileColor() throws(DecodeError) -> SourceColor {
      var count = 0
      guard hdr_jxl_icc_profile(handle.decoder, JXL_COLOR_PROFILE_TARGET_DATA, nil, &count) == JXL_DEC_SUCCESS else {
        warnings.append(Warning("icc.invalid", "the colour is not stated; sRGB is assumed"))
        return .sRGB()
      }
      guard count <= limits.maxICCBytes else {
        warnings.append(Warning("icc.limit", "ICC profile ignored: \(count) bytes, limit \(limits.maxICCBytes)"))
        return .sRGB()
      }
      var profile = [UInt8](repeating: 0, count: count)
      let status = hdr_jxl_icc_profile(handle.decoder, JXL_COLOR_PROFILE_TARGET_DATA, &profile, &count)
      guard status == JXL_DEC_SUCCESS else { throw handle.failure(status, place: purpose.place) }
      return SourceColor(icc: profile, model: isGrey ? .grey : .rgb, limits: limits, warnings: &warnings) ?? .sRGB()
    }

    // MARK: Samples

    private var format: SampleFormat {
      if isFloat { return info.bits_per_sample <= 16 && info.exponent_bits_per_sample > 0 ? .float16 : .float32 }
      return info.bits_per_sample <= 8 && info.exponent_bits_per_sample == 0 && !isDeep ? .uint8 : .uint16
    }

    private var emptyImage: SampleImage {
      SampleImage(
        width: Int(info.xsize), height: Int(info.ysize), model: isGrey ? .grey : .rgb, format: format,
        bitDepth: 8 * format.bytes, chroma: isGrey ? .none : .s444, channels: [],
        alphaIsPremultiplied: info.alpha_bits > 0 && info.alpha_premultiplied == JXL_TRUE)
    }

    /// Allocates the memory that the library fills: interleaved samples, rows tightly packed.
    private func buffer() throws(DecodeError) -> SampleImage {
      var image = emptyImage
      let hasAlpha = info.alpha_bits > 0, colors = isGrey ? 1 : 3, count = colors + (hasAlpha ? 1 : 0)
      let types: [SampleFormat: JxlDataType] = [
        .uint8: JXL_TYPE_UINT8, .uint16: JXL_TYPE_UINT16, .float16: JXL_TYPE_FLOAT16, .float32: JXL_TYPE_FLOAT,
      ]
      var layout = JxlPixelFormat(
        num_channels: UInt32(count), data_type: types[image.format] ?? JXL_TYPE_UINT16, endianness: JXL_LITTLE_ENDIAN,
        align: 0)
      let row = image.width * count * image.format.bytes
      var size = 0
      let library = handle.library, decoder = handle.decoder
      guard library.JxlDecoderImageOutBufferSize(decoder, &layout, &size) == JXL_DEC_SUCCESS, size == row * image.height
      else {
        throw .library(
          name: "libjxl", code: size, message: "\(purpose.place): samples of another size than the header's")
      }
      let buffer = PixelBuffer(uninitializedByteCount: size)
      guard library.JxlDecoderSetImageOutBuffer(decoder, &layout, buffer.base, size) == JXL_DEC_SUCCESS else {
        throw handle.failure(JXL_DEC_ERROR, place: purpose.place)
      }
      let planes = (0..<count).map {
        SamplePlane(
          buffer: buffer, offset: $0 * image.format.bytes, rowBytes: row, stepBytes: count * image.format.bytes,
          width: image.width, height: image.height)
      }
      image.channels = Array(planes.prefix(colors))
      image.alpha = hasAlpha ? planes.last : nil
      return image
    }
  }
}
