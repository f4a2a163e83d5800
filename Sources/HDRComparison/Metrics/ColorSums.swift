import HDRCore

/// Integer sums over I, Ct / 2, Cp of two pictures: the turn of highlights' hue, and steps in gradients.
struct ColorSums: Sendable, Hashable {
  private var cross: Int64 = 0, dot: Int64 = 0, bright = 0
  private var stepsA = 0, stepsB = 0, pairs = 0

  /// Highlights begin at this luminance: 203 cd/m².
  private static let highlight: Float = 1
  private static let unit: Float = 65_536

  /// Adds the hue of rows.
  ///
  /// - Parameter light: picture A, whose luminance decides what highlights are.
  mutating func addHue(_ a: SampleImage, _ b: SampleImage, light: SampleImage, rows: Range<Int>) {
    let weights = Primaries.bt2020.luminance.map { Float($0) }
    for y in rows {
      let r = light.channels[0].floats(row: y), g = light.channels[1].floats(row: y)
      let blue = light.channels[2].floats(row: y)
      let ta = a.channels[1].floats(row: y), pa = a.channels[2].floats(row: y)
      let tb = b.channels[1].floats(row: y), pb = b.channels[2].floats(row: y)
      for x in 0..<a.width
      where weights[0] * r[x] + weights[1] * g[x] + weights[2] * blue[x] >= Self.highlight {
        let t = Self.code(ta[x]), p = Self.code(pa[x]), u = Self.code(tb[x]), q = Self.code(pb[x])
        cross += t * q - u * p
        dot += t * u + p * q
        bright += 1
      }
    }
  }

  private static func code(_ x: Float) -> Int64 { Int64(x * unit + (x < 0 ? -0.5 : 0.5)) }

  /// Adds the steps between neighbours of rows.
  ///
  /// - Parameter rows: rows of the planes; those have at least 3 more above and 4 below, unless the picture ends there.
  mutating func addSteps(_ a: SampleImage, _ b: SampleImage, rows: Range<Int>) {
    stepsA += Self.steps(a.channels[0], rows, &pairs)
    var again = 0
    stepsB += Self.steps(b.channels[0], rows, &again)
  }

  /// Counts steps of I between each pixel of some rows and its right and lower neighbour. The four pixels on each side
  /// must lie in the plane.
  private static func steps(_ plane: SamplePlane, _ rows: Range<Int>, _ pairs: inout Int) -> Int {
    let width = plane.width, across = max(0, width - 7)
    var count = 0, row = BandingRow(width: width)
    for y in rows {
      count += row.steps(plane.floats(row: y), across)
      pairs += across
    }
    let first = max(rows.lowerBound, 3), inner = first..<max(first, min(rows.upperBound, plane.height - 4))
    var columns = BandingColumns(plane, inner)
    for y in inner {
      count += columns.steps(y)
      pairs += width
    }
    return count
  }

  mutating func merge(_ other: ColorSums) {
    cross += other.cross
    dot += other.dot
    bright += other.bright
    stepsA += other.stepsA
    stepsB += other.stepsB
    pairs += other.pairs
  }

  /// The turn from A to B in degrees; `nil` without colour in highlights.
  var hue: Double? {
    let x = Double(dot), y = Double(cross), unit = Double(Self.unit)
    guard bright > 0, (x * x + y * y).squareRoot() >= 1e-4 * unit * unit * Double(bright) else { return nil }
    let degrees = ExactMath.degrees(y: y, x: x)
    return degrees > 180 ? degrees - 360 : degrees
  }

  /// The steps per mille of pairs, B's less A's; `nil` for pictures with no pair.
  var banding: Double? { pairs == 0 ? nil : 1000 * Double(stepsB - stepsA) / Double(pairs) }
}
