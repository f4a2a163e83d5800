import HDRRecipe

/// Completion scripts from the rows of all commands.
enum Completion {
  enum Shell: String { case bash, zsh, fish }

  static func script(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    // zsh runs bash's completions, which saves a second script.
    case .zsh: "#compdef hdrbatch\nautoload -U +X bashcompinit && bashcompinit\n" + bash
    case .fish: fish
    }
  }

  private static var commands: [(path: String, command: Command)] { Commands.all.filter { !$0.command.isHidden } }

  /// The names of commands, and of the subcommands of each.
  private static var levels: [(path: String, names: [String])] {
    let names = Commands.root.commands.filter { !$0.isHidden }
    return [("", names.map(\.name))]
      + names.filter { !$0.commands.isEmpty }.map { ($0.name, $0.commands.map(\.name)) }
  }

  // MARK: bash

  private static var bash: String {
    var options = "", values = ""
    for (path, command) in commands {
      let names = command.rows.map { "--" + $0.name } + ["--help", "--help-all"]
      options += "    \"\(path)\") words=\"\(names.joined(separator: " "))\" ;;\n"
      for row in command.rows where row.count != .flag && !row.words.isEmpty {
        values += "    \"\(path) --\(row.name)\") words=\"\(row.words.joined(separator: " "))\" ;;\n"
      }
    }
    var names = ""
    for level in levels { names += "    \"\(level.path)\") words=\"\(level.names.joined(separator: " "))\" ;;\n" }
    return """
      _hdrbatch() {
        local cur="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" path="${COMP_WORDS[1]}" words="" depth=1
        case "$path" in \(levels.dropFirst().map(\.path).joined(separator: "|")))
          if [ "$COMP_CWORD" -gt 2 ]; then path="$path ${COMP_WORDS[2]}"; fi; depth=2 ;;
        esac
        if [ "$COMP_CWORD" -le "$depth" ]; then
          if [ "$COMP_CWORD" -eq 1 ]; then path=""; fi
          case "$path" in
      \(names)    esac
        elif [ "${cur#-}" != "$cur" ]; then
          case "$path" in
      \(options)    esac
        else
          case "$path $previous" in
      \(values)    esac
        fi
        if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$cur")); else COMPREPLY=(); fi
      }
      complete -o default -o bashdefault -F _hdrbatch hdrbatch

      """
  }

  // MARK: fish

  private static var fish: String {
    var lines: [String] = []
    for command in Commands.root.commands where !command.isHidden {
      lines.append("complete -c hdrbatch -n __fish_use_subcommand -a \(command.name) -d \(quoted(command.summary))")
      for child in command.commands {
        lines.append(
          "complete -c hdrbatch -n '__fish_seen_subcommand_from \(command.name)' -a \(child.name) "
            + "-d \(quoted(child.summary))")
      }
    }
    for (path, command) in commands {
      let condition = path.split(separator: " ").map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ")
      for row in command.rows {
        var line = "complete -c hdrbatch -n '\(condition)' -l \(row.name)"
        if let short = row.short { line += " -s \(short)" }
        if row.count != .flag { line += row.words.isEmpty ? " -r" : " -xa \(quoted(row.words.joined(separator: " ")))" }
        lines.append(line + " -d \(quoted(String(row.help.prefix { $0 != "." && $0 != ":" })))")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
