/// Linear demosaicing: weights of the 5×5 samples around, for each position in the filter pattern and each colour.
///
/// Sources: H. S. Malvar, L. He, R. Cutler, "High-quality linear interpolation for demosaicing of Bayer-patterned color
/// images", ICASSP 2004. Other patterns are this project's: weights 2^-(dx²+dy²) of the samples of that colour.
package struct LinearDemosaic: Sendable, Hashable {
  package static let side = 5
  package let filters: ColorFilterArray
  /// The weights by row and column of the pattern, then colour, then 25 row by row.
  package let weights: [Double]

  package init(_ filters: ColorFilterArray) {
    self.filters = filters
    var all: [Double] = []
    for y in 0..<filters.rows {
      for x in 0..<filters.columns {
        for color in 0..<3 {
          all += filters.isBayer ? Self.malvar(filters, x, y, color) : Self.spread(filters, x, y, color)
        }
      }
    }
    weights = all
  }

  /// Returns the 25 weights of a colour at a position in the active area.
  package func weights(x: Int, y: Int, color: Int) -> ArraySlice<Double> {
    let start = ((y % filters.rows * filters.columns + x % filters.columns) * 3 + color) * 25
    return weights[start..<start + 25]
  }

  // MARK: Bayer

  // Weights in eighths.
  private static let own: [Double] = [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  ]
  private static let greenAtOther: [Double] = [
    0, 0, -1, 0, 0, 0, 0, 2, 0, 0, -1, 2, 4, 2, -1, 0, 0, 2, 0, 0, 0, 0, -1, 0, 0,
  ]
  private static let otherBeside: [Double] = [
    0, 0, 0.5, 0, 0, 0, -1, 0, -1, 0, -1, 4, 5, 4, -1, 0, -1, 0, -1, 0, 0, 0, 0.5, 0, 0,
  ]
  private static let otherAbove: [Double] = [
    0, 0, -1, 0, 0, 0, -1, 4, -1, 0, 0.5, 0, 5, 0, 0.5, 0, -1, 4, -1, 0, 0, 0, -1, 0, 0,
  ]
  private static let otherAcross: [Double] = [
    0, 0, -1.5, 0, 0, 0, 2, 0, 2, 0, -1.5, 0, 6, 0, -1.5, 0, 2, 0, 2, 0, 0, 0, -1.5, 0, 0,
  ]

  private static func malvar(_ filters: ColorFilterArray, _ x: Int, _ y: Int, _ color: Int) -> [Double] {
    let here = filters.color(x: x, y: y)
    let eighths =
      if color == here {
        own
      } else if color == 1 {
        greenAtOther
      } else if here == 1 {
        filters.color(x: x + 1, y: y) == color ? otherBeside : otherAbove
      } else {
        otherAcross
      }
    return eighths.map { $0 / 8 }
  }

  // MARK: Others

  private static func spread(_ filters: ColorFilterArray, _ x: Int, _ y: Int, _ color: Int) -> [Double] {
    if filters.color(x: x, y: y) == color { return own.map { $0 / 8 } }
    var found = [Double](repeating: 0, count: 25)
    for dy in -2...2 {
      for dx in -2...2 where filters.color(x: x + dx, y: y + dy) == color {
        found[(dy + 2) * 5 + dx + 2] = Double(sign: .plus, exponent: -(dx * dx + dy * dy), significand: 1)
      }
    }
    let sum = found.reduce(0, +)
    return sum > 0 ? found.map { $0 / sum } : found
  }

  /// True if the window of every position has each colour; other patterns cannot be demosaiced with these weights.
  package var isComplete: Bool {
    stride(from: 0, to: weights.count, by: 25).allSatisfy { weights[$0..<$0 + 25].contains { $0 != 0 } }
  }

  // MARK: Reference

  /// Returns R, G, B at a position from linear values, summed row by row, the order that all executors keep.
  ///
  /// Borders are mirrored without repeating the edge, in whole periods of the pattern, so that colours are kept.
  package func rgb(_ samples: [Double], width: Int, height: Int, x: Int, y: Int) -> [Double] {
    (0..<3).map { color in
      var sum = 0.0
      let table = weights(x: x, y: y, color: color)
      for (index, weight) in table.enumerated() {
        let row = Self.mirrored(y + index / 5 - 2, height, period: filters.rows)
        let column = Self.mirrored(x + index % 5 - 2, width, period: filters.columns)
        sum += weight * samples[row * width + column]
      }
      return sum
    }
  }

  /// Moves a position up to two samples outside to one inside: mirrors patterns of 2, shifts longer ones by a period.
  package static func mirrored(_ at: Int, _ count: Int, period: Int) -> Int {
    if period == 2 {
      let inside = at < 0 ? -at : at >= count ? 2 * (count - 1) - at : at
      return Swift.min(Swift.max(inside, 0), count - 1)
    }
    let inside = at < 0 ? at + period : at >= count ? at - period : at
    return Swift.min(Swift.max(inside, 0), count - 1)
  }
}
