import HDRRecipe

/// A command of the program: a row that the parser, help, completion and docs read.
struct Command: Sendable {
  /// A word of the command line that is not an option.
  struct Argument: Sendable {
    enum Count: Sendable { case one, optional, some, any }

    var name: String
    var count = Count.some
    var help: String
  }

  var name: String
  /// The summary, one sentence.
  var summary: String
  /// Further text, after the options in help.
  var discussion = ""
  /// Example command lines without `hdrbatch`.
  var examples: [String] = []
  var arguments: [Argument] = []
  /// The words after `--` that are not arguments of the command itself.
  var rest: Argument?
  var options: [any SettingGroup] = []
  /// The lines that `--help` has in place of all options: headings, and names of options with a short text of each.
  var brief: [(title: String, options: [(name: String, help: String)])] = []
  /// The subcommands; a command with subcommands does nothing itself.
  var commands: [Command] = []
  /// True if help does not list the command.
  var isHidden = false
  var run: @Sendable (Invocation) throws -> Void = { _ in }

  /// The settings of the command, in the order of help.
  var rows: [Setting] { options.flatMap(\.rows) }
}
