import HDRRecipe

/// Filters and what they need.
struct FilterOptions: SettingGroup {
  var title: String { "Edits" }

  let filter = SettingKey(
    "filter", listOf: .text("name=key:value,..."),
    """
    A filter, or one with parameters: exposure=ev:0.5 or crop=rect:10/20/300/200. Several in their order, after those \
    of the recipe. `hdrbatch filters` lists them.
    """)
  let input = SettingKey("input", listOf: .text("name=file"), "A second picture that filters name.")
}
