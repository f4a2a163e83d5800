/// The weights of a filter whose sides are alike, or with `isOdd` each other's negatives.
struct SymmetricTaps<Sample: RowSample>: Sendable {
  /// The weights of the middle and of what lies behind.
  let half: [Sample]
  let isOdd: Bool

  /// - Parameter all: an odd number of weights.
  init(_ all: [Sample], isOdd: Bool = false) {
    (half, self.isOdd) = (Array(all[(all.count / 2)...]), isOdd)
  }

  private init(half: [Sample], isOdd: Bool) { (self.half, self.isOdd) = (half, isOdd) }

  /// The samples on each side of the middle.
  var reach: Int { half.count - 1 }

  /// Returns the taps without those at the ends that are smaller than a number.
  func trimmed(below least: Sample) -> SymmetricTaps {
    let last = half.lastIndex { abs($0) >= least } ?? 0
    return SymmetricTaps(half: Array(half[...last]), isOdd: isOdd)
  }

  /// Writes weighted sums.
  ///
  /// - Parameter row: returns the first sample for a tap, which is counted from the middle.
  func filter(to result: UnsafeMutablePointer<Sample>, count: Int, _ row: (_ tap: Int) -> UnsafePointer<Sample>) {
    withUnsafeTemporaryAllocation(of: UnsafePointer<Sample>.self, capacity: 2 * reach + 1) { rows in
      for tap in -reach...reach { rows[tap + reach] = row(tap) }
      half.withUnsafeBufferPointer { taps in
        Sample.calls.filter(UnsafePointer(rows.baseAddress!), taps, isOdd, result, count)
      }
    }
  }
}

/// A row with room for samples beyond both ends, to be filtered along itself.
struct PaddedRow<Sample: RowSample> {
  private let width: Int
  private let margin: Int
  private var samples: [Sample]

  /// - Parameter margin: the samples beyond each end, which filters may reach.
  init(width: Int, margin: Int) {
    (self.width, self.margin) = (width, margin)
    samples = [Sample](repeating: 0, count: width + 2 * margin)
  }

  /// Fills the row, then what lies beyond its ends.
  mutating func fill(_ edges: PlaneBand<Sample>.Edges, _ body: (UnsafeMutablePointer<Sample>) -> Void) {
    samples.withUnsafeMutableBufferPointer { samples in
      let row = samples.baseAddress! + margin
      body(row)
      for x in 0..<margin {
        row[-1 - x] = row[edges.place(-1 - x, width)]
        row[width + x] = row[edges.place(width + x, width)]
      }
    }
  }

  /// Writes the row filtered along itself.
  func across(_ taps: SymmetricTaps<Sample>, to result: UnsafeMutablePointer<Sample>) {
    samples.withUnsafeBufferPointer { samples in
      taps.filter(to: result, count: width) { samples.baseAddress! + margin + $0 }
    }
  }
}
