/// The values of tag 262, PhotometricInterpretation.
enum TIFFPhotometric {
  static let whiteIsZero = 0, blackIsZero = 1, rgb = 2, palette = 3, mask = 4, separated = 5, ycc = 6
  static let cieLab = 8, iccLab = 9, ituLab = 10, filterArray = 32803, linearRaw = 34892, gainMap = 52553

  static func name(_ code: Int) -> String {
    switch code {
    case whiteIsZero, blackIsZero: "grey"
    case rgb: "RGB"
    case palette: "palette"
    case mask: "transparency mask"
    case separated: "separated inks"
    case ycc: "Y'CbCr"
    case cieLab, iccLab: "Lab"
    case ituLab: "ITU Lab"
    case filterArray, linearRaw: "camera raw"
    case 32844, 32845: "LogLuv"
    case gainMap: "gain map"
    default: "photometric interpretation \(code)"
    }
  }
}

/// The values of tag 259, Compression.
enum TIFFCompression {
  static let none = 1, lzw = 5, jpeg = 7, deflate = 8, packBits = 32773

  /// The supported values: libtiff decodes them to the samples of the file.
  static let isRead: Set<Int> = [none, 2, 3, 4, lzw, jpeg, deflate, 32771, packBits, 32946, 34925, 50000, 50001]

  static let lossyJPEG = 34892, jpegXL = 52546
  /// The supported values for samples of a camera's sensor, which LibRaw or `DNGTiles` decodes.
  static let isSensor: Set<Int> = [none, jpeg, deflate, lossyJPEG, jpegXL]

  static func name(_ code: Int) -> String {
    switch code {
    case none: "none"
    case 2, 3, 4, 32771: "CCITT"
    case lzw: "LZW"
    case 6: "old JPEG"
    case 9: "VC-5"
    case jpeg: "JPEG"
    case deflate, 32946: "Deflate"
    case packBits: "PackBits"
    case 32766: "NeXT"
    case 32809: "ThunderScan"
    case 32908, 32909: "Pixar"
    case 34661: "JBIG"
    case 34676, 34677: "SGI Log"
    case 33003, 33005, 34712: "JPEG 2000"
    case 34887: "LERC"
    case lossyJPEG: "lossy JPEG of DNG"
    case 34925: "LZMA"
    case 50000: "ZSTD"
    case 50001: "WebP"
    case 50002, jpegXL: "JPEG XL"
    default: "number \(code)"
    }
  }
}
