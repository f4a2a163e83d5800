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
    var seenA = FlipRow(width: a.width), seenB = FlipRow(width: a.width), errors = FlipErrors(width: a.width)
    for factor in factors.isEmpty ? [nil] : factors.map(Optional.some) {
      let p = FlipPicture(a, factor, own, height: height), q = FlipPicture(b, factor, own, height: height)
      for y in own {
        seenA.see(p, row: y, height: height)
        seenB.see(q, row: y, height: height)
        most.changeRow(y) { errors.raise($0, seenA, seenB) }
      }
    }
    return most
  }
}

/// The errors of a row.
private struct FlipErrors {
  private let width: Int
  private var errors: [Float], exponents: [Float], logs: [Float]
  private let distanceExponents: [Float]

  init(width: Int) {
    self.width = width
    errors = [Float](repeating: 0, count: width)
    (exponents, logs) = (errors, errors)
    distanceExponents = [Float](repeating: FlipColor.exponent, count: width)
  }

  /// Raises the largest errors of the row by those of two pictures.
  mutating func raise(_ most: UnsafeMutablePointer<Float>, _ a: FlipRow, _ b: FlipRow) {
    let largest = FlipColor.largest, width = width, distanceExponents = distanceExponents
    errors.withUnsafeMutableBufferPointer { errors in
      exponents.withUnsafeMutableBufferPointer { exponents in
        logs.withUnsafeMutableBufferPointer { logs in
          let errors = errors.baseAddress!, exponents = exponents.baseAddress!, logs = logs.baseAddress!
          a.read { a0, l0, b0, edges0, points0 in
            b.read { a1, l1, b1, edges1, points1 in
              for x in 0..<width { errors[x] = FlipColor.distance(l0[x] - l1[x], a0[x] - a1[x], b0[x] - b1[x]) }
              for x in 0..<width {
                let edge = abs(edges0[x] - edges1[x]), point = abs(points0[x] - points1[x])
                exponents[x] = 1 - ((edge > point ? edge : point) * 0.70710678).squareRoot()
              }
            }
          }
          rowLoops.raise(errors, to: distanceExponents, logs, count: width)
          for x in 0..<width { errors[x] = FlipColor.error(errors[x], largest: largest) }
          rowLoops.raise(errors, to: exponents, logs, count: width)
          for x in 0..<width { most[x] = errors[x] > most[x] ? errors[x] : most[x] }
        }
      }
    }
  }
}

/// Some rows of a picture at one exposure: Y, X less Y and Y less Z, each over white.
private struct FlipPicture {
  let luminance, redGreen, blueYellow: PlaneBand<Float>

  /// - Parameter factor: the exposure; `nil`: light is cut to 0...1.
  init(_ light: DisplayLight, _ factor: Float?, _ own: Range<Int>, height: Int) {
    let all = own.widened(by: FlipFilters.reach, height: height), width = light.width
    let empty = PlaneBand<Float>(width: width, rows: all) { _, _ in }
    var luminance = empty, redGreen = empty, blueYellow = empty
    var row = ColorRow<Float>(width: width)
    for y in all {
      light.fill(y, &row)
      Self.show(&row, factor)
      row.change { p, q, r in
        luminance.changeRow(y) { $0.update(from: p, count: width) }
        redGreen.changeRow(y) { $0.update(from: q, count: width) }
        blueYellow.changeRow(y) { $0.update(from: r, count: width) }
      }
    }
    (self.luminance, self.redGreen, self.blueYellow) = (luminance, redGreen, blueYellow)
  }

  /// Turns light to what is filtered, but for constant factors.
  private static func show(_ row: inout ColorRow<Float>, _ factor: Float?) {
    let width = row.width
    row.change { r, g, b in
      for plane in [r, g, b] {
        if let factor {
          rowLoops.toneOfFlip(plane, factor: factor, count: width)
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
}

/// A row of a picture as an eye sees it: colours that it resolves, and strengths of edges and points.
private struct FlipRow {
  /// a*, L*, b*.
  private var colors: ColorRow<Float>
  private var edges: [Float], points: [Float], memory: [Float]
  private var padded: PaddedRow<Float>

  init(width: Int) {
    colors = ColorRow(width: width)
    edges = [Float](repeating: 0, count: width)
    (points, memory) = (edges, edges)
    padded = PaddedRow(width: width, margin: FlipFilters.reach)
  }

  typealias Filters = FlipFilters

  /// Fills the row.
  ///
  /// - Parameter picture: has the rows above and below that filters reach.
  mutating func see(_ picture: FlipPicture, row y: Int, height: Int) {
    func down(_ plane: PlaneBand<Float>, _ taps: SymmetricTaps<Float>, _ padded: inout PaddedRow<Float>) {
      padded.fill(.clamp) { plane.down(taps, .clamp, row: y, height: height, to: $0) }
    }
    func filtered(
      _ plane: PlaneBand<Float>, _ taps: SymmetricTaps<Float>, _ padded: inout PaddedRow<Float>,
      to result: UnsafeMutablePointer<Float>
    ) {
      down(plane, taps, &padded)
      padded.across(taps, to: result)
    }
    let width = colors.width
    memory.withUnsafeMutableBufferPointer { memory in
      let memory = memory.baseAddress!
      colors.change { a, l, b in
        filtered(picture.luminance, Filters.luminance, &padded, to: l)
        filtered(picture.redGreen, Filters.redGreen, &padded, to: a)
        filtered(picture.blueYellow, Filters.blueYellow[0], &padded, to: b)
        filtered(picture.blueYellow, Filters.blueYellow[1], &padded, to: memory)
        for x in 0..<width { b[x] += memory[x] }
      }
      down(picture.luminance, Filters.smooth, &padded)
      edges.withUnsafeMutableBufferPointer { padded.across(Filters.edge, to: $0.baseAddress!) }
      points.withUnsafeMutableBufferPointer { padded.across(Filters.point, to: $0.baseAddress!) }
      down(picture.luminance, Filters.edge, &padded)
      padded.across(Filters.smooth, to: memory)
      Self.join(&edges, memory)
      down(picture.luminance, Filters.point, &padded)
      padded.across(Filters.smooth, to: memory)
      Self.join(&points, memory)
      Self.turn(&colors, memory)
    }
  }

  /// Replaces strengths along rows by those in any direction.
  private static func join(_ strengths: inout [Float], _ down: UnsafeMutablePointer<Float>) {
    strengths.withUnsafeMutableBufferPointer { across in
      for x in across.indices { across[x] = (across[x] * across[x] + down[x] * down[x]).squareRoot() }
    }
  }

  /// Turns filtered values to a*, L*, b*.
  private static func turn(_ colors: inout ColorRow<Float>, _ logs: UnsafeMutablePointer<Float>) {
    let width = colors.width
    colors.change { a, l, b in
      for i in 0..<width {
        a[i] += l[i]
        b[i] = l[i] - b[i]
      }
    }
    colors.multiply(FlipColor.fromRelative)
    colors.change { x, y, z in
      for plane in [x, y, z] {
        for i in 0..<width { plane[i] = plane[i] > 0 ? (plane[i] < 1 ? plane[i] : 1) : 0 }
      }
    }
    colors.multiply(FlipColor.toRelative)
    FlipColor.see(&colors, logs)
  }

  typealias Numbers = UnsafePointer<Float>

  func read(_ body: (_ a: Numbers, _ l: Numbers, _ b: Numbers, _ edges: Numbers, _ points: Numbers) -> Void) {
    colors.read { a, l, b in
      edges.withUnsafeBufferPointer { edges in
        points.withUnsafeBufferPointer { points in body(a, l, b, edges.baseAddress!, points.baseAddress!) }
      }
    }
  }
}
