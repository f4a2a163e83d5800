/// The names that a GLSL file gives to the words of its stage, as macros that end with the file:
///
/// - `#pragma words A B`: `A` is the place of the stage's first word, `k`, and `B` that of the next; `WORDS_END` is the
///   place after the last.
/// - `#pragma part ROW A B`: a group of words at a place: `ROW_A(place)`, `ROW_B(place)`; `ROW_WORDS` is their number.
/// - `#pragma values MODE A B`: the values of the word `MODE`: `MODE_A` is 0, `MODE_B` 1.
///
/// A list may continue in further lines. A test compares it with the Swift list (`StageParameters`).
struct WordNames {
  private var counts: [Substring: Int] = [:]
  private var names: [String] = []

  /// Returns the lines that replace a line: the line itself if it defines no names.
  mutating func lines(_ line: Substring) -> [String] {
    let words = line.split(separator: " ")
    guard words.count > 2, words[0] == "#pragma" else { return [String(line)] }
    let key = words[2], rest = words.dropFirst(3)
    switch words[1] {
    case "words":
      let places = words.dropFirst(2).flatMap { define("\($0)", Self.place("k", next("words"))) }
      return places + define("WORDS_END", Self.place("k", counts["words"]!))
    case "part":
      let places = rest.flatMap { define("\(key)_\($0)", of: "(k)", Self.place("(k)", next(key))) }
      return places + define("\(key)_WORDS", "\(counts[key]!)u")
    case "values": return rest.flatMap { define("\(key)_\($0)", "\(next(key))u") }
    default: return [String(line)]
    }
  }

  /// The lines that end the names.
  var ends: [String] { names.map { "#undef \($0)" } }

  /// Returns the place of a word; the first one is `first` itself, as adding 0 would be an instruction.
  private static func place(_ first: String, _ offset: Int) -> String {
    offset == 0 ? first : "(\(first) + \(offset)u)"
  }

  private mutating func next(_ list: Substring) -> Int {
    defer { counts[list, default: 0] += 1 }
    return counts[list, default: 0]
  }

  /// Defines a name; places of ends are defined again with every line of a list.
  private mutating func define(_ name: String, of parameters: String = "", _ value: String) -> [String] {
    let again = names.contains(name) && (name.hasSuffix("_END") || name.hasSuffix("_WORDS"))
    if !again { names.append(name) }
    return (again ? ["#undef \(name)"] : []) + ["#define \(name)\(parameters) \(value)"]
  }
}
