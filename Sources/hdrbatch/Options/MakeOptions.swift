import HDRRecipe
import HDRRender

/// Options that choose outputs: words that fill a recipe.
struct MakeOptions: SettingGroup {
  var title: String { "What to make" }

  let to = SettingKey(
    "to", listOf: .outputKind, like: "kind of output",
    """
    What to make; several make several files of each input. adaptive-* are Adaptive HDR files, an SDR picture with a gain map ("Ultra HDR"); *-raw:FORMAT are \
    samples without a header, *-y4m:FORMAT Y4M streams, with any FORMAT of --from that fits.
    """)
  let extract = SettingKey(
    "extract", .choice(FilePart.self, "part"), like: "kind of output", rare: true,
    """
    Instead of --to: takes a part of files with gain maps out, as a PNG, or the preview of camera raw files, as the JPEG \
    that it is; also --to extract-base and so on.
    """)
  let name = SettingKey(
    "name", .text("template"), assumed: Recipe.standardName,
    """
    Name of an output, or its path below --out. Fields: {stem} {name} (with the source's extension) {ext} {parent} (the \
    source's folder) {dir} (its folders below INPUT) {target} (the word after --to) {frame} (of a sequence) {image} (with \
    --image all: the picture's name or number) {width} {height} (of the output) {date} (of the photo: 2023-05-01) \
    {camera} {digest} (16 digits that change with the source and the settings).
    """)
  let recipe = SettingKey(
    "recipe", .text("file"), "Filters, inputs, settings and outputs from a YAML or JSON file; options come before it.")
  let set = SettingKey(
    "set", listOf: .text("step.parameter=value"),
    """
    Changes the recipe: exposure.ev=0.5 a parameter, the step by its filter or its name; quality=80 a setting of all \
    outputs, sdr-jpeg.quality=80 of one.
    """)
}
