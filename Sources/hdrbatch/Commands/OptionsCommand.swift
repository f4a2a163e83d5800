import HDRRecipe

/// `hdrbatch options`: prints the page docs/data/options.md.
enum OptionsCommand {
  static let command = Command(
    name: "options", summary: "Prints all commands and options as the page docs/data/options.md.", isHidden: true
  ) { _ in
    for line in OptionTables.markdown { Terminal.output.line(line) }
  }
}
