/// Numbers in words of LUT files, which strangers write.
enum LUTNumbers {
  /// The largest magnitude that a file's number may have.
  static let largest = 1e9
  /// The smallest extent of a domain.
  static let leastDomain = 1e-9

  /// Returns a finite number.
  static func finite(_ word: some StringProtocol, line: Int, _ what: String) throws(LUTError) -> Double {
    guard let value = Double(word) else {
      throw LUTError(.number, line: line, reason: "\(what) has a word that is no number")
    }
    guard value.isFinite, abs(value) <= largest else {
      throw LUTError(.number, line: line, reason: "\(what) is not finite, or beyond a thousand million")
    }
    return value
  }

  /// Returns as many finite numbers as are wanted.
  static func finite(
    _ words: some Collection<Substring>, _ count: Int, line: Int, _ what: String
  ) throws(LUTError) -> [Double] {
    guard words.count == count else {
      throw LUTError(.count, line: line, reason: "\(what) needs \(count) numbers, and has \(words.count)")
    }
    var values: [Double] = []
    values.reserveCapacity(count)
    for word in words { values.append(try finite(word, line: line, what)) }
    return values
  }

  /// Returns the two ends of a domain.
  static func domain(_ words: some Collection<Substring>, line: Int, _ what: String) throws(LUTError) -> [Double] {
    let ends = try finite(words, 2, line: line, what)
    guard ends[1] - ends[0] >= leastDomain else {
      throw LUTError(.domain, line: line, reason: "\(what): the first number is not below the second")
    }
    return ends
  }

  /// Returns a whole number within bounds.
  static func count(
    _ word: Substring?, _ allowed: ClosedRange<Int>, line: Int, _ what: String
  ) throws(LUTError) -> Int {
    guard let word, let value = Int(word) else {
      throw LUTError(.number, line: line, reason: "\(what) needs a whole number")
    }
    guard allowed.contains(value) else {
      throw LUTError(
        .size, line: line, reason: "\(what) is \(value), allowed are \(allowed.lowerBound) to \(allowed.upperBound)")
    }
    return value
  }

  /// Checks that three edges of a 3D table are equal and allowed.
  static func edge(_ words: some Collection<Substring>, line: Int, _ what: String) throws(LUTError) -> Int {
    guard words.count == 3 else {
      throw LUTError(.count, line: line, reason: "\(what) needs three sizes, and has \(words.count)")
    }
    var sizes: [Int] = []
    for word in words { sizes.append(try count(word, 2...CubeLUT.max3D, line: line, what)) }
    guard sizes.allSatisfy({ $0 == sizes[0] }) else {
      throw LUTError(.size, line: line, reason: "\(what): the edges of a 3D table must be equal")
    }
    return sizes[0]
  }
}

extension LUTLines {
  /// Returns the next line, of which there must be one.
  mutating func need(_ what: String) throws(LUTError) -> [Substring] {
    guard let (_, words) = try next() else {
      throw LUTError(.count, line: number, reason: "the file ends before \(what)")
    }
    return words
  }

  /// Returns rows of numbers, one line each.
  mutating func rows(_ count: Int, of size: Int, _ what: String) throws(LUTError) -> [Float] {
    var values: [Float] = []
    for _ in 0..<count {
      let words = try need("row \(values.count / size + 1) of \(count) of \(what)")
      values += try LUTNumbers.finite(words, size, line: number, "a row of \(what)").map { Float($0) }
    }
    return values
  }

  /// Checks that nothing follows.
  mutating func end() throws(LUTError) {
    if try next() != nil { throw LUTError(.count, line: number, reason: "the file goes on after its last number") }
  }
}

extension CubeLUT.Table3D {
  /// Makes a table over 0 to 1 of rows whose blue is fastest.
  init(size: Int, blueFastest rows: [Float]) {
    var values = [Float](repeating: 0, count: rows.count)
    for r in 0..<size {
      for g in 0..<size {
        for b in 0..<size {
          let from = 3 * ((r * size + g) * size + b), to = 3 * ((b * size + g) * size + r)
          for channel in 0..<3 { values[to + channel] = rows[from + channel] }
        }
      }
    }
    self.init(size: size, domainMin: [0, 0, 0], domainMax: [1, 1, 1], values: values)
  }
}
