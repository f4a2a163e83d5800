import CPURender
import HDRCore
import HDRPlan
import HDRRecipe

/// Compares the light of two renditions of one size in bands of rows, so that memory beyond them does not grow.
///
/// Light is three planes of binary32: linear BT.2020, 1.0 = 203 cd/m². Plans make what is compared
/// (`ComparisonPlans`); its sums are integers, so that no number depends on threads, bands or the executor.
package struct LightComparison {
  /// The numbers that were asked for; those that cannot be told are missing.
  package private(set) var values: [Metric: MetricValue] = [:]
  /// The light of both in numbers.
  package let lightA: ComparedLight
  package let lightB: ComparedLight
  /// True if all light is the same.
  package let isSame: Bool
  /// The places of differences, if they were asked for.
  package private(set) var map: HeatMap?
  /// The parts where differences are largest, if they were asked for.
  package private(set) var crops: [WorstCrop] = []
  /// The differences of PQ signals, if they were asked for.
  package private(set) var difference: DifferencePicture?

  /// The pixels of a band, about: its planes take a few tens of MiB.
  static let bandPixels = 1 << 19

  /// - Parameters:
  ///   - metrics: those of renditions among them are computed.
  ///   - isSDR: true for renditions of headroom 1; metrics of SDR are of these alone.
  ///   - drawn: the metric of the map and the parts, which must be among the metrics.
  ///   - draws: true to make a heat map.
  ///   - crops: the number of parts that are drawn where differences are largest.
  ///   - drawsDifference: true to make a picture of the differences of `psnr-pq`, which must be among the metrics.
  ///   - deadline: asked between bands; once it has passed, numbers mean nothing.
  ///   - render: runs a plan on any executor.
  package init<E: Error>(
    _ a: SampleImage, _ b: SampleImage, _ metrics: Set<Metric>, isSDR: Bool = false,
    drawn: Metric = .deltaSeen, draws: Bool = false, crops: Int = 0, drawsDifference: Bool = false,
    pool: BandPool, deadline: Deadline = .none,
    bandPixels: Int = bandPixels, _ render: (Plan) throws(E) -> SampleImage
  ) throws(E) {
    precondition(a.width == b.width && a.height == b.height, "pictures of one size")
    let threads = MetricThreads(pool: pool, deadline: deadline)
    let peaks = threads.reduced(a.height, LightPeaks()) {
      $1.add(a, b, rows: $0)
    } merge: {
      $0.merge($1)
    }
    isSame = peaks.isSame
    (lightA, lightB) = peaks.lights
    var sums = Sums(peaks, metrics)
    sums.drawn = DrawnDifference(drawn, width: a.width, height: a.height, draws: draws, crops: crops > 0)
    if drawsDifference { sums.difference = DifferencePicture(width: a.width, height: a.height) }
    let side = DifferenceSums.tileSide, height = max(1, bandPixels / max(1, a.width) / side) * side
    for first in stride(from: 0, to: a.height, by: height) {
      let own = first..<min(first + height, a.height)
      let all = max(0, own.lowerBound - ComparisonPlans.reach)..<min(own.upperBound + ComparisonPlans.reach, a.height)
      try sums.add(a.rows(all), b.rows(all), top: all.lowerBound, own, height: a.height, threads, render)
    }
    values = sums.values(peaks)
    values.merge(HostMetrics.values(a, b, metrics, isSDR: isSDR, threads)) { $1 }
    let ofHost =
      draws || crops > 0 ? HostMetrics.differences(of: drawn, a, b, isSDR: isSDR, threads) : nil
    if let ofHost { sums.drawn?.add(ofHost, width: a.width, height: a.height, threads) }
    (map, difference) = (sums.drawn?.map, sums.difference)
    for part in sums.drawn?.tiles?.worst(crops, side: WorstCrop.side) ?? [] {
      let own = part.y..<part.y + part.height
      if let ofHost {
        let found = ofHost(own)
        self.crops.append(WorstCrop(part, isFine: drawn.isFine, a, b) { x, y in found.withRow(y) { $0[x] } })
      } else {
        let rows = own.widened(by: ComparisonPlans.reach, height: a.height)
        let found = try render(ComparisonPlans.plan(of: drawn, a.rows(rows), b.rows(rows))).channels[0]
        self.crops.append(
          WorstCrop(part, isFine: drawn.isFine, a, b) { x, y in found.floats(row: y - rows.lowerBound)[x] })
      }
    }
  }
}

extension ComparisonPlans {
  /// Returns the plan for a metric's differences of each pixel: `dE-ITP`, else `dE-seen`.
  fileprivate static func plan(of metric: Metric, _ a: SampleImage, _ b: SampleImage) -> Plan {
    metric == .deltaITP ? differences(a, b) : seenDifferences(a, b)
  }
}

/// The sums of all metrics.
private struct Sums {
  let metrics: Set<Metric>
  var differences = DifferenceSums(), seen = DifferenceSums()
  var signals = SignalError(), luminances = SignalError(), perceptual = SignalError()
  var light: LightSums
  var colors = ColorSums(), similarity = RowSums()
  var drawn: DrawnDifference?
  var difference: DifferencePicture?
  private var plans = BandPlans()

  init(_ peaks: LightPeaks, _ metrics: Set<Metric>) {
    self.metrics = metrics
    light = LightSums(peaks)
  }

  private func wants(_ any: Metric...) -> Bool { any.contains(where: metrics.contains) }

  /// Adds rows `own` of the picture.
  ///
  /// - Parameter top: the row of the picture at row 0 of `a` and `b`.
  mutating func add<E: Error>(
    _ a: SampleImage, _ b: SampleImage, top: Int, _ own: Range<Int>, height: Int, _ threads: MetricThreads,
    _ render: (Plan) throws(E) -> SampleImage
  ) throws(E) {
    let inner = own.lowerBound - top, count = own.count
    func rows(_ part: Range<Int>) -> Range<Int> { part.lowerBound + inner..<part.upperBound + inner }
    func sums(_ plane: SamplePlane, from first: Int) -> DifferenceSums {
      threads.reduced(count, DifferenceSums()) {
        $1.add(plane, rows: $0.lowerBound + first..<$0.upperBound + first, top: own.lowerBound - first)
      } merge: {
        $0.merge($1)
      }
    }
    if wants(.deltaSeen) {
      let plane = try render(plans.plan("seen", a, b, ComparisonPlans.seenDifferences)).channels[0]
      seen.merge(sums(plane, from: inner))
      if drawn?.metric == .deltaSeen { drawn?.add(plane, rows: rows(0..<count), top: top) }
    }
    if wants(.ssim), min(a.width, height) >= StructuralSimilarity.leastSide {
      let valuesA = try render(plans.plan("luminances", a, ComparisonPlans.luminances)).channels[1],
        valuesB = try render(plans.plan("luminances", b, ComparisonPlans.luminances)).channels[1]
      similarity.merge(StructuralSimilarity.sums(valuesA, valuesB, top: top, own: own, height: height, threads))
    }
    // The other plans have no neighbours.
    let part = rows(0..<count), ownA = a.rows(part), ownB = b.rows(part)
    if wants(.deltaITP) {
      let plane = try render(plans.plan("differences", ownA, ownB, ComparisonPlans.differences)).channels[0]
      differences.merge(sums(plane, from: 0))
      if drawn?.metric == .deltaITP { drawn?.add(plane, rows: 0..<count, top: own.lowerBound) }
    }
    if wants(.psnrPQ) {
      let codesA = try render(plans.plan("signals", ownA, ComparisonPlans.signals)),
        codesB = try render(plans.plan("signals", ownB, ComparisonPlans.signals))
      difference?.add(codesA, codesB, rows: 0..<count, top: own.lowerBound)
      signals.merge(
        threads.reduced(count, SignalError()) {
          $1.addCodes(codesA, codesB, rows: $0)
        } merge: {
          $0.merge($1)
        })
    }
    if wants(.psnrPQLuminance, .psnrPU) {
      let valuesA = try render(plans.plan("luminances", ownA, ComparisonPlans.luminances))
      let valuesB = try render(plans.plan("luminances", ownB, ComparisonPlans.luminances))
      func error(_ channel: Int, scale: Float) -> SignalError {
        threads.reduced(count, SignalError()) {
          $1.addValues(valuesA.channels[channel], valuesB.channels[channel], scale: scale, rows: $0)
        } merge: {
          $0.merge($1)
        }
      }
      luminances.merge(error(0, scale: 65_535))
      perceptual.merge(error(1, scale: PU21Codes.scale))
    }
    if wants(.bias, .lost) {
      light.merge(
        threads.reduced(count, light.empty) { [hasBias = wants(.bias), hasLost = wants(.lost)] in
          if hasBias { $1.addStops(ownA, ownB, rows: $0) }
          if hasLost { $1.addLost(ownA, ownB, rows: $0) }
        } merge: {
          $0.merge($1)
        })
    }
    if wants(.hue, .banding) {
      let colorA = try render(plans.plan("perceptual", a, ComparisonPlans.perceptual)),
        colorB = try render(plans.plan("perceptual", b, ComparisonPlans.perceptual))
      colors.merge(
        threads.reduced(count, ColorSums()) { [inner, hasHue = wants(.hue), hasSteps = wants(.banding)] band, sums in
          let rows = band.lowerBound + inner..<band.upperBound + inner
          if hasHue { sums.addHue(colorA, colorB, light: a, rows: rows) }
          if hasSteps { sums.addSteps(colorA, colorB, rows: rows) }
        } merge: {
          $0.merge($1)
        })
    }
  }

  func values(_ peaks: LightPeaks) -> [Metric: MetricValue] {
    let numbers: [Metric: Double?] = [
      .psnrPQ: signals.decibels(peak: 65_535), .psnrPQLuminance: luminances.decibels(peak: 65_535),
      .psnrPU: perceptual.decibels(peak: PU21.peak * Double(PU21Codes.scale)), .bias: light.bias, .peak: peaks.stops,
      .lost: light.lostShare, .hue: colors.hue, .banding: colors.banding, .ssim: StructuralSimilarity.mean(similarity),
    ]
    var result: [Metric: MetricValue] = [
      .deltaITP: .pixels(PixelNumbers(differences)), .deltaSeen: .pixels(PixelNumbers(seen)),
    ]
    for (metric, number) in numbers { result[metric] = number.map { .number($0) } }
    return result.filter { metrics.contains($0.key) }
  }
}

/// PU21 values as integers.
private enum PU21Codes {
  /// The codes of a value of 1: 596 of them fit 16 bits.
  static let scale: Float = 64
}

extension LightSums {
  /// Sums of no rows with the same ceiling.
  fileprivate var empty: LightSums {
    var sums = self
    sums.clear()
    return sums
  }
}

extension SignalError {
  /// Adds R, G, B codes of 16 bits, four a pixel: the fourth, of alpha, is the same in both.
  fileprivate mutating func addCodes(_ a: SampleImage, _ b: SampleImage, rows: Range<Int>) {
    var differences = [UInt32](repeating: 0, count: 4 * a.width)
    for y in rows {
      let p = a.channels[0].codes(row: y), q = b.channels[0].codes(row: y)
      differences.withUnsafeMutableBufferPointer {
        for i in $0.indices { $0[i] = UInt32(p[i] > q[i] ? p[i] &- q[i] : q[i] &- p[i]) }
      }
      add(squares: MetricLanes.squares(differences), count: 3 * a.width)
    }
  }

  /// Adds values of at least 0, rounded to integers of 16 bits.
  fileprivate mutating func addValues(_ a: SamplePlane, _ b: SamplePlane, scale: Float, rows: Range<Int>) {
    var differences = [UInt32](repeating: 0, count: a.width)
    for y in rows {
      let p = a.floats(row: y), q = b.floats(row: y)
      @inline(__always) func code(_ x: Float) -> Int32 { Int32(bitPattern: MetricLanes.integer(x * scale + 0.5)) }
      differences.withUnsafeMutableBufferPointer {
        for x in $0.indices {
          let d = code(p[x]) &- code(q[x])
          $0[x] = UInt32(bitPattern: d < 0 ? 0 &- d : d)
        }
      }
      add(squares: MetricLanes.squares(differences), count: a.width)
    }
  }
}
