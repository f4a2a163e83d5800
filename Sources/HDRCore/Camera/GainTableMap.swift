/// Local exposure: gains by position and by a weight of the pixel. Source: DNG 1.7.1, ProfileGainTableMap and
/// ProfileGainTableMap2.
package struct GainTableMap: Sendable, Hashable {
  /// The number type of the table in the file.
  package enum Storage: Int, Sendable {
    case uint8 = 0, uint16, float16, float32
  }

  /// The number of points down and across, and of gains at each.
  package let rows: Int
  package let columns: Int
  package let depth: Int
  /// The distance of points as a fraction of the picture, down and across.
  package let spacing: [Double]
  package let origin: [Double]
  /// The weights of red, green, blue, their smallest and their largest.
  package let weights: [Double]
  /// The exponent of the weight.
  package let gamma: Double
  package let storage: Storage
  /// The table, ordered by row, column and entry.
  package let gains: [Float]

  /// The largest number of gains. The largest table that cameras write has some 300 000 (48 by 25 points of 257); this
  /// is thirteen times as many.
  package static let maxPoints = 1 << 22
  package static let gainRange = 1.0 / 4096...4096
  package static let gammaRange = 0.125...8

  package init(
    rows: Int, columns: Int, depth: Int, spacing: [Double], origin: [Double], weights: [Double], gamma: Double = 1,
    storage: Storage = .float32, gains: [Float]
  ) {
    (self.rows, self.columns, self.depth) = (rows, columns, depth)
    (self.spacing, self.origin, self.weights, self.gamma) = (spacing, origin, weights, gamma)
    (self.storage, self.gains) = (storage, gains)
  }

  /// Returns the gain for a pixel of RIMM at a position in a picture of this size (the active area).
  ///
  /// - Parameter exposure: 2^stops of the baseline exposure if it is not yet in `rgb`.
  package func gain(_ rgb: [Double], x: Int, y: Int, width: Int, height: Int, exposure: Double = 1) -> Double {
    let parts = rgb + [rgb.min() ?? 0, rgb.max() ?? 0]
    var weight = zip(weights, parts).reduce(0) { $0 + $1.0 * $1.1 } * exposure
    weight = Swift.min(Swift.max(weight, 0), 1)
    if gamma != 1 { weight = ExactMath.pow(weight, gamma) }
    func place(_ at: Double, _ count: Int) -> (low: Int, high: Int, share: Double) {
      let clamped = Swift.min(Swift.max(at, 0), Double(count - 1)), low = Int(clamped)
      return (low, Swift.min(low + 1, count - 1), clamped - Double(low))
    }
    let table = place(weight * Double(depth), depth)
    let down = place(((Double(y) + 0.5) / Double(height) - origin[0]) / spacing[0], rows)
    let across = place(((Double(x) + 0.5) / Double(width) - origin[1]) / spacing[1], columns)
    func entry(_ row: Int, _ column: Int) -> Double {
      let at = (row * columns + column) * depth
      let (low, high) = (Double(gains[at + table.low]), Double(gains[at + table.high]))
      return low + (high - low) * table.share
    }
    let top = entry(down.low, across.low) * (1 - across.share) + entry(down.low, across.high) * across.share
    let bottom = entry(down.high, across.low) * (1 - across.share) + entry(down.high, across.high) * across.share
    return top * (1 - down.share) + bottom * down.share
  }
}
