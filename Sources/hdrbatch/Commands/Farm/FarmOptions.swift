import HDRRecipe

/// Options of every engine.
struct FarmOptions: SettingGroup {
  var title: String { "Job" }

  let output = SettingKey("output", short: "o", .text("file"), standard: "-", "The job file; - is standard output.")
  let remoteManifest = SettingKey(
    "remote-manifest", .text("path"), "Path of the manifest on the machines, where it is another than here.")
  let program = SettingKey(
    "program", .text("path"), assumed: "as this command was called",
    "The program on the machines: a name in their PATH or an absolute path.")
  let gpus = SettingKey("gpus", .integer(0...64), standard: 0, "GPUs of one process.")
  let memory = SettingKey(
    "memory", .integer(1...1 << 30, "MiB"), assumed: "what the engine gives", "Memory of one process.")
}
