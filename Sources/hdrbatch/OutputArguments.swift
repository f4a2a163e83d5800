import ArgumentParser
import BatchEngine

/// Names of outputs, and what to do if they exist.
struct OutputArguments: ParsableArguments {
  @Option(help: NameTemplate.help)
  var name: String?

  @Option(
    help: ArgumentHelp(
      "Outputs that are there already: fail stops before any work, skip keeps them, replace writes them again.",
      valueName: "rule"))
  var onExisting = OnExisting.fail

  /// The template of `--name`.
  ///
  /// - Throws: `UsageError`.
  var template: NameTemplate {
    get throws(UsageError) { try NameTemplate(name ?? NameTemplate.standard) }
  }
}

extension NameTemplate {
  static let standard = "{stem}.{ext}"

  static let help = ArgumentHelp(
    """
    Name of an output. Fields: {stem} {name} (with the source's extension) {ext} {parent} (the source's folder) \
    {target} (the word after --to). Default \(standard).
    """, valueName: "template")
}
