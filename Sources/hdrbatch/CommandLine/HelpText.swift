import HDRRecipe

/// The text of `--help`: examples first, then options by group.
struct HelpText {
  let path: [Command]
  /// True to include rare options.
  let all: Bool
  static let width = 100

  var text: String {
    guard let command = path.last else { return "" }
    let title = (["hdrbatch"] + path.dropFirst().map(\.name)).joined(separator: " ")
    var lines = Self.wrapped(command.summary, 0)
    let isBrief = !all && !command.brief.isEmpty
    let examples = isBrief ? command.examples.prefix(3) : command.examples[...]
    if !examples.isEmpty { lines += [""] + examples.map { "  hdrbatch " + $0 } }
    lines += ["", "Usage: " + usage(title, command)]
    if !command.commands.isEmpty {
      lines += ["", "Commands"]
      let shown = command.commands.filter { !$0.isHidden }
      let column = (shown.map(\.name.count).max() ?? 0) + 4
      for below in shown { lines += Self.entry(below.name, below.summary, column: column) }
      lines += ["", "  \(title) COMMAND --help tells more of a command."]
    }
    if !command.arguments.isEmpty {
      lines += ["", "Arguments"]
      for argument in command.arguments + [command.rest].compactMap(\.self) {
        lines += Self.entry(argument.name.uppercased(), argument.help, column: 28)
      }
    }
    lines += isBrief ? brief(command) : options(command)
    if !isBrief, !command.discussion.isEmpty { lines += [""] + Self.wrapped(command.discussion, 0) }
    return lines.joined(separator: "\n") + "\n"
  }

  private func usage(_ title: String, _ command: Command) -> String {
    if !command.commands.isEmpty { return title + " COMMAND ..." }
    let words = command.arguments.map { argument in
      let name = argument.name.uppercased()
      return switch argument.count {
      case .one: name
      case .optional: "[\(name)]"
      case .some: name + "..."
      case .any: "[\(name)...]"
      }
    }
    let rest = command.rest.map { ["[-- \($0.name.uppercased())...]"] } ?? []
    return ([title] + words + (command.rows.isEmpty ? [] : ["[options]"]) + rest).joined(separator: " ")
  }

  /// Returns the lines of the options that most work needs, one or two an option.
  private func brief(_ command: Command) -> [String] {
    var lines: [String] = [], shown = 0
    for (title, options) in command.brief {
      lines += ["", title]
      for (name, help) in options {
        guard let row = command.rows.first(where: { $0.name == name }) else { continue }
        lines += Self.entry(Self.spelled(row), help, column: 28)
        shown += 1
      }
    }
    return lines + ["", "\(command.rows.count - shown) more options: --help-all."]
  }

  private func options(_ command: Command) -> [String] {
    var lines: [String] = []
    let rows = command.rows.filter { all || !$0.isRare }
    var titles: [String] = []
    for row in rows where !titles.contains(row.group) { titles.append(row.group) }
    for title in titles {
      lines += ["", title]
      for row in rows where row.group == title { lines += Self.entry(Self.spelled(row), Self.help(row), column: 28) }
    }
    let hidden = command.rows.count - rows.count
    if hidden > 0 { lines += ["", "\(hidden) rare options: --help-all."] }
    return lines
  }

  /// Returns the spelling of an option: `-j, --jobs N`.
  static func spelled(_ row: Setting) -> String {
    let short = row.short.map { "-\($0), " } ?? ""
    if row.count == .flag { return "\(short)--\(row.name)" }
    return "\(short)--\(row.name)" + (row.bare == nil ? " " : "[=") + row.valueName
      + (row.bare == nil ? "" : "]")
  }

  /// Returns the effect, the values and the default of an option.
  static func help(_ row: Setting) -> String {
    var text = row.help
    let isListed = row.words.allSatisfy { text.contains($0) }
    if row.count != .flag, !row.words.isEmpty, !isListed {
      text += " Values: \(row.words.joined(separator: ", "))."
    }
    if !row.defaultText.isEmpty { text += " Default: \(row.defaultText)." }
    return text
  }

  private static func entry(_ name: String, _ help: String, column: Int) -> [String] {
    let lines = wrapped(help, column)
    let head = "  " + name
    if head.count + 2 > column { return [head] + lines }
    guard let first = lines.first else { return [head] }
    return [head + String(repeating: " ", count: column - head.count) + first.drop { $0 == " " }] + lines.dropFirst()
  }

  private static func wrapped(_ text: String, _ indent: Int) -> [String] {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = [], line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty && indent + line.count + 1 + word.count > width {
        lines.append(margin + line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    if !line.isEmpty { lines.append(margin + line) }
    return lines
  }
}

extension Setting {
  /// The placeholder of a value: a word in capitals, or a form.
  var valueName: String { placeholder.allSatisfy { $0.isLetter || $0 == "." } ? placeholder.uppercased() : placeholder }
}
