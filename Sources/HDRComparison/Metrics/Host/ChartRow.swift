import HDRPlan

/// Colours of pixels of a row: linear sRGB that becomes CIELAB or Oklab, for all pixels together.
struct ChartRow {
  private var colors: ColorRow<Double>
  private var roots: [Double]
  private var guesses: [Float]
  private(set) var count = 0

  init(width: Int) {
    colors = ColorRow(width: width)
    roots = [Double](repeating: 0, count: width)
    guesses = [Float](repeating: 0, count: width)
  }

  mutating func removeAll() { count = 0 }

  /// Adds the linear sRGB of a pixel; there is room for a row of them.
  @inline(__always) mutating func append(_ r: Double, _ g: Double, _ b: Double) {
    let at = count
    colors.change { (p, q, s) in (p[at], q[at], s[at]) = (r, g, b) }
    count += 1
  }

  func color(_ index: Int) -> ChartColor {
    var color = ChartColor(0, 0, 0)
    colors.read { l, a, b in color = ChartColor(l[index], a[index], b[index]) }
    return color
  }

  /// Writes CIEDE2000 between these colours and others, all in CIELAB.
  func differences2000(_ other: ChartRow, to result: UnsafeMutablePointer<Double>) {
    read { p in other.read { q in rowLoops.differences2000(p, q, to: result, count: count) } }
  }

  /// Writes distances between these colours and others in their space.
  func distances(_ other: ChartRow, to result: UnsafeMutablePointer<Double>) {
    let count = count
    read { p in
      other.read { q in
        for i in 0..<count {
          let l = p.lightness[i] - q.lightness[i], s = p.a[i] - q.a[i], t = p.b[i] - q.b[i]
          result[i] = (l * l + s * s + t * t).squareRoot()
        }
      }
    }
  }

  private func read(_ body: (LabRow) -> Void) { colors.read { body(LabRow($0, $1, $2)) } }

  private static let xyz = [
    0.4123907993, 0.3575843394, 0.1804807884, 0.2126390059, 0.7151686788, 0.0721923154, 0.0193308187, 0.1191947798,
    0.9505321522,
  ]

  /// Turns linear sRGB to CIELAB. The white is that of the matrix (D65), without adaptation. Source: CIE 15.
  static func toLab(_ row: inout ChartRow) {
    let count = row.count
    row.colors.multiply(xyz, count: count)
    row.change { x, y, z, roots, guesses in
      for (plane, m) in [(x, 0), (y, 3), (z, 6)] {
        let white = xyz[m] + xyz[m + 1] + xyz[m + 2]
        for i in 0..<count {
          plane[i] /= white
          roots[i] = plane[i]
        }
        rowLoops.cubeRoots(roots, guesses, count: count)
        for i in 0..<count {
          let t = plane[i], root = roots[i], line = t * (841.0 / 108) + 4.0 / 29
          plane[i] = t > 216.0 / 24_389 ? root : line
        }
      }
      for i in 0..<count {
        let fx = x[i], fy = y[i], fz = z[i]
        x[i] = 116 * fy - 16
        y[i] = 500 * (fx - fy)
        z[i] = 200 * (fy - fz)
      }
    }
  }

  private static let cones = [
    0.4122214708, 0.5363325363, 0.0514459929, 0.2119034982, 0.6806995451, 0.1073969566, 0.0883024619, 0.2817188376,
    0.6299787005,
  ]
  private static let fromCones = [
    0.2104542553, 0.7936177850, -0.0040720468, 1.9779984951, -2.4285922050, 0.4505937099, 0.0259040371, 0.7827717662,
    -0.8086757660,
  ]

  /// Turns linear sRGB to Oklab. Source: B. Ottosson, "A perceptual color space for image processing", 2020.
  static func toOklab(_ row: inout ChartRow) {
    let count = row.count
    row.colors.multiply(cones, count: count)
    row.change { l, m, s, _, guesses in for plane in [l, m, s] { rowLoops.cubeRoots(plane, guesses, count: count) } }
    row.colors.multiply(fromCones, count: count)
  }

  private mutating func change(
    _ body: (
      UnsafeMutablePointer<Double>, UnsafeMutablePointer<Double>, UnsafeMutablePointer<Double>,
      _ roots: UnsafeMutablePointer<Double>, _ guesses: UnsafeMutablePointer<Float>
    ) -> Void
  ) {
    colors.change { p, q, s in
      roots.withUnsafeMutableBufferPointer { roots in
        guesses.withUnsafeMutableBufferPointer { guesses in
          body(p, q, s, roots.baseAddress!, guesses.baseAddress!)
        }
      }
    }
  }
}
