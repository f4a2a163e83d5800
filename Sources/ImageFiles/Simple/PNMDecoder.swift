import FileParts
import HDRCore

/// Reads PGM and PPM of bytes (P5, P6): any largest value up to 65535, two bytes a sample above 255. sRGB unless the caller
/// says otherwise.
///
/// Codes stay as they are where the largest is that of 8, 10, 12 or 16 bits; others are scaled to 8 or 16.
/// Source: J. Poskanzer, pgm(5) and ppm(5) of Netpbm.
enum PNMDecoder: PlainDecoder {
  static let name = "PNM"
  static let formats = ["PGM, PPM"]
  static let extensions = ["pgm", "ppm", "pnm"]
  static let format = FileFormat.pnm

  private static let place = "PNM header"
  private static let maxHeader = 1 << 16

  static func recognizes(_ head: ArraySlice<UInt8>) -> Bool {
    guard head.starts(with: Array("P5".utf8)) || head.starts(with: Array("P6".utf8)), head.count > 2 else {
      return false
    }
    let next = head[head.startIndex + 2]
    return isBlank(next) || next == UInt8(ascii: "#")
  }

  static func picture(_ bytes: [UInt8], _ limits: DecodeLimits) throws(DecodeError) -> PlainPicture {
    guard recognizes(bytes[...].prefix(formatBytes)) else { throw fault("it begins with no known word") }
    let isGrey = bytes[1] == UInt8(ascii: "5"), (numbers, start, texts) = try numbers(bytes)
    let (width, height, largest) = (numbers[0], numbers[1], numbers[2])
    let pixels = try checkedPixels(width, height, limits, place: place)
    guard (1...65_535).contains(largest) else { throw fault("the largest value is \(largest), not 1 to 65535") }
    let count = pixels * (isGrey ? 1 : 3), wanted = count * (largest > 255 ? 2 : 1), found = bytes.count - start
    guard found >= wanted else { throw .truncated(where: "PNM samples: \(max(found, 0)) of \(wanted) bytes") }
    let bits = [255: 8, 1023: 10, 4095: 12, 65_535: 16][largest] ?? (largest < 255 ? 8 : 16)
    let image = SampleImage.codes(width: width, height: height, isGrey: isGrey, bits: bits)
    var warnings: [Warning] = []
    if found > wanted {
      warnings.append(Warning("pnm.trailing", "\(found - wanted) bytes after the samples are not read"))
    }
    return PlainPicture(
      image: image, color: try limits.reading.colorOfCodes(image.model),
      statedBitDepth: Int.bitWidth - largest.leadingZeroBitCount, header: [HeaderField("maxval", "\(largest)")],
      texts: texts, warnings: warnings
    ) { _ throws(DecodeError) in
      let result = SampleImage.interleaved(
        width: width, height: height, channelCount: isGrey ? 1 : 3, format: image.format, bitDepth: bits)
      let base = result.interleavedBase, target = 1 << bits - 1
      for index in 0..<count {
        let at = start &+ index
        let code = largest > 255 ? Int(bytes[at &+ index]) << 8 | Int(bytes[at &+ index &+ 1]) : Int(bytes[at])
        guard code <= largest else {
          throw .malformed(where: "PNM samples", what: "a sample is \(code), more than the largest, \(largest)")
        }
        let scaled = target == largest ? code : (code * target + largest / 2) / largest
        if bits == 8 {
          base.storeBytes(of: UInt8(truncatingIfNeeded: scaled), toByteOffset: index, as: UInt8.self)
        } else {
          base.storeBytes(of: UInt16(truncatingIfNeeded: scaled), toByteOffset: 2 &* index, as: UInt16.self)
        }
      }
      return result
    }
  }

  /// Returns width, height and the largest value, the offset of the samples, and the comments.
  private static func numbers(
    _ bytes: [UInt8]
  ) throws(DecodeError) -> (values: [Int], start: Int, texts: TextStatements) {
    var position = 2, values: [Int] = [], comments = HeaderComments(), texts = TextStatements()
    let end = min(bytes.count, maxHeader)
    while values.count < 3 {
      var digits = 0, value = 0
      while position < end, isBlank(bytes[position]) || bytes[position] == UInt8(ascii: "#") {
        if bytes[position] == UInt8(ascii: "#") {
          let line = bytes[position + 1..<end].prefix { $0 != 0x0A && $0 != 0x0D }
          comments.add(line)
          position = line.endIndex
        } else {
          position += 1
        }
      }
      while position < end, (0x30...0x39).contains(bytes[position]), digits < 10 {
        value = value * 10 + Int(bytes[position] - 0x30)
        (digits, position) = (digits + 1, position + 1)
      }
      guard position < end else {
        if bytes.count < maxHeader { throw .truncated(where: place) }
        throw fault("it does not end within \(maxHeader) bytes")
      }
      guard digits > 0, isBlank(bytes[position]) || bytes[position] == UInt8(ascii: "#") else {
        throw fault("width, height and the largest value are three numbers")
      }
      values.append(value)
    }
    comments.move(into: &texts)
    // One byte of white space ends the header.
    return (values, position + 1, texts)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private static func fault(_ what: String) -> DecodeError { .malformed(where: place, what: what) }
}
