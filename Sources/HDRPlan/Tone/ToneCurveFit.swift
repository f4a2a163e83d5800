import HDRCore

/// A gain curve of ST 2094-50 that leads from an HDR rendition to another one of the same picture, of less headroom
/// (docs/tone-formulas.md#fitted-curves).
///
/// Light counts by its largest component: x of the HDR rendition, y of the other one. Logarithms are integers, in 1/4096
/// stop, so that medians and pools of them are the same on every machine.
package struct ToneCurveFit: Sendable {
  /// The units of a stop.
  static let unit = 4096
  static let bins = 96
  /// Darker light says nothing: x up to 2^-7, y up to 2^-9.
  private static let darkest = (x: -7 * unit, y: -9 * unit)
  /// The first bin begins at 2^-5.
  private static let firstBin = -5 * unit
  private static let leastPixels = 16
  /// The most control points that are placed, and the error in stops below which no more are.
  private static let mostPoints = 16
  private static let goodEnough = 0.01

  /// Pixels around one x: the median of x, of the gain, and their number.
  package struct Group: Hashable {
    package var x: Int
    package var gain: Int
    package var count: Int

    package init(x: Int, gain: Int, count: Int) { (self.x, self.gain, self.count) = (x, gain, count) }
  }

  /// The curve in the integers of its payload.
  package let coded: CodedToneCurve
  /// The share of the pixels where the other rendition is brighter by more than 1/20 stop, which no curve can say.
  package let brighterShare: Double

  /// Fits a curve.
  ///
  /// - Parameters:
  ///   - peak: the headroom of the HDR rendition in units.
  ///   - headroom: that of the other one, in stops.
  /// - Returns: `nil` if too few pixels are bright enough.
  package init?(_ hdr: ReducedLight, _ other: ReducedLight, peak: Int, headroom: Double) {
    guard hdr.count == other.count else { return nil }
    let pixels = Self.pixels(hdr, other)
    var groups = Self.groups(pixels, peak: peak)
    guard groups.count > 1 else { return nil }
    brighterShare = Double(pixels.count { 20 * $0.gain > Self.unit }) / Double(pixels.count)
    Self.pool(&groups)
    for index in groups.indices { groups[index].gain = min(groups[index].gain, 0) }
    if let last = groups.last, last.x < peak {
      groups.append(Group(x: peak, gain: min(last.gain + last.x - peak, 0), count: 0))
    }
    guard let points = Self.points(groups, Self.smoothed(groups.map(\.gain))) else { return nil }
    coded = CodedToneCurve(
      headroom: Int((headroom * 10_000).rounded()), x: points.x, reduction: points.reduction)
  }

  /// Returns log2 in units, of light above 0.
  static func log(_ light: Double) -> Int { Int((ExactMath.log2(light) * Double(unit)).rounded()) }

  /// Returns the headroom of a rendition in units: the light that 99.99 % of its pixels do not exceed, 0 to 6 stops.
  package static func peak(_ hdr: ReducedLight) -> Int {
    let light = (0..<hdr.count).map(hdr.largest).sorted()
    let rank = max(1, (light.count * 9999 + 9999) / 10_000)
    guard !light.isEmpty, light[rank - 1] > 1 else { return 0 }
    return min(log(light[rank - 1]), 6 * unit)
  }

  // MARK: Steps

  private static func pixels(_ hdr: ReducedLight, _ other: ReducedLight) -> [(x: Int, gain: Int)] {
    (0..<hdr.count).compactMap { index in
      let x = hdr.largest(index), y = other.largest(index)
      guard x > 0, y > 0 else { return nil }
      let logs = (x: log(x), y: log(y))
      return logs.x > darkest.x && logs.y > darkest.y ? (logs.x, logs.y - logs.x) : nil
    }
  }

  /// Groups pixels by equal steps of log2 x; groups of few pixels are left out.
  private static func groups(_ pixels: [(x: Int, gain: Int)], peak: Int) -> [Group] {
    let span = peak - firstBin
    var members = [[(x: Int, gain: Int)]](repeating: [], count: bins)
    for pixel in pixels where pixel.x >= firstBin && pixel.x <= peak {
      members[min((pixel.x - firstBin) * bins / span, bins - 1)].append(pixel)
    }
    return members.filter { $0.count >= leastPixels }.map { list in
      Group(x: median(list.map(\.x)), gain: median(list.map(\.gain)), count: list.count)
    }
  }

  private static func median(_ list: [Int]) -> Int { list.sorted()[(list.count - 1) / 2] }

  /// Makes the output, gain + x, rise everywhere: groups that fall are pooled with those before them, by weights of
  /// the square root of their pixels (pool adjacent violators). All sums stay below 2^58.
  package static func pool(_ groups: inout [Group]) {
    var pools: [(sum: Int, weight: Int, groups: Int)] = []
    for group in groups {
      let weight = max(1, Int((Double(group.count) * 256).squareRoot()))
      pools.append(((group.gain + group.x) * weight, weight, 1))
      // The mean of the last pool is compared with that of the one before, as fractions.
      while pools.count > 1 {
        let last = pools[pools.count - 1], before = pools[pools.count - 2]
        guard last.sum * before.weight < before.sum * last.weight else { break }
        pools.removeLast()
        pools[pools.count - 1] = (before.sum + last.sum, before.weight + last.weight, before.groups + last.groups)
      }
    }
    var index = 0
    for pool in pools {
      let output = Int((Double(pool.sum) / Double(pool.weight)).rounded())
      for _ in 0..<pool.groups {
        groups[index].gain = output - groups[index].x
        index += 1
      }
    }
  }

  /// Returns gains in 1/16 units, smoothed by (1, 2, 1)/4 twice; the ends stay.
  package static func smoothed(_ gains: [Int]) -> [Int] {
    var result = gains.map { 16 * $0 }
    for _ in 0..<2 {
      let old = result
      for index in result.indices.dropFirst().dropLast() {
        // The first time all terms are multiples of 16, the second time of 4.
        result[index] = (old[index - 1] + 2 * old[index] + old[index + 1]) >> 2
      }
    }
    return result
  }

  /// Places control points: both ends, then the group with the largest error, by the fourth root of its pixels, until
  /// none has much.
  private static func points(_ groups: [Group], _ gains: [Int]) -> (x: [Int], reduction: [Int])? {
    let candidates = zip(groups, gains).map { group, gain in
      (
        x: Int((ExactMath.exp2(Double(group.x) / Double(unit)) * 1000).rounded()),
        reduction: Int((-Double(gain) / Double(16 * unit) * 10_000).rounded()), count: group.count
      )
    }
    guard let first = candidates.first, let last = candidates.last, first.x < last.x else { return nil }
    let most = Double(candidates.map(\.count).max() ?? 1)
    var chosen = [first, last]
    while chosen.count < mostPoints {
      let curve = CodedToneCurve(headroom: 0, x: chosen.map(\.x), reduction: chosen.map(\.reduction)).curve
      var worst = (error: goodEnough, index: Int?.none)
      for (index, candidate) in candidates.enumerated() where !chosen.contains(where: { $0.x == candidate.x }) {
        let error = abs(curve.evaluate(Double(candidate.x) / 1000) + Double(candidate.reduction) / 10_000)
        let weighted = error * (Double(candidate.count) / most).squareRoot().squareRoot()
        if weighted >= worst.error { worst = (weighted.nextUp, index) }
      }
      guard let index = worst.index else { break }
      chosen.append(candidates[index])
      chosen.sort { $0.x < $1.x }
    }
    return (chosen.map(\.x), chosen.map { min(max($0.reduction, 0), 60_000) })
  }
}
