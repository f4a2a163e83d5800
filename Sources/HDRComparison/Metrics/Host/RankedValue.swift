/// Finds the value of a rank among numbers of at least 0, exactly and without keeping them: as bits, they have the same
/// order.
enum RankedValue {
  /// Returns the values of some ranks, 0 being the smallest number's; empty without numbers.
  ///
  /// - Parameters:
  ///   - rows: the rows that have numbers.
  ///   - each: gives all numbers of a row to a function, twice the same ones.
  static func values(
    of ranks: [Int], rows: Int, _ threads: MetricThreads,
    each: @escaping @Sendable (_ y: Int, _ take: (Float) -> Void) -> Void
  ) -> [Float] {
    let upper = counts(rows, threads, each) { Int($0 >> 16) }
    guard let total = ranks.max(), upper.reduce(0, +) > total else { return [] }
    var known: [Int: [Int]] = [:]
    return ranks.map { rank in
      let (high, rest) = place(rank, upper)
      let lower = known[high] ?? counts(rows, threads, each) { $0 >> 16 == high ? Int($0 & 0xffff) : nil }
      known[high] = lower
      return Float(bitPattern: UInt32(high << 16 | place(rest, lower).bin))
    }
  }

  private static func counts(
    _ rows: Int, _ threads: MetricThreads, _ each: @escaping @Sendable (_ y: Int, _ take: (Float) -> Void) -> Void,
    bin: @escaping @Sendable (UInt32) -> Int?
  ) -> [Int] {
    threads.reduced(rows, [Int](repeating: 0, count: 1 << 16)) { rows, counts in
      counts.withUnsafeMutableBufferPointer { counts in
        for y in rows { each(y) { value in if let bin = bin(value.bitPattern) { counts[bin] += 1 } } }
      }
    } merge: { sum, part in
      for bin in sum.indices { sum[bin] += part[bin] }
    }
  }

  /// Returns the bin of a rank, and the rank in that bin.
  private static func place(_ rank: Int, _ counts: [Int]) -> (bin: Int, rest: Int) {
    var rest = rank
    for (bin, count) in counts.enumerated() {
      if rest < count { return (bin, rest) }
      rest -= count
    }
    return (counts.count - 1, rest)
  }
}
