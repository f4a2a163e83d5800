/// The list of settings. To add a setting, add a row to one of these groups, and the code that uses it. Command line,
/// recipes, manifests, digests, help, completion and docs read the rows.
public enum Settings {
  // Groups of a recipe.
  public static let reading = ReadingSettings()
  public static let camera = CameraSettings()
  public static let sequences = SequenceSettings()
  public static let light = LightSettings()
  public static let color = ColorSettings()
  public static let files = FileSettings()
  public static let adaptive = AdaptiveSettings()
  public static let edits = EditSettings()

  // Groups of a run.
  public static let outputs = OutputSettings()
  public static let resuming = ResumeSettings()
  public static let machine = MachineSettings()
  public static let decoders = DecoderSettings()
  public static let safety = SafetySettings()
  public static let reports = ReportSettings()

  public static let recipeGroups: [any SettingGroup] = [
    reading, camera, sequences, light, color, files, adaptive, edits,
  ]
  public static let runGroups: [any SettingGroup] = [machine, decoders, safety, reports]

  /// All settings.
  public static let all = (recipeGroups + [outputs, resuming] + runGroups).flatMap(\.rows)

  /// The settings of recipes, by name.
  public static let recipe = Dictionary(
    uniqueKeysWithValues: recipeGroups.flatMap(\.rows).map { ($0.name, $0) })
}
