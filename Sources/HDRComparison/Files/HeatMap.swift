import HDRCore
import ImageFiles

/// A picture of where two renditions differ: the largest difference of each square of pixels, in colours that mean the
/// same in every picture (docs/compare.md#heat-maps).
package struct HeatMap: Sendable {
  /// The longest side in pixels.
  package static let longest = 2048

  private let squares: PixelSquares
  /// The largest number of steps in each square.
  private var most: [UInt32]
  /// True for differences that are hardly ever larger than 1: the colours are those of 32 times the difference.
  private let isFine: Bool

  init(width: Int, height: Int, isFine: Bool = false) {
    self.isFine = isFine
    squares = PixelSquares(width: width, height: height, longest: Self.longest)
    most = [UInt32](repeating: 0, count: squares.count)
  }

  /// The size in squares.
  package var width: Int { squares.width }
  package var height: Int { squares.height }

  private var unit: Int { isFine ? DifferenceSums.fineUnit : DifferenceSums.steps }

  /// Adds a row of differences.
  mutating func add(_ values: UnsafePointer<Float>, width columns: Int, y: Int) {
    let first = squares.first(row: y), side = squares.side, unit = unit
    for x in 0..<columns {
      let steps = DifferenceSums.steps(of: values[x], unit: unit), at = first + x / side
      if steps > most[at] { most[at] = steps }
    }
  }

  /// Adds the differences of other rows.
  mutating func merge(_ other: HeatMap?) {
    guard let other else { return }
    for index in most.indices { most[index] = max(most[index], other.most[index]) }
  }

  /// Returns the largest difference in a square.
  package subscript(x: Int, y: Int) -> Double { Double(most[y * width + x]) / Double(unit) }

  // MARK: Picture

  /// The differences that have colours of their own, R, G, B; others lie between two.
  package static let scale: [(difference: Double, color: [Double])] = [
    (0, [0, 0, 0]), (1, [0, 0, 255]), (2, [0, 255, 255]), (4, [0, 255, 0]), (8, [255, 255, 0]), (16, [255, 0, 0]),
    (32, [255, 255, 255]),
  ]

  /// The differences of fine metrics are so much smaller than those of the scale.
  private static let fineness = 32

  /// Returns the colour of a difference, R, G, B of 0...255.
  package static func color(_ difference: Double, isFine: Bool = false) -> [UInt8] {
    let difference = isFine ? difference * Double(fineness) : difference
    guard let next = scale.firstIndex(where: { $0.difference > difference }) else { return [255, 255, 255] }
    let (low, high) = (scale[next - 1], scale[next])
    let share = (difference - low.difference) / (high.difference - low.difference)
    return zip(low.color, high.color).map { UInt8(($0 + share * ($1 - $0)).rounded()) }
  }

  /// The words of the colours by steps: R, G, B and 255 from the lowest byte. Larger differences have the last.
  private static let words: [UInt32] = (0...Int(scale[scale.count - 1].difference) * DifferenceSums.steps).map {
    Drawing.word(color(Double($0) / Double(DifferenceSums.steps)))
  }

  /// The rows of the legend below the map.
  package static let legendRows = 24

  /// Returns the map as a PNG, with a legend below.
  package func png() throws(EncodeError) -> [UInt8] {
    let picture = Drawing(width: max(width, Self.legendWidth), height: height + Self.legendRows)
    let white = Drawing.word([255, 255, 255]), last = Self.words.count - 1
    let step = isFine ? DifferenceSums.fineUnit / (Self.fineness * DifferenceSums.steps) : 1
    for y in 0..<height {
      for x in 0..<width { picture[x, y] = Self.words[min(Int(most[y * width + x]) / step, last)] }
    }
    for (index, entry) in Self.scale.enumerated() {
      let left = index * Self.legendStep
      let word = Drawing.word(entry.color.map { UInt8($0) })
      for y in 0..<12 { for x in 0..<Self.legendStep - 2 { picture[left + x, height + 2 + y] = word } }
      let name = isFine ? Self.fineNames[index] : "\(Int(entry.difference))"
      Self.draw(name) { picture[left + 2 + $0, height + 16 + $1] = white }
    }
    return try picture.png()
  }

  private static let legendStep = 20
  private static let legendWidth = legendStep * scale.count

  /// The differences of the scale for fine metrics.
  private static let fineNames = ["0", ".03", ".06", ".13", ".25", ".5", "1"]

  /// The digits 0 to 9, and the point, in five rows of three pixels, from the top; the left pixel is the highest bit.
  private static let digits: [[Int]] = [
    [7, 5, 5, 5, 7], [2, 6, 2, 2, 7], [7, 1, 7, 4, 7], [7, 1, 7, 1, 7], [5, 5, 7, 1, 1], [7, 4, 7, 1, 7],
    [7, 4, 7, 5, 7], [7, 1, 1, 1, 1], [7, 5, 7, 5, 7], [7, 5, 7, 1, 7], [0, 0, 0, 0, 2],
  ]

  private static func draw(_ text: String, _ set: (_ x: Int, _ y: Int) -> Void) {
    for (index, character) in text.enumerated() {
      for (y, bits) in digits[character.wholeNumberValue ?? digits.count - 1].enumerated() {
        for x in 0..<3 where bits >> (2 - x) & 1 == 1 { set(4 * index + x, y) }
      }
    }
  }
}
