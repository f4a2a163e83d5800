import HDRCore

/// What of a source is read, where its file leaves a choice.
public struct ReadingSettings: SettingGroup {
  public var title: String { "Source" }
  public var scope: Setting.Scope { .recipe }

  public let image = SettingKey(
    "image", .text("n|name"), assumed: "the file's main picture",
    "Which picture of a file with several: its number or name, as info lists them.")
  public let exrLuminance = SettingKey(
    "exr-luminance", .choice(EXRReading.Luminance.self, "meaning"), standard: .relative, rare: true,
    "What 1.0 of an OpenEXR file is: relative, reference white; absolute, the file's whiteLuminance in cd/m².")
  public let exrWindow = SettingKey(
    "exr-window", .choice(EXRReading.Window.self, "window"), standard: .display, rare: true,
    "What the picture of an OpenEXR file is: the display window, or the data window with all pixels there are.")
  public let exrEmission = SettingKey(
    "exr-emission", .choice(EXRReading.Emission.self, "rule"), standard: .drop, rare: true,
    """
    Colour of an OpenEXR file where alpha is 0: drop makes it black, keep passes it on to OpenEXR where nothing but \
    primaries changes.
    """)
}

extension ReadingOptions {
  public init(_ values: SettingValues) {
    let reading = Settings.reading
    self.init(picture: values[reading.image])
    (exr.luminance, exr.window, exr.emission) = (
      values[reading.exrLuminance], values[reading.exrWindow], values[reading.exrEmission]
    )
  }
}
