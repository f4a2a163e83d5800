import HDRCore

/// The containers of Adaptive HDR files (ISO 21496-1): `--to adaptive-jpeg|adaptive-heic|adaptive-avif|adaptive-jxl|
/// adaptive-png`.
package enum AdaptiveContainer: String, Sendable, Hashable, CaseIterable {
  case jpeg, heic, avif, jxl, png

  package var format: FileFormat {
    switch self {
    case .jpeg: .jpeg
    case .heic: .heic
    case .avif: .avif
    case .jxl: .jxl
    case .png: .png
    }
  }

  /// The reason why this build or machine cannot write it, in one line; `nil`: it can.
  package var missing: String? {
    switch self {
    case .heic: HEICWriter.missing
    case .jxl: JXLWriter.missing
    case .jpeg, .avif, .png: nil
    }
  }

  /// True if payloads of its files can be kept bit for bit. PNG loses nothing, so that its codes are written again.
  package var keepsPayloads: Bool { self != .png }

  /// True if samples are Y'CbCr planes; otherwise they are interleaved R G B A.
  package var isPlanar: Bool { self == .heic || self == .avif }

  /// The extension of the files, without the dot.
  package var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
}

/// A coded picture of a HEIF file, bit for bit, with its decoder configuration.
package struct HEIFCodedItem: Sendable, Hashable {
  /// The item type: `hvc1` or `av01`.
  package var type: String
  /// The whole `hvcC` or `av1C` box.
  package var configuration: [UInt8]
  package var data: [UInt8]
  package var width: Int
  package var height: Int

  package init(type: String, configuration: [UInt8], data: [UInt8], width: Int, height: Int) {
    self.type = type
    self.configuration = configuration
    self.data = data
    self.width = width
    self.height = height
  }
}

/// A picture of a HEIF file, bit for bit: one coded item, or a grid of them.
package struct HEIFCodedPicture: Sendable, Hashable {
  /// A property box with its header, verbatim, and whether it is essential for readers.
  package struct Property: Sendable, Hashable {
    package var box: [UInt8]
    package var isEssential: Bool
    package init(box: [UInt8], isEssential: Bool) {
      self.box = box
      self.isEssential = isEssential
    }
  }

  /// The picture itself, or the tiles of a grid in raster order.
  package var items: [HEIFCodedItem]
  /// The payload of the `grid` item; `nil` when `items` is the one picture.
  package var grid: [UInt8]?
  /// The size before transforms.
  package var width: Int
  package var height: Int
  /// Descriptive and transformative properties in their order: `colr`, `pixi`, `pasp`, `clap`, `irot`, `imir`, `clli`,
  /// `mdcv`, ...; without `ispe` and the configuration.
  package var properties: [Property]

  package init(items: [HEIFCodedItem], grid: [UInt8]? = nil, width: Int, height: Int, properties: [Property]) {
    self.items = items
    self.grid = grid
    self.width = width
    self.height = height
    self.properties = properties
  }
}

/// A codestream of JPEG XL, bit for bit, and the level that it declares.
package struct JXLCodedPicture: Sendable, Hashable {
  package var codestream: [UInt8]
  package var level: Int

  package init(codestream: [UInt8], level: Int) { (self.codestream, self.level) = (codestream, level) }
}

/// A picture of an Adaptive HDR file: samples to be coded, or a payload that is kept bit for bit.
package enum AdaptivePicture: Sendable {
  /// Samples to be coded. JPEG: R G B A `uint8` interleaved or grey `uint8`; JPEG XL, PNG: also `uint16`. HEIC, AVIF: planar
  /// Y'CbCr or grey, `uint8` for 8 bits, `uint16` right-aligned for 10.
  case samples(SampleImage)
  /// A complete JPEG stream from SOI to EOI. The writer replaces its application segments and keeps tables and scans.
  case jpegStream([UInt8])
  case heif(HEIFCodedPicture)
  case jxl(JXLCodedPicture)

  package var isCoded: Bool { if case .samples = self { false } else { true } }
}

/// The colour of a rendition for signalling: code points, and a profile where the container or the source has one.
package struct AdaptiveColor: Sendable, Hashable {
  /// The code points; matrix and range are those of the coded samples (ignored for the alternate).
  package var cicp: CICP
  /// A profile that is written unchanged, beside or instead of code points; `nil`: HEIC and AVIF write `nclx` only,
  /// JPEG a profile made for `cicp`.
  package var icc: [UInt8]?
  package init(cicp: CICP, icc: [UInt8]? = nil) {
    self.cicp = cicp
    self.icc = icc
  }
}

/// The forms of gain map metadata that a file gets. JPEG: all of these apply. HEIC and AVIF: `tmap` always.
package struct AdaptiveBindings: Sendable, Hashable, OptionSet {
  package var rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }
  /// ISO 21496-1 APP2 segments in both JPEG streams.
  package static let iso = AdaptiveBindings(rawValue: 1)
  /// `hdrgm` XMP in both JPEG streams.
  package static let hdrgm = AdaptiveBindings(rawValue: 2)
  /// Google's container directory in the primary's XMP.
  package static let container = AdaptiveBindings(rawValue: 4)
  /// A CIPA DC-007 index.
  package static let multiPicture = AdaptiveBindings(rawValue: 8)
  package static let all: AdaptiveBindings = [.iso, .hdrgm, .container, .multiPicture]
}

/// Apple's gain map of 2020 beside `tmap`, for readers that know no other (docs/gain-map-maths.md#apple). HEIC only.
package struct AppleMapItem: Sendable {
  /// The map: grey, 8 bits.
  package var picture: AdaptivePicture
  /// XMP that states version and headroom; `nil` where the maker note of the Exif states them.
  package var xmp: [UInt8]?

  package init(picture: AdaptivePicture, xmp: [UInt8]?) {
    self.picture = picture
    self.xmp = xmp
  }
}

/// Everything one Adaptive HDR file consists of (docs/gain-map-maths.md#containers).
package struct AdaptiveRequest: Sendable {
  package var container: AdaptiveContainer
  package var base: AdaptivePicture
  package var baseColor: AdaptiveColor
  /// The gain map: 1 or 3 channels, full range.
  package var map: AdaptivePicture
  /// The code points of the map's samples: CICP 2/2/matrix/full; JPEG: grey or matrix 6.
  package var mapColor: CICP
  package var appleMap: AppleMapItem?
  /// The gain map's metadata, already rounded to the numbers that the file will hold.
  package var metadata: GainMapMetadata
  /// The colour of the other rendition.
  package var alternateColor: AdaptiveColor?
  /// The bits of the other rendition, for `tmap`'s `pixi`.
  package var alternateDepth: Int
  /// The light metadata of the other rendition, and of the base, for HEIC and AVIF files.
  package var alternateLight: LightMetadata
  package var baseLight: LightMetadata
  package var bindings: AdaptiveBindings
  /// TIFF-structured Exif. For samples the writer resets the tags that describe pixels; for a kept payload it keeps the
  /// orientation, as the rows are unchanged.
  package var exif: [UInt8]?
  /// XMP without gain map vocabularies (`xmpWithoutPixelDescription`); the writer adds what `bindings` names.
  package var xmp: [UInt8]?
  /// Photoshop image resources; JPEG only.
  package var photoshop: [UInt8]?
  /// The video that will follow the encoded bytes, which announce it; JPEG, HEIC and AVIF.
  package var motion: MotionVideo?
  /// Pictures beside the picture; HEIC and AVIF.
  package var auxiliaries: [AuxiliaryItem] = []
  /// The quality of the base: 0...100.
  package var quality: Int
  package var mapQuality: Int
  /// True for Huffman tables of their own in base and map of a JPEG.
  package var optimizesJPEG = false
  /// True for progressive scans of base and map of a JPEG, kept ones too (`JPEGPicture.progressive`).
  package var isProgressiveJPEG = false
  /// The number of pixels of all pictures of the source if streams of it are coded again; it limits the memory for that.
  package var recodedPixels = 0
  /// The effort of a JPEG XL encoder: 1 fastest ... 9 smallest; 0: chosen for the quality. In PNG that of Deflate: 0
  /// fastest ... 9 smallest.
  package var effort = 0
  /// True for Deflate in chunks that devices make, too, whatever the effort; PNG.
  package var deflatesInChunks = false
  /// The number of encoder threads; output bytes must not depend on it.
  package var threads: Int

  package init(
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
