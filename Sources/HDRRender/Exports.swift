import HDRCore
import HDRPlan
import HDRRecipe

// The types of lower rooms that the library's calls use, under the library's own name. Nothing else of those rooms is
// public: docs/swift.md names these types, and a test compares.

// MARK: Metadata and limits

/// The code points of ITU-T H.273 that a file states: ``HDRImage/cicp``.
public typealias CICP = HDRCore.CICP
/// The largest and the average light of a picture: ``HDRImage/contentLight``.
public typealias ContentLightLevel = HDRCore.ContentLightLevel
/// Bounds on what a file may ask for.
public typealias DecodeLimits = HDRCore.DecodeLimits
/// The library that decodes HEVC: ``DecodeLimits/hevcDecoder``.
public typealias HEVCDecoder = HDRCore.HEVCDecoder
/// The text of an error or a warning.
public typealias Message = HDRCore.Message
/// A warning about a file or about a result.
public typealias Warning = HDRCore.Warning

// MARK: Light and colour

/// The headroom of content that is stated or measured: ``HDROptions/contentHeadroom``.
public typealias ContentHeadroomChoice = HDRRecipe.ContentHeadroomChoice
/// The peak and white of a display: ``HDROptions/display``.
public typealias Display = HDRCore.Display
/// The headroom of a display by range: ``HDROptions/dynamicRange``.
public typealias DynamicRange = HDRRecipe.DynamicRange
/// The handling of colours outside the gamut: ``HDROptions/gamut``.
public typealias GamutChoice = HDRPlan.GamutChoice
/// The ratio of peak to reference white.
public typealias Headroom = HDRCore.Headroom
/// The method that measures a headroom: ``ContentHeadroomChoice/measured(_:)``.
public typealias HeadroomMeasure = HDRPlan.HeadroomMeasure
/// The primaries of an output: ``HDROptions/primaries``.
public typealias OutputPrimaries = HDRCore.OutputPrimaries
/// The tone operator: ``HDROptions/toneMap``.
public typealias ToneChoice = HDRPlan.ToneChoice
/// The parameters of a tone operator: ``ToneChoice/named(_:_:)``.
public typealias ToneValues = HDRPlan.ToneValues

// MARK: Edits

/// A space of colours and of LUTs.
public typealias ColorSpace = HDRCore.ColorSpace
/// A colour lookup table.
public typealias CubeLUT = HDRPlan.CubeLUT
/// The scale at which a JPEG is decoded: ``HDROptions/decodeScale``.
public typealias DecodeScaleChoice = HDRPlan.DecodeScaleChoice
/// The combination of filters and gain maps: ``HDROptions/editStrategy``.
public typealias EditStrategy = HDRPlan.EditStrategy
/// A colour with its space: ``HDRValue/color(_:)``.
public typealias FilterColor = HDRPlan.FilterColor
/// A LUT and the space it works in: ``HDRImage/applying(_:)-lut``.
public typealias LUTChoice = HDRPlan.LUTChoice
/// All that a LUT file does, as operations in their order.
public typealias LUTChain = HDRPlan.LUTChain
/// The formats of LUT files.
public typealias LUTFormat = HDRPlan.LUTFormat
/// An error that says why a LUT file cannot be read.
public typealias LUTError = HDRPlan.LUTError
/// The settings, steps and outputs of a recipe file.
public typealias Recipe = HDRRecipe.Recipe

// MARK: Files and machines

/// The backends that can be asked for.
public typealias BackendChoice = HDRRecipe.BackendChoice
/// The compression of an OpenEXR file: ``HDRFormat/exr(compression:)``.
public typealias EXRCompression = HDRCore.EXRCompression
/// The isolation of codecs: ``IsolationOptions``.
public typealias Isolation = HDRRecipe.Isolation
