import FileParts
import HDRCore

/// Reads QOI: R, G, B and alpha of 8 bits, sRGB or, where the header says so, linear light.
///
/// Source: D. Szablewski, "The Quite OK Image Format", version 1.0 (2022).
enum QOIDecoder: PlainDecoder {
  static let name = "QOI"
  static let formats = ["QOI"]
  static let extensions = ["qoi"]
  static let format = FileFormat.qoi

  private static let place = "QOI header"
  private static let magic = Array("qoif".utf8)
  /// The bytes of the header, and those that mark the end.
  private static let headerBytes = 14, endBytes = 8
  private static let mostPixelsOfAByte = 62

  static func recognizes(_ head: ArraySlice<UInt8>) -> Bool { head.starts(with: magic) }

  static func picture(_ bytes: [UInt8], _ limits: DecodeLimits) throws(DecodeError) -> PlainPicture {
    var reader = ByteReader(bytes, place: place)
    guard Array(try reader.take(4)) == magic else {
      throw .malformed(where: place, what: "it begins with no known word")
    }
    let width = try reader.u32(), height = try reader.u32(), channels = Int(try reader.u8()), space = try reader.u8()
    guard channels == 3 || channels == 4, space <= 1 else {
      throw .malformed(where: place, what: "\(channels) channels of colour space \(space)")
    }
    let pixels = try checkedPixels(width, height, limits, place: place)
    guard (bytes.count - headerBytes - endBytes) * mostPixelsOfAByte >= pixels else {
      throw .truncated(where: "QOI pixels")
    }
    let image = SampleImage.codes(width: width, height: height, isGrey: false, bits: 8)
    let transfer = space == 1 ? CICP.Transfer.linear : CICP.Transfer.sRGB
    return PlainPicture(
      image: image, color: try limits.reading.colorOfCodes(.rgb, transfer: transfer),
      header: [HeaderField("colorspace", space == 1 ? "1 (linear)" : "0 (sRGB)")]
    ) { warnings throws(DecodeError) in
      let result = SampleImage.interleaved(
        width: width, height: height, channelCount: channels, format: .uint8, bitDepth: 8)
      let rest = try pixelsOf(bytes, count: pixels, channels: channels, into: result.interleavedBase)
      if rest > 0 { warnings.append(Warning("qoi.trailing", "\(rest) bytes after the pixels are not read")) }
      return result
    }
  }

  private struct Pixel: Equatable {
    var r: UInt8 = 0, g: UInt8 = 0, b: UInt8 = 0, a: UInt8 = 255

    /// The place in the list of pixels that were seen.
    var slot: Int { (Int(r) * 3 + Int(g) * 5 + Int(b) * 7 + Int(a) * 11) % 64 }
  }

  /// Reads all pixels; returns the number of bytes between them and the mark of the end.
  private static func pixelsOf(
    _ bytes: [UInt8], count: Int, channels: Int, into out: UnsafeMutableRawPointer
  ) throws(DecodeError) -> Int {
    var seen = [Pixel](repeating: Pixel(a: 0), count: 64), pixel = Pixel(), position = headerBytes, run = 0
    func byte() throws(DecodeError) -> UInt8 {
      guard position < bytes.count - endBytes else { throw .truncated(where: "QOI pixels") }
      defer { position += 1 }
      return bytes[position]
    }
    for index in 0..<count {
      if run > 0 {
        run -= 1
      } else {
        let code = try byte()
        switch code {
        case 0xFE: (pixel.r, pixel.g, pixel.b) = (try byte(), try byte(), try byte())
        case 0xFF: pixel = Pixel(r: try byte(), g: try byte(), b: try byte(), a: try byte())
        case 0x00...0x3F: pixel = seen[Int(code)]
        case 0x40...0x7F:
          pixel.r &+= (code >> 4 & 3) &- 2
          pixel.g &+= (code >> 2 & 3) &- 2
          pixel.b &+= (code & 3) &- 2
        case 0x80...0xBF:
          let green = (code & 63) &- 32, other = try byte()
          pixel.r &+= green &- 8 &+ (other >> 4)
          pixel.g &+= green
          pixel.b &+= green &- 8 &+ (other & 15)
        default: run = Int(code & 63)
        }
        seen[pixel.slot] = pixel
      }
      let at = index &* channels
      out.storeBytes(of: pixel.r, toByteOffset: at, as: UInt8.self)
      out.storeBytes(of: pixel.g, toByteOffset: at &+ 1, as: UInt8.self)
      out.storeBytes(of: pixel.b, toByteOffset: at &+ 2, as: UInt8.self)
      if channels == 4 { out.storeBytes(of: pixel.a, toByteOffset: at &+ 3, as: UInt8.self) }
    }
    return bytes.count - endBytes - position
  }
}
