import BatchEngine
import HDRRecipe

/// `hdrbatch filters`: lists the filters for `--filter` and recipes.
enum FiltersCommand {
  struct Options: SettingGroup {
    var title: String { "Report" }

    let json = SettingKey(flag: "json", "One JSON array on standard output.")
    let markdown = SettingKey(flag: "markdown", "The table of docs/data/filters.md.")
    let swift = SettingKey(flag: "swift", "The typed filters of the Swift library.")
    let python = SettingKey(flag: "python", "The typed filters of the Python package.")
    let coreImage = SettingKey(
      flag: "core-image", "Core Image's filters instead, and what answers each: a filter here, or why none does.")
    let category = SettingKey(
      "category", .text("name"), "Only these: \(FilterList.categories.joined(separator: ", ")).")
  }
  static let options = Options()

  static let command = Command(
    name: "filters", summary: "Lists filters with their parameters, ranges and defaults.",
    discussion: """
      HDR safe: light above white and below black passes. Alpha: kept, premultiplied (worked on with colour), made. \
      Headroom: what becomes of the content headroom; unknown is measured where a tone operator needs it. A default of \
      "fitting" depends on the picture.
      """,
    examples: ["filters --category blur", "filters sharpen", "filters --core-image transition"],
    arguments: [Command.Argument(name: "word", count: .any, help: "Only filters that are about these words.")],
    options: [options]
  ) { invocation in
    let forms = [options.json, options.markdown, options.swift, options.python].filter { invocation[$0] }
    try invocation.refuse(forms.count > 1, "--json, --markdown, --swift and --python are four forms: give one of them")
    if invocation[options.swift] || invocation[options.python] {
      try invocation.refuse(
        invocation[options.category] != nil || !invocation.arguments.isEmpty,
        "--swift and --python are of all filters: give no category and no words")
      let source = FilterSource()
      for line in invocation[options.swift] ? source.swift : source.python { Terminal.output.line(line) }
      return
    }
    if invocation[options.coreImage] {
      try invocation.refuse(invocation[options.category] != nil, "--category is for filters here, not for --core-image")
      let list = try CoreImageList(about: invocation.arguments)
      if invocation[options.json] {
        Terminal.output.line(list.json.pretty)
      } else {
        for line in invocation[options.markdown] ? list.markdown : list.lines { Terminal.output.line(line) }
      }
      return
    }
    let list = try FilterList(category: invocation[options.category], about: invocation.arguments)
    if invocation[options.json] {
      Terminal.output.line(list.json.pretty)
    } else {
      for line in invocation[options.markdown] ? list.markdown : list.lines { Terminal.output.line(line) }
    }
  }
}
