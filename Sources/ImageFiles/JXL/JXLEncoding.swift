import CJXL
import HDRCore

/// An encoder of pictures by libjxl. Equal pictures and settings give equal bytes for any number of threads.
enum JXLEncoding {
  struct Settings {
    /// The quality, 0...100; 100: lossless.
    var quality: Int
    /// The effort: 1 fastest ... 9 smallest; 0: chosen for the quality.
    var effort: Int
    var threads: Int
    var color: JXLColor?
    /// An ICC profile instead of `color`.
    var icc: [UInt8]?
    /// The luminance of the brightest sample in cd/m².
    var intensity = 255.0

    var isLossless: Bool { quality >= 100 }

    /// The distance, libjxl's measure of loss, of a JPEG quality (`JxlEncoderDistanceFromQuality`).
    var distance: Double {
      let q = Double(min(max(quality, 0), 100))
      if isLossless { return 0 }
      return q >= 30 ? 0.1 + (100 - q) * 0.09 : 53.0 / 3000 * q * q - 23.0 / 20 * q + 25
    }
  }

  /// Returns the intensity_target of a picture that reaches `peak` cd/m²: whole numbers of 255 to 10 000, rounded up to
  /// what a half float holds, since the library cuts others off.
  static func intensity(ofPeak peak: Double) -> Double {
    let whole = peak.isFinite ? min(max(255, peak.rounded(.up)), 10_000) : 10_000
    let half = Float16(whole)
    return Double(Double(half) < whole ? half.nextUp : half)
  }

  /// A codestream, and the level that decoders must support for it.
  struct Coded {
    /// The library's output: the codestream, perhaps in boxes.
    var bytes: [UInt8]
    /// The place of the codestream in `bytes`.
    let place: Range<Int>
    let level: Int

    var codestream: [UInt8] { place == bytes.indices ? bytes : Array(bytes[place]) }

    init(codestream: [UInt8], level: Int = 5) { (bytes, place, self.level) = (codestream, codestream.indices, level) }

    /// Finds the codestream in the library's output.
    fileprivate init(output: [UInt8], level: Int = 5) throws(EncodeError) {
      let parts: [ArraySlice<UInt8>]
      do throws(DecodeError) {
        parts = try JXLContainer(output).parts
      } catch {
        throw .library(name: "libjxl", code: 0, message: "\(error)")
      }
      bytes = parts.count == 1 ? output : Array(parts.joined())
      place = parts.count == 1 ? parts[0].indices : bytes.indices
      self.level = level
    }
  }

  /// Encodes a picture.
  ///
  /// - Parameter image: interleaved R G B A or planes of grey; `uint8`, `uint16` or `float16`, which is coded without
  ///   loss.
  static func code(_ image: SampleImage, hasAlpha: Bool, _ settings: Settings) throws(EncodeError) -> Coded {
    let samples = try JXLSamples(image, hasAlpha: hasAlpha)
    let handle = try JXLEncoderHandle(threads: settings.threads), library = handle.library, encoder = handle.encoder
    let isLossless = settings.isLossless || image.format == .float16
    var info = JxlBasicInfo()
    library.JxlEncoderInitBasicInfo(&info)
    (info.xsize, info.ysize) = (UInt32(image.width), UInt32(image.height))
    info.bits_per_sample = UInt32(8 * image.format.bytes)
    info.exponent_bits_per_sample = image.format == .float16 ? 5 : 0
    info.num_color_channels = UInt32(image.channels.count)
    info.uses_original_profile = isLossless ? JXL_TRUE : JXL_FALSE
    info.intensity_target = Float(settings.intensity)
    if hasAlpha {
      info.num_extra_channels = 1
      (info.alpha_bits, info.alpha_exponent_bits) = (info.bits_per_sample, info.exponent_bits_per_sample)
    }
    try handle.check(library.JxlEncoderSetBasicInfo(encoder, &info), "size and depth")
    if let icc = settings.icc {
      try handle.check(library.JxlEncoderSetICCProfile(encoder, icc, icc.count), "ICC profile")
    } else if let color = settings.color {
      var encoding = color.encoding
      try handle.check(library.JxlEncoderSetColorEncoding(encoder, &encoding), "colour")
    }
    let frame = library.JxlEncoderFrameSettingsCreate(encoder, nil)
    if isLossless {
      try handle.check(library.JxlEncoderSetFrameLossless(frame, JXL_TRUE), "lossless coding")
    } else {
      try handle.check(library.JxlEncoderSetFrameDistance(frame, Float(settings.distance)), "quality")
    }
    let effort = settings.effort > 0 ? settings.effort : isLossless ? 1 : 3
    try handle.check(
      library.JxlEncoderFrameSettingsSetOption(frame, JXL_ENC_FRAME_SETTING_EFFORT, Int64(effort)), "effort")
    // Read before coding: the library wraps codestreams of level 10 in boxes of its own.
    let level = Int(library.JxlEncoderGetRequiredCodestreamLevel(encoder)) == 10 ? 10 : 5
    var format = samples.format
    try handle.check(
      library.JxlEncoderAddImageFrame(frame, &format, samples.base, samples.byteCount), "samples")
    library.JxlEncoderCloseInput(encoder)
    return try Coded(output: try handle.output(likely: samples.byteCount), level: level)
  }

  /// Encodes the coefficients of a JPEG without loss, without its segments and tables.
  static func code(coefficientsOf jpeg: [UInt8], threads: Int) throws(EncodeError) -> Coded {
    let handle = try JXLEncoderHandle(threads: threads)
    try handle.add(jpeg)
    return try Coded(output: try handle.output(likely: jpeg.count))
  }

  /// Makes a whole file from which the JPEG can be restored byte for byte.
  static func file(of jpeg: [UInt8], threads: Int) throws(EncodeError) -> [UInt8] {
    let handle = try JXLEncoderHandle(threads: threads)
    try handle.check(handle.library.JxlEncoderUseContainer(handle.encoder, JXL_TRUE), "boxes")
    try handle.check(handle.library.JxlEncoderStoreJPEGMetadata(handle.encoder, JXL_TRUE), "JPEG metadata")
    try handle.add(jpeg)
    return try handle.output(likely: jpeg.count)
  }
}

/// An encoder of libjxl with its threads.
private final class JXLEncoderHandle {
  let library: hdr_jxl
  let encoder: OpaquePointer
  private let runner: JXLThreads?

  init(threads: Int) throws(EncodeError) {
    library = try JXLLibrary.encoding()
    guard let encoder = library.JxlEncoderCreate(nil) else {
      throw .library(name: "libjxl", code: 0, message: "no encoder")
    }
    self.encoder = encoder
    runner = JXLThreads(library, threads)
    if let runner { _ = library.JxlEncoderSetParallelRunner(encoder, runner.run, runner.runner) }
  }

  deinit { library.JxlEncoderDestroy(encoder) }

  func check(_ status: JxlEncoderStatus, _ what: String) throws(EncodeError) {
    guard status == JXL_ENC_SUCCESS else {
      let code = Int(library.JxlEncoderGetError(encoder).rawValue)
      throw .library(name: "libjxl", code: code, message: "\(what) cannot be coded")
    }
  }

  func add(_ jpeg: [UInt8]) throws(EncodeError) {
    let frame = library.JxlEncoderFrameSettingsCreate(encoder, nil)
    try check(library.JxlEncoderAddJPEGFrame(frame, jpeg, jpeg.count), "the JPEG")
    library.JxlEncoderCloseInput(encoder)
  }

  /// Returns the encoder's output.
  ///
  /// - Parameter likely: a likely upper bound of the file's size; a larger file is copied. Memory that is not written
  ///   costs nothing.
  func output(likely: Int) throws(EncodeError) -> [UInt8] {
    var file: [UInt8] = [], status = JXL_ENC_NEED_MORE_OUTPUT
    while status == JXL_ENC_NEED_MORE_OUTPUT {
      let before = file, room = max(likely, before.count, 1 << 18)
      file = [UInt8](unsafeUninitializedCapacity: before.count + room) { memory, count in
        PictureMemory.advise(memory.baseAddress!, byteCount: memory.count)
        _ = memory.update(fromContentsOf: before)
        var next = memory.baseAddress.map { $0 + before.count }, left = room
        status = library.JxlEncoderProcessOutput(encoder, &next, &left)
        count = before.count + room - left
      }
    }
    try check(status, "the picture")
    return file
  }
}

/// The interleaved samples of a picture, as the library needs them.
private struct JXLSamples {
  let format: JxlPixelFormat
  let base: UnsafeRawPointer
  let byteCount: Int
  private let buffer: PixelBuffer

  /// Copies the samples, unless they have this layout already.
  init(_ image: SampleImage, hasAlpha: Bool) throws(EncodeError) {
    let types: [SampleFormat: JxlDataType] = [
      .uint8: JXL_TYPE_UINT8, .uint16: JXL_TYPE_UINT16, .float16: JXL_TYPE_FLOAT16,
    ]
    let planes = image.channels + (hasAlpha ? [image.alpha].compactMap { $0 } : [])
    guard let type = types[image.format], image.model != .ycc, image.lowZeroBits == 0,
      image.bitDepth == 8 * image.format.bytes, image.width > 0, image.height > 0,
      planes.count == image.channels.count + (hasAlpha ? 1 : 0),
      planes.allSatisfy({ $0.width == image.width && $0.height == image.height })
    else {
      throw .unsupported(
        feature: "pixel layout for JPEG XL",
        found: "\(image.model.rawValue), \(image.format.rawValue), \(image.bitDepth) bits")
    }
    let bytes = image.format.bytes, step = planes.count * bytes, row = image.width * step, first = planes[0]
    format = JxlPixelFormat(
      num_channels: UInt32(planes.count), data_type: type, endianness: JXL_LITTLE_ENDIAN, align: 0)
    byteCount = row * image.height
    let isPacked = planes.enumerated().allSatisfy { index, plane in
      plane.buffer === first.buffer && plane.offset == first.offset + index * bytes && plane.stepBytes == step
        && plane.rowBytes == row
    }
    if isPacked {
      buffer = first.buffer
      base = UnsafeRawPointer(first.buffer.base + first.offset)
      return
    }
    buffer = PixelBuffer(uninitializedByteCount: byteCount)
    base = UnsafeRawPointer(buffer.base)
    // The first three of four samples: the fourth is written into the next pixel, which then overwrites it.
    if planes.count == 3,
      planes.enumerated().allSatisfy({ index, plane in
        plane.buffer === first.buffer && plane.offset == first.offset + index * bytes && plane.stepBytes == 4 * bytes
          && plane.rowBytes == first.rowBytes
      }), first.offset + (image.height - 1) * first.rowBytes + 4 * bytes * image.width <= first.buffer.byteCount
    {
      for y in 0..<image.height {
        let from = first.buffer.base + first.offset + y * first.rowBytes, to = buffer.base + y * row
        if bytes == 1 {
          for x in 0..<image.width {
            to.storeBytes(
              of: from.loadUnaligned(fromByteOffset: 4 &* x, as: UInt32.self), toByteOffset: 3 &* x, as: UInt32.self)
          }
        } else {
          for x in 0..<image.width {
            to.storeBytes(
              of: from.loadUnaligned(fromByteOffset: 8 &* x, as: UInt64.self), toByteOffset: 6 &* x, as: UInt64.self)
          }
        }
      }
      return
    }
    for (index, plane) in planes.enumerated() {
      for y in 0..<image.height {
        let from = plane.buffer.base + plane.offset + y * plane.rowBytes
        let to = buffer.base + y * row + index * bytes
        if bytes == 1 {
          let source = from.assumingMemoryBound(to: UInt8.self), target = to.assumingMemoryBound(to: UInt8.self)
          for x in 0..<image.width { target[x &* step] = source[x &* plane.stepBytes] }
        } else {
          for x in 0..<image.width {
            (to + x &* step).storeBytes(
              of: (from + x &* plane.stepBytes).loadUnaligned(as: UInt16.self), as: UInt16.self)
          }
        }
      }
    }
  }
}
