/// Reads patterns of file rules: `*`, `?`, `[a-z]`, `[!a]`, and `\` before a character that stands for itself.
enum GlobParser {
  static func parse(_ text: String, ignoresCase: Bool) throws(PatternError) -> PatternNode {
    guard !text.isEmpty else { throw PatternError(reason: "the pattern or the extension is empty") }
    var scalars = Array(text.unicodeScalars)[...], nodes: [PatternNode] = []
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "*": nodes.append(.anything)
      case "?": nodes.append(.one(.all))
      case "[": nodes.append(.one(try set(&scalars)))
      case "]": throw PatternError(reason: "the pattern has a ] without [")
      case "\\":
        guard let next = scalars.popFirst() else { throw PatternError(reason: "the pattern ends with \\") }
        nodes.append(.one(ScalarSet(next)))
      default: nodes.append(.one(ignoresCase ? eitherCase(scalar) : ScalarSet(scalar)))
      }
    }
    return .sequence(nodes)
  }

  private static func eitherCase(_ scalar: Unicode.Scalar) -> ScalarSet {
    let properties = scalar.properties
    let both = [properties.lowercaseMapping, properties.uppercaseMapping].compactMap { mapping in
      mapping.unicodeScalars.count == 1 ? mapping.unicodeScalars.first : nil
    }
    return ScalarSet(([scalar] + both).map { $0.value...$0.value })
  }

  /// Reads a set behind its [.
  private static func set(_ scalars: inout ArraySlice<Unicode.Scalar>) throws(PatternError) -> ScalarSet {
    var set = ScalarSet([])
    if scalars.first == "!" || scalars.first == "^" {
      set.isInverted = true
      scalars.removeFirst()
    }
    while let scalar = scalars.popFirst() {
      if scalar == "]", !set.ranges.isEmpty { return set }
      guard scalar != "[", scalar != "]" else { throw PatternError(reason: "the pattern has [] or a [ inside [ ]") }
      guard let low = scalar == "\\" ? scalars.popFirst() : scalar else { break }
      guard scalars.first == "-", let high = scalars.dropFirst().first, high != "]" else {
        set.add(low.value...low.value)
        continue
      }
      scalars.removeFirst(2)
      guard low.value <= high.value else { throw PatternError(reason: "a range of the pattern is reversed") }
      set.add(low.value...high.value)
    }
    throw PatternError(reason: "the pattern has a [ without ]")
  }
}
