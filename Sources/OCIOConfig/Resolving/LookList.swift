/// A list of looks is what configs and users write: `a, +b, -c | d`. Behind each `|` stands what is taken if a file of the looks
/// before it is missing.
struct LookList {
  struct Item {
    var name: String
    var isInverse: Bool
  }
  /// At least one list.
  private(set) var options: [[Item]]

  init(_ text: String) {
    options = text.split(separator: "|", omittingEmptySubsequences: false).map { option in
      let separator: Character = option.contains(",") ? "," : ":"
      return option.split(separator: separator).map(trimmed).filter { !$0.isEmpty }.map { word in
        let isInverse = word.hasPrefix("-"), name = isInverse || word.hasPrefix("+") ? trimmed(word.dropFirst()) : word
        return Item(name: name, isInverse: isInverse)
      }
    }
  }

  /// The names of all looks.
  var names: [String] { options.flatMap { $0.map(\.name) } }

  /// The looks that undo these.
  var inverse: LookList {
    var list = self
    list.options = options.map { $0.reversed().map { Item(name: $0.name, isInverse: !$0.isInverse) } }
    return list
  }
}
