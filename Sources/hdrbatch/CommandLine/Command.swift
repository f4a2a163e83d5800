import HDRRecipe

/// One command of the program: a row that the parser, help, completion and docs read.
struct Command: Sendable {
  /// A word of the command line that is no option.
  struct Argument: Sendable {
    enum Count: Sendable { case one, optional, some, any }

    var name: String
    var count = Count.some
    var help: String
  }

  var name: String
  /// One sentence.
  var summary: String
  /// More of it, behind the options in help.
  var discussion = ""
  /// Command lines without `hdrbatch`.
  var examples: [String] = []
  var arguments: [Argument] = []
  /// Words after `--` that are not arguments of the command itself.
  var rest: Argument?
  var options: [any SettingGroup] = []
  /// Commands below this one; it does nothing itself then.
  var commands: [Command] = []
  /// Not listed.
  var isHidden = false
  var run: @Sendable (Invocation) throws -> Void = { _ in }

  /// The settings that it takes, in the order of help.
  var rows: [Setting] { options.flatMap(\.rows) }
}
