extension JPEGCodes {
  /// Makes the codes with which symbols that occur so often take the fewest bits; none if no symbol occurs. No code has
  /// more than 16 bits, and none consists of ones.
  ///
  /// The choices among equals are those of libjpeg-turbo (jchuff.c), so the tables are those of its files: of symbols
  /// and trees that are as rare, that with the largest number is taken, and what occurs more than 10^9 times is not
  /// joined.
  /// - Parameter frequencies: of the symbols from 0 on, at most 256.
  /// - Source: ITU-T T.81, K.2.
  package init(frequencies: [Int]) {
    // A symbol that never occurs takes the code of ones.
    let reserved = 256
    var frequencies = frequencies + [Int](repeating: 0, count: reserved - frequencies.count) + [1]
    var trees = (0...reserved).map { [$0] }, lengths = [Int](repeating: 0, count: reserved + 1)
    func rarest(besides other: Int?) -> Int? {
      var found: Int?, least = 1_000_000_000
      for (symbol, frequency) in frequencies.enumerated() where 1...least ~= frequency && symbol != other {
        (found, least) = (symbol, frequency)
      }
      return found
    }
    while let first = rarest(besides: nil), let second = rarest(besides: first) {
      frequencies[first] += frequencies[second]
      frequencies[second] = 0
      trees[first] += trees[second]
      for symbol in trees[first] { lengths[symbol] += 1 }
    }

    var numbers = [Int](repeating: 0, count: reserved + 2)
    for length in lengths where length > 0 { numbers[length] += 1 }
    // Two codes that are too long become one of a bit less; a shorter code makes room for the other one.
    for length in stride(from: reserved, to: 16, by: -1) {
      while numbers[length] > 0 {
        let shorter = numbers[1...length - 2].lastIndex { $0 > 0 } ?? 1
        numbers[length] -= 2
        numbers[length - 1] += 1
        numbers[shorter + 1] += 2
        numbers[shorter] -= 1
      }
    }
    if let last = numbers.lastIndex(where: { $0 > 0 }) { numbers[last] -= 1 }
    self.init(
      counts: numbers[1...16].map { UInt8($0) },
      values: (0..<reserved).filter { lengths[$0] > 0 }.sorted { (lengths[$0], $0) < (lengths[$1], $1) }
        .map { UInt8($0) })
  }
}
