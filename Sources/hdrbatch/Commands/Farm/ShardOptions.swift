import HDRRecipe

/// Options that divide a job into shards.
struct ShardOptions: SettingGroup {
  var title: String { "Job" }

  let shards = SettingKey(
    "shards", .integer(1...100_000), assumed: "such that one takes some 5 minutes, by the bytes of the inputs",
    "Shards of the manifest.")
}
