import HDRCore

/// A reader of samples without a header. It uses their memory without a copy, except for words of 10-bit channels.
package enum RawPicture {
  /// Makes a picture of the samples.
  ///
  /// - Parameter buffer: memory with the layout's bytes from `offset` on; `nil`: structure and colour only.
  /// - Throws: `DecodeError.limit`, `.undescribed`, `.malformed` for an impossible layout.
  package static func source(
    _ buffer: PixelBuffer?, at offset: Int = 0, _ layout: RawLayout, _ description: RawDescription,
    limits: DecodeLimits, format file: FileFormat
  ) throws(DecodeError) -> SourceImage {
    try check(layout, limits)
    let format = layout.format, color: SourceColor
    do throws(RawDescription.Fault) {
      color = try limits.reading.completed(description).color(of: format)
    } catch {
      throw .undescribed(what: error.message, give: .setting(error.setting))
    }
    var image = SampleImage(
      width: layout.width, height: layout.height, model: format.model, format: format.sample,
      bitDepth: format.bitDepth, lowZeroBits: format.lowZeroBits, chroma: format.chroma,
      siting: description.siting ?? .left, channels: [])
    if case .word(let hasAlpha) = format.packing {
      if hasAlpha { (image.alphaFormat, image.alphaBitDepth) = (.uint16, 2) }
      if let buffer { unpack(buffer, at: offset, layout, hasAlpha: hasAlpha, into: &image) }
    } else if let buffer {
      let planes = layout.planes.flatMap { plane in
        (0..<plane.channels).map { channel in
          SamplePlane(
            buffer: buffer, offset: offset + plane.offset + channel * format.sample.bytes, rowBytes: plane.rowBytes,
            stepBytes: plane.stepBytes, width: plane.width, height: plane.height)
        }
      }
      image.channels = Array(planes.prefix(3))
      if planes.count == 4 { image.alpha = planes[3] }
    }
    return SourceImage(
      format: file, image: image, color: color,
      geometry: Geometry(width: layout.width, height: layout.height))
  }

  private static func check(_ layout: RawLayout, _ limits: DecodeLimits) throws(DecodeError) {
    if let fault = layout.fault { throw .malformed(where: "raw picture", what: fault) }
    let side = max(layout.width, layout.height), pixels = layout.width * layout.height
    guard side <= limits.maxSide else {
      throw .limit(what: "side in pixels", found: side, allowed: limits.maxSide, raise: .setting("max-side"))
    }
    guard pixels <= limits.maxPixels else {
      throw .limit(what: "picture in pixels", found: pixels, allowed: limits.maxPixels, raise: .setting("max-pixels"))
    }
  }

  /// Unpacks words of three 10-bit channels to samples of 16 bits, right-aligned.
  private static func unpack(
    _ buffer: PixelBuffer, at offset: Int, _ layout: RawLayout, hasAlpha: Bool, into image: inout SampleImage
  ) {
    let channels = hasAlpha ? 4 : 3, width = layout.width
    let samples = PixelBuffer(uninitializedByteCount: 2 * channels * width * layout.height)
    let rowBytes = layout.planes[0].rowBytes
    for y in 0..<layout.height {
      let from = buffer.base + offset + y * rowBytes
      let to = (samples.base + 2 * channels * width * y).assumingMemoryBound(to: UInt16.self)
      for x in 0..<width {
        let word = UInt32(littleEndian: (from + 4 * x).loadUnaligned(as: UInt32.self))
        to[channels * x] = UInt16(word >> 20 & 1023)
        to[channels * x + 1] = UInt16(word >> 10 & 1023)
        to[channels * x + 2] = UInt16(word & 1023)
        if hasAlpha { to[channels * x + 3] = UInt16(word >> 30) }
      }
    }
    let planes = (0..<channels).map {
      SamplePlane(
        buffer: samples, offset: 2 * $0, rowBytes: 2 * channels * width, stepBytes: 2 * channels, width: width,
        height: layout.height)
    }
    image.channels = Array(planes.prefix(3))
    image.alpha = hasAlpha ? planes[3] : nil
  }

  /// Copies the samples of a file to memory of their own.
  static func buffer(_ bytes: ArraySlice<UInt8>) -> PixelBuffer {
    let buffer = PixelBuffer(uninitializedByteCount: bytes.count)
    bytes.withUnsafeBytes { if let base = $0.baseAddress { buffer.base.copyMemory(from: base, byteCount: $0.count) } }
    return buffer
  }

  /// Checks that a file has the size of one picture.
  static func checkSize(_ found: Int, _ layout: RawLayout, place: String) throws(DecodeError) {
    let wanted = layout.byteCount
    if found < wanted { throw .truncated(where: "\(place): \(found) of \(wanted) bytes") }
    guard found == wanted else {
      throw .malformed(
        where: place,
        what: "\(found) bytes, and a picture of \(layout.format.name) \(layout.width)x\(layout.height) has \(wanted); "
          + "several frames go in through a pipe")
    }
  }
}
