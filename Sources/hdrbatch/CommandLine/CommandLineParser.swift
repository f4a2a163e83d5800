import BatchEngine
import HDRCore
import HDRPlan
import HDRRecipe
import HDRRender
import PlainData

/// Turns the words of a command line into a command and its settings, by the rows of both alone.
struct CommandLineParser {
  enum Request {
    case run(Invocation)
    /// Help of a command or of the program; `all` includes rare options.
    case help([Command], all: Bool)
    /// A command that needs a subcommand was given without one.
    case noCommand([Command])
    case version
  }

  /// The options that every command has.
  private static let general = ["help", "help-all", "version"]

  private var words: ArraySlice<String>
  private var invocation: Invocation
  private var path: [Command]
  private var rows: [String: Setting] = [:]
  /// True if the last argument is the output, as no command was named.
  private var namesOutputLast = false

  /// - Parameters:
  ///   - words: the words without the program's name.
  ///   - root: the program.
  /// - Throws: `UsageError`.
  static func parse(_ words: [String], _ root: Command = Commands.root) throws(UsageError) -> Request {
    var words = words[...], path = [root]
    let asksForHelp = words.first == "help"
    if asksForHelp { words.removeFirst() }
    while let word = words.first, let current = path.last, !current.commands.isEmpty {
      if let found = current.commands.first(where: { $0.name == word }) {
        path.append(found)
        words.removeFirst()
      } else {
        switch word {
        case "-h", "--help": return .help(path, all: false)
        case "--help-all": return .help(path, all: true)
        case "--version", "-v", "-V", "version": return .version
        default:
          guard path.count == 1, let render = root.commands.first(where: { $0.name == "render" }), isInput(word) else {
            throw unknown(word, below: path)
          }
          var parser = CommandLineParser(words, path + [render], render)
          parser.namesOutputLast = true
          return try parser.parse()
        }
      }
    }
    guard let command = path.last, command.commands.isEmpty, !asksForHelp else {
      return asksForHelp ? .help(path, all: false) : .noCommand(path)
    }
    var parser = CommandLineParser(words, path, command)
    return try parser.parse()
  }

  /// Returns true for a word that can only be an input: `hdrbatch IN... OUT.jpg` renders.
  private static func isInput(_ word: String) -> Bool {
    if word == "-" { return true }
    return !word.hasPrefix("-")
      && (word.hasPrefix("@") || word.contains(where: "./".contains) || fileStatus(FilePath(word)) != nil)
  }

  private static func unknown(_ word: String, below path: [Command]) -> UsageError {
    let names = path.last?.commands.filter { !$0.isHidden }.map(\.name) ?? []
    let title = (["hdrbatch"] + path.dropFirst().map(\.name)).joined(separator: " ")
    let what = word.hasPrefix("-") ? "unknown option" : "unknown command"
    let end = Suggestion.ofCommand(word, among: names).text { $0 }
    return UsageError(
      "\(what) \(printable(word))" + (end.isEmpty ? "; `\(title) --help` lists commands" : "\(end)"))
  }

  private init(_ words: ArraySlice<String>, _ path: [Command], _ command: Command) {
    self.words = words
    self.path = path
    invocation = Invocation(command: command, path: path.dropFirst().map(\.name).joined(separator: " "))
    for row in command.rows { rows[row.name] = row }
  }

  private mutating func parse() throws(UsageError) -> Request {
    while let word = words.popFirst() {
      if word == "--" {
        if invocation.command.rest == nil { invocation.arguments += words } else { invocation.rest = Array(words) }
        words = []
      } else if word == "-h" || word == "--help" {
        return .help(path, all: false)
      } else if word == "--help-all" {
        return .help(path, all: true)
      } else if word == "--version" {
        return .version
      } else if word.hasPrefix("--") {
        try long(word)
      } else if word.hasPrefix("-"), word.count > 1 {
        try short(word)
      } else {
        invocation.arguments.append(word)
      }
    }
    if namesOutputLast { try takeOutput() }
    try checkAlternatives()
    try checkArguments()
    return .run(invocation)
  }

  /// Makes the last argument the output, unless an option names it.
  private mutating func takeOutput() throws(UsageError) {
    guard let row = rows["out"], invocation.values.words[row.name] == nil else { return }
    guard invocation.arguments.count > 1, let last = invocation.arguments.popLast() else {
      let input = printable(invocation.arguments.first ?? "")
      throw UsageError(
        "\(input): say what it becomes, as in `hdrbatch \(input) OUT.jpg`; `hdrbatch --help` lists commands")
    }
    try set(row, "--out", [last])
  }

  private mutating func long(_ word: String) throws(UsageError) {
    let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    if let name = Nearest.match(parts[0], among: rows.keys), let row = rows[name] {
      return try take(row, "--" + row.name, value: parts.count == 2 ? parts[1] : nil)
    }
    if parts.count == 1, parts[0].hasPrefix("no-"),
      let name = Nearest.match(String(parts[0].dropFirst(3)), among: rows.keys), let row = rows[name],
      row.count == .flag
    {
      return try set(row, "--no-" + row.name, ["false"])
    }
    throw unknown("--" + parts[0])
  }

  private mutating func short(_ word: String) throws(UsageError) {
    guard let row = rows.values.first(where: { $0.short == word.dropFirst().first }) else { throw unknown(word) }
    let rest = String(word.dropFirst(2))
    if row.count == .flag && !rest.isEmpty { throw unknown(word) }
    let value = rest.hasPrefix("=") ? String(rest.dropFirst()) : rest
    try take(row, String(word.prefix(2)), value: rest.isEmpty ? nil : value)
  }

  private mutating func take(_ row: Setting, _ name: String, value: String?) throws(UsageError) {
    if row.count == .flag {
      return try set(row, name, [value ?? "true"])
    }
    if let value { return try set(row, name, [value]) }
    if let bare = row.bare { return try set(row, name, [bare]) }
    guard let next = words.first, !isOption(next) else {
      let hint = words.first.map { "; write \(name)=\(printable($0)) if that is the value" } ?? ""
      throw UsageError("\(name) needs a value: \(name) \(row.valueName)\(hint)")
    }
    words.removeFirst()
    try set(row, name, [next])
  }

  /// Returns true if a word is an option; `-` and negative numbers are values.
  private func isOption(_ word: String) -> Bool {
    guard word.hasPrefix("-"), word.count > 1 else { return false }
    return word.hasPrefix("--") || Double(word) == nil
  }

  private mutating func set(_ row: Setting, _ name: String, _ values: [String]) throws(UsageError) {
    let earlier = invocation.values.words[row.name]
    do throws(SettingFault) {
      try invocation.values.set(row, row.count == .list ? (earlier ?? []) + values : values)
    } catch {
      throw UsageError(printable("\(name) \(error.message)"))
    }
    guard row.count != .list, let earlier, let now = invocation.values.words[row.name], now != earlier else { return }
    throw UsageError(
      printable("--\(row.name) is given twice, as \(earlier[0]) and as \(now[0]): give it once"))
  }

  /// Returns the error for an unknown option.
  private func unknown(_ word: String) -> UsageError {
    let name = printable(word)
    let wanted = String(word.drop { $0 == "-" }.prefix { $0 != "=" })
    if !word.hasPrefix("--") {
      let known = Suggestion.of(wanted, among: rows.keys.sorted())
      if case .name = known, Nearest.match(wanted, among: rows.keys) == nil {
        return UsageError("unknown option \(name); a file of that name goes after --")
      }
      let end = known.text { "--" + $0 }
      return UsageError("unknown option \(name)\(end.isEmpty ? "; a file of that name goes after --" : end)")
    }
    let suggestion = Suggestion.of(wanted, among: rows.keys.sorted() + Self.general)
    if case .none = suggestion, let other = Commands.owner(of: wanted) {
      return UsageError("\(name) is an option of \(other), not of \(invocation.path)")
    }
    let end = suggestion.text { "--" + $0 }
    let help = "; `hdrbatch \(invocation.path) --help-all` lists options"
    return UsageError("unknown option \(name)\(end.isEmpty ? help : end)")
  }

  private func checkAlternatives() throws(UsageError) {
    guard let found = invocation.values.conflict({ rows[$0] }) else { return }
    throw UsageError("--\(found.earlier) and --\(found.name) both say the \(found.label): give one of them")
  }

  private func checkArguments() throws(UsageError) {
    let wanted = invocation.command.arguments
    let least = wanted.count { $0.count == .one || $0.count == .some }
    let isOpen = wanted.contains { $0.count == .some || $0.count == .any }
    if invocation.arguments.count < least {
      let missing = wanted[invocation.arguments.count]
      throw UsageError("\(invocation.path) needs \(missing.name.uppercased()): \(missing.help)")
    }
    if !isOpen && invocation.arguments.count > wanted.count {
      let surplus = printable(invocation.arguments[wanted.count])
      throw UsageError("\(invocation.path) does not know what to do with \"\(surplus)\"")
    }
  }
}
