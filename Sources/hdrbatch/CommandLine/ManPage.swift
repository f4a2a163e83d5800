import BatchEngine
import HDRRecipe

/// The manual page of section 1, from the rows of all commands.
enum ManPage {
  static var text: String {
    var lines = [
      ".TH HDRBATCH 1 \"\" \"hdrbatch \(hdrbatchVersion)\" \"User Commands\"", ".SH NAME",
      "hdrbatch \\- renders HDR photos in bulk", ".SH SYNOPSIS", ".B hdrbatch", ".I COMMAND", "[options]",
      ".SH DESCRIPTION", plain(Commands.root.summary), ".SH EXAMPLES",
    ]
    for example in Commands.root.examples { lines += [".PP", ".B hdrbatch " + plain(example)] }
    lines.append(".SH COMMANDS")
    for (path, command) in Commands.all where !command.isHidden {
      lines += [".SS " + plain(path), plain(command.summary)]
      for example in command.examples { lines += [".PP", ".B hdrbatch " + plain(example)] }
      for argument in command.arguments + [command.rest].compactMap(\.self) {
        lines += [".TP", ".I " + plain(argument.name.uppercased()), plain(argument.help)]
      }
      let own = command.options.filter { !isShared($0) }.flatMap(\.rows)
      lines += own.flatMap(entry)
      var titles: [String] = []
      for group in command.options where isShared(group) && !titles.contains(group.title) { titles.append(group.title) }
      if !titles.isEmpty {
        lines += [
          ".PP", plain("\(own.isEmpty ? "Takes" : "And") the settings of \(titles.joined(separator: ", "))."),
        ]
      }
      if !command.discussion.isEmpty { lines += [".PP", plain(command.discussion)] }
    }
    lines.append(".SH SETTINGS")
    for group in shared { lines += [".SS " + plain(group.title)] + group.rows.flatMap(entry) }
    lines += [".SH EXIT STATUS", plain(Commands.root.discussion), ".SH ENVIRONMENT", ".TP", ".I HDRBATCH_NAME"]
    lines.append(plain("A setting of Machine, Limits, Progress or decoders for all runs: HDRBATCH_JOBS=4."))
    lines += [".SH FILES", ".TP", ".I ~/.config/hdrbatch.yaml", plain("The same settings as a map: jobs: 4.")]
    return lines.joined(separator: "\n") + "\n"
  }

  private static let shared = Settings.recipeGroups + Settings.keepingGroups + Settings.runGroups

  private static func isShared(_ group: any SettingGroup) -> Bool {
    shared.contains { type(of: $0) == type(of: group) }
  }

  private static func entry(_ row: Setting) -> [String] {
    [".TP", ".B " + plain(HelpText.spelled(row)), plain(HelpText.help(row))]
  }

  /// Escapes a text, so that roff finds no requests or escapes in it.
  private static func plain(_ text: String) -> String {
    let words = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return [".", "'"].contains(words.first.map(String.init) ?? "") ? "\\&" + words : words
  }
}
