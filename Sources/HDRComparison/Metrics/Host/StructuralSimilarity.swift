import HDRCore

/// SSIM of PU21 luminance: Gaussian of 11 x 11 pixels, sigma 1.5, a range of 256, pixels nearer than 5 to the edges
/// left out. Source: Wang et al., "Image Quality Assessment", 2004; Mantiuk and Azimi, "PU21", 2021.
enum StructuralSimilarity {
  /// The least side of a picture: smaller ones have hardly a window.
  static let leastSide = 16
  static let reach = 5
  private static let range = 256.0

  /// A Gaussian of sigma 1.5 and radius 5.
  static let taps: SymmetricTaps<Double> = {
    let bell = (-reach...reach).map { ExactMath.exp(-Double($0 * $0) / 4.5) }, sum = bell.reduce(0, +)
    return SymmetricTaps(bell.map { $0 / sum })
  }()

  /// Returns the mean of all rows; `nil` without rows.
  static func mean(_ sums: RowSums) -> Double? {
    let total = sums.total
    return total.isEmpty ? nil : total[0] / total[1]
  }

  /// Returns the sum of each row, and its number of pixels.
  ///
  /// - Parameters:
  ///   - a: PU21 values, with `reach` rows above and below `own`.
  ///   - top: the row of the picture at row 0 of the planes.
  ///   - own: rows of the picture.
  static func sums(
    _ a: SamplePlane, _ b: SamplePlane, top: Int, own: Range<Int>, height: Int, _ threads: MetricThreads
  ) -> RowSums {
    let width = a.width, first = max(own.lowerBound, reach)
    let inner = first..<max(first, min(own.upperBound, height - reach))
    if width < 2 * reach + 1 || inner.isEmpty { return RowSums() }
    return threads.reduced(inner.count, RowSums()) { band, sums in
      let rows = band.lowerBound + inner.lowerBound..<band.upperBound + inner.lowerBound
      add(a, b, top: top, rows, height: height, &sums)
    } merge: {
      $0.merge($1)
    }
  }

  private static func add(
    _ a: SamplePlane, _ b: SamplePlane, top: Int, _ own: Range<Int>, height: Int, _ sums: inout RowSums
  ) {
    let width = a.width, all = own.widened(by: reach, height: height)
    func values(_ plane: SamplePlane) -> PlaneBand<Double> {
      PlaneBand(width: width, rows: all) { y, row in
        let values = plane.floats(row: y - top)
        for x in 0..<width { row[x] = Double(values[x]) }
      }
    }
    let planes = StructurePlanes(values(a), values(b)), inner = width - 2 * reach
    let c1 = 0.01 * range * (0.01 * range), c2 = 0.03 * range * (0.03 * range)
    var row = StructureRow(width: width), similar = [Double](repeating: 0, count: inner)
    for y in own {
      row.fill(planes, .clamp, row: y, height: height)
      row.read { m, n, q, p in
        let m = m + reach, n = n + reach, q = q + reach, p = p + reach
        similar.withUnsafeMutableBufferPointer { similar in
          for x in 0..<inner {
            let mm = m[x] * m[x], nn = n[x] * n[x], mn = m[x] * n[x]
            similar[x] = (2 * mn + c1) * (2 * (p[x] - mn) + c2) / ((mm + nn + c1) * ((q[x] - (mm + nn)) + c2))
          }
        }
      }
      sums.add(row: y, [rowLoops.sums(similar, count: inner).first, Double(inner)])
    }
  }
}
