import HDRRecipe

/// The tables of docs/data/options.md, made from the rows of all commands.
enum OptionTables {
  static var markdown: [String] {
    var lines = [
      "# Options", "",
      "Every command and its options. `hdrbatch options` prints this page; settings marked *recipe* can stand in recipe files",
      "under the same name, without dashes. How options work together: [cli.md](../cli.md), [recipes.md](../recipes.md).",
      "",
    ]
    lines += ["## Settings of recipes", ""] + groups(Settings.recipeGroups.flatMap(\.rows))
    lines += ["## Settings of runs", ""]
    lines += groups((Settings.keepingGroups + Settings.runGroups).flatMap(\.rows))
    for (path, command) in Commands.all where !command.isHidden {
      lines += ["## " + path, "", command.summary, ""]
      let inherited = command.options.filter { group in
        (Settings.recipeGroups + Settings.keepingGroups + Settings.runGroups).contains {
          type(of: $0) == type(of: group)
        }
      }
      let own = command.options.filter { group in !inherited.contains { type(of: $0) == type(of: group) } }
      if !own.isEmpty { lines += table(own.flatMap(\.rows)) + [""] }
      var titles: [String] = []
      for group in inherited where !titles.contains(group.title) { titles.append(group.title) }
      if !titles.isEmpty {
        lines += ["\(own.isEmpty ? "Takes" : "And") the settings of \(titles.joined(separator: ", ")).", ""]
      }
    }
    return Array(lines.dropLast())
  }

  private static func groups(_ rows: [Setting]) -> [String] {
    var titles: [String] = []
    for row in rows where !titles.contains(row.group) { titles.append(row.group) }
    return titles.flatMap { title in
      ["### " + title, ""] + table(rows.filter { $0.group == title }) + [""]
    }
  }

  private static func table(_ rows: [Setting]) -> [String] {
    ["| option | meaning | default | outputs |", "|---|---|---|---|"]
      + rows.map { row in
        let values =
          row.count == .flag || row.words.isEmpty || row.words.allSatisfy(row.help.contains)
          ? "" : " Values: \(row.words.joined(separator: ", "))."
        let cells = [
          "`\(HelpText.spelled(row))`", row.help + values, row.defaultText, row.outputs.isAll ? "" : row.outputs.text,
        ]
        return "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
      }
  }
}
