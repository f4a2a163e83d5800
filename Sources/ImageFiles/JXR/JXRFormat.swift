import HDRCore
import PlainData

/// A pixel format of JPEG XR, by its identifier of 16 bytes: the layout of decoded samples. Source: ITU-T T.832 annex A.
package struct JXRFormat: Sendable, Hashable {
  /// The type of one sample. Raw values are the depth codes of a code stream's head.
  enum Sample: Int, Sendable, Hashable {
    case byte = 1
    case word = 2
    /// Signed words; 1.0 is 2^13.
    case fixed16 = 3
    case half = 4
    /// Signed words of 32 bits; 1.0 is 2^24.
    case fixed32 = 6
    case float = 7
    /// Words of 16 bits with 5, 5, 5 or 5, 6, 5 bits, and of 32 bits with 10, 10, 10.
    case bits555 = 8
    case bits101010 = 9
    case bits565 = 10

    /// True for light without a largest value.
    var isLinear: Bool { [.fixed16, .half, .fixed32, .float].contains(self) }
  }

  var name: String
  var sample: Sample
  /// The bytes of a pixel.
  package var bytes: Int
  /// The positions of the colours among the samples of a pixel, and that of alpha.
  var colors: [Int]
  var alpha: Int?
  var isPremultiplied = false
  /// True for bytes of red, green, blue and a common exponent.
  var isRGBE = false

  /// The code of the colours in a code stream's head.
  var colorCode: Int { isRGBE ? 8 : colors.count == 1 ? 0 : 7 }
  /// True for linear light in floats or fixed point; 1.0 is 80 cd/m².
  var isLinear: Bool { sample.isLinear || isRGBE }
}

extension JXRFormat {
  private static let rgb = [0, 1, 2], bgr = [2, 1, 0]

  /// The first 15 bytes of most identifiers.
  private static let stem: [UInt8] = [
    0x24, 0xC3, 0xDD, 0x6F, 0x03, 0x4E, 0xFE, 0x4B, 0xB1, 0x85, 0x3D, 0x77, 0x76, 0x8D, 0xC9,
  ]

  private static let byLastByte: [UInt8: JXRFormat] = [
    0x08: JXRFormat(name: "8bppGray", sample: .byte, bytes: 1, colors: [0]),
    0x09: JXRFormat(name: "16bppBGR555", sample: .bits555, bytes: 2, colors: rgb),
    0x0A: JXRFormat(name: "16bppBGR565", sample: .bits565, bytes: 2, colors: rgb),
    0x0B: JXRFormat(name: "16bppGray", sample: .word, bytes: 2, colors: [0]),
    0x0C: JXRFormat(name: "24bppBGR", sample: .byte, bytes: 3, colors: bgr),
    0x0D: JXRFormat(name: "24bppRGB", sample: .byte, bytes: 3, colors: rgb),
    0x0E: JXRFormat(name: "32bppBGR", sample: .byte, bytes: 4, colors: bgr),
    0x0F: JXRFormat(name: "32bppBGRA", sample: .byte, bytes: 4, colors: bgr, alpha: 3),
    0x10: JXRFormat(name: "32bppPBGRA", sample: .byte, bytes: 4, colors: bgr, alpha: 3, isPremultiplied: true),
    0x11: JXRFormat(name: "32bppGrayFloat", sample: .float, bytes: 4, colors: [0]),
    0x12: JXRFormat(name: "48bppRGBFixedPoint", sample: .fixed16, bytes: 6, colors: rgb),
    0x13: JXRFormat(name: "16bppGrayFixedPoint", sample: .fixed16, bytes: 2, colors: [0]),
    0x14: JXRFormat(name: "32bppBGR101010", sample: .bits101010, bytes: 4, colors: rgb),
    0x15: JXRFormat(name: "48bppRGB", sample: .word, bytes: 6, colors: rgb),
    0x16: JXRFormat(name: "64bppRGBA", sample: .word, bytes: 8, colors: rgb, alpha: 3),
    0x17: JXRFormat(name: "64bppPRGBA", sample: .word, bytes: 8, colors: rgb, alpha: 3, isPremultiplied: true),
    0x18: JXRFormat(name: "96bppRGBFixedPoint", sample: .fixed32, bytes: 12, colors: rgb),
    0x19: JXRFormat(name: "128bppRGBAFloat", sample: .float, bytes: 16, colors: rgb, alpha: 3),
    0x1A: JXRFormat(name: "128bppPRGBAFloat", sample: .float, bytes: 16, colors: rgb, alpha: 3, isPremultiplied: true),
    0x1B: JXRFormat(name: "128bppRGBFloat", sample: .float, bytes: 16, colors: rgb),
    0x1D: JXRFormat(name: "64bppRGBAFixedPoint", sample: .fixed16, bytes: 8, colors: rgb, alpha: 3),
    0x1E: JXRFormat(name: "128bppRGBAFixedPoint", sample: .fixed32, bytes: 16, colors: rgb, alpha: 3),
    0x3A: JXRFormat(name: "64bppRGBAHalf", sample: .half, bytes: 8, colors: rgb, alpha: 3),
    0x3B: JXRFormat(name: "48bppRGBHalf", sample: .half, bytes: 6, colors: rgb),
    0x3D: JXRFormat(name: "32bppRGBE", sample: .byte, bytes: 4, colors: rgb, isRGBE: true),
    0x3E: JXRFormat(name: "16bppGrayHalf", sample: .half, bytes: 2, colors: [0]),
    0x3F: JXRFormat(name: "32bppGrayFixedPoint", sample: .fixed32, bytes: 4, colors: [0]),
    0x40: JXRFormat(name: "64bppRGBFixedPoint", sample: .fixed16, bytes: 8, colors: rgb),
    0x41: JXRFormat(name: "128bppRGBFixedPoint", sample: .fixed32, bytes: 16, colors: rgb),
    0x42: JXRFormat(name: "64bppRGBHalf", sample: .half, bytes: 8, colors: rgb),
  ]

  private static let others: [[UInt8]: JXRFormat] = [
    [0x95, 0x6B, 0x8C, 0xD9, 0xFE, 0x3E, 0xD6, 0x47, 0xBB, 0x25, 0xEB, 0x17, 0x48, 0xAB, 0x0C, 0xF1]:
      JXRFormat(name: "32bppRGB", sample: .byte, bytes: 4, colors: rgb),
    [0x2D, 0xAD, 0xC7, 0xF5, 0x8D, 0x6A, 0xDD, 0x43, 0xA7, 0xA8, 0xA2, 0x99, 0x35, 0x26, 0x1A, 0xE9]:
      JXRFormat(name: "32bppRGBA", sample: .byte, bytes: 4, colors: rgb, alpha: 3),
    [0x50, 0xA6, 0xC4, 0x3C, 0x27, 0xA5, 0x37, 0x4D, 0xA9, 0x16, 0x31, 0x42, 0xC7, 0xEB, 0xED, 0xBA]:
      JXRFormat(name: "32bppPRGBA", sample: .byte, bytes: 4, colors: rgb, alpha: 3, isPremultiplied: true),
    [0x8F, 0xD7, 0xFE, 0xE3, 0xDB, 0xE8, 0xCF, 0x4A, 0x84, 0xC1, 0xE9, 0x7F, 0x61, 0x36, 0xB3, 0x27]:
      JXRFormat(name: "96bppRGBFloat", sample: .float, bytes: 12, colors: rgb),
  ]

  /// Returns the format of an identifier; throws `.unsupported` with the kind of those that are not read.
  static func identified(by identifier: [UInt8]) throws(DecodeError) -> JXRFormat {
    if let found = others[identifier] { return found }
    let isOfStem = identifier.dropLast() == stem[...]
    if isOfStem, let last = identifier.last, let found = byLastByte[last] { return found }
    let kind: String =
      switch isOfStem ? identifier.last ?? 0 : 0 {
      case 0x05: "black and white of 1 bit"
      case 0x1C, 0x1F, 0x2C, 0x2D, 0x43, 0x54...0x57: "CMYK"
      case 0x20...0x39: "channels without colours"
      case 0x44...0x53: "Y'CbCr"
      default: "identifier " + identifier.map { hex($0, digits: 2) }.joined()
      }
    throw .unsupported(feature: "this pixel format of JPEG XR", found: kind)
  }
}
