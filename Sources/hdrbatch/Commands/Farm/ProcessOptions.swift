import HDRRecipe

/// The size of a process.
struct ProcessOptions: SettingGroup {
  var title: String { "Job" }

  let cpus = SettingKey("cpus", .integer(1...4096), standard: 4, "Processors of one process.")
  let time = SettingKey("time", .integer(2...1 << 20, "minutes"), assumed: "none", "Limit for one process.")
}
