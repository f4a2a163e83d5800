import HDRCore

/// The compression of an OpenEXR part's chunks; raw values are those of the attribute `compression`.
enum EXRCoding: Int, CaseIterable {
  case none, rle, zips, zip, piz, pxr24, b44, b44a, dwaa, dwab
  case htj2k256 = 10
  case htj2k32 = 11
  case lj2k = 12
  case zstd = 13

  /// The number of rows in a chunk of scan lines.
  var rows: Int {
    switch self {
    case .none, .rle, .zips, .zstd: 1
    case .zip, .pxr24: 16
    case .piz, .b44, .b44a, .dwaa, .htj2k32: 32
    case .dwab, .htj2k256, .lj2k: 256
    }
  }

  /// True if OpenEXR's library decodes it. The library cannot decode DWA; the others take few lines, and our own are
  /// faster.
  var needsLibrary: Bool { [.piz, .pxr24, .b44, .b44a].contains(self) }

  /// True if chunks are code streams of JPEG 2000, which OpenJPEG decodes.
  var isJPEG2000: Bool { [.htj2k256, .htj2k32, .lj2k].contains(self) }

  /// The largest factor by which a chunk can grow; `nil`: not known. Deflate makes 258 bytes of 2 bits, RLE 128 of 2
  /// bytes.
  var maxGrowth: Int? {
    switch self {
    case .none: 1
    case .rle: 64
    case .zips, .zip: 1032
    // PXR24 drops one of the four bytes of each float.
    case .pxr24: 1032 * 4 / 3 + 1
    default: nil
    }
  }

  var name: String { self == .none ? "uncompressed" : "\(self)".uppercased() }

  init(_ compression: EXRCompression) {
    switch compression {
    case .none: self = .none
    case .rle: self = .rle
    case .zips: self = .zips
    case .zip, .zipGPU: self = .zip
    }
  }
}
