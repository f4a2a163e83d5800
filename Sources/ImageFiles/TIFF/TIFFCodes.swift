/// The values of tag 262, PhotometricInterpretation.
enum TIFFPhotometric {
  static let whiteIsZero = 0, blackIsZero = 1, rgb = 2, palette = 3, mask = 4, separated = 5, ycc = 6
  static let cieLab = 8, iccLab = 9, ituLab = 10, filterArray = 32803, linearRaw = 34892, gainMap = 52553
  static let logLuminance = 32844, logLuv = 32845

  /// True for logarithms of luminance, alone or with u' and v', which libtiff converts to floats Y or X, Y, Z.
  static func isLogarithm(_ code: Int) -> Bool { code == logLuminance || code == logLuv }

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
    case logLuminance: "LogL"
    case logLuv: "LogLuv"
    case gainMap: "gain map"
    default: "photometric interpretation \(code)"
    }
  }
}

/// The values of tag 259, Compression.
enum TIFFCompression {
  static let none = 1, lzw = 5, oldJPEG = 6, jpeg = 7, deflate = 8, packBits = 32773, sgiLog = 34676, sgiLog24 = 34677,
    lerc = 34887

  /// The supported values: libtiff decodes them to the samples of the file.
  static let isRead: Set<Int> = [
    none, 2, 3, 4, lzw, oldJPEG, jpeg, deflate, 32771, packBits, 32946, sgiLog, sgiLog24, lerc, 34925, 50000, 50001,
  ]

  /// True for the compressions of luminance's logarithm.
  static func isLogarithm(_ code: Int) -> Bool { code == sgiLog || code == sgiLog24 }

  static let lossyJPEG = 34892, jpegXL = 52546
  /// The supported values for samples of a camera's sensor, which LibRaw or `DNGTiles` decodes.
  static let isSensor: Set<Int> = [none, jpeg, deflate, lossyJPEG, jpegXL]

  static func name(_ code: Int) -> String {
    switch code {
    case none: "none"
    case 2, 3, 4, 32771: "CCITT"
    case lzw: "LZW"
    case oldJPEG: "old JPEG"
    case 9: "VC-5"
    case jpeg: "JPEG"
    case deflate, 32946: "Deflate"
    case packBits: "PackBits"
    case 32766: "NeXT"
    case 32809: "ThunderScan"
    case 32908, 32909: "Pixar"
    case 34661: "JBIG"
    case sgiLog, sgiLog24: "SGI Log"
    case 33003, 33005, 34712: "JPEG 2000"
    case lerc: "LERC"
    case lossyJPEG: "lossy JPEG of DNG"
    case 34925: "LZMA"
    case 50000: "ZSTD"
    case 50001: "WebP"
    case 50002, jpegXL: "JPEG XL"
    default: "number \(code)"
    }
  }
}
