import FileParts
import HDRCore
import PlainData

/// Reads JPEG 2000 and HTJ2K, as JP2, JPX, JPH or bare code streams: grey, RGB and Y'CbCr of 1 to 16 bits, alpha; code
/// points (PQ, HLG), ICC, Exif, XMP, IPTC, comments; X'Y'Z' of digital cinema. Boxes and the head of the code stream are
/// read and checked here, code streams are decoded by OpenJPEG.
///
/// Colour: docs/formats.md#jpeg-2000. CMYK becomes R'G'B' of 16 bits. Refused by name: other inks, palettes, signed samples,
/// components of other sizes.
package enum JP2Decoder: ImageDecoder {
  package static let name = "JPEG 2000 (OpenJPEG)"
  package static let formats = ["JPEG 2000"]
  package static let extensions = ["jp2", "j2k", "j2c", "jpc", "jpf", "jpx", "jph", "jhc"]
  package static let libraries = RunTimeLibraries.openJPEG
  package static let takesCodePoints = true

  package static func recognizes(_ head: ArraySlice<UInt8>) -> Bool { JP2Container.recognizes(head) }

  package static func decode(
    _ bytes: [UInt8], request: DecodeRequest, limits: DecodeLimits
  ) throws(DecodeError) -> SourceImage {
    try checkFileSize(bytes, limits)
    var warnings: [Warning] = []
    let file = try JP2Container(bytes, limits: limits, warnings: &warnings)
    let layout = try JP2Layout(file, warnings: &warnings)
    let color = try JP2Color(file, layout, limits, &warnings)
    let size = (file.stream.width, file.stream.height)
    let description =
      color.inks == nil
      ? description(file.stream, layout, color.model)
      : SampleImage.codes(width: size.0, height: size.1, isGrey: false, bits: 16)
    var image = description
    if request == .pixels {
      let decoded = try J2KLibrary(file.stream, file.codes)
      if let inks = color.inks {
        try inks.prepare()
        image = read(decoded.samples, file.stream, layout, by: inks)
      } else {
        image = read(decoded.samples, file.stream, layout, as: description)
      }
    }
    let exif = exif(file, &warnings)
    let (xmp, left) = file.stream.texts(in: file.codes).moved(into: xmp(file, &warnings), exif: exif?.bytes)
    var source = SourceImage(
      format: .jp2, image: image, color: color.source,
      geometry: Geometry(width: image.width, height: image.height, orientation: exif?.orientation ?? .up),
      light: color.light, exif: exif?.bytes, xmp: xmp, photoshop: file.photoshop, warnings: warnings,
      decoder: "OpenJPEG" + (J2KLibrary.version.map { " " + $0 } ?? ""))
    source.extras.credentials = ContentCredentials(address: source.xmp)
    source.extras.trailers = file.unknown.trailers + left
    return source
  }

  // MARK: Pixels

  static func description(_ stream: J2KCodestream, _ layout: JP2Layout, _ model: ColorModel) -> SampleImage {
    let bits = stream.components[layout.colors[0]].bits
    func format(_ bits: Int) -> SampleFormat { bits <= 8 ? .uint8 : .uint16 }
    let alphaBits = layout.alpha.map { stream.components[$0].bits }
    return SampleImage(
      width: stream.width, height: stream.height, model: model, format: format(bits), bitDepth: bits,
      chroma: model == .grey ? .none : .s444, channels: [], alphaFormat: alphaBits.map(format),
      alphaBitDepth: alphaBits,
      alphaIsPremultiplied: layout.isPremultiplied)
  }

  /// Returns a picture of decoded components.
  ///
  /// - Parameter decoded: the samples of a component, row by row.
  static func read(
    _ decoded: (_ component: Int) -> UnsafePointer<Int32>, _ stream: J2KCodestream, _ layout: JP2Layout,
    as description: SampleImage
  ) -> SampleImage {
    func plane(_ component: Int) -> SamplePlane {
      let bits = stream.components[component].bits, count = stream.width * stream.height, bytes = bits <= 8 ? 1 : 2
      let buffer = PixelBuffer(uninitializedByteCount: count * bytes), samples = decoded(component)
      let most = Int32(1 << bits - 1)
      // The inverse transform may leave the range of the codes.
      if bytes == 1 {
        let out = buffer.base.assumingMemoryBound(to: UInt8.self)
        for index in 0..<count { out[index] = UInt8(truncatingIfNeeded: max(0, min(most, samples[index]))) }
      } else {
        let out = buffer.base.assumingMemoryBound(to: UInt16.self)
        for index in 0..<count { out[index] = UInt16(truncatingIfNeeded: max(0, min(most, samples[index]))) }
      }
      return SamplePlane(
        buffer: buffer, rowBytes: stream.width * bytes, stepBytes: bytes, width: stream.width, height: stream.height)
    }
    var image = description
    image.channels = layout.colors.map(plane)
    image.alpha = layout.alpha.map(plane)
    return image
  }

  /// Returns a picture of decoded inks, which become R'G'B' of 16 bits.
  static func read(
    _ decoded: (_ component: Int) -> UnsafePointer<Int32>, _ stream: J2KCodestream, _ layout: JP2Layout,
    by inks: InkTransform
  ) -> SampleImage {
    let width = stream.width, most = 1 << stream.components[layout.colors[0]].bits - 1
    let image = SampleImage.interleaved(
      width: width, height: stream.height, channelCount: 3, format: .uint16, bitDepth: 16)
    let planes = layout.colors.map(decoded)
    var row = [UInt16](repeating: 0, count: 4 * width)
    for y in 0..<stream.height {
      for (ink, plane) in planes.enumerated() {
        for x in 0..<width {
          // The inverse transform may leave the range of the codes.
          let code = max(0, min(most, Int(plane[y * width + x])))
          row[4 * x + ink] = UInt16((code * 65_535 + most / 2) / most)
        }
      }
      inks.convert(row, count: width, into: image.interleavedBase + 6 * width * y)
    }
    return image
  }

  // MARK: Metadata

  private static func exif(
    _ file: JP2Container, _ warnings: inout [Warning]
  ) -> (bytes: [UInt8], orientation: Orientation)? {
    guard let bytes = file.exif else { return nil }
    return Exif(bytes, warnings: &warnings).map { (bytes, $0.orientation) }
  }

  private static func xmp(_ file: JP2Container, _ warnings: inout [Warning]) -> [UInt8]? {
    guard let bytes = file.xmp else { return nil }
    guard bytes.count <= XMLScanner.maxBytes else {
      warnings.append(Warning("xmp.limit", "XMP of \(bytes.count) bytes is ignored"))
      return nil
    }
    // A packet that our scanner refuses is not written to outputs either.
    return XMPPacket(bytes, warnings: &warnings) == nil ? nil : bytes
  }
}
