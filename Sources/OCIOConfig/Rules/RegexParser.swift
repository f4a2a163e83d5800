import PlainData

/// Reads regular expressions of ECMAScript, and classes of POSIX within [ ]. Look-ahead and back-references, which cannot
/// be matched in linear time, are refused.
struct RegexParser {
  private var rest: ArraySlice<Unicode.Scalar>
  private var depth = 0
  private static let maxDepth = 32, mostTurns = 1000

  static func parse(_ text: String) throws(PatternError) -> PatternNode {
    guard !text.isEmpty else { throw PatternError(reason: "the regex is empty") }
    var parser = RegexParser(rest: Array(text.unicodeScalars)[...])
    let node = try parser.choice()
    guard parser.rest.isEmpty else { throw PatternError(reason: "the regex has a ) without (") }
    return node
  }

  private init(rest: ArraySlice<Unicode.Scalar>) { self.rest = rest }

  private mutating func choice() throws(PatternError) -> PatternNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maxDepth else { throw PatternError(reason: "the regex is deeper than \(Self.maxDepth) groups") }
    var choices = [try sequence()]
    while take("|") { choices.append(try sequence()) }
    return choices.count == 1 ? choices[0] : .choice(choices)
  }

  private mutating func sequence() throws(PatternError) -> PatternNode {
    var nodes: [PatternNode] = []
    while let scalar = rest.first, scalar != "|", scalar != ")" {
      rest.removeFirst()
      var node = try atom(scalar)
      while let (least, most) = try repetition() { node = .repeated(node, least: least, most: most) }
      nodes.append(node)
    }
    return .sequence(nodes)
  }

  private mutating func atom(_ scalar: Unicode.Scalar) throws(PatternError) -> PatternNode {
    switch scalar {
    case "(":
      if take("?"), !take(":") { throw PatternError(reason: "the regex has (?: look-ahead is not supported") }
      let inner = try choice()
      guard take(")") else { throw PatternError(reason: "the regex has a ( without )") }
      return inner
    case "[": return .one(try set())
    case ".": return .one(.lines)
    case "^": return .assertion(.start)
    case "$": return .assertion(.end)
    case "*", "+", "?", "{": throw PatternError(reason: "the regex repeats nothing by \(scalar)")
    case "\\":
      if take("b") { return .assertion(.wordBoundary) }
      if take("B") { return .assertion(.noWordBoundary) }
      return .one(try escape())
    default: return .one(ScalarSet(scalar))
    }
  }

  /// Reads `*`, `+`, `?` or `{…}`, and the `?` behind it that changes nothing for a whole match.
  private mutating func repetition() throws(PatternError) -> (least: Int, most: Int?)? {
    let found: (Int, Int?)
    if take("*") {
      found = (0, nil)
    } else if take("+") {
      found = (1, nil)
    } else if take("?") {
      found = (0, 1)
    } else if take("{") {
      let least = try count()
      found = (least, take(",") ? (rest.first == "}" ? nil : try count()) : least)
      guard take("}"), found.1 ?? .max >= least else { throw PatternError(reason: "the regex has a wrong { }") }
    } else {
      return nil
    }
    _ = take("?")
    return found
  }

  private mutating func count() throws(PatternError) -> Int {
    var digits = ""
    while let scalar = rest.first, ScalarSet.digit.contains(scalar) {
      digits.unicodeScalars.append(scalar)
      rest.removeFirst()
    }
    guard let count = Int(digits), count <= Self.mostTurns else {
      throw PatternError(reason: "{ } of the regex wants numbers up to \(Self.mostTurns)")
    }
    return count
  }

  /// Reads what follows a backslash, outside and inside of [ ].
  private mutating func escape() throws(PatternError) -> ScalarSet {
    guard let scalar = rest.popFirst() else { throw PatternError(reason: "the regex ends with \\") }
    switch scalar {
    case "d", "w", "s": return ScalarSet.posix[String(scalar)] ?? .digit
    case "D", "W", "S": return (ScalarSet.posix[scalar.properties.lowercaseMapping] ?? .digit).inverted
    case "t": return ScalarSet("\t")
    case "n": return ScalarSet("\n")
    case "r": return ScalarSet("\r")
    case "v": return ScalarSet("\u{B}")
    case "f": return ScalarSet("\u{C}")
    case "0": return ScalarSet("\0")
    case "x": return ScalarSet(try code(digits: 2))
    case "u": return ScalarSet(try code(digits: 4))
    case "c":
      guard let letter = rest.popFirst(), letter.properties.isAlphabetic, let code = Unicode.Scalar(letter.value % 32)
      else { throw PatternError(reason: "\\c of the regex wants a letter") }
      return ScalarSet(code)
    case "1"..."9": throw PatternError(reason: "the regex has a back-reference, which is not supported")
    case _ where ScalarSet.word.contains(scalar):
      throw PatternError(reason: "the regex has \\\(scalar), which is unknown")
    default: return ScalarSet(scalar)
    }
  }

  private mutating func code(digits: Int) throws(PatternError) -> Unicode.Scalar {
    let text = String(String.UnicodeScalarView(rest.prefix(digits)))
    guard rest.count >= digits, let value = UInt32(text, radix: 16), let scalar = Unicode.Scalar(value) else {
      throw PatternError(reason: "a code of the regex wants \(digits) hexadecimal digits")
    }
    rest.removeFirst(digits)
    return scalar
  }

  /// Reads a set behind its [.
  private mutating func set() throws(PatternError) -> ScalarSet {
    var set = ScalarSet([], isInverted: take("^"))
    while let scalar = rest.popFirst() {
      if scalar == "]" { return set }
      let low = try item(scalar)
      guard rest.first == "-", let second = rest.dropFirst().first, second != "]" else {
        set.add(low)
        continue
      }
      rest.removeFirst(2)
      let high = try item(second)
      guard let first = low.only, let last = high.only, first <= last else {
        throw PatternError(reason: "a range of the regex is reversed, or no range")
      }
      set.add(first...last)
    }
    throw PatternError(reason: "the regex has a [ without ]")
  }

  /// Reads an item of a set that begins with a scalar: a class, an escape or the scalar itself.
  private mutating func item(_ scalar: Unicode.Scalar) throws(PatternError) -> ScalarSet {
    if scalar == "\\" { return take("b") ? ScalarSet("\u{8}") : try escape() }
    guard scalar == "[", let kind = rest.first, ":=.".unicodeScalars.contains(kind) else { return ScalarSet(scalar) }
    rest.removeFirst()
    let name = String(String.UnicodeScalarView(rest.prefix { $0 != kind }))
    rest.removeFirst(name.unicodeScalars.count)
    guard kind == ":", take(":"), take("]"), let found = ScalarSet.posix[name] else {
      throw PatternError(reason: "the regex has an unknown class [:\(name):]")
    }
    return found
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == scalar else { return false }
    rest.removeFirst()
    return true
  }
}

extension ScalarSet {
  /// The scalar of a set of one; `nil` for others.
  fileprivate var only: UInt32? {
    guard !isInverted, ranges.count == 1, let range = ranges.first, range.count == 1 else { return nil }
    return range.lowerBound
  }
}
