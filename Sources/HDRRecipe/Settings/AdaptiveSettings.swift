import HDRCore
import HDRPlan

/// Settings for making Adaptive HDR files (a base with a gain map, "Ultra HDR").
package struct AdaptiveSettings: SettingGroup {
  package var title: String { "Adaptive HDR" }
  package var scope: Setting.Scope { .recipe }

  package let base = SettingKey(
    "base", .choice(AdaptiveBase.self, "rendition"), assumed: "sdr", on: "adaptive-*",
    "Which rendition ordinary readers show; an HDR base needs HEIC or AVIF.")
  package let ifSDR = SettingKey(
    "if-sdr", .choice(WithoutHDR.self, "rule"), standard: .fail,
    on: "adaptive-*",
    """
    Pictures that have no HDR: fail; skip leaves them out; sdr-jpeg, sdr-avif, sdr-jxl and sdr-png write them as SDR \
    files of the same name.
    """)
  package let baseDepth = SettingKey(
    "base-depth", .integer(of: [8, 10, 16], "bits"), assumed: "8", on: "adaptive-*", rare: true,
    "Bits of an SDR base: 10 in HEIC and AVIF, 16 in PNG; JPEG XL has 16 for either.")
  package let mapChannels = SettingKey(
    "map-channels", .integer(of: [1, 3]), assumed: "3", on: "adaptive-*",
    "One gain for R, G and B (1), or one each (3).")
  package let mapScale = SettingKey(
    "map-scale", .integer(of: [1, 2, 4]), assumed: "1", on: "adaptive-*",
    "The base is this many times as large as the map, per side.")
  package let mapDepth = SettingKey(
    "map-depth", .integer(of: [8, 10, 16], "bits"), assumed: "8", on: "adaptive-*", rare: true,
    "Bits of the map: 10 in HEIC and AVIF, 16 in PNG; JPEG XL has 16 for either.")
  package let mapQuality = SettingKey(
    "map-quality", .integer(0...100, "q"), assumed: "90",
    on: "adaptive-jpeg adaptive-heic adaptive-avif adaptive-jxl", because: "a PNG loses nothing",
    "Quality of the map, 0...100.")
  package let mapRange = SettingKey(
    "map-range", .gainRange, assumed: "robust", on: "adaptive-*", rare: true,
    "Gains that the map reaches: full, robust (without outliers), or without this many percent at either end.")
  package let mapHeadroom = SettingKey(
    "map-headroom", .headroomMeasure, assumed: "99.99", on: "adaptive-*", rare: true,
    "Declared headroom: max, or the light that this many percent of the pixels stay below.")
  package let mapSpace = SettingKey(
    "map-space", .choice(MapSpace.self, "space"), assumed: "base in JPEG, else wider",
    on: "adaptive-*", rare: true,
    """
    Primaries of the map's arithmetic: the base's, or the wider ones of both renditions. Older readers of JPEG know the \
    base's only.
    """)
  package let mapOffset = SettingKey(
    "map-offset", .number(0...1, "light"), assumed: "0.015625 (1/64)", on: "adaptive-*", rare: true,
    "Linear light added before the ratio.")
  package let mapGamma = SettingKey(
    "map-gamma", .number(0.05...20, "gamma"), assumed: "1", on: "adaptive-*", rare: true, "Gamma of the map's codes.")
  package let mapDither = SettingKey(
    flag: "map-dither", on: "adaptive-*", rare: true, "Dither an 8-bit map by half a code to either side.")
  package let mapMetadata = SettingKey(
    "map-metadata", .words(of: ["iso", "hdrgm", "container", "mpf"], atLeastOneOf: ["iso", "hdrgm"]), assumed: "all",
    on: "adaptive-jpeg", because: "HEIC and AVIF have one way, tmap", rare: true,
    "How a JPEG says that it has a map: a list of iso, hdrgm, container, mpf.")
  package let appleMap = SettingKey(
    flag: "apple-map", on: "adaptive-heic", because: "Apple's map is an auxiliary picture of HEIC", rare: true,
    """
    Write Apple's gain map of 2020, too, for iOS 17 and older; one that the file has is kept where its pixels are.
    """)
  package let strict = SettingKey(flag: "strict", "A gain map that is there and cannot be used fails its file.")
}

/// The rendition that ordinary readers show.
package enum AdaptiveBase: String, Sendable, Hashable, CaseIterable {
  case sdr, hdr
}

/// The handling of pictures without HDR.
package enum WithoutHDR: String, Sendable, Hashable, CaseIterable {
  case fail, skip
  case sdrJPEG = "sdr-jpeg"
  case sdrAVIF = "sdr-avif"
  case sdrJXL = "sdr-jxl"
  case sdrPNG = "sdr-png"

  /// The kind of SDR file that is made of them; `nil`: none is made.
  package var kind: OutputKind? { OutputKind(rawValue: rawValue) }
}

/// The primaries in which a map is computed.
package enum MapSpace: String, Sendable, Hashable, CaseIterable {
  /// The base's, which readers that ignore the flag assume. Colours of the HDR rendition outside them are lost.
  case base
  /// The wider primaries of the two renditions.
  case wider
}
