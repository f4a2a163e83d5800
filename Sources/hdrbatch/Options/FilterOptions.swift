import HDRRecipe

/// Options for filters and their inputs.
struct FilterOptions: SettingGroup {
  var title: String { "Edits" }

  let filter = SettingKey(
    "filter", listOf: .text("name=key:value,..."),
    """
    A filter, or one with parameters: exposure=ev:0.5 or crop=rect:10/20/300/200. Several in their order, after those \
    of the recipe. `hdrbatch filters` lists them.
    """)
  let kernel = SettingKey(
    "kernel", listOf: .text("file=key:value,..."),
    """
    A kernel of your own in GLSL, with parameters. Several in their order, after --filter. `hdrbatch info --kernel \
    FILE` checks one and lists its parameters.
    """)
  let input = SettingKey("input", listOf: .text("name=file"), "A second picture that filters name.")
}
