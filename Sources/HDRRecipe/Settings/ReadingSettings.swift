import HDRCore

/// Settings for the choices that a source leaves, and for the information that its file omits.
package struct ReadingSettings: SettingGroup {
  package var title: String { "Source" }
  package var scope: Setting.Scope { .recipe }

  package let image = SettingKey(
    "image", .text("n|name|all"), assumed: "the file's main picture",
    """
    Which picture of a file with several: its number or name, as info lists them; all: each picture becomes an output of \
    its own, {stem}-{image}.{ext} unless --name says otherwise.
    """)
  package let exrLuminance = SettingKey(
    "exr-luminance", .choice(EXRReading.Luminance.self, "meaning"), standard: .relative, rare: true,
    "What 1.0 of an OpenEXR file is: relative, reference white; absolute, the file's whiteLuminance in cd/m².")
  package let exrWindow = SettingKey(
    "exr-window", .choice(EXRReading.Window.self, "window"), standard: .automatic, rare: true,
    """
    What the picture of an OpenEXR file is: the display window, or the data window with all pixels there are. auto is \
    data for OpenEXR outputs whose filters move no pixels, which keep both windows, else display.
    """)
  package let exrEmission = SettingKey(
    "exr-emission", .choice(EXRReading.Emission.self, "rule"), standard: .automatic, rare: true,
    """
    Colour of an OpenEXR file where alpha is 0: drop makes it black, keep passes it on to OpenEXR where nothing but \
    primaries changes. auto is drop, but shows a picture whose alpha is 0 everywhere without its alpha.
    """)
  package let hdrExposure = SettingKey(
    "hdr-exposure", .choice(PlainReading.Exposure.self, "rule"), standard: .keep, rare: true,
    """
    The factors EXPOSURE and COLORCORR of a Radiance file, by which its samples exceed the scene's light: keep leaves \
    samples as they are, as most programs do; apply divides them.
    """)
  package let hdrWhite = SettingKey(
    "hdr-white", .number(1e-3...1e6, "nits"), assumed: "reference white", rare: true,
    "Luminance of 1.0 of a Radiance file, in cd/m²: 1 for light that was calibrated.")
  package let logBlack = SettingKey(
    "log-black", .number(FilmLog.codes, "code"), standard: FilmLog().black, rare: true,
    "Code of 10 bits that is black in logarithmic DPX and Cineon files.")
  package let logWhite = SettingKey(
    "log-white", .number(FilmLog.codes, "code"), standard: FilmLog().white, rare: true,
    "Code of 10 bits that is reference white in logarithmic DPX and Cineon files.")
  package let logGamma = SettingKey(
    "log-gamma", .number(FilmLog.gammas, "gamma"), standard: FilmLog().gamma, rare: true,
    "Gamma of the negative of logarithmic DPX and Cineon files, whose codes count 0.002 of density.")
  package let rawLook = SettingKey(
    "raw-look", .choice(RawLook.self, "look"), standard: .automatic,
    """
    What a camera raw file shows: embedded, the JPEG that the camera rendered, with its gain map; profile, the sensor's \
    samples as the file's profile says; linear, light in proportion to the scene's, for grading. auto is embedded where \
    that is of full size with a gain map, else profile.
    """)
  package let rawCrop = SettingKey(
    "raw-crop", .choice(CameraReading.Crop.self, "area"), standard: .standard, rare: true,
    "What is shown of the sensor: default, as the camera frames it; active, all samples that got light.")
  package let jxrWhite = SettingKey(
    "jxr-white", .number(1...10_000, "luminance"), assumed: "203", rare: true,
    """
    Luminance in cd/m² of white on the screen that a JPEG XR file shows, of which such files say nothing: Windows' slider \
    of SDR brightness, 80 to 480. PQ keeps its luminances; all else is relative to white.
    """)
  package let jxrAlpha = SettingKey(
    "jxr-alpha", .choice(JXRReading.Alpha.self, "rule"), standard: .ignore, rare: true,
    "Alpha of a JPEG XR file beside floats, which screenshots leave undefined. Beside integers it is kept.")
  package let maxCLL = SettingKey(
    "max-cll", .choice(JXRReading.Peak.self, "rule"), standard: .percentile, rare: true,
    """
    Light level of JPEG XR files, which state none: p99.99, the light that 99.99 % of the pixels stay below, or \
    measured, the brightest pixel. It is their content headroom, and MaxCLL of PQ where nothing else changes light.
    """)
  package let fromDCI = SettingKey(
    flag: "from-dci", rare: true,
    """
    Codes of JPEG 2000 inputs are X'Y'Z' of digital cinema, whatever the file says: white is 48 cd/m², which PQ keeps. \
    Files of the profiles of digital cinema are read so without it.
    """)
  package let from = SettingKey(
    "from", .rawSource,
    """
    Inputs are samples without a header: raw:FORMAT,WxH, perhaps with ,stride=BYTES of a row and ,range=full or limited. \
    FORMAT is ffmpeg's name: \(RawFormat.allCases.map(\.name).joined(separator: ", ")).
    """)
  package let fromSpace = SettingKey(
    "from-space", .spaceName, assumed: "what the file says",
    """
    Space of the input's codes, whatever the file says: ACEScg, ARRI LogC4, S-Log3 S-Gamut3.Cine and others that \
    hdrbatch spaces lists, or a space of the config (--ocio). 1.0 of a scene's light is reference white. Camera raw and \
    pictures with gain maps are refused.
    """)
  package let cicp = SettingKey(
    "cicp", .codePoints,
    """
    What raw and Y4M samples mean: H.273 code points of primaries, transfer and, for Y'CbCr, matrix, as 9/16/9. In place \
    of what PNG, TIFF, DPX, Cineon, PNM, BMP and QOI files say, too; of OpenEXR, Radiance and PFM files the \
    primaries, as 9/8. Other formats are refused.
    """)
  package let inputRange = SettingKey(
    "input-range", .choice(CodeRange.self, "range"), assumed: "what the file says", rare: true,
    """
    Range of code values of HEIC, AVIF and DPX inputs, and of all in a space that --from-space or a file rule names, \
    whatever the file says, and of raw and Y4M inputs that do not say theirs, before --range.
    """)
  package let chromaSiting = SettingKey(
    "chroma-siting", .choice(ChromaPlace.self, "place"), assumed: "what the file says, else left", rare: true,
    "Where subsampled chroma of raw and Y4M inputs lies.")
}

/// H.273 code points as numbers.
package struct CodePoints: Sendable, Hashable {
  package var primaries: Int
  package var transfer: Int
  package var matrix: Int?

  package init(primaries: Int, transfer: Int, matrix: Int? = nil) {
    (self.primaries, self.transfer, self.matrix) = (primaries, transfer, matrix)
  }
}

/// A value of `--from raw:...`.
package struct RawSource: Sendable, Hashable {
  package var layout: RawLayout
  /// The range of the input; `nil`: as in `range`.
  package var fullRange: Bool?
}

/// The chroma locations of H.273 by name: types 0, 1 and 2.
package enum ChromaPlace: String, Sendable, Hashable, CaseIterable {
  case left, center
  case topLeft = "top-left"

  package var siting: ChromaSiting {
    switch self {
    case .left: .left
    case .center: .center
    case .topLeft: .topLeft
    }
  }
}

extension SettingValues {
  /// True if every picture of a file is a separate input.
  package var takesAllPictures: Bool { self[Settings.reading.image] == "all" }
}

extension ReadingOptions {
  package init(_ values: SettingValues) {
    let reading = Settings.reading, from = values[reading.from], cicp = values[reading.cicp]
    let siting = values[reading.chromaSiting]
    self.init(picture: values.takesAllPictures ? nil : values[reading.image])
    (exr.luminance, exr.window, exr.emission) = (
      values[reading.exrLuminance], values[reading.exrWindow], values[reading.exrEmission]
    )
    plain.log = FilmLog(
      black: values[reading.logBlack], white: values[reading.logWhite], gamma: values[reading.logGamma])
    camera = CameraReading(values)
    (jxr.white, jxr.alpha, jxr.peak) = (
      values[reading.jxrWhite], values[reading.jxrAlpha], values[reading.maxCLL]
    )
    (plain.exposure, plain.white) = (values[reading.hdrExposure], values[reading.hdrWhite])
    readsCinema = values[reading.fromDCI]
    fullRange = values[reading.inputRange].map { $0 == .full }
    space = values[reading.fromSpace].flatMap { values.usesConfig ? .ofConfig : $0.known }
    if from == nil && cicp == nil && siting == nil { return }
    raw = RawDescription(
      from?.layout, primaries: cicp?.primaries, transfer: cicp?.transfer, matrix: cicp?.matrix,
      fullRange: from?.fullRange ?? fullRange ?? values[Settings.files.range].map { $0 == .full },
      siting: siting?.siting)
  }
}
