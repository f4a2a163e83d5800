/// The list of settings. To add a setting, add a row to one of these groups, and the code that uses it. Command line,
/// recipes, manifests, digests, help, completion and docs read the rows.
package enum Settings {
  // Groups of a recipe.
  package static let reading = ReadingSettings()
  package static let camera = CameraSettings()
  package static let sequences = SequenceSettings()
  package static let light = LightSettings()
  package static let color = ColorSettings()
  package static let views = ViewSettings()
  package static let config = ConfigSettings()
  package static let files = FileSettings()
  package static let adaptive = AdaptiveSettings()
  package static let edits = EditSettings()
  package static let acceptance = AcceptanceSettings()

  // Groups of a run.
  package static let outputs = ExistingFileSettings()
  package static let resuming = ResumeSettings()
  package static let rejections = RejectionSettings()
  package static let machine = MachineSettings()
  package static let decoders = DecoderSettings()
  package static let safety = SafetySettings()
  package static let reports = ReportSettings()

  package static let recipeGroups: [any SettingGroup] = [
    reading, camera, sequences, light, color, views, config, files, adaptive, edits, acceptance,
  ]
  /// Groups about files of this and earlier runs.
  package static let keepingGroups: [any SettingGroup] = [outputs, resuming, rejections]
  package static let runGroups: [any SettingGroup] = [machine, decoders, safety, reports]

  /// All settings.
  package static let all = (recipeGroups + keepingGroups + runGroups).flatMap(\.rows)

  /// The settings of recipes, by name.
  package static let recipe = Dictionary(
    uniqueKeysWithValues: recipeGroups.flatMap(\.rows).map { ($0.name, $0) })
}
