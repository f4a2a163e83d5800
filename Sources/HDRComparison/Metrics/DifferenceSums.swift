import HDRCore
import HDRRecipe

/// Counts and integer sums of a difference over pixels: the same for any order of rows and any number of threads.
///
/// A difference counts in 1024ths, or smaller parts, at most `largest` of them. Shares of pixels come from a histogram:
/// 256 bins of one value, then 128 an octave (docs/compare.md#exactness).
package struct DifferenceSums: Sendable, Hashable {
  /// The steps of a difference of 1.
  package static let steps = 1024
  /// The steps of a difference of 1 that is hardly ever larger.
  package static let fineUnit = 524_288
  /// The largest number of steps that counts.
  package static let largest: UInt32 = (1 << 20) - 1
  package static let binCount = 1792
  /// The side of the squares of `tile` in pixels, and the least of one at the right or lower border.
  package static let tileSide = 16, leastTileSide = 8

  /// A number of steps at a pixel.
  package struct Place: Sendable, Hashable {
    package var steps: UInt32
    package var x: Int
    package var y: Int
  }

  /// A square of pixels with the sum of its differences.
  package struct Tile: Sendable, Hashable {
    package var sum: UInt64
    package var count: Int
    /// The first pixel.
    package var x: Int
    package var y: Int

    package var unit = steps

    package var mean: Double { Double(sum) / Double(count * unit) }
  }

  package internal(set) var count = 0
  package internal(set) var sum: UInt64 = 0
  package internal(set) var squares: UInt128 = 0
  package internal(set) var bins = [Int](repeating: 0, count: binCount)
  /// The largest difference, the first of several in the order of rows; `nil` without pixels.
  package internal(set) var most: Place?
  /// The square with the largest mean, the first of several; `nil` if none is large enough.
  package private(set) var tile: Tile?

  /// The steps of a difference of 1.
  package let unit: Int

  package init(unit: Int = steps) { self.unit = unit }

  /// Returns the steps of a difference of at least 0, to nearest.
  @inline(__always) package static func steps(of difference: Float, unit: Int = steps) -> UInt32 {
    let scaled = difference * Float(unit) + 0.5
    return scaled < Float(largest) ? UInt32(scaled) : largest
  }

  /// Returns the bin of a number of steps: the upper bits of the number in binary32.
  @inline(__always) package static func bin(_ steps: UInt32) -> Int {
    steps < 256 ? Int(steps) : Int(Float(steps).bitPattern >> 16) - 0x4380 + 256
  }

  /// Returns the largest number of steps in a bin.
  package static func edge(_ bin: Int) -> UInt32 {
    if bin < 256 { return UInt32(bin) }
    let octave = (bin - 256) >> 7, place = (bin - 256) & 127
    return UInt32((129 + place) << (octave + 1)) - 1
  }

  mutating func take(_ other: Tile) {
    guard let own = tile else {
      tile = other
      return
    }
    let a = other.sum * UInt64(own.count), b = own.sum * UInt64(other.count)
    if a > b || a == b && (other.y, other.x) < (own.y, own.x) { tile = other }
  }

  /// Adds the sums of other rows.
  package mutating func merge(_ other: DifferenceSums) {
    count += other.count
    sum += other.sum
    squares += other.squares
    for bin in bins.indices { bins[bin] += other.bins[bin] }
    if let place = other.most {
      let isFirst = most.map { place.steps > $0.steps || place.steps == $0.steps && (place.y, place.x) < ($0.y, $0.x) }
      if isFirst ?? true { most = place }
    }
    if let tile = other.tile { take(tile) }
  }
}

// MARK: What is reported

extension Aggregate {
  /// The share of pixels in hundredths of a percent; `nil` for others.
  fileprivate var share: Int? {
    switch self {
    case .p50: 5000
    case .p95: 9500
    case .p99: 9900
    case .p999: 9990
    case .mean, .rms, .max, .tile: nil
    }
  }
}

extension DifferenceSums {
  /// Returns a number; `nil` without pixels, and for `tile` in a picture smaller than `leastTileSide`.
  ///
  /// Percentiles are the nearest rank's, never too small and at most 0.8 % too large.
  package subscript(aggregate: Aggregate) -> Double? {
    guard let most, count > 0 else { return nil }
    let unit = Double(self.unit)
    switch aggregate {
    case .mean: return Double(sum) / (unit * Double(count))
    case .rms: return (Double(squares) / Double(count)).squareRoot() / unit
    case .max: return Double(most.steps) / unit
    case .tile: return tile?.mean
    case .p50, .p95, .p99, .p999:
      let rank = max(1, (count * (aggregate.share ?? 0) + 9999) / 10_000)
      var below = 0
      for (bin, number) in bins.enumerated() {
        below += number
        if below >= rank { return Double(min(Self.edge(bin), most.steps)) / unit }
      }
      return nil
    }
  }
}
