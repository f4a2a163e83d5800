import HDRCore
import Kernels

/// Reductions over the gains of a map, which are finite. Extremes are exact and counts are integers, so order and
/// threads do not matter.
package struct GainStatistics: Sendable, Hashable {
  /// Hundredths of a stop; gains lie within +-53.5 stops.
  static let bucketsPerStop = 100.0, buckets = 10_700

  /// Smallest and largest gain of each plane.
  package private(set) var low: [Float]
  package private(set) var high: [Float]
  /// The samples in each hundredth of a stop, for each plane; empty if not asked for.
  package private(set) var histogram: [[UInt32]]
  package private(set) var count = 0

  package init(planes: Int, countsBuckets: Bool) {
    low = Array(repeating: .greatestFiniteMagnitude, count: planes)
    high = Array(repeating: -.greatestFiniteMagnitude, count: planes)
    histogram = countsBuckets ? Array(repeating: Array(repeating: 0, count: Self.buckets), count: planes) : []
  }

  /// Takes the smallest and the largest gain of each plane, and the samples of a plane, without counts of buckets.
  package init(low: [Float], high: [Float], count: Int) {
    (self.low, self.high, self.count) = (low, high, count)
    histogram = []
  }

  /// Adds rows of the gains' planes (binary32).
  package mutating func add(_ gains: SampleImage, rows: Range<Int>) {
    count += rows.count * gains.width
    var tallies = histogram.isEmpty ? [] : [UInt32](repeating: 0, count: 4 * Self.buckets)
    for (index, plane) in gains.channels.prefix(low.count).enumerated() {
      var smallest = SIMD8(repeating: low[index]), largest = SIMD8(repeating: high[index])
      for y in rows {
        let row = (plane.buffer.base + plane.offset + y * plane.rowBytes).assumingMemoryBound(to: Float.self)
        let whole = plane.width & ~7
        for x in stride(from: 0, to: whole, by: 8) {
          let eight = UnsafeRawPointer(row + x).loadUnaligned(as: SIMD8<Float>.self)
          smallest.replace(with: eight, where: eight .< smallest)
          largest.replace(with: eight, where: eight .> largest)
        }
        for x in whole..<plane.width {
          smallest[0] = row[x] < smallest[0] ? row[x] : smallest[0]
          largest[0] = row[x] > largest[0] ? row[x] : largest[0]
        }
        if !tallies.isEmpty { Self.count(row, plane.width, &tallies) }
      }
      if !tallies.isEmpty { Self.fold(&tallies, into: &histogram[index]) }
      // The first of zeros of both signs is arbitrary; +0 is kept.
      low[index] = smallest.min() + 0
      high[index] = largest.max() + 0
    }
  }

  /// Counts samples, neighbours in separate tallies: in one bucket each would wait for the store before it.
  private static func count(_ row: UnsafePointer<Float>, _ width: Int, _ tallies: inout [UInt32]) {
    tallies.withUnsafeMutableBufferPointer { tallies in
      guard let counts = tallies.baseAddress else { return }
      let whole = width & ~7
      for x in stride(from: 0, to: whole, by: 8) {
        let at = bucket(UnsafeRawPointer(row + x).loadUnaligned(as: SIMD8<Float>.self))
        for lane in 0..<8 { counts[Int(at[lane]) &+ (lane & 3)] &+= 1 }
      }
      for x in whole..<width { counts[Int(bucket(SIMD8(repeating: row[x]))[0])] &+= 1 }
    }
  }

  /// Returns four times the buckets of gains.
  @inline(__always) private static func bucket(_ gains: SIMD8<Float>) -> SIMD8<UInt32> {
    typealias Lanes = SIMD8<Float>
    let zero = Lanes(repeating: 0), last = Lanes(repeating: Float(buckets - 1))
    let at = gains * Lanes(repeating: Float(bucketsPerStop)) + Lanes(repeating: Float(buckets / 2))
    let low = at.replacing(with: zero, where: at .< zero)
    // NaN, which is not a gain, also goes to the last bucket.
    let inside = last.replacing(with: low, where: low .< last)
    // From 2^14 to 2^15 the last nine bits of a number are after its binary point.
    let bits = unsafeBitCast(inside + Lanes(repeating: 16_384), to: SIMD8<UInt32>.self)
    return (bits &>> 7) & SIMD8(repeating: 0xfffc)
  }

  private static func fold(_ tallies: inout [UInt32], into histogram: inout [UInt32]) {
    for bucket in 0..<buckets {
      for lane in 0..<4 {
        histogram[bucket] &+= tallies[4 &* bucket &+ lane]
        tallies[4 &* bucket &+ lane] = 0
      }
    }
  }

  package mutating func merge(_ other: GainStatistics) {
    count += other.count
    for index in low.indices {
      low[index] = Swift.min(low[index], other.low[index])
      high[index] = Swift.max(high[index], other.high[index])
    }
    for plane in histogram.indices {
      for bucket in 0..<Self.buckets { histogram[plane][bucket] &+= other.histogram[plane][bucket] }
    }
  }

  /// Returns true if `rule` needs counts that these statistics did not take.
  package func lacksCounts(for rule: GainRange, _ limits: GainLimits) -> Bool {
    guard histogram.isEmpty else { return false }
    switch rule {
    case .full: return false
    case .robust: return bounded(limits).contains { $0.width > limits.widest }
    case .percentile: return true
    }
  }

  /// Returns the gains that the codes of each plane must cover. A range below a millionth of a stop is one value.
  package func ranges(_ rule: GainRange, _ limits: GainLimits) -> [ClosedRange<Double>] {
    let ranges: [ClosedRange<Double>]
    switch rule {
    case .full: ranges = whole
    case .percentile(let percent):
      ranges = low.indices.map { trimmed($0, share: percent / 100).clamped(to: limits.possible[$0]) }
    case .robust:
      let possible = bounded(limits)
      let isWide = possible.contains { $0.width > limits.widest }
      // All planes or none: a grey gain with the same code in each of them compresses best.
      ranges = isWide ? possible.indices.map { robust($0, possible[$0], limits) } : possible
    }
    return ranges.map { $0.width < 1e-6 ? $0.lowerBound...$0.lowerBound : $0 }
  }

  /// The ranges from the smallest to the largest gain of each plane.
  private var whole: [ClosedRange<Double>] {
    zip(low, high).map { low, high in count > 0 && low <= high ? Double(low)...Double(high) : 0...0 }
  }

  private func bounded(_ limits: GainLimits) -> [ClosedRange<Double>] {
    zip(whole, limits.possible).map { $0.clamped(to: $1) }
  }

  /// Returns the range of a plane without at most this share of the samples at either end; all of it without counts.
  private func trimmed(_ plane: Int, share: Double) -> ClosedRange<Double> {
    let range = whole[plane]
    guard !histogram.isEmpty else { return range }
    let counts = histogram[plane], budget = Int(Double(count) * share)
    func isKept(_ seen: inout Int, _ bucket: Int) -> Bool {
      seen += Int(counts[bucket])
      return seen > budget
    }
    var below = 0, above = 0
    let first = counts.indices.first { isKept(&below, $0) } ?? 0
    let last = counts.indices.reversed().first { isKept(&above, $0) } ?? first
    return range.clamped(to: Self.edge(first)...Swift.max(Self.edge(first), Self.edge(last + 1)))
  }

  /// Returns `GainRange.robust` of a plane whose range is `possible`.
  private func robust(_ plane: Int, _ possible: ClosedRange<Double>, _ limits: GainLimits) -> ClosedRange<Double> {
    let trimmed = possible.clamped(to: trimmed(plane, share: GainLimits.outlierShare))
    // Gains from 0 to the headroom are the map's purpose: none of them is an outlier.
    let own = possible.clamped(to: 0...limits.headroom)
    let kept = Swift.min(trimmed.lowerBound, own.lowerBound)...Swift.max(trimmed.upperBound, own.upperBound)
    guard kept.width > limits.widest, !histogram.isEmpty else { return kept }
    // Both ends share the part of the range beyond the headroom, placed where it includes the most samples.
    let counts = histogram[plane], width = Int(limits.widest * Self.bucketsPerStop)
    let zero = Self.buckets / 2, spare = Int(limits.spare * Self.bucketsPerStop)
    var best = (start: zero, samples: -1)
    for start in zero - spare...zero {
      let samples = counts[start..<Swift.min(start + width, Self.buckets)].reduce(0) { $0 + Int($1) }
      if samples > best.samples { best = (start, samples) }
    }
    // Samples beyond the possible gains are lost in any case.
    let ours = counts[Self.bucket(possible.lowerBound)...Self.bucket(possible.upperBound)].reduce(0) { $0 + Int($1) }
    guard Double(ours - best.samples) <= Double(count) * GainLimits.largestLoss else { return kept }
    return kept.clamped(to: Self.edge(best.start)...Self.edge(best.start + width))
  }

  private static func bucket(_ gain: Double) -> Int {
    Int(Swift.min(Swift.max(gain * bucketsPerStop + Double(buckets / 2), 0), Double(buckets - 1)))
  }

  /// Returns the gain at the lower end of a bucket.
  private static func edge(_ bucket: Int) -> Double { Double(bucket - buckets / 2) / bucketsPerStop }
}

/// The limits of gains between two renditions (docs/gain-map-maths.md#computing), in stops.
package struct GainLimits: Sendable, Hashable {
  /// The share of samples at either end that may be outliers, and the largest share that may be cut off.
  static let outlierShare = 0.0005, largestLoss = 0.01

  package let base: Headroom
  package let alternate: Headroom
  /// The gains of each channel for which the alternate rendition can be positive.
  let possible: [ClosedRange<Double>]
  /// The stops beyond the headroom that a range may cover before it is cut.
  let spare: Double

  /// - Parameter isToneMapped: one rendition was made from the other by a tone operator, whose gains are smooth: gains
  ///   more than a stop outside of 0...headroom come from a few colours. Renditions that were made apart may differ by
  ///   as much as the offsets allow.
  package init(_ options: GainMapOptions, base: Headroom, alternate: Headroom, isToneMapped: Bool) {
    (self.base, self.alternate) = (base, alternate)
    // Beyond these, the alternate rendition is negative for every base: colours outside its primaries, whose gains run
    // to infinity near -offset and would make every code coarse.
    possible = (0..<3).map { channel in
      let offset = options.alternateOffset[channel], most = base.factor + options.baseOffset[channel]
      guard offset > 0, most > 0 else { return -.infinity ... .infinity }
      let limit = ExactMath.log2(offset / most)
      return base.stops <= alternate.stops ? limit ... .infinity : -.infinity ... -limit
    }
    let darkest = options.alternateOffset.min() ?? 0
    spare = isToneMapped ? 1 : darkest > 0 ? Swift.max(1, -ExactMath.log2(darkest)) : .infinity
  }

  /// The stops between the headrooms of both renditions.
  var headroom: Double { abs(alternate.stops - base.stops) }
  var widest: Double { headroom + spare }
}

extension ClosedRange<Double> {
  fileprivate var width: Double { upperBound - lowerBound }
}

/// Statistics of a picture's brightness: counts of the largest of R, G, B over the bit patterns of positive halves.
package struct LightStatistics: Sendable, Equatable {
  /// Two counts for each pattern: neighbours of one colour would otherwise wait for each other's store.
  private var counts = [UInt32](repeating: 0, count: 2 * patterns)
  /// The number of patterns from 0 to infinity.
  private static let patterns = 0x7c01
  private var total = 0
  private var outside = 0

  package init() {}

  /// The figures that a file holds.
  package var figures: LightFigures {
    var largest = 0, sum: UInt64 = 0
    for pattern in 0..<Self.patterns {
      let count = count(pattern)
      if count == 0 { continue }
      largest = pattern
      let (light, isTooLarge) = LightFigures.units(pattern).multipliedReportingOverflow(by: UInt64(count))
      let (more, exceeds) = sum.addingReportingOverflow(light)
      sum = isTooLarge || exceeds ? .max : more
    }
    return LightFigures(total: total, outside: outside, largest: largest, sum: sum)
  }

  /// Adds rows of interleaved R G B A halves, linear light; negative light and NaN count as 0.
  package mutating func add(_ image: SampleImage, rows: Range<Int>) {
    total += rows.count * image.width
    let plane = image.channels[0]
    counts.withUnsafeMutableBufferPointer { counts in
      let even = counts.baseAddress!, odd = even + Self.patterns
      for y in rows {
        let row = UnsafeRawPointer(plane.buffer.base + plane.offset + y * plane.rowBytes)
        let whole = image.width & ~7
        for x in stride(from: 0, to: whole, by: 8) {
          let (largest, isOutside) = Self.eight((row + x * 8).loadUnaligned(as: SIMD32<Int16>.self))
          for pair in stride(from: 0, to: 8, by: 2) {
            even[Int(largest[pair])] &+= 1
            odd[Int(largest[pair + 1])] &+= 1
          }
          outside &-= Int(isOutside.wrappedSum())
        }
        for x in whole..<image.width {
          var one = SIMD32<Int16>(repeating: 0)
          for channel in 0..<3 { one[channel] = (row + x * 8 + channel * 2).loadUnaligned(as: Int16.self) }
          let (largest, isOutside) = Self.eight(one)
          even[Int(largest[0])] &+= 1
          outside &-= Int(isOutside[0])
        }
      }
    }
  }

  /// Returns the patterns of eight pixels' largest components, and -1 for pixels with a component below -1/64: light so
  /// far outside the primaries that no offset makes its gain finite.
  @inline(__always) private static func eight(_ pixels: SIMD32<Int16>) -> (SIMD8<Int16>, SIMD8<Int16>) {
    typealias Lanes = SIMD8<Int16>
    let redBlue = pixels.evenHalf, greenAlpha = pixels.oddHalf
    let r = redBlue.evenHalf, b = redBlue.oddHalf, g = greenAlpha.evenHalf
    // Positive halves are ordered as their patterns; negative ones are negative as integers too. NaN lies above all.
    let zero = Lanes(repeating: 0), infinity = Lanes(repeating: 0x7c00)
    let redGreen = r.replacing(with: g, where: g .> r)
    let all = redGreen.replacing(with: b, where: b .> redGreen)
    let bright = all.replacing(with: zero, where: all .< zero)
    // The patterns of negative halves, as integers, fall as their magnitudes fall: here those of -1/64 and -infinity.
    let least = Lanes(repeating: Int16(bitPattern: 0xa400)), most = Lanes(repeating: Int16(bitPattern: 0xfc00))
    func isOutside(_ x: Lanes) -> SIMDMask<Lanes> { (x .> least) .& (x .<= most) }
    let outside = isOutside(r) .| isOutside(g) .| isOutside(b)
    return (
      bright.replacing(with: zero, where: bright .> infinity),
      zero.replacing(with: Lanes(repeating: -1), where: outside)
    )
  }

  package mutating func merge(_ other: LightStatistics) {
    total += other.total
    outside += other.outside
    for index in counts.indices { counts[index] &+= other.counts[index] }
  }

  /// Returns the share of the pixels whose largest component, a half, is at least this.
  package func share(from bound: Double) -> Double {
    guard total > 0, bound < 65_504 else { return 0 }
    let first = Int(E32.half(Float(bound)))
    return Double((first..<Self.patterns).reduce(0) { $0 + count($1) }) / Double(total)
  }

  private func count(_ pattern: Int) -> Int { Int(counts[pattern]) + Int(counts[Self.patterns + pattern]) }

  /// Returns the headroom, at least 1: light that the given share of the pixels does not exceed.
  package func headroom(_ measure: HeadroomMeasure) -> Headroom { figures.headroom(measure) { pattern(above: $0) } }

  /// Returns the half that is the largest but so many of the pixels' largest components.
  package func pattern(above: Int) -> Int {
    var seen = 0
    return (0..<Self.patterns).last { pattern in
      seen += count(pattern)
      return seen > above
    } ?? 0
  }
}

extension GainMapMetadata {
  /// Makes the metadata of a map of two renditions, rounded to the fractions that a file holds; `nil` if a number has
  /// no such fraction. Quantise with the result's values, not with the arguments.
  package init?(
    _ statistics: GainStatistics, _ options: GainMapOptions, _ limits: GainLimits, usesBaseColorSpace: Bool
  ) {
    let planes = statistics.ranges(options.range, limits)
    let ranges = (0..<3).map { planes[Swift.min($0, planes.count - 1)] }
    let exact = GainMapMetadata(
      kind: .iso, baseHeadroom: limits.base.stops, alternateHeadroom: limits.alternate.stops,
      min: ranges.map(\.lowerBound), max: ranges.map(\.upperBound),
      gamma: [options.gamma, options.gamma, options.gamma], baseOffset: options.baseOffset,
      alternateOffset: options.alternateOffset, isMultichannel: options.channels == 3,
      usesBaseColorSpace: usesBaseColorSpace)
    guard let rounded = exact.roundedToFractions else { return nil }
    self = rounded
  }

  /// The metadata with every number rounded to the fraction that a file holds.
  package var roundedToFractions: GainMapMetadata? {
    ISO21496(self).map { GainMapMetadata($0, rawPayload: $0.serialized(for: .jpeg)) }
  }
}
