/// Nodes are a pattern as a tree, of which `PathPattern` makes steps.
indirect enum PatternNode: Sendable {
  case one(ScalarSet)
  case sequence([PatternNode])
  case choice([PatternNode])
  /// The node comes so many times; `most` is `nil` for no end.
  case repeated(PatternNode, least: Int, most: Int?)
  case assertion(Assertion)

  /// An assertion holds at some places between two scalars.
  enum Assertion: Sendable {
    case start, end, wordBoundary, noWordBoundary

    func holds(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
      func isWord(_ index: Int) -> Bool { scalars.indices.contains(index) && ScalarSet.word.contains(scalars[index]) }
      switch self {
      case .start: return index == 0
      case .end: return index == scalars.count
      case .wordBoundary: return isWord(index - 1) != isWord(index)
      case .noWordBoundary: return isWord(index - 1) == isWord(index)
      }
    }
  }

  static let anything = PatternNode.repeated(.one(.all), least: 0, most: nil)
}

/// A set of Unicode scalars.
struct ScalarSet: Sendable {
  private(set) var ranges: [ClosedRange<UInt32>]
  var isInverted = false

  init(_ ranges: [ClosedRange<UInt32>], isInverted: Bool = false) {
    (self.ranges, self.isInverted) = (ranges, isInverted)
  }
  init(_ scalar: Unicode.Scalar) { ranges = [scalar.value...scalar.value] }

  func contains(_ scalar: Unicode.Scalar) -> Bool { ranges.contains { $0.contains(scalar.value) } != isInverted }

  mutating func add(_ other: ScalarSet) { ranges += other.isInverted ? other.inverseRanges : other.ranges }
  mutating func add(_ range: ClosedRange<UInt32>) { ranges.append(range) }

  /// The scalars that are not in the ranges, as ranges.
  private var inverseRanges: [ClosedRange<UInt32>] {
    var next: UInt32 = 0, result: [ClosedRange<UInt32>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.upperBound >= next {
      if range.lowerBound > next { result.append(next...range.lowerBound - 1) }
      next = range.upperBound + 1
    }
    return next > 0x10FFFF ? result : result + [next...0x10FFFF]
  }

  static let all = ScalarSet([], isInverted: true)
  static let lines = ScalarSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029], isInverted: true)
  static let digit = ScalarSet([0x30...0x39])
  static let word = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
  static let space = ScalarSet([0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0xFEFF...0xFEFF, 0x2028...0x2029])

  /// The classes of POSIX, of ASCII.
  static let posix: [String: ScalarSet] = [
    "alpha": ScalarSet([0x41...0x5A, 0x61...0x7A]), "digit": digit, "d": digit, "w": word, "s": space,
    "alnum": ScalarSet([0x30...0x39, 0x41...0x5A, 0x61...0x7A]), "upper": ScalarSet([0x41...0x5A]),
    "lower": ScalarSet([0x61...0x7A]), "space": space, "blank": ScalarSet([0x09...0x09, 0x20...0x20]),
    "cntrl": ScalarSet([0x00...0x1F, 0x7F...0x7F]), "graph": ScalarSet([0x21...0x7E]),
    "print": ScalarSet([0x20...0x7E]), "xdigit": ScalarSet([0x30...0x39, 0x41...0x46, 0x61...0x66]),
    "punct": ScalarSet([0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E]),
  ]

  var inverted: ScalarSet { ScalarSet(ranges, isInverted: !isInverted) }
}
