import HDRCore
import HDRPlan
import HDRRecipe
import PlainData

/// The options of a rendition: the settings of docs/cli.md that decide pixels and files.
///
/// ```swift
/// var options = HDROptions()
/// options.toneMap = .named("bt2390")
/// options.primaries = .p3
/// try options.set("map-scale", "2")
/// ```
public struct HDROptions: Sendable, Hashable {
  var values = SettingValues()

  public init() {}

  /// The display headroom of the rendition: peak over reference white as a factor, 1...65536. `nil`: 1 for SDR files,
  /// else the content's own.
  public var headroom: Double? {
    get { values[Settings.light.headroom]?.factor }
    set { values.set(Settings.light.headroom, to: newValue.map { Headroom(factor: $0) }) }
  }
  /// The display headroom by range, with Core Image's names.
  public var dynamicRange: DynamicRange? {
    get { values[Settings.light.dynamicRange] }
    set { values.set(Settings.light.dynamicRange, to: newValue) }
  }
  /// The display headroom by display: luminances, or a row of `DisplayPreset.all`.
  public var display: Display? {
    get { values[Settings.light.display] }
    set { values.set(Settings.light.display, to: newValue) }
  }
  /// The headroom of the content, stated or measured, which overrides the file's.
  public var contentHeadroom: ContentHeadroomChoice? {
    get { values[Settings.light.contentHeadroom] }
    set { values.set(Settings.light.contentHeadroom, to: newValue) }
  }
  /// The tone operator (docs/operators.md).
  public var toneMap: ToneChoice {
    get { values[Settings.light.toneMap] }
    set { values.set(Settings.light.toneMap, to: newValue) }
  }
  /// The handling of colours outside the output's gamut.
  public var gamut: GamutChoice {
    get { values[Settings.color.gamut] }
    set { values.set(Settings.color.gamut, to: newValue) }
  }
  /// The output's primaries; `nil`: BT.2020 for HDR; for SDR P3 if the source is wider than sRGB, else sRGB.
  public var primaries: OutputPrimaries? {
    get { if case .primaries(let set)? = values[Settings.color.primaries] { set } else { nil } }
    set { values.set(Settings.color.primaries, to: newValue.map { .primaries($0) }) }
  }
  /// The dither before quantising, in output codes; 0 is none.
  public var dither: Double {
    get { values[Settings.color.dither] }
    set { values.set(Settings.color.dither, to: newValue) }
  }
  /// The combination of filters and gain maps.
  public var editStrategy: EditStrategy? {
    get { values[Settings.edits.editStrategy] }
    set { values.set(Settings.edits.editStrategy, to: newValue) }
  }
  /// The largest scale at which a JPEG is decoded before a filter makes it smaller.
  public var decodeScale: DecodeScaleChoice {
    get { values[Settings.edits.decodeScale] }
    set { values.set(Settings.edits.decodeScale, to: newValue) }
  }
  /// True if an unusable gain map is an error.
  public var isStrict: Bool {
    get { values[Settings.adaptive.strict] }
    set { values.set(Settings.adaptive.strict, to: newValue) }
  }

  /// Sets any setting of a recipe by its command-line name without dashes.
  ///
  /// - Throws: ``HDRError`` `option.name` or `option.value`.
  public mutating func set(_ name: String, _ text: String...) throws(HDRError) { try set(name, text) }

  package mutating func set(_ name: String, _ text: [String]) throws(HDRError) {
    guard let setting = Settings.recipe[name] else {
      let hint = Nearest.hint(name, among: Settings.recipe.keys.sorted())
      throw HDRError(code: "option.name", message: printable("there is no setting \(name)\(hint)"))
    }
    do throws(SettingFault) {
      try values.set(setting, text)
    } catch {
      throw HDRError(code: "option.value", message: printable("\(name) \(error.message)"))
    }
  }
}

/// A kind of file with its coding.
///
/// ```swift
/// try renderer.write(photo, to: "out.jpg", as: .sdrJPEG(quality: 85))
/// ```
public struct HDRFormat: Sendable, Hashable {
  /// The word after `--to`, e.g. "adaptive-heic".
  public let name: String
  /// The settings of this file alone.
  public var options = HDROptions()
  /// The filters of this file alone, after the picture's.
  var steps = Recipe.Steps()

  /// Makes a kind by its name.
  ///
  /// - Throws: ``HDRError`` `format.name`.
  public init(_ name: String) throws(HDRError) {
    guard let known = Nearest.match(name, among: KindNames.all) else {
      let hint = Nearest.hint(name, among: KindNames.all)
      throw HDRError(code: "format.name", message: printable("there is no format \(name)\(hint)"))
    }
    self.init(kind: known)
  }

  init(kind: String) { name = kind }

  public static var names: [String] { KindNames.all }

  /// Makes PNG, 16 bit PQ with cICP, mDCV and cLLI. Effort 0 is fastest, 9 smallest.
  public static func pqPNG(effort: Int? = nil) -> HDRFormat { HDRFormat(kind: "pq-png").with(effort: effort) }
  /// Makes PNG, 16 bit HLG.
  public static func hlgPNG(effort: Int? = nil) -> HDRFormat { HDRFormat(kind: "hlg-png").with(effort: effort) }
  /// Makes PNG, 8 bit sRGB or Display P3.
  public static func sdrPNG(effort: Int? = nil) -> HDRFormat { HDRFormat(kind: "sdr-png").with(effort: effort) }
  /// Makes JPEG without a gain map. Quality is 0...100, by default 90.
  public static func sdrJPEG(quality: Int? = nil) -> HDRFormat { HDRFormat(kind: "sdr-jpeg").with(quality: quality) }
  /// Makes HEIC, 10 bit PQ.
  public static func pqHEIC(quality: Int? = nil) -> HDRFormat { HDRFormat(kind: "pq-heic").with(quality: quality) }
  /// Makes HEIC, 10 bit HLG.
  public static func hlgHEIC(quality: Int? = nil) -> HDRFormat { HDRFormat(kind: "hlg-heic").with(quality: quality) }
  /// Makes AVIF, 10 bit PQ.
  public static func pqAVIF(quality: Int? = nil) -> HDRFormat { HDRFormat(kind: "pq-avif").with(quality: quality) }
  /// Makes AVIF, 10 bit HLG.
  public static func hlgAVIF(quality: Int? = nil) -> HDRFormat { HDRFormat(kind: "hlg-avif").with(quality: quality) }
  /// Makes AVIF, 8 bit sRGB or Display P3.
  public static func sdrAVIF(quality: Int? = nil) -> HDRFormat { HDRFormat(kind: "sdr-avif").with(quality: quality) }
  /// Makes OpenEXR, half floats in linear light.
  public static func exr(compression: EXRCompression? = nil) -> HDRFormat {
    var result = HDRFormat(kind: "exr")
    result.options.values.set(Settings.files.exrCompression, to: compression)
    return result
  }
  /// Makes TIFF, 16 bit PQ. Effort 0 is fastest, 9 smallest.
  public static func pqTIFF(effort: Int? = nil) -> HDRFormat { HDRFormat(kind: "pq-tiff").with(effort: effort) }
  /// Makes TIFF, 16 bit HLG.
  public static func hlgTIFF(effort: Int? = nil) -> HDRFormat { HDRFormat(kind: "hlg-tiff").with(effort: effort) }
  /// Makes TIFF, 16 bit sRGB or Display P3.
  public static func sdrTIFF(effort: Int? = nil) -> HDRFormat { HDRFormat(kind: "sdr-tiff").with(effort: effort) }
  /// Makes TIFF, floats of 16 or 32 bits in linear light; the default is 16.
  public static func linearTIFF(depth: Int? = nil, effort: Int? = nil) -> HDRFormat {
    var result = HDRFormat(kind: "linear-tiff").with(effort: effort)
    result.options.values.set(Settings.files.depth, to: depth)
    return result
  }
  /// The format of raw half floats in linear light, with a JSON file beside them.
  public static var rgba16f: HDRFormat { HDRFormat(kind: "rgba16f") }
  /// Makes JPEG with a gain map (Ultra HDR, ISO 21496-1). If nothing changes the base, and no quality is given, the
  /// base is kept bit for bit.
  public static func adaptiveJPEG(quality: Int? = nil, mapQuality: Int? = nil) -> HDRFormat {
    HDRFormat(kind: "adaptive-jpeg").with(quality: quality, mapQuality: mapQuality)
  }
  /// Makes HEIC with a gain map (`tmap`). The base is kept as in `adaptiveJPEG`.
  public static func adaptiveHEIC(quality: Int? = nil, mapQuality: Int? = nil) -> HDRFormat {
    HDRFormat(kind: "adaptive-heic").with(quality: quality, mapQuality: mapQuality)
  }
  /// Makes AVIF with a gain map. The base is kept as in `adaptiveJPEG`.
  public static func adaptiveAVIF(quality: Int? = nil, mapQuality: Int? = nil) -> HDRFormat {
    HDRFormat(kind: "adaptive-avif").with(quality: quality, mapQuality: mapQuality)
  }
  /// Makes PNG with a gain map, as Android 16 does. Effort 0 is fastest, 9 smallest.
  public static func adaptivePNG(effort: Int? = nil) -> HDRFormat {
    HDRFormat(kind: "adaptive-png").with(effort: effort)
  }

  private func with(quality: Int? = nil, mapQuality: Int? = nil, effort: Int? = nil) -> HDRFormat {
    var result = self
    result.options.values.set(Settings.files.quality, to: quality)
    result.options.values.set(Settings.adaptive.mapQuality, to: mapQuality)
    result.options.values.set(Settings.files.pngEffort, to: effort.map { .level($0) })
    return result
  }
}
