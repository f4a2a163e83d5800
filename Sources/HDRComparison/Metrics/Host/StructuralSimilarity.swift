import HDRCore

/// SSIM of PU21 luminance: Gaussian of 11 x 11 pixels, sigma 1.5, a range of 256, pixels nearer than 5 to the edges
/// left out. Source: Wang et al., "Image Quality Assessment", 2004; Mantiuk and Azimi, "PU21", 2021.
enum StructuralSimilarity {
  /// The least side of a picture: smaller ones have hardly a window.
  static let leastSide = 16
  static let reach = 5
  private static let range = 256.0

  /// A Gaussian of sigma 1.5 and radius 5.
  static let taps: [Double] = {
    let bell = (-reach...reach).map { ExactMath.exp(-Double($0 * $0) / 4.5) }, sum = bell.reduce(0, +)
    return bell.map { $0 / sum }
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
    func smooth(_ value: (UnsafePointer<Float>, UnsafePointer<Float>, Int) -> Double) -> PlaneBand<Double> {
      PlaneBand<Double>(width: width, rows: all) { y, row in
        let p = a.floats(row: y - top), q = b.floats(row: y - top)
        for x in 0..<width { row[x] = value(p, q, x) }
      }.across(taps, .clamp).down(taps, .clamp, own: own, height: height)
    }
    let meanA = smooth { a, _, x in Double(a[x]) }, meanB = smooth { _, b, x in Double(b[x]) }
    let squareA = smooth { a, _, x in Double(a[x]) * Double(a[x]) }
    let squareB = smooth { _, b, x in Double(b[x]) * Double(b[x]) }
    let product = smooth { a, b, x in Double(a[x]) * Double(b[x]) }
    let c1 = 0.01 * range * (0.01 * range), c2 = 0.03 * range * (0.03 * range)
    for y in own {
      var sum = 0.0
      meanA.withRow(y) { m in
        meanB.withRow(y) { n in
          squareA.withRow(y) { s in
            squareB.withRow(y) { t in
              product.withRow(y) { p in
                for x in reach..<width - reach {
                  let mm = m[x] * m[x], nn = n[x] * n[x], mn = m[x] * n[x]
                  sum += (2 * mn + c1) * (2 * (p[x] - mn) + c2) / ((mm + nn + c1) * ((s[x] - mm) + (t[x] - nn) + c2))
                }
              }
            }
          }
        }
      }
      sums.add(row: y, [sum, Double(width - 2 * reach)])
    }
  }
}
