import FileParts
import CTurboJPEG
import HDRCore

/// Decodes one stream of a file: samples as coded, no colour conversion, no chroma upsampling.
///
/// The result is Y, Cb, Cr planes (or grey) of 8 bits, full range, chroma centred between luma samples. Pictures stored
/// as R, G, B and sampling layouts without a plane form give interleaved R G B; the second with a warning, as the
/// library then interpolates chroma. The size must have been checked.
///
/// - Parameters:
///   - scale: 1, 2, 4 or 8: each sample is the mean of so many on each axis (jidctred.c), as a smaller inverse transform
///     makes them. Pictures of less than 16 pixels stay whole.
///   - leastScan: `DecodeLimits.leastScan`; smaller pictures have samples and no `handover`.
/// - Throws: `.unsupported` for 12 bits, lossless, hierarchical and CMYK; `.truncated` without end of image;
///   `.malformed` for any damage to entropy-coded data that the library detects. It cannot detect all: JPEG has no
///   checksum, most changed bits give other valid codes, and the library's fast path takes an invalid Huffman code for
///   a zero (jdhuff.h, `HUFF_DECODE_FAST`).
func decodeJPEGSamples(
  _ jpeg: JPEGStructure, _ bytes: [UInt8], scale: Int = 1, leastScan: Int? = nil, warnings: inout [Warning]
) throws(DecodeError) -> SampleImage {
  guard jpeg.hasEnd else { throw .truncated(where: "JPEG scan") }
  guard jpeg.scans > 0 else { throw .truncated(where: "JPEG scan") }
  var description = try describeJPEGSamples(jpeg, scale: scale)
  if scale == 1, let leastScan, jpeg.width * jpeg.height >= leastScan {
    do throws(JPEGRefusal) {
      description.handover = .scan(try JPEGScanReader.scan(jpeg, bytes))
      return description
    } catch {
      description.handover = .refused(error)
    }
  }
  guard let handle = tjInitDecompress() else {
    throw .library(name: "turbojpeg", code: -1, message: "no decompressor")
  }
  defer { tjDestroy(handle) }
  do {
    return try bytes.withUnsafeBufferPointer { buffer throws(DecodeError) -> SampleImage in
      guard let base = buffer.baseAddress else { throw .truncated(where: "JPEG") }
      let stream = UnsafeBufferPointer(start: base + jpeg.start, count: jpeg.end - jpeg.start)
      if layout(of: jpeg) != nil { return try decodePlanes(handle, stream, jpeg, description, &warnings) }
      return try decodeRGB(handle, stream, jpeg, description, &warnings)
    }
  }
}

/// Decodes one stream to interleaved R, G, B or grey of 8 bits, rows tightly packed; the library interpolates and
/// converts chroma. The size must have been checked.
///
/// - Throws: as `decodeJPEGSamples`.
func decodeJPEGColors(
  _ jpeg: JPEGStructure, _ bytes: [UInt8], warnings: inout [Warning]
) throws(DecodeError) -> PixelBuffer {
  _ = try describeJPEGSamples(jpeg)
  guard jpeg.hasEnd, jpeg.scans > 0 else { throw .truncated(where: "JPEG scan") }
  guard let handle = tjInitDecompress() else {
    throw .library(name: "turbojpeg", code: -1, message: "no decompressor")
  }
  defer { tjDestroy(handle) }
  return try bytes.withUnsafeBufferPointer { buffer throws(DecodeError) in
    try decodeColors(
      handle, UnsafeBufferPointer(rebasing: buffer[jpeg.start..<jpeg.end]), width: jpeg.width, height: jpeg.height,
      channels: jpeg.components.count, &warnings)
  }
}

/// Decodes to interleaved R, G, B, or grey for one channel.
private func decodeColors(
  _ handle: tjhandle, _ stream: UnsafeBufferPointer<UInt8>, width: Int, height: Int, channels: Int,
  _ warnings: inout [Warning]
) throws(DecodeError) -> PixelBuffer {
  let row = width * channels, format = channels == 1 ? TJPF_GRAY : TJPF_RGB
  let buffer = PixelBuffer(uninitializedByteCount: row * height)
  let status = tjDecompress2(
    handle, stream.baseAddress, UInt(stream.count), buffer.base.assumingMemoryBound(to: UInt8.self),
    Int32(width), Int32(row), Int32(height), Int32(format.rawValue), TJFLAG_ACCURATEDCT)
  if status != 0 { try check(handle, &warnings) }
  return buffer
}

/// Returns the picture's description without pixels; it decides between planes and interleaved R G B.
func describeJPEGSamples(_ jpeg: JPEGStructure, scale: Int = 1) throws(DecodeError) -> SampleImage {
  guard [0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains(jpeg.frameMarker) else {
    throw .unsupported(feature: "JPEG process", found: "SOF\(Int(jpeg.frameMarker) - 0xC0)")
  }
  guard jpeg.precision == 8 else { throw .unsupported(feature: "JPEG precision", found: "\(jpeg.precision) bits") }
  guard jpeg.components.count == 1 || jpeg.components.count == 3 else {
    throw .unsupported(feature: "JPEG colour model", found: "\(jpeg.components.count) components (CMYK?)")
  }
  let layout = layout(of: jpeg)
  // The library takes the largest of its sixteen factors that gives the size; of tiny pictures that is another one.
  let scale = max(jpeg.width, jpeg.height) < 16 ? 1 : scale
  var image = SampleImage(
    width: Reduction.samples(jpeg.width, scale: scale), height: Reduction.samples(jpeg.height, scale: scale),
    model: layout.map { $0 == .none ? .grey : .ycc } ?? .rgb, format: .uint8, bitDepth: 8, chroma: layout ?? .s444,
    siting: .center, channels: [])
  if scale > 1 { image.reduction = Reduction(scale: scale, width: jpeg.width, height: jpeg.height) }
  return image
}

/// Returns the subsampling of a grey or Y'CbCr picture that can be decoded to planes; `nil` for R'G'B' and others.
private func layout(of jpeg: JPEGStructure) -> ChromaSubsampling? {
  let parts = jpeg.components
  if parts.count == 1 { return ChromaSubsampling.none }
  guard parts.count == 3, !isRGB(jpeg), parts[1].horizontal == parts[2].horizontal,
    parts[1].vertical == parts[2].vertical, parts[1].horizontal == 1, parts[1].vertical == 1
  else { return nil }
  switch (parts[0].horizontal, parts[0].vertical) {
  case (1, 1): return .s444
  case (2, 1): return .s422
  case (1, 2): return .s440
  case (2, 2): return .s420
  case (4, 1): return .s411
  default: return nil
  }
}

/// Returns true if three components are R, G, B: with an Adobe segment of transform 0, or, without JFIF and Adobe
/// segments, with component names 'R' 'G' 'B'. The library has the same rules; both must agree.
func isRGB(_ jpeg: JPEGStructure) -> Bool {
  if jpeg.hasJFIF { return false }
  if let transform = jpeg.adobeTransform { return transform == 0 }
  return jpeg.components.map(\.identifier) == [0x52, 0x47, 0x42]
}

private func decodePlanes(
  _ handle: tjhandle, _ stream: UnsafeBufferPointer<UInt8>, _ jpeg: JPEGStructure, _ description: SampleImage,
  _ warnings: inout [Warning]
) throws(DecodeError) -> SampleImage {
  var image = description
  let sampling = try readSampling(handle, stream, jpeg, image)
  var planes: [SamplePlane] = []
  for component in 0..<(image.model == .grey ? 1 : 3) {
    // The library pads a plane to whole groups of samples; the picture is at its top left.
    let paddedWidth = Int(tjPlaneWidth(Int32(component), Int32(image.width), sampling))
    let paddedHeight = Int(tjPlaneHeight(Int32(component), Int32(image.height), sampling))
    guard paddedWidth > 0, paddedHeight > 0 else {
      throw .library(name: "turbojpeg", code: -1, message: "no size for plane \(component)")
    }
    let row = (paddedWidth + 63) & ~63
    let shiftX = component == 0 ? 0 : image.chroma.horizontalShift
    let shiftY = component == 0 ? 0 : image.chroma.verticalShift
    planes.append(
      SamplePlane(
        buffer: PixelBuffer(uninitializedByteCount: row * paddedHeight), rowBytes: row, stepBytes: 1,
        width: (image.width + (1 << shiftX) - 1) >> shiftX, height: (image.height + (1 << shiftY) - 1) >> shiftY))
  }
  image.channels = planes
  var pointers: [UnsafeMutablePointer<UInt8>?] = planes.map { $0.buffer.base.assumingMemoryBound(to: UInt8.self) }
  var strides = planes.map { Int32($0.rowBytes) }
  let status = tjDecompressToYUVPlanes(
    handle, stream.baseAddress, UInt(stream.count), &pointers, Int32(image.width), &strides, Int32(image.height),
    TJFLAG_ACCURATEDCT)
  if status != 0 { try check(handle, &warnings) }
  return image
}

private func decodeRGB(
  _ handle: tjhandle, _ stream: UnsafeBufferPointer<UInt8>, _ jpeg: JPEGStructure, _ description: SampleImage,
  _ warnings: inout [Warning]
) throws(DecodeError) -> SampleImage {
  let (width, height) = (description.width, description.height)
  if !isRGB(jpeg) {
    warnings.append(Warning("jpeg.sampling", "unusual chroma sampling; the JPEG library interpolated the chroma"))
  }
  let buffer = try decodeColors(handle, stream, width: width, height: height, channels: 3, &warnings)
  var image = description
  image.channels = (0..<3).map {
    SamplePlane(buffer: buffer, offset: $0, rowBytes: width * 3, stepBytes: 3, width: width, height: height)
  }
  return image
}

/// Returns true if the library reads the header without complaint, as the picture's description has it.
func jpegHeaderIsSound(_ jpeg: JPEGStructure, _ bytes: [UInt8], _ image: SampleImage) -> Bool {
  guard let handle = tjInitDecompress() else { return false }
  defer { tjDestroy(handle) }
  return bytes.withUnsafeBufferPointer { bytes in
    let stream = UnsafeBufferPointer(rebasing: bytes[jpeg.start..<jpeg.end])
    return (try? readSampling(handle, stream, jpeg, image)) != nil
  }
}

/// Reads the header and returns the library's number of the chroma's sampling.
private func readSampling(
  _ handle: tjhandle, _ stream: UnsafeBufferPointer<UInt8>, _ jpeg: JPEGStructure, _ image: SampleImage
) throws(DecodeError) -> Int32 {
  let expected: [ChromaSubsampling: TJSAMP] = [
    .none: TJSAMP_GRAY, .s444: TJSAMP_444, .s422: TJSAMP_422, .s440: TJSAMP_440, .s420: TJSAMP_420,
    .s411: TJSAMP_411,
  ]
  var width: Int32 = 0, height: Int32 = 0, sampling: Int32 = 0, space: Int32 = 0
  let status = tjDecompressHeader3(
    handle, stream.baseAddress, UInt(stream.count), &width, &height, &sampling, &space)
  guard status == 0 else { throw .library(name: "turbojpeg", code: Int(status), message: message(handle)) }
  guard Int(width) == jpeg.width, Int(height) == jpeg.height else {
    throw .malformed(where: "JPEG frame header", what: "two sizes: \(jpeg.width)x\(jpeg.height), \(width)x\(height)")
  }
  guard sampling == expected[image.chroma].map({ Int32($0.rawValue) }) else {
    throw .library(name: "turbojpeg", code: Int(sampling), message: "sampling layout not as in the header")
  }
  return sampling
}

/// Throws an error for a failure of the library. One warning is harmless and common in camera files: bytes between the
/// last block and the end of image.
private func check(_ handle: tjhandle, _ warnings: inout [Warning]) throws(DecodeError) {
  let text = message(handle)
  guard tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue) else {
    throw .library(name: "turbojpeg", code: -1, message: text)
  }
  if text.contains("extraneous bytes before marker 0xd9") {
    warnings.append(Warning("jpeg.extraneous", "bytes after the last block of the picture were skipped"))
    return
  }
  if text.contains("remature end") { throw .truncated(where: "JPEG scan") }
  throw .malformed(where: "JPEG scan", what: text)
}

private func message(_ handle: tjhandle) -> String { tjGetErrorStr2(handle).map { String(cString: $0) } ?? "unknown" }

extension LibraryRow {
  static let turboJPEG = LibraryRow("libjpeg-turbo") { (nil, "reading and writing JPEG") }
}
