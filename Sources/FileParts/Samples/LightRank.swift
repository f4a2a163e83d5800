/// A level of light that a share of all pixels does not exceed, with the mean of all, of samples that no code bounds.
package struct LightRank: Sendable, Hashable {
  /// The least value that at least `percent` of the pixels do not exceed (nearest rank), exact; 0 without pixels.
  package var value: Float
  /// The mean, of which values below 0 count as 0.
  package var mean: Double

  /// Ranks values. Those below 0 and NaN count as 0.
  ///
  /// - Parameter rows: hands over all values, row by row, and the same when it is called again: the first time the upper
  ///   halves of their words are counted, the second time the lower halves of those that share the wanted one.
  package init(percent: Double, rows: (_ take: (UnsafeBufferPointer<Float>) -> Void) -> Void) {
    var upper = [Int](repeating: 0, count: 1 << 16), count = 0, sum = 0.0
    rows { row in
      count += row.count
      // Sums of rows are exact enough in any order of magnitude.
      var part = 0.0
      for value in row {
        let word = Self.word(value)
        upper[Int(word >> 16)] += 1
        part += Double(Float(bitPattern: word))
      }
      sum += part
    }
    guard count > 0 else {
      (value, mean) = (0, 0)
      return
    }
    let rank = min(count, max(1, Int((Double(count) * percent / 100).rounded(.up))))
    let (high, below) = Self.place(rank, in: upper)
    var lower = [Int](repeating: 0, count: 1 << 16)
    rows { row in
      for value in row {
        let word = Self.word(value)
        if Int(word >> 16) == high { lower[Int(word & 0xFFFF)] += 1 }
      }
    }
    let (low, _) = Self.place(rank - below, in: lower)
    value = Float(bitPattern: UInt32(high << 16 | low))
    mean = sum / Double(count)
  }

  /// The word of a value, which grows as values from 0 on do.
  private static func word(_ value: Float) -> UInt32 { value > 0 ? value.bitPattern : 0 }

  /// Returns the place of the value of a rank, from 1 on, and the number of values before that place.
  private static func place(_ rank: Int, in counts: [Int]) -> (place: Int, below: Int) {
    var below = 0
    for (place, count) in counts.enumerated() {
      if below + count >= rank { return (place, below) }
      below += count
    }
    return (0, 0)
  }
}
