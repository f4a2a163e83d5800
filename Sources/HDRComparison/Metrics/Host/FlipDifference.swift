import HDRCore

/// FLIP says what a person sees who flips between two pictures, 0...1 a pixel (docs/compare.md#flip). Of HDR the largest
/// of all exposures counts.
struct FlipDifference {
  let sums: DifferenceSums
  /// `nil` for an SDR rendition, which is compared as it is shown.
  let exposures: FlipExposures?

  /// - Parameter isSDR: true for a rendition of headroom 1.
  /// - Returns: `nil` if the reference is black, which has no exposure.
  init?(_ a: DisplayLight, _ b: DisplayLight, isSDR: Bool, _ threads: MetricThreads) {
    let factors: [Float]
    if isSDR {
      (exposures, factors) = (nil, [])
    } else {
      guard let found = FlipExposures(a, threads) else { return nil }
      (exposures, factors) = (found, found.factors)
    }
    let height = a.height, rows = a.width > 4096 ? DifferenceSums.tileSide * 2 : DifferenceSums.tileSide * 4
    sums = threads.reduced(height, DifferenceSums(unit: DifferenceSums.fineUnit)) { band, sums in
      for first in stride(from: band.lowerBound, to: band.upperBound, by: rows) {
        let own = first..<min(first + rows, band.upperBound)
        sums.add(Self.errors(a, b, factors, own, height: height))
      }
    } merge: {
      $0.merge($1)
    }
  }

  /// Returns the largest error of all exposures of each pixel.
  private static func errors(
    _ a: DisplayLight, _ b: DisplayLight, _ factors: [Float], _ own: Range<Int>, height: Int
  ) -> PlaneBand<Float> {
    var most = PlaneBand<Float>(width: a.width, rows: own) { _, _ in }
    for factor in factors.isEmpty ? [nil] : factors.map(Optional.some) {
      let p = FlipPicture(a, factor, own, height: height), q = FlipPicture(b, factor, own, height: height)
      for y in own { most.changeRow(y) { p.compare(q, row: y, most: $0) } }
    }
    return most
  }
}

/// Some rows of a picture at one exposure: colours that an eye resolves, and strengths of edges and points.
private struct FlipPicture {
  private let width: Int
  private let l, a, b, edges, points: PlaneBand<Float>

  /// - Parameter factor: the exposure; `nil`: light is cut to 0...1.
  init(_ light: DisplayLight, _ factor: Float?, _ own: Range<Int>, height: Int) {
    let all = own.widened(by: FlipFilters.reach, height: height)
    let empty = PlaneBand<Float>(width: light.width, rows: all) { _, _ in }
    var luminance = empty, redGreen = empty, blueYellow = empty
    for y in all {
      luminance.changeRow(y) { p in
        redGreen.changeRow(y) { q in blueYellow.changeRow(y) { r in Self.fill(light, y, factor, p, q, r) } }
      }
    }
    func filtered(_ plane: PlaneBand<Float>, _ x: [Float], _ y: [Float]) -> PlaneBand<Float> {
      plane.across(x, .clamp).down(y, .clamp, own: own, height: height)
    }
    typealias Filters = FlipFilters
    func strength(_ taps: [Float]) -> PlaneBand<Float> {
      filtered(luminance, taps, Filters.smooth).joined(filtered(luminance, Filters.smooth, taps)) {
        ($0 * $0 + $1 * $1).squareRoot()
      }
    }
    (edges, points) = (strength(Filters.edge), strength(Filters.point))
    var l = filtered(luminance, Filters.luminance, Filters.luminance)
    var a = filtered(redGreen, Filters.redGreen, Filters.redGreen)
    var b = filtered(blueYellow, Filters.blueYellow[0], Filters.blueYellow[0])
      .joined(filtered(blueYellow, Filters.blueYellow[1], Filters.blueYellow[1])) { $0 + $1 }
    for y in own {
      l.changeRow(y) { l in a.changeRow(y) { a in b.changeRow(y) { b in Self.see(l, a, b, count: light.width) } } }
    }
    (width, self.l, self.a, self.b) = (light.width, l, a, b)
  }

  /// Writes Y, X less Y and Y less Z, each over white: what is filtered, but for constant factors.
  private static func fill(
    _ light: DisplayLight, _ y: Int, _ factor: Float?, _ p: UnsafeMutablePointer<Float>,
    _ q: UnsafeMutablePointer<Float>, _ r: UnsafeMutablePointer<Float>
  ) {
    @inline(__always) func shown(_ v: Float) -> Float {
      if let factor { FlipExposures.toned(v * factor) } else { v < 1 ? v : 1 }
    }
    FlipColor.toRelative.withUnsafeBufferPointer { m in
      light.each(y) { x, red, green, blue in
        let (s, t, u) = FlipColor.multiply(m.baseAddress!, shown(red), shown(green), shown(blue))
        (p[x], q[x], r[x]) = (t, s - t, t - u)
      }
    }
  }

  /// Turns filtered values to L*, a*, b*.
  private static func see(
    _ l: UnsafeMutablePointer<Float>, _ a: UnsafeMutablePointer<Float>, _ b: UnsafeMutablePointer<Float>, count: Int
  ) {
    @inline(__always) func cut(_ v: Float) -> Float { v > 0 ? (v < 1 ? v : 1) : 0 }
    FlipColor.fromRelative.withUnsafeBufferPointer { back in
      FlipColor.toRelative.withUnsafeBufferPointer { forward in
        for x in 0..<count {
          let (red, green, blue) = FlipColor.multiply(back.baseAddress!, a[x] + l[x], l[x], l[x] - b[x])
          let (s, t, u) = FlipColor.multiply(forward.baseAddress!, cut(red), cut(green), cut(blue))
          (l[x], a[x], b[x]) = FlipColor.seen(s, t, u)
        }
      }
    }
  }

  /// Raises the largest errors of a row by those of this exposure.
  func compare(_ other: FlipPicture, row y: Int, most: UnsafeMutablePointer<Float>) {
    let largest = FlipColor.largest
    read(y) { l, a, b, edges, points in
      other.read(y) { l1, a1, b1, edges1, points1 in
        for x in 0..<width {
          let color = FlipColor.error(
            FlipColor.distance((l[x], a[x], b[x]), (l1[x], a1[x], b1[x])), largest: largest)
          let edge = abs(edges[x] - edges1[x]), point = abs(points[x] - points1[x])
          let feature = ((edge > point ? edge : point) * 0.70710678).squareRoot()
          let error = FlipColor.power(color, 1 - feature)
          most[x] = error > most[x] ? error : most[x]
        }
      }
    }
  }

  private func read(
    _ y: Int,
    _ body: (
      UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>
    ) -> Void
  ) {
    l.withRow(y) { l in
      a.withRow(y) { a in
        b.withRow(y) { b in edges.withRow(y) { e in points.withRow(y) { p in body(l, a, b, e, p) } } }
      }
    }
  }
}

extension PlaneBand {
  /// Returns the band with each sample joined with one of a band of the same rows.
  fileprivate func joined(_ other: PlaneBand, _ operation: (Sample, Sample) -> Sample) -> PlaneBand {
    PlaneBand(width: width, rows: rows) { y, result in
      withRow(y) { p in other.withRow(y) { q in for x in 0..<width { result[x] = operation(p[x], q[x]) } } }
    }
  }
}
