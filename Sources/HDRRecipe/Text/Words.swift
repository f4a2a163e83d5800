import HDRPlan

/// Names as people write them: `gaussian-blur` and `gaussianBlur` are one name.
public enum Words {
  /// The name that a word means; `nil` for none.
  public static func match(_ word: String, among names: some Sequence<String>) -> String? {
    let wanted = Nearest.folded(word)
    return names.first { $0 == word || Nearest.folded($0) == wanted }
  }
}
