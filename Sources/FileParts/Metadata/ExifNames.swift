/// Names of Exif's tags. Source: Exif 2.32 clause 4.6.
enum ExifNames {
  /// The tags of orientation and size, which describe the rows of a file.
  static let ofRows: Set<Int> = [274, 0xA002, 0xA003]

  private static let photo: [Int: String] = [
    270: "ImageDescription", 271: "Make", 272: "Model", 282: "XResolution", 283: "YResolution", 296: "ResolutionUnit",
    305: "Software", 306: "DateTime", 315: "Artist", 316: "HostComputer", 33432: "Copyright", 0x829A: "ExposureTime",
    0x829D: "FNumber", 0x8822: "ExposureProgram", 0x8827: "PhotographicSensitivity", 0x9000: "ExifVersion",
    0x9003: "DateTimeOriginal", 0x9004: "DateTimeDigitized", 0x9010: "OffsetTime", 0x9011: "OffsetTimeOriginal",
    0x9201: "ShutterSpeedValue", 0x9202: "ApertureValue", 0x9203: "BrightnessValue", 0x9204: "ExposureBiasValue",
    0x9207: "MeteringMode", 0x9208: "LightSource", 0x9209: "Flash", 0x920A: "FocalLength", 0x927C: "MakerNote",
    0x9286: "UserComment", 0x9291: "SubSecTimeOriginal", 0xA001: "ColorSpace", 0xA402: "ExposureMode",
    0xA403: "WhiteBalance", 0xA405: "FocalLengthIn35mmFilm", 0xA420: "ImageUniqueID", 0xA431: "BodySerialNumber",
    0xA432: "LensSpecification", 0xA433: "LensMake", 0xA434: "LensModel",
  ]

  private static let place: [Int: String] = [
    0: "GPSVersionID", 1: "GPSLatitudeRef", 2: "GPSLatitude", 3: "GPSLongitudeRef", 4: "GPSLongitude",
    5: "GPSAltitudeRef", 6: "GPSAltitude", 7: "GPSTimeStamp", 12: "GPSSpeedRef", 13: "GPSSpeed",
    16: "GPSImgDirectionRef", 17: "GPSImgDirection", 18: "GPSMapDatum", 29: "GPSDateStamp",
  ]

  /// Returns a tag's name, or its number.
  static func name(_ tag: Int, isPlace: Bool) -> String {
    let hex = String(tag, radix: 16, uppercase: true)
    return (isPlace ? place : photo)[tag] ?? "0x" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
  }
}

extension TIFFValue {
  /// The value for people: text, numbers with spaces between, fractions in lowest terms; `nil` for other bytes. Numbers
  /// are little-endian.
  var text: String? {
    func number(_ at: Int, _ count: Int) -> UInt64 {
      bytes[at..<at + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    func all(_ size: Int, _ text: (Int) -> String) -> String? {
      guard bytes.count >= size, bytes.count <= 64 * size else { return nil }
      return stride(from: 0, through: bytes.count - size, by: size).map(text).joined(separator: " ")
    }
    func fraction(_ n: Int64, _ d: Int64) -> String {
      var (a, b) = (n.magnitude, d.magnitude)
      while b != 0 { (a, b) = (b, a % b) }
      let most = Int64(max(1, a))
      return d / most == 1 ? "\(n / most)" : "\(n / most)/\(d / most)"
    }
    switch type {
    case 2: return String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
    case 1, 7:
      let isText = type == 7 && !bytes.isEmpty && bytes.allSatisfy { (32..<127).contains($0) }
      return isText ? String(decoding: bytes, as: UTF8.self) : all(1) { "\(bytes[$0])" }
    case 3: return all(2) { "\(number($0, 2))" }
    case 4: return all(4) { "\(number($0, 4))" }
    case 6: return all(1) { "\(Int8(bitPattern: bytes[$0]))" }
    case 8: return all(2) { "\(Int16(truncatingIfNeeded: number($0, 2)))" }
    case 9: return all(4) { "\(Int32(truncatingIfNeeded: number($0, 4)))" }
    case 5: return all(8) { fraction(Int64(number($0, 4)), Int64(number($0 + 4, 4))) }
    case 10:
      return all(8) {
        fraction(
          Int64(Int32(truncatingIfNeeded: number($0, 4))), Int64(Int32(truncatingIfNeeded: number($0 + 4, 4))))
      }
    case 11: return all(4) { "\(Float(bitPattern: UInt32(number($0, 4))))" }
    case 12: return all(8) { "\(Double(bitPattern: number($0, 8)))" }
    default: return nil
    }
  }
}
