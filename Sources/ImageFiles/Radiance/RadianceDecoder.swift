import FileParts
import HDRCore

/// Reads Radiance pictures: R, G, B or X, Y, Z with one exponent, stored plain or with either kind of runs, in any of the
/// eight orientations.
///
/// Samples are planes of binary32, linear light, 1.0 = reference white unless the caller says otherwise; primaries those of
/// the file, else BT.709. Factors by which the samples were multiplied are divided out where the caller asks for it.
enum RadianceDecoder: PlainDecoder {
  static let name = "Radiance"
  static let formats = ["Radiance HDR"]
  static let extensions = ["hdr", "rgbe"]
  static let format = FileFormat.hdr

  static func recognizes(_ head: ArraySlice<UInt8>) -> Bool { head.starts(with: Array("#?".utf8)) }

  static func picture(_ bytes: [UInt8], _ limits: DecodeLimits) throws(DecodeError) -> PlainPicture {
    let header = try RadianceHeader(bytes)
    _ = try checkedPixels(header.width, header.height, limits, place: RadianceHeader.place)
    // Every scan line has four bytes at least.
    guard (bytes.count - header.end) / 4 >= header.height else { throw .truncated(where: "Radiance scan lines") }
    var warnings = header.warnings
    let color = try color(header, limits.reading, &warnings)
    let image = SampleImage(
      width: header.width, height: header.height, model: .rgb, format: .float32, bitDepth: 32, chroma: .s444,
      channels: [])
    return PlainPicture(
      image: image, color: color, orientation: header.orientation, header: header.fields, texts: header.texts,
      unknown: header.unknown, warnings: warnings
    ) { warnings throws(DecodeError) in
      try samples(bytes, header, &warnings)
    }
  }

  private static func color(
    _ header: RadianceHeader, _ reading: ReadingOptions, _ warnings: inout [Warning]
  ) throws(DecodeError) -> SourceColor {
    var scale = [1.0, 1, 1].map { $0 * reading.plain.scale }
    if header.exposure != [1, 1, 1] {
      switch reading.plain.exposure {
      case .apply: scale = zip(scale, header.exposure).map { $0 / $1 }
      case .keep:
        let factors = header.exposure.map { short($0) }
        let text = Set(factors).count == 1 ? factors[0] : factors.joined(separator: ", ")
        warnings.append(
          Warning(
            "hdr.exposure",
            "samples are \(text) times the scene's light, by EXPOSURE and COLORCORR, and stay so: "
              + "\(setting: "hdr-exposure") apply divides them"))
      }
    }
    if let stated = try reading.statedLinearPrimaries { return .linear(stated, isStated: true, scale: scale) }
    if header.isXYZ {
      if header.primaries != nil {
        warnings.append(Warning("hdr.ignored", "PRIMARIES are ignored: samples are X, Y and Z"))
      }
      return .linear(Primaries.bt2020.rgbToXYZ?.inverse ?? .identity, scale: scale)
    }
    return .linear(header.primaries ?? .bt709, isStated: header.primaries != nil, scale: scale)
  }

  private static func samples(
    _ bytes: [UInt8], _ header: RadianceHeader, _ warnings: inout [Warning]
  ) throws(DecodeError) -> SampleImage {
    let image = SampleImage.planar(
      width: header.width, height: header.height, model: .rgb, format: .float32, bitDepth: 32)
    var lines = RadianceLines(bytes, from: header.end, width: header.width)
    var line = [UInt8](repeating: 0, count: 4 * header.width)
    for y in 0..<header.height {
      try lines.next(into: &line)
      for (channel, plane) in image.channels.enumerated() {
        let row = plane.floats(y)
        for x in 0..<header.width {
          row[x] = boundedLight(Float(line[4 &* x &+ channel]) * RGBE.steps[Int(line[4 &* x &+ 3])])
        }
      }
    }
    if lines.remaining > 0 {
      warnings.append(Warning("hdr.trailing", "\(lines.remaining) bytes after the scan lines are not read"))
    }
    return image
  }
}
