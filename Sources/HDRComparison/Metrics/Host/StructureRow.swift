/// Rows of two pictures, with what their local variances and covariance are made of.
struct StructurePlanes {
  let a, b: PlaneBand<Double>
  /// The sum of both squares, and the product.
  let squares, product: PlaneBand<Double>

  /// - Parameter b: has the rows of `a`.
  init(_ a: PlaneBand<Double>, _ b: PlaneBand<Double>) {
    (self.a, self.b) = (a, b)
    let width = a.width
    squares = PlaneBand(width: width, rows: a.rows) { y, row in
      a.withRow(y) { p in b.withRow(y) { q in for x in 0..<width { row[x] = p[x] * p[x] + q[x] * q[x] } } }
    }
    product = PlaneBand(width: width, rows: a.rows) { y, row in
      a.withRow(y) { p in b.withRow(y) { q in for x in 0..<width { row[x] = p[x] * q[x] } } }
    }
  }
}

/// A row of local means of two pictures, of the sum of their squares, and of their product: by a Gaussian of sigma 1.5.
struct StructureRow {
  private let width: Int
  private var means: [Double]
  private var padded: PaddedRow<Double>

  init(width: Int) {
    self.width = width
    means = [Double](repeating: 0, count: 4 * width)
    padded = PaddedRow(width: width, margin: StructuralSimilarity.reach)
  }

  /// Fills the row.
  ///
  /// - Parameter planes: have `StructuralSimilarity.reach` rows above and below, unless the picture ends there.
  mutating func fill(_ planes: StructurePlanes, _ edges: PlaneBand<Double>.Edges, row y: Int, height: Int) {
    let taps = StructuralSimilarity.taps
    means.withUnsafeMutableBufferPointer { means in
      for (index, plane) in [planes.a, planes.b, planes.squares, planes.product].enumerated() {
        padded.fill(edges) { plane.down(taps, edges, row: y, height: height, to: $0) }
        padded.across(taps, to: means.baseAddress! + index * width)
      }
    }
  }

  typealias Numbers = UnsafePointer<Double>

  func read(_ body: (_ meanA: Numbers, _ meanB: Numbers, _ squares: Numbers, _ product: Numbers) -> Void) {
    means.withUnsafeBufferPointer {
      let first = $0.baseAddress!
      body(first, first + width, first + 2 * width, first + 3 * width)
    }
  }
}
