import HDRCore

/// The rows of the picture that a formula of places may show: only these are held while strips are rendered.
enum PlaceRows {
  case all
  /// The rows up to a distance from the sample's own.
  case around(Double)
  /// The rows from one height to another.
  case between(Double, Double)
  /// For samples between two heights the rows between them, for others their own.
  case inside(Double, Double)

  /// The rows of a disc for samples in them.
  static func disc(_ center: (x: Double, y: Double), _ radius: Double) -> PlaceRows {
    .inside(center.y - radius, center.y + radius)
  }

  /// Returns the rows that each row of samples needs.
  ///
  /// - Parameters:
  ///   - samples: the number of rows of samples in each row of the picture.
  ///   - extent: the largest coordinate or distance that the formula computes, in pixels: its binary32 rounds.
  func scale(samples: Int, height: Int, extent: Double) -> RowScale {
    if case .all = self { return .all(height: height * samples, of: height) }
    var first: [Int32] = [], last: [Int32] = []
    // Cubic convolution reads one pixel before a place's own and two after it.
    let margin = 3 + 0x1p-18 * extent, size = Double(height)
    for row in 0..<height * samples {
      let y = (Double(row) + 0.5) / Double(samples) - 0.5
      var (low, high) = (y, y)
      switch self {
      case .all: break
      case .around(let reach): (low, high) = (y - reach, y + reach)
      case .between(let from, let to): (low, high) = (from, to)
      case .inside(let from, let to):
        if y >= from - margin, y <= to + margin { (low, high) = (min(from, y), max(to, y)) }
      }
      first.append(Int32(min(max(low - margin, 0), size - 1)))
      last.append(Int32(min(max(high + margin, 0), size - 1)))
    }
    return RowScale(firstRow: first, lastRow: last)
  }
}
