import HDRCore

/// The rule of steps: 6 to 64 twelve-bit codes between pixels 0 and 1, where pixels -3...0 and 1...4 are flat.
enum BandingStep {
  /// Returns the range of four values.
  @inline(__always) static func range(_ a: Float, _ b: Float, _ c: Float, _ d: Float) -> Float {
    let low = b < a ? b : a, high = b > a ? b : a
    let low1 = c < low ? c : low, high1 = c > high ? c : high
    return (d > high1 ? d : high1) - (d < low1 ? d : low1)
  }

  /// Returns 1 for a step, else 0. The order of numbers of at least 0 is that of their bits, and two comparisons for
  /// four conditions leave nothing to decide one pixel at a time.
  @inline(__always) static func count(_ a: Float, _ b: Float, _ rangeBefore: Float, _ rangeAfter: Float) -> UInt32 {
    let least = Float(6).bitPattern, most = Float(64).bitPattern
    let step = ((b - a) * 4095).bitPattern & 0x7fff_ffff
    let range = (rangeBefore > rangeAfter ? rangeBefore : rangeAfter) * 4095
    let flat = range <= 2 ? step : 0
    return flat &- least <= most &- least ? 1 : 0
  }
}

/// Steps along a row: the range of four pixels is found once for those before a pair and those after one.
struct BandingRow {
  private var ranges: [Float]

  init(width: Int) { ranges = [Float](repeating: 0, count: width) }

  /// - Parameter count: the pairs of the row.
  mutating func steps(_ row: UnsafePointer<Float>, _ count: Int) -> Int {
    ranges.withUnsafeMutableBufferPointer { ranges in
      for x in 0..<(count == 0 ? 0 : count + 4) {
        ranges[x] = BandingStep.range(row[x], row[x + 1], row[x + 2], row[x + 3])
      }
      var sum: UInt32 = 0
      for x in 0..<count { sum &+= BandingStep.count(row[x + 3], row[x + 4], ranges[x], ranges[x + 4]) }
      return Int(sum)
    }
  }
}

/// Steps down columns: the ranges of four rows are kept until they are those before a pair.
struct BandingColumns {
  private let plane: SamplePlane
  private var ranges: [[Float]]

  init(_ plane: SamplePlane, _ rows: Range<Int>) {
    self.plane = plane
    ranges = [[Float]](repeating: [Float](repeating: 0, count: plane.width), count: 5)
    for y in rows.lowerBound - 3..<rows.lowerBound + 1 where !rows.isEmpty { find(y) }
  }

  /// Finds the ranges of a row and the three below.
  private mutating func find(_ y: Int) {
    let a = plane.floats(row: y), b = plane.floats(row: y + 1)
    let c = plane.floats(row: y + 2), d = plane.floats(row: y + 3)
    ranges[y % 5].withUnsafeMutableBufferPointer { ranges in
      for x in ranges.indices { ranges[x] = BandingStep.range(a[x], b[x], c[x], d[x]) }
    }
  }

  /// Counts the steps between a row and the next; rows must come one after the other.
  mutating func steps(_ y: Int) -> Int {
    find(y + 1)
    let upper = plane.floats(row: y), lower = plane.floats(row: y + 1)
    return ranges[(y - 3) % 5].withUnsafeBufferPointer { before in
      ranges[(y + 1) % 5].withUnsafeBufferPointer { after in
        var sum: UInt32 = 0
        for x in before.indices { sum &+= BandingStep.count(upper[x], lower[x], before[x], after[x]) }
        return Int(sum)
      }
    }
  }
}
