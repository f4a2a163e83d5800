import FileParts
import HDRCore

/// The type of a TIFF picture's samples: tags 258 and 339, BitsPerSample and SampleFormat.
struct TIFFSampleType: Equatable {
  enum Kind: Equatable { case unsigned, signed, float }

  let kind: Kind
  let bits: Int

  private static let place = "TIFF directory"

  /// The floats to which libtiff converts logarithms of luminance, whatever type the file states.
  static let logarithm = TIFFSampleType(kind: .float, bits: 32)

  private init(kind: Kind, bits: Int) { (self.kind, self.bits) = (kind, bits) }

  /// Reads the type of `samples` samples.
  ///
  /// - Parameter missingBits: the depth of samples that state none.
  /// - Throws: `.unsupported` for types that are not read, and for samples of several types.
  init(
    _ structure: TIFFStructure, _ directory: TIFFStructure.Directory, samples: Int, missingBits: Int = 1
  ) throws(DecodeError) {
    let depths = (structure.integers(TIFFTag.bitsPerSample, in: directory) ?? [missingBits]).prefix(samples)
    guard let bits = depths.first else { throw .malformed(where: Self.place, what: "BitsPerSample is empty") }
    guard depths.allSatisfy({ $0 == bits }) else {
      throw .unsupported(feature: "samples of several depths", found: depths.map { "\($0)" }.joined(separator: ", "))
    }
    let kinds = (structure.integers(TIFFTag.sampleFormat, in: directory) ?? [1]).prefix(samples)
    guard kinds.allSatisfy({ $0 == kinds.first }) else {
      throw .unsupported(feature: "samples of several kinds", found: kinds.map { "\($0)" }.joined(separator: ", "))
    }
    guard (1...64).contains(bits) else { throw .malformed(where: Self.place, what: "samples of \(bits) bits") }
    let name: String, read: [Int]
    // Format 4 is "undefined", which readers take as unsigned.
    switch kinds.first ?? 1 {
    case 1, 4: (kind, name, read) = (.unsigned, "integers", Array(1...16) + [24, 32, 64])
    case 2: (kind, name, read) = (.signed, "signed integers", [8, 16, 32, 64])
    case 3: (kind, name, read) = (.float, "floats", [16, 24, 32, 64])
    case 5, 6: (kind, name, read) = (.float, "complex numbers", [])
    default: throw .malformed(where: Self.place, what: "SampleFormat is \(kinds.first ?? 0)")
    }
    guard read.contains(bits) else { throw .unsupported(feature: "TIFF samples", found: "\(bits)-bit \(name)") }
    self.bits = bits
  }

  /// Returns the number of colour samples of a pixel.
  ///
  /// - Throws: `.unsupported` for photometric interpretations that are not read with samples of this type; `.malformed`
  ///   for too few samples.
  func colors(_ photometric: Int, samples: Int) throws(DecodeError) -> Int {
    let isCode = kind == .unsigned, isByte = isCode && bits == 8, name = TIFFPhotometric.name(photometric)
    let colors: Int, allows: Bool
    switch photometric {
    case TIFFPhotometric.whiteIsZero: (colors, allows) = (1, kind != .signed)
    case TIFFPhotometric.blackIsZero, TIFFPhotometric.logLuminance: (colors, allows) = (1, true)
    case TIFFPhotometric.rgb, TIFFPhotometric.logLuv: (colors, allows) = (3, true)
    case TIFFPhotometric.palette: (colors, allows) = (1, isCode && bits <= 8)
    case TIFFPhotometric.ycc: (colors, allows) = (3, isByte)
    case TIFFPhotometric.separated: (colors, allows) = (4, isByte || isCode && bits == 16)
    case TIFFPhotometric.cieLab, TIFFPhotometric.iccLab: (colors, allows) = (3, isByte || isCode && bits == 16)
    case TIFFPhotometric.gainMap: (colors, allows) = (samples < 3 ? 1 : 3, isCode || kind == .float && bits != 64)
    case TIFFPhotometric.filterArray, TIFFPhotometric.linearRaw:
      throw .unsupported(feature: "camera raw", found: "TIFF with \(name) samples")
    default:
      throw .unsupported(feature: "this kind of TIFF picture", found: name)
    }
    guard allows else {
      throw .unsupported(
        feature: "\(name) TIFF of this depth",
        found: "\(bits)-bit " + (kind == .float ? "floats" : kind == .signed ? "signed integers" : "integers"))
    }
    guard samples >= colors else {
      throw .malformed(where: Self.place, what: "\(samples) samples a pixel are no \(name)")
    }
    return colors
  }
}
