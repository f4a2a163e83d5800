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
    guard let exposures = Self.exposures(a, isSDR: isSDR, threads) else { return nil }
    self.exposures = exposures
    let factors = exposures?.factors ?? [], height = a.height
    let rows = a.width > 4096 ? DifferenceSums.tileSide * 2 : DifferenceSums.tileSide * 4
    sums = threads.reduced(height, DifferenceSums(unit: DifferenceSums.fineUnit)) { band, sums in
      for first in stride(from: band.lowerBound, to: band.upperBound, by: rows) {
        let own = first..<min(first + rows, band.upperBound)
        sums.add(Self.errors(a, b, factors, own, height: height))
      }
    } merge: {
      $0.merge($1)
    }
  }

  /// Returns what gives the errors of each pixel; `nil` if the reference is black.
  static func differences(
    _ a: DisplayLight, _ b: DisplayLight, isSDR: Bool, _ threads: MetricThreads
  ) -> RowDifferences? {
    exposures(a, isSDR: isSDR, threads).map { found in
      let factors = found?.factors ?? []
      return { errors(a, b, factors, $0, height: a.height) }
    }
  }

  /// Returns the exposures: none of an SDR rendition; `nil` if the reference is black.
  private static func exposures(_ a: DisplayLight, isSDR: Bool, _ threads: MetricThreads) -> FlipExposures?? {
    isSDR ? .some(nil) : FlipExposures(a, threads).map(Optional.some)
  }

  /// Returns the largest error of all exposures of each pixel.
  private static func errors(
    _ a: DisplayLight, _ b: DisplayLight, _ factors: [Float], _ own: Range<Int>, height: Int
  ) -> PlaneBand<Float> {
    var most = PlaneBand<Float>(width: a.width, rows: own) { _, _ in }
    var memory = FlipRow(width: a.width)
    for factor in factors.isEmpty ? [nil] : factors.map(Optional.some) {
      let p = FlipPicture(a, factor, own, height: height), q = FlipPicture(b, factor, own, height: height)
      for y in own { most.changeRow(y) { p.compare(q, row: y, most: $0, &memory) } }
    }
    return most
  }
}

/// Memory for the numbers of a row.
private struct FlipRow {
  private var errors: [Float], exponents: [Float], logs: [Float]

  init(width: Int) {
    errors = [Float](repeating: 0, count: width)
    (exponents, logs) = (errors, errors)
  }

  typealias Numbers = UnsafeMutablePointer<Float>

  @inline(__always) mutating func use(_ body: (_ errors: Numbers, _ exponents: Numbers, _ logs: Numbers) -> Void) {
    errors.withUnsafeMutableBufferPointer { errors in
      exponents.withUnsafeMutableBufferPointer { exponents in
        logs.withUnsafeMutableBufferPointer { logs in
          body(errors.baseAddress!, exponents.baseAddress!, logs.baseAddress!)
        }
      }
    }
  }
}

/// Some rows of a picture at one exposure: colours that an eye resolves, and strengths of edges and points.
private struct FlipPicture {
  private let width: Int
  private let l, a, b, edges, points: PlaneBand<Float>

  /// - Parameter factor: the exposure; `nil`: light is cut to 0...1.
  init(_ light: DisplayLight, _ factor: Float?, _ own: Range<Int>, height: Int) {
    let all = own.widened(by: FlipFilters.reach, height: height), width = light.width
    let empty = PlaneBand<Float>(width: width, rows: all) { _, _ in }
    var luminance = empty, redGreen = empty, blueYellow = empty
    var row = ColorRow<Float>(width: width), logs = [Float](repeating: 0, count: width)
    for y in all {
      light.fill(y, &row)
      Self.show(&row, factor)
      row.change { p, q, r in
        luminance.changeRow(y) { $0.update(from: p, count: width) }
        redGreen.changeRow(y) { $0.update(from: q, count: width) }
        blueYellow.changeRow(y) { $0.update(from: r, count: width) }
      }
    }
    func down(_ plane: PlaneBand<Float>, _ taps: [Float]) -> PlaneBand<Float> {
      plane.down(taps, .clamp, own: own, height: height)
    }
    typealias Filters = FlipFilters
    let smooth = luminance.across(Filters.smooth, .clamp)
    func strength(_ taps: [Float]) -> PlaneBand<Float> {
      down(luminance.across(taps, .clamp), Filters.smooth).joined(down(smooth, taps)) {
        ($0 * $0 + $1 * $1).squareRoot()
      }
    }
    (edges, points) = (strength(Filters.edge), strength(Filters.point))
    func filtered(_ plane: PlaneBand<Float>, _ taps: [Float]) -> PlaneBand<Float> {
      down(plane.across(taps, .clamp), taps)
    }
    var l = filtered(luminance, Filters.luminance), a = filtered(redGreen, Filters.redGreen)
    var b = filtered(blueYellow, Filters.blueYellow[0]).joined(filtered(blueYellow, Filters.blueYellow[1])) { $0 + $1 }
    for y in own {
      l.changeRow(y) { l in
        a.changeRow(y) { a in
          b.changeRow(y) { b in Self.see(l, a, b, &row, &logs) }
        }
      }
    }
    (self.width, self.l, self.a, self.b) = (width, l, a, b)
  }

  /// Turns light to Y, X less Y and Y less Z, each over white: what is filtered, but for constant factors.
  private static func show(_ row: inout ColorRow<Float>, _ factor: Float?) {
    let width = row.width
    row.change { r, g, b in
      for plane in [r, g, b] {
        if let factor {
          for x in 0..<width { plane[x] = FlipExposures.toned(plane[x] * factor) }
        } else {
          for x in 0..<width { plane[x] = plane[x] < 1 ? plane[x] : 1 }
        }
      }
    }
    row.multiply(FlipColor.toRelative)
    row.change { p, q, r in
      for i in 0..<width {
        let x = p[i], y = q[i], z = r[i]
        p[i] = y
        q[i] = x - y
        r[i] = y - z
      }
    }
  }

  /// Turns filtered values to L*, a*, b*.
  private static func see(
    _ l: UnsafeMutablePointer<Float>, _ a: UnsafeMutablePointer<Float>, _ b: UnsafeMutablePointer<Float>,
    _ row: inout ColorRow<Float>, _ logs: inout [Float]
  ) {
    let width = row.width
    row.change { x, y, z in
      for i in 0..<width { x[i] = a[i] + l[i] }
      y.update(from: l, count: width)
      for i in 0..<width { z[i] = l[i] - b[i] }
    }
    row.multiply(FlipColor.fromRelative)
    row.change { x, y, z in
      for plane in [x, y, z] {
        for i in 0..<width { plane[i] = plane[i] > 0 ? (plane[i] < 1 ? plane[i] : 1) : 0 }
      }
    }
    row.multiply(FlipColor.toRelative)
    logs.withUnsafeMutableBufferPointer { FlipColor.see(&row, $0.baseAddress!) }
    row.change { x, y, z in
      a.update(from: x, count: width)
      l.update(from: y, count: width)
      b.update(from: z, count: width)
    }
  }

  /// Raises the largest errors of a row by those of this exposure.
  func compare(_ other: FlipPicture, row y: Int, most: UnsafeMutablePointer<Float>, _ memory: inout FlipRow) {
    let largest = FlipColor.largest
    memory.use { errors, exponents, logs in
      read(y) { l, a, b, edges, points in
        other.read(y) { l1, a1, b1, edges1, points1 in
          for x in 0..<width { errors[x] = FlipColor.distance(l[x] - l1[x], a[x] - a1[x], b[x] - b1[x]) }
          MetricLanes.raise(errors, logs, count: width) { _ in FlipColor.exponent }
          for x in 0..<width { errors[x] = FlipColor.error(errors[x], largest: largest) }
          for x in 0..<width {
            let edge = abs(edges[x] - edges1[x]), point = abs(points[x] - points1[x])
            exponents[x] = 1 - ((edge > point ? edge : point) * 0.70710678).squareRoot()
          }
          MetricLanes.raise(errors, logs, count: width) { exponents[$0] }
          for x in 0..<width { most[x] = errors[x] > most[x] ? errors[x] : most[x] }
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
  @inline(__always) fileprivate func joined(_ other: PlaneBand, _ operation: (Sample, Sample) -> Sample) -> PlaneBand {
    PlaneBand(width: width, rows: rows) { y, result in
      withRow(y) { p in other.withRow(y) { q in for x in 0..<width { result[x] = operation(p[x], q[x]) } } }
    }
  }
}
