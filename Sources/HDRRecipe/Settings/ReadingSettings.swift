import HDRCore

/// What of a source is read, where its file leaves a choice.
public struct ReadingSettings: SettingGroup {
  public var title: String { "Source" }
  public var scope: Setting.Scope { .recipe }

  public let image = SettingKey(
    "image", .text("n|name"), assumed: "the file's main picture",
    "Which picture of a file with several: its number or name, as info lists them.")
}

extension ReadingOptions {
  public init(_ values: SettingValues) {
    self.init(picture: values[Settings.reading.image])
  }
}
