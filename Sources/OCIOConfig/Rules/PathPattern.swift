/// A pattern matches a whole path or does not, in time that grows with the path's length times the pattern's size and no
/// faster: all ways through it are followed side by side.
package struct PathPattern: Sendable {
  private indirect enum Step: Sendable {
    case one(ScalarSet)
    /// Goes on at both places.
    case split(Int, Int)
    case jump(Int)
    case assertion(PatternNode.Assertion)
  }
  private var steps: [Step] = []
  /// The number of comparisons that a scalar of a path takes.
  private(set) var cost = 1

  /// The most comparisons of a pattern, and the most turns that making it takes.
  private static let mostCost = 4096, mostTurns = 1 << 16

  /// Takes a regular expression of ECMAScript without look-ahead and back-references (docs/ocio.md#file-rules).
  init(regex: String) throws(PatternError) { try self.init(try RegexParser.parse(regex)) }

  /// Takes a pattern with `*`, `?` and `[…]`, and one of what follows the last point; an ending of letters alone is the
  /// same in upper and lower case.
  init(glob: String, ending: String) throws(PatternError) {
    let isPlain = !ending.contains { "[*?".contains($0) }
    try self.init(
      .sequence([
        try GlobParser.parse(glob, ignoresCase: false), .one(ScalarSet(".")),
        try GlobParser.parse(ending, ignoresCase: isPlain),
      ]))
  }

  private init(_ node: PatternNode) throws(PatternError) {
    var turns = 0
    try add(node, &turns)
  }

  private mutating func add(_ node: PatternNode, _ turns: inout Int) throws(PatternError) {
    turns += 1
    cost += 1
    guard cost < Self.mostCost, turns < Self.mostTurns else {
      throw PatternError(reason: "the pattern is too large")
    }
    switch node {
    case .one(let set):
      steps.append(.one(set))
      cost += set.ranges.count
    case .assertion(let assertion): steps.append(.assertion(assertion))
    case .sequence(let list): for item in list { try add(item, &turns) }
    case .choice(let list):
      var ends: [Int] = []
      for (index, item) in list.enumerated() {
        let split = steps.count
        if index < list.count - 1 { steps.append(.jump(0)) }
        try add(item, &turns)
        guard index < list.count - 1 else { continue }
        ends.append(steps.count)
        steps.append(.jump(0))
        steps[split] = .split(split + 1, steps.count)
      }
      for end in ends { steps[end] = .jump(steps.count) }
    case .repeated(let item, let least, let most):
      for _ in 0..<least { try add(item, &turns) }
      guard let most else {
        let split = steps.count
        steps.append(.jump(0))
        try add(item, &turns)
        steps.append(.jump(split))
        steps[split] = .split(split + 1, steps.count)
        return
      }
      var splits: [Int] = []
      for _ in least..<max(least, most) {
        splits.append(steps.count)
        steps.append(.jump(0))
        try add(item, &turns)
      }
      for split in splits { steps[split] = .split(split + 1, steps.count) }
    }
  }

  /// Returns true if the whole path matches.
  package func matches(_ path: String) -> Bool {
    let scalars = Array(path.unicodeScalars)
    var threads = Threads(count: steps.count + 1)
    threads.begin()
    follow(0, &threads, scalars, at: 0)
    for index in scalars.indices {
      let places = threads.places
      threads.begin()
      for place in places {
        if place < steps.count, case .one(let set) = steps[place], set.contains(scalars[index]) {
          follow(place + 1, &threads, scalars, at: index + 1)
        }
      }
      if threads.places.isEmpty { return false }
    }
    return threads.places.contains(steps.count)
  }

  /// Adds the steps that can be reached from one without a scalar.
  private func follow(_ start: Int, _ threads: inout Threads, _ scalars: [Unicode.Scalar], at index: Int) {
    var open = [start]
    while let place = open.popLast() {
      guard threads.mark(place) else { continue }
      guard place < steps.count else {
        threads.places.append(place)
        continue
      }
      switch steps[place] {
      case .one: threads.places.append(place)
      case .jump(let next): open.append(next)
      case .split(let a, let b): open += [b, a]
      case .assertion(let assertion): if assertion.holds(scalars, at: index) { open.append(place + 1) }
      }
    }
  }

  /// The steps at which a match stands, each once.
  private struct Threads {
    var places: [Int] = []
    private var marks: [Int]
    private var generation = 0

    init(count: Int) { marks = Array(repeating: 0, count: count) }

    mutating func begin() {
      places.removeAll(keepingCapacity: true)
      generation += 1
    }

    /// Returns false if the step is marked already.
    mutating func mark(_ place: Int) -> Bool {
      if marks[place] == generation { return false }
      marks[place] = generation
      return true
    }
  }
}

/// An error that says why a pattern is not taken.
struct PatternError: Error {
  var reason: String
}
