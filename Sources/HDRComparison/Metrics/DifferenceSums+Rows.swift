import HDRCore

extension DifferenceSums {
  /// Adds rows of a plane of differences.
  ///
  /// - Parameters:
  ///   - rows: the rows of the plane; the first is at a multiple of `tileSide` in the picture.
  ///   - top: the row of the picture at the plane's row 0.
  package mutating func add(_ plane: SamplePlane, rows: Range<Int>, top: Int) {
    add(width: plane.width, rows: rows.lowerBound + top..<rows.upperBound + top) { y, take in
      take(plane.floats(row: y - top))
    }
  }

  /// Adds a band of differences whose first row is at a multiple of `tileSide`.
  mutating func add(_ band: PlaneBand<Float>) {
    add(width: band.width, rows: band.rows) { y, take in band.withRow(y, take) }
  }

  private mutating func add(
    width: Int, rows: Range<Int>, _ read: (_ y: Int, _ take: (UnsafePointer<Float>) -> Void) -> Void
  ) {
    let side = Self.tileSide
    var row = StepRow(width: width, unit: unit)
    var tiles = [UInt32](repeating: 0, count: (width + side - 1) / side)
    // Two counts a bin: neighbours, which are often equal, do not wait for each other.
    var counts = [UInt32](repeating: 0, count: 2 * Self.binCount)
    for y in rows {
      read(y) { row.load($0) }
      let (most, squared) = row.add(to: &tiles, counts: &counts)
      squares += UInt128(squared)
      if self.most.map({ most > $0.steps }) ?? true, let x = row.place(of: most) {
        self.most = Place(steps: most, x: x, y: y)
      }
      let isLast = y + 1 == rows.upperBound
      if isLast || (y + 1) % side == 0 { close(&tiles, width: width, first: y / side * side, last: y) }
    }
    count += width * rows.count
    for bin in bins.indices { bins[bin] += Int(counts[2 * bin]) + Int(counts[2 * bin + 1]) }
  }

  private mutating func close(_ tiles: inout [UInt32], width: Int, first: Int, last: Int) {
    let side = Self.tileSide, rows = last - first + 1
    for (index, sum) in tiles.enumerated() {
      self.sum += UInt64(sum)
      let columns = min(side, width - index * side)
      if rows >= Self.leastTileSide && columns >= Self.leastTileSide {
        take(Tile(sum: UInt64(sum), count: rows * columns, x: index * side, y: first, unit: unit))
      }
      tiles[index] = 0
    }
  }
}

/// A row of differences as steps, in whole squares: lanes after the last pixel are 0 and count nothing.
private struct StepRow {
  private static let side = DifferenceSums.tileSide

  private let width: Int
  private let unit: Float
  private var steps: [UInt32]
  private var bins: [UInt32]

  init(width: Int, unit: Int) {
    (self.width, self.unit) = (width, Float(unit))
    steps = [UInt32](repeating: 0, count: (width + Self.side - 1) / Self.side * Self.side)
    bins = steps
  }

  /// Sets the steps of differences of at least 0, as `DifferenceSums.steps(of:)` has them, and their bins.
  mutating func load(_ values: UnsafePointer<Float>) {
    let unit = unit, width = width
    steps.withUnsafeMutableBufferPointer { steps in
      bins.withUnsafeMutableBufferPointer { bins in
        rowLoops.steps(
          values, unit: unit, largest: Float(DifferenceSums.largest), to: steps.baseAddress!, bins: bins.baseAddress!,
          count: width)
      }
    }
  }

  /// Adds the steps to sums of squares of pixels, and counts their bins.
  ///
  /// - Returns: the largest number of steps, and the sum of all squared: at most 2^40 each, of at most 2^20 columns.
  func add(to tiles: inout [UInt32], counts: inout [UInt32]) -> (most: UInt32, squared: UInt64) {
    // A square has at most 2^20 steps in each of 256 pixels.
    let (most, squares) = rowLoops.add(steps, to: &tiles, sumCount: tiles.count), width = width
    bins.withUnsafeBufferPointer { bins in
      counts.withUnsafeMutableBufferPointer { counts in
        for x in 0..<width { counts[2 &* Int(bins[x]) &+ (x & 1)] &+= 1 }
      }
    }
    return (most, squares)
  }

  /// Returns the first pixel of a number of steps.
  func place(of most: UInt32) -> Int? { (0..<width).first { steps[$0] == most } }
}
