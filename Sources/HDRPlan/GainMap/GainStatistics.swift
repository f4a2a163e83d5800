import HDRCore

/// Reductions over the gains of a map, which are finite: order and threads do not matter, because extremes are exact
/// and counts are integers.
public struct GainStatistics: Sendable, Hashable {
  /// Hundredths of a stop; gains lie within +-53.5 stops.
  static let bucketsPerStop = 100.0, buckets = 10_700

  /// `GainRange.gap`: ranges up to this many stops are kept whole; this many empty buckets are a gap.
  public static let plainStops = 8.0
  static let gapBuckets = 50

  /// Smallest and largest gain of each plane.
  public private(set) var low: [Float]
  public private(set) var high: [Float]
  /// Samples in each hundredth of a stop, for each plane; empty when not asked for.
  public private(set) var histogram: [[UInt32]]
  public private(set) var count = 0

  public init(planes: Int, countsBuckets: Bool) {
    low = Array(repeating: .greatestFiniteMagnitude, count: planes)
    high = Array(repeating: -.greatestFiniteMagnitude, count: planes)
    histogram = countsBuckets ? Array(repeating: Array(repeating: 0, count: Self.buckets), count: planes) : []
  }

  /// Takes in rows of the gains' planes (binary32).
  public mutating func add(_ gains: SampleImage, rows: Range<Int>) {
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
      // Of zeros of both signs either may have come first; what is kept is +0.
      low[index] = smallest.min() + 0
      high[index] = largest.max() + 0
    }
  }

  /// Counts samples, neighbours apart: each would wait for the store of the one before in the same bucket.
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

  /// Four times the buckets of gains.
  @inline(__always) private static func bucket(_ gains: SIMD8<Float>) -> SIMD8<UInt32> {
    typealias Lanes = SIMD8<Float>
    let zero = Lanes(repeating: 0), last = Lanes(repeating: Float(buckets - 1))
    let at = gains * Lanes(repeating: Float(bucketsPerStop)) + Lanes(repeating: Float(buckets / 2))
    let low = at.replacing(with: zero, where: at .< zero)
    // NaN, which is no gain, ends in the last bucket too.
    let inside = last.replacing(with: low, where: low .< last)
    // From 2^14 to 2^15 the last nine bits of a number are behind its point.
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

  public mutating func merge(_ other: GainStatistics) {
    count += other.count
    for index in low.indices {
      low[index] = Swift.min(low[index], other.low[index])
      high[index] = Swift.max(high[index], other.high[index])
    }
    for plane in histogram.indices {
      for bucket in 0..<Self.buckets { histogram[plane][bucket] &+= other.histogram[plane][bucket] }
    }
  }

  /// Whether `rule` needs counts that these statistics have not taken.
  public func lacksCounts(for rule: GainRange) -> Bool {
    guard histogram.isEmpty else { return false }
    switch rule {
    case .full: return false
    case .gap: return zip(low, high).contains { Double($1) - Double($0) > Self.plainStops }
    case .percentile: return true
    }
  }

  /// Range of gains that the codes of a plane are to reach. A range below a millionth of a stop is one value.
  public func range(_ rule: GainRange, plane: Int) -> (min: Double, max: Double) {
    var least = Double(low[plane]), most = Double(high[plane])
    guard count > 0, least <= most else { return (0, 0) }
    if !histogram.isEmpty {
      switch rule {
      case .full: break
      case .gap:
        if most - least <= Self.plainStops { break }
        // Across wide gaps only: a dense tail is kept, a speck is cut.
        let budget = UInt32(Double(count) * 0.0005)
        if let bucket = limit(plane, from: 0, step: 1, budget: budget, gap: Self.gapBuckets) {
          least = Swift.max(least, edge(bucket))
        }
        if let bucket = limit(plane, from: Self.buckets - 1, step: -1, budget: budget, gap: Self.gapBuckets) {
          most = Swift.min(most, edge(bucket + 1))
        }
      case .percentile(let percent):
        let budget = UInt32(Double(count) * percent / 100)
        if let bucket = limit(plane, from: 0, step: 1, budget: budget, gap: 0) {
          least = Swift.max(least, edge(bucket))
        }
        if let bucket = limit(plane, from: Self.buckets - 1, step: -1, budget: budget, gap: 0) {
          most = Swift.min(most, edge(bucket + 1))
        }
      }
    }
    return most - least < 1e-6 ? (least, least) : (least, most)
  }

  private func edge(_ bucket: Int) -> Double { Double(bucket - Self.buckets / 2) / Self.bucketsPerStop }

  /// The first bucket that is kept, walking inwards: at most `budget` samples are left behind, and the limit moves only
  /// across `gap` empty buckets or more.
  private func limit(_ plane: Int, from: Int, step: Int, budget: UInt32, gap: Int) -> Int? {
    let counts = histogram[plane]
    var seen: UInt32 = 0, kept: Int?, bucket = from, empty = 0
    while counts.indices.contains(bucket) {
      if counts[bucket] > 0 {
        if seen > budget { break }
        if kept == nil || empty >= gap { kept = bucket }
        seen += counts[bucket]
        empty = 0
      } else {
        empty += 1
      }
      bucket += step
    }
    return kept
  }
}

/// How bright a picture is: counts of the largest of R, G, B over the patterns of positive halves.
public struct LightStatistics: Sendable {
  /// Two for each pattern: neighbours of one colour would otherwise wait for each other's store.
  private var counts = [UInt32](repeating: 0, count: 2 * patterns)
  /// From 0 to infinity.
  private static let patterns = 0x7c01
  private var total = 0
  private var outside = 0

  public init() {}

  /// Share of the pixels with a component below -1/64: colours that a map in these primaries loses.
  public var outsideShare: Double { total > 0 ? Double(outside) / Double(total) : 0 }

  /// Takes in rows of interleaved R G B A halves, linear light; negative light and NaN count as 0.
  public mutating func add(_ image: SampleImage, rows: Range<Int>) {
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

  /// Of eight pixels the patterns of their largest components, and -1 where one has a component below -1/64: light so
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
    // The patterns of negative halves, as integers, fall as their magnitudes fall: those of -1/64 and of -infinity.
    let least = Lanes(repeating: Int16(bitPattern: 0xa400)), most = Lanes(repeating: Int16(bitPattern: 0xfc00))
    func isOutside(_ x: Lanes) -> SIMDMask<Lanes> { (x .> least) .& (x .<= most) }
    let outside = isOutside(r) .| isOutside(g) .| isOutside(b)
    return (
      bright.replacing(with: zero, where: bright .> infinity),
      zero.replacing(with: Lanes(repeating: -1), where: outside)
    )
  }

  public mutating func merge(_ other: LightStatistics) {
    total += other.total
    outside += other.outside
    for index in counts.indices { counts[index] &+= other.counts[index] }
  }

  /// The largest component.
  public var peak: Double {
    let pattern = (0..<Self.patterns).last { count($0) > 0 } ?? 0
    return Double(E32.float(half: UInt32(pattern)))
  }

  /// Share of the pixels whose largest component, a half, is this much or more.
  public func share(from bound: Double) -> Double {
    guard total > 0, bound < 65_504 else { return 0 }
    let first = Int(E32.half(Float(bound)))
    return Double((first..<Self.patterns).reduce(0) { $0 + count($1) }) / Double(total)
  }

  private func count(_ pattern: Int) -> Int { Int(counts[pattern]) + Int(counts[Self.patterns + pattern]) }

  /// MaxCLL and MaxFALL of the picture in cd/m²; `nil` for a black one. Source: CTA-861.3
  /// (docs/colour-formulas.md#light-level).
  public var lightLevel: ContentLightLevel? {
    var sum = 0.0, peak = 0.0
    for pattern in 0..<Self.patterns {
      let count = count(pattern)
      if count == 0 { continue }
      let light = Double(E32.float(half: UInt32(pattern))) * ReferenceWhite.nits
      sum += Double(count) * light
      peak = light
    }
    guard peak > 0, total > 0 else { return nil }
    return ContentLightLevel(
      maxCLL: Swift.min(peak.rounded(.up), 65_535), maxFALL: Swift.min((sum / Double(total)).rounded(), 65_535))
  }

  /// Headroom, at least 1: light that the given share of the pixels does not exceed.
  public func headroom(_ measure: HeadroomMeasure) -> Headroom {
    let percent: Double
    switch measure {
    case .maximum: percent = 100
    case .percentile(let value): percent = Swift.min(Swift.max(value, 0), 100)
    }
    let above = Int(Double(total) * (100 - percent) / 100)
    var seen = 0
    for pattern in (0..<Self.patterns).reversed() {
      let count = count(pattern)
      seen += count
      if count > 0 && seen > above {
        return Headroom(factor: Swift.max(1, Double(E32.float(half: UInt32(pattern)))))
      }
    }
    return .sdr
  }
}

extension GainMapMetadata {
  /// Metadata of a map that was made from two renditions, rounded to the fractions that a file holds; `nil` when
  /// a number has no such fraction. Quantise with the result's values, not with the arguments.
  public init?(
    _ statistics: GainStatistics, _ options: GainMapOptions, base: Headroom, alternate: Headroom,
    usesBaseColorSpace: Bool
  ) {
    let ranges = (0..<3).map { channel in
      var range = statistics.range(options.range, plane: Swift.min(channel, statistics.low.count - 1))
      // Below this gain the alternate rendition is negative whatever the base: colours outside its primaries, whose gains
      // run to -infinity near -offset and would make every code coarse.
      let offset = options.alternateOffset[channel], most = base.factor + options.baseOffset[channel]
      if options.range != .full, offset > 0, most > 0 {
        let floor = ExactMath.log2(offset / most)
        range = (Swift.max(range.min, floor), Swift.max(range.max, floor))
      }
      return range
    }
    let exact = GainMapMetadata(
      kind: .iso, baseHeadroom: base.stops, alternateHeadroom: alternate.stops, min: ranges.map(\.min),
      max: ranges.map(\.max), gamma: [options.gamma, options.gamma, options.gamma], baseOffset: options.baseOffset,
      alternateOffset: options.alternateOffset, isMultichannel: options.channels == 3,
      usesBaseColorSpace: usesBaseColorSpace)
    guard let rounded = exact.roundedToFractions else { return nil }
    self = rounded
  }

  /// The same with every number as a file holds it.
  public var roundedToFractions: GainMapMetadata? {
    ISO21496(self).map { GainMapMetadata($0, rawPayload: $0.serialized(for: .jpeg)) }
  }
}
