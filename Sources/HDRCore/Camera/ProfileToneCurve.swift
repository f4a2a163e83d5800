/// A tone curve of a camera profile: a cubic spline through points whose second derivative is 0 at both ends.
///
/// Source: DNG 1.7.1, ProfileToneCurve; applied to RGB as the DNG SDK's reference does.
package struct ProfileToneCurve: Sendable, Hashable {
  package struct Point: Sendable, Hashable {
    package var x: Double
    package var y: Double
    package init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
  }

  package let points: [Point]
  /// The slopes of the spline at each point.
  package let slopes: [Double]

  package static let maxPoints = 8192

  /// Returns `nil` unless there are 2 to `maxPoints` finite points with increasing x.
  package init?(_ points: [Point]) {
    guard (2...Self.maxPoints).contains(points.count), points.allSatisfy({ $0.x.isFinite && $0.y.isFinite }),
      zip(points, points.dropFirst()).allSatisfy({ $0.x < $1.x })
    else { return nil }
    self.points = points
    slopes = Self.slopes(points)
  }

  /// Solves for the slopes by elimination of a tridiagonal system.
  private static func slopes(_ points: [Point]) -> [Double] {
    let count = points.count
    let widths = (0..<count - 1).map { points[$0 + 1].x - points[$0].x }
    let rises = (0..<count - 1).map { (points[$0 + 1].y - points[$0].y) / widths[$0] }
    var diagonal = [2.0], upper = [1.0], right = [3 * rises[0]]
    for index in 1..<count {
      let isLast = index == count - 1
      let lower = isLast ? 1 : widths[index]
      let middle = isLast ? 2 : 2 * (widths[index - 1] + widths[index])
      let value =
        isLast ? 3 * rises[index - 1] : 3 * (widths[index] * rises[index - 1] + widths[index - 1] * rises[index])
      let factor = lower / diagonal[index - 1]
      diagonal.append(middle - factor * upper[index - 1])
      upper.append(isLast ? 0 : widths[index - 1])
      right.append(value - factor * right[index - 1])
    }
    var slopes = [Double](repeating: 0, count: count)
    for index in stride(from: count - 1, through: 0, by: -1) {
      let next = index + 1 < count ? upper[index] * slopes[index + 1] : 0
      slopes[index] = (right[index] - next) / diagonal[index]
    }
    return slopes
  }

  /// Returns the curve's value. Outside its points it is constant; with `isExtended` the last slope continues.
  package func value(_ x: Double, isExtended: Bool = false) -> Double {
    let first = points[0], last = points[points.count - 1]
    if x <= first.x { return first.y }
    if x >= last.x { return isExtended ? last.y + (x - last.x) * slopes[slopes.count - 1] : last.y }
    var low = 0, high = points.count - 1
    while high - low > 1 {
      let middle = (low + high) / 2
      if points[middle].x <= x { low = middle } else { high = middle }
    }
    let a = points[low], b = points[high], width = b.x - a.x
    let t = (x - a.x) / width, u = 1 - t
    return ((2 - u + t) * u * a.y + (slopes[low] * width * t * u)) * u
      + ((2 - t + u) * t * b.y - (slopes[high] * width * t * u)) * t
  }

  /// Applies the curve to the largest and smallest of R, G, B; the middle one keeps its share of their distance.
  package func apply(_ rgb: [Double], isExtended: Bool = false) -> [Double] {
    let order = [0, 1, 2].sorted { rgb[$0] < rgb[$1] }
    let (low, middle, high) = (rgb[order[0]], rgb[order[1]], rgb[order[2]])
    var result = rgb
    let bottom = value(low, isExtended: isExtended), top = value(high, isExtended: isExtended)
    result[order[0]] = bottom
    result[order[2]] = top
    result[order[1]] = high > low ? bottom + (top - bottom) * ((middle - low) / (high - low)) : top
    return result
  }

  /// Applies the curve of a profile with values above 1, between `Overrange.encode` and its inverse.
  package func applyOverrange(_ rgb: [Double]) -> [Double] {
    apply(rgb.map(Overrange.encode), isExtended: true).map(Overrange.decode)
  }
}
