/// Variables have values: those of a user, then those of the process that the config names, then the config's own.
struct Variables {
  private let context: ConfigContext
  /// The variables that the config names, with its values; `nil`: those of the process are all taken.
  private let named: [String: String]?

  /// The longest text with its values.
  private static let mostBytes = 4096

  init(_ config: Config, _ context: ConfigContext) { (self.context, named) = (context, config.environment) }

  /// Returns true if a text has something that may be a variable.
  static func isPart(of text: String) -> Bool { text.contains { $0 == "$" || $0 == "%" } }

  private subscript(name: String) -> String? {
    if let value = context.variables[name] { return value }
    if named == nil || named?[name] != nil, let value = context.environment[name] { return value }
    return named?[name]
  }

  /// Returns a text with the values of `$NAME`, `${NAME}` and `%NAME%`, and of the variables in those.
  ///
  /// - Throws: `config.variable` for one that has no value, `config.cycle` for one in its own value.
  func resolved(_ text: String, _ place: ConfigPlace) throws(ConfigError) -> String {
    guard Self.isPart(of: text) else { return text }
    return try resolved(text, place, inside: [])
  }

  private func resolved(_ text: String, _ place: ConfigPlace, inside open: [String]) throws(ConfigError) -> String {
    var rest = text[...], result = ""
    while let character = rest.first {
      guard let (name, after) = variable(rest) else {
        result.append(character)
        rest.removeFirst()
        continue
      }
      guard !open.contains(name) else {
        throw ConfigError(.cycle, place, "the variable \(name) stands in its own value")
      }
      guard let value = self[name] else {
        throw ConfigError(.variable, place, "the variable \(name) has no value: give it as context")
      }
      result += try resolved(value, place, inside: open + [name])
      rest = after
      guard result.utf8.count <= Self.mostBytes else {
        throw ConfigError(.variable, place, "the text with its variables is longer than \(Self.mostBytes) bytes")
      }
    }
    return result
  }

  /// Returns the variable that a text begins with, and what follows it. `$NAME` is the longest name that has a value.
  private func variable(_ text: Substring) -> (name: String, after: Substring)? {
    func isName(_ character: Character) -> Bool {
      character.isASCII && (character.isLetter || character.isNumber || character == "_")
    }
    let inner = text.dropFirst()
    switch text.first {
    case "$" where inner.first == "{":
      guard let end = inner.firstIndex(of: "}") else { return nil }
      return (String(inner[inner.index(after: inner.startIndex)..<end]), inner[inner.index(after: end)...])
    case "$":
      let name = inner.prefix(while: isName)
      guard !name.isEmpty else { return nil }
      let known = name.indices.reversed().first { self[String(name[...$0])] != nil }
      let chosen = known.map { name[...$0] } ?? name
      return (String(chosen), inner[chosen.endIndex...])
    case "%":
      let name = inner.prefix(while: isName), after = inner[name.endIndex...]
      guard !name.isEmpty, after.first == "%" else { return nil }
      return (String(name), after.dropFirst())
    default: return nil
    }
  }
}
