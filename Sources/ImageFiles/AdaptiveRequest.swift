import HDRCore

/// The containers of Adaptive HDR files (ISO 21496-1): `--to adaptive-jpeg|adaptive-heic|adaptive-avif|adaptive-jxl`.
public enum AdaptiveContainer: String, Sendable, Hashable, CaseIterable {
  case jpeg, heic, avif, jxl

  public var format: FileFormat {
    switch self {
    case .jpeg: .jpeg
    case .heic: .heic
    case .avif: .avif
    case .jxl: .jxl
    }
  }

  /// The reason why this build or machine cannot write it, in one line; `nil`: it can.
  public var missing: String? {
    switch self {
    case .heic: HEICWriter.missing
    case .jxl: JXLWriter.missing
    case .jpeg, .avif: nil
    }
  }

  /// True if samples are Y'CbCr planes; otherwise they are interleaved R G B A.
  public var isPlanar: Bool { self == .heic || self == .avif }

  /// The extension of the files, without the dot.
  public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
}

/// A coded picture of a HEIF file, bit for bit, with its decoder configuration.
public struct HEIFCodedItem: Sendable, Hashable {
  /// The item type: `hvc1` or `av01`.
  public var type: String
  /// The whole `hvcC` or `av1C` box.
  public var configuration: [UInt8]
  public var data: [UInt8]
  public var width: Int
  public var height: Int

  public init(type: String, configuration: [UInt8], data: [UInt8], width: Int, height: Int) {
    self.type = type
    self.configuration = configuration
    self.data = data
    self.width = width
    self.height = height
  }
}

/// A picture of a HEIF file, bit for bit: one coded item, or a grid of them.
public struct HEIFCodedPicture: Sendable, Hashable {
  /// A property box with its header, verbatim, and whether it is essential for readers.
  public struct Property: Sendable, Hashable {
    public var box: [UInt8]
    public var isEssential: Bool
    public init(box: [UInt8], isEssential: Bool) {
      self.box = box
      self.isEssential = isEssential
    }
  }

  /// The picture itself, or the tiles of a grid in raster order.
  public var items: [HEIFCodedItem]
  /// The payload of the `grid` item; `nil` when `items` is the one picture.
  public var grid: [UInt8]?
  /// The size before transforms.
  public var width: Int
  public var height: Int
  /// Descriptive and transformative properties in their order: `colr`, `pixi`, `pasp`, `clap`, `irot`, `imir`, `clli`,
  /// `mdcv`, ...; without `ispe` and the configuration.
  public var properties: [Property]

  public init(items: [HEIFCodedItem], grid: [UInt8]? = nil, width: Int, height: Int, properties: [Property]) {
    self.items = items
    self.grid = grid
    self.width = width
    self.height = height
    self.properties = properties
  }
}

/// A codestream of JPEG XL, bit for bit, and the level that it declares.
public struct JXLCodedPicture: Sendable, Hashable {
  public var codestream: [UInt8]
  public var level: Int

  public init(codestream: [UInt8], level: Int) { (self.codestream, self.level) = (codestream, level) }
}

/// A picture of an Adaptive HDR file: samples to be coded, or a payload that is kept bit for bit.
public enum AdaptivePicture: Sendable {
  /// Samples to be coded. JPEG: R G B A `uint8` interleaved or grey `uint8`; JPEG XL: also `uint16`. HEIC, AVIF: planar
  /// Y'CbCr or grey, `uint8` for 8 bits, `uint16` right-aligned for 10.
  case samples(SampleImage)
  /// A complete JPEG stream from SOI to EOI. The writer replaces its application segments and keeps tables and scans.
  case jpegStream([UInt8])
  case heif(HEIFCodedPicture)
  case jxl(JXLCodedPicture)

  public var isCoded: Bool { if case .samples = self { false } else { true } }
}

/// The colour of a rendition for signalling: code points, and a profile where the container or the source has one.
public struct AdaptiveColor: Sendable, Hashable {
  /// The code points; matrix and range are those of the coded samples (ignored for the alternate).
  public var cicp: CICP
  /// A profile that is written unchanged, beside or instead of code points; `nil`: HEIC and AVIF write `nclx` only,
  /// JPEG a profile made for `cicp`.
  public var icc: [UInt8]?
  public init(cicp: CICP, icc: [UInt8]? = nil) {
    self.cicp = cicp
    self.icc = icc
  }
}

/// The forms of gain map metadata that a file gets. JPEG: all of these apply. HEIC and AVIF: `tmap` always.
public struct AdaptiveBindings: Sendable, Hashable, OptionSet {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// ISO 21496-1 APP2 segments in both JPEG streams.
  public static let iso = AdaptiveBindings(rawValue: 1)
  /// `hdrgm` XMP in both JPEG streams.
  public static let hdrgm = AdaptiveBindings(rawValue: 2)
  /// Google's container directory in the primary's XMP.
  public static let container = AdaptiveBindings(rawValue: 4)
  /// A CIPA DC-007 index.
  public static let multiPicture = AdaptiveBindings(rawValue: 8)
  public static let all: AdaptiveBindings = [.iso, .hdrgm, .container, .multiPicture]
}

/// Apple's gain map of 2020 beside `tmap`, for readers that know no other (docs/gain-map-maths.md#apple). HEIC only.
public struct AppleMapItem: Sendable {
  /// The map: grey, 8 bits.
  public var picture: AdaptivePicture
  /// XMP that states version and headroom; `nil` where the maker note of the Exif states them.
  public var xmp: [UInt8]?

  public init(picture: AdaptivePicture, xmp: [UInt8]?) {
    self.picture = picture
    self.xmp = xmp
  }
}

/// Everything one Adaptive HDR file consists of (docs/gain-map-maths.md#containers).
public struct AdaptiveRequest: Sendable {
  public var container: AdaptiveContainer
  public var base: AdaptivePicture
  public var baseColor: AdaptiveColor
  /// The gain map: 1 or 3 channels, full range.
  public var map: AdaptivePicture
  /// The code points of the map's samples: CICP 2/2/matrix/full; JPEG: grey or matrix 6.
  public var mapColor: CICP
  public var appleMap: AppleMapItem?
  /// The gain map's metadata, already rounded to the numbers that the file will hold.
  public var metadata: GainMapMetadata
  /// The colour of the other rendition.
  public var alternateColor: AdaptiveColor?
  /// The bits of the other rendition, for `tmap`'s `pixi`.
  public var alternateDepth: Int
  /// The light metadata of the other rendition, and of the base, for HEIC and AVIF files.
  public var alternateLight: LightMetadata
  public var baseLight: LightMetadata
  public var bindings: AdaptiveBindings
  /// TIFF-structured Exif. For samples the writer resets the tags that describe pixels; for a kept payload it keeps the
  /// orientation, as the rows are unchanged.
  public var exif: [UInt8]?
  /// XMP without gain map vocabularies (`xmpWithoutPixelDescription`); the writer adds what `bindings` names.
  public var xmp: [UInt8]?
  /// Photoshop image resources; JPEG only.
  public var photoshop: [UInt8]?
  /// The quality of the base: 0...100.
  public var quality: Int
  public var mapQuality: Int
  /// The effort of a JPEG XL encoder: 1 fastest ... 9 smallest; 0: chosen for the quality.
  public var effort = 0
  /// The number of encoder threads; output bytes must not depend on it.
  public var threads: Int

  public init(
    container: AdaptiveContainer, base: AdaptivePicture, baseColor: AdaptiveColor, map: AdaptivePicture,
    mapColor: CICP, metadata: GainMapMetadata, alternateColor: AdaptiveColor?, alternateDepth: Int = 10,
    alternateLight: LightMetadata = LightMetadata(), baseLight: LightMetadata = LightMetadata(),
    bindings: AdaptiveBindings = .all, exif: [UInt8]? = nil, xmp: [UInt8]? = nil, quality: Int = 90,
    mapQuality: Int = 90, threads: Int = 1
  ) {
    self.container = container
    self.base = base
    self.baseColor = baseColor
    self.map = map
    self.mapColor = mapColor
    self.metadata = metadata
    self.alternateColor = alternateColor
    self.alternateDepth = alternateDepth
    self.alternateLight = alternateLight
    self.baseLight = baseLight
    self.bindings = bindings
    self.exif = exif
    self.xmp = xmp
    self.quality = quality
    self.mapQuality = mapQuality
    self.threads = threads
  }
}
