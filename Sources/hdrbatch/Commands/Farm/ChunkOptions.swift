import HDRRecipe

/// Options that divide a job into chunks.
struct ChunkOptions: SettingGroup {
  var title: String { "Job" }

  let chunk = SettingKey(
    "chunk", .integer(1...1 << 20), assumed: "such that one takes some 5 minutes, by the bytes of the inputs",
    "Items of a chunk.")
}
