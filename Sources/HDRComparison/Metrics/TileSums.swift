import HDRCore

/// The sums of a difference in all squares of 16 x 16 pixels, from which the worst places are chosen.
struct TileSums: Sendable {
  private static let side = DifferenceSums.tileSide

  private let width: Int
  private let height: Int
  private let columns: Int
  /// The steps of a difference of 1.
  private let unit: Int
  private var sums: [UInt32]

  init(width: Int, height: Int, isFine: Bool = false) {
    (self.width, self.height) = (width, height)
    unit = isFine ? DifferenceSums.fineUnit : DifferenceSums.steps
    columns = (width + Self.side - 1) / Self.side
    // A pixel counts at most 2^20 steps.
    sums = [UInt32](repeating: 0, count: columns * ((height + Self.side - 1) / Self.side))
  }

  /// Adds a row of differences.
  mutating func add(_ values: UnsafePointer<Float>, width: Int, y: Int) {
    let first = y / Self.side * columns
    for x in 0..<width { sums[first + x / Self.side] += DifferenceSums.steps(of: values[x], unit: unit) }
  }

  /// Adds the sums of other rows.
  mutating func merge(_ other: TileSums?) {
    guard let other else { return }
    for index in sums.indices { sums[index] += other.sums[index] }
  }

  /// A part of the picture around a square.
  struct Part: Sendable, Hashable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
    /// The mean difference of the square.
    var mean: Double

    fileprivate func meets(_ other: Part) -> Bool {
      abs(x - other.x) < width && abs(y - other.y) < height
    }
  }

  /// Returns the parts around the squares with the largest means, which do not overlap, the worst first. Squares without
  /// a difference have none.
  ///
  /// - Parameter side: the pixels of a part's side; less in smaller pictures.
  func worst(_ number: Int, side: Int) -> [Part] {
    let most = Self.side
    let tiles = sums.indices.filter { sums[$0] > 0 }.map { index -> Part in
      let x = index % columns * most, y = index / columns * most
      let (w, h) = (min(most, width - x), min(most, height - y))
      return Part(x: x, y: y, width: w, height: h, mean: Double(sums[index]) / Double(w * h * unit))
    }
    let ordered = tiles.sorted { $0.mean > $1.mean || $0.mean == $1.mean && ($0.y, $0.x) < ($1.y, $1.x) }
    let (w, h) = (min(side, width), min(side, height))
    var parts: [Part] = []
    for tile in ordered where parts.count < number {
      let part = Part(
        x: min(max(0, tile.x + tile.width / 2 - w / 2), width - w),
        y: min(max(0, tile.y + tile.height / 2 - h / 2), height - h), width: w, height: h, mean: tile.mean)
      if !parts.contains(where: part.meets) { parts.append(part) }
    }
    return parts
  }
}
