import HDRCore
import HDRPlan

/// The light of a picture in numbers.
package struct ComparedLight: Sendable, Hashable {
  /// The largest component of all pixels in cd/m².
  package var peak: Double
  /// The mean of each pixel's largest component in cd/m².
  package var average: Double
  /// The share of pixels with a component below -0.5 or above 10 000 cd/m², which perceptual metrics cut.
  package var outside: Double
}

/// The largest components of two pictures: what a second look at them starts from.
struct LightPeaks: Sendable, Hashable {
  /// Those of a picture: the largest, the sum in `unit`ths, pixels outside of what perceptual metrics see.
  private struct Side: Sendable, Hashable {
    var most: Float = 0, sum: UInt64 = 0, outside = 0

    static let unit = 1024.0

    mutating func add(_ image: SampleImage, _ y: Int) {
      let low = Float(-0.5 / ReferenceWhite.nits), high = Float(10_000 / ReferenceWhite.nits)
      let planes = image.channels.map { $0.floats(row: y) }
      let row = rowLoops.light(planes[0], planes[1], planes[2], low: low, high: high, count: image.width)
      merge(Side(most: row.most, sum: row.sum, outside: row.outside))
    }

    mutating func merge(_ other: Side) {
      most = max(most, other.most)
      sum += other.sum
      outside += other.outside
    }

    func light(_ pixels: Int) -> ComparedLight {
      let count = Double(max(1, pixels))
      return ComparedLight(
        peak: Double(most) * ReferenceWhite.nits, average: Double(sum) / Self.unit / count * ReferenceWhite.nits,
        outside: Double(outside) / count)
    }
  }

  private var sideA = Side(), sideB = Side(), pixels = 0
  /// True if all components are equal.
  private(set) var isSame = true

  init() {}

  /// Makes those of two pictures of which no more is known.
  init(a: Float, b: Float) { (sideA.most, sideB.most) = (a, b) }

  var a: Float { sideA.most }
  var b: Float { sideB.most }
  var lights: (a: ComparedLight, b: ComparedLight) { (sideA.light(pixels), sideB.light(pixels)) }

  mutating func add(_ a: SampleImage, _ b: SampleImage, rows: Range<Int>) {
    for y in rows {
      sideA.add(a, y)
      sideB.add(b, y)
      for (p, q) in zip(a.channels, b.channels) where isSame {
        isSame = Self.areSame(p.floats(row: y), q.floats(row: y), count: a.width)
      }
    }
    pixels += a.width * rows.count
  }

  private static func areSame(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, count: Int) -> Bool {
    (0..<count).allSatisfy { a[$0] == b[$0] }
  }

  mutating func merge(_ other: LightPeaks) {
    sideA.merge(other.sideA)
    sideB.merge(other.sideB)
    pixels += other.pixels
    isSame = isSame && other.isSame
  }

  /// The ratio of the peaks, B over A, in stops; `nil` for a black A unless both are equal.
  var stops: Double? {
    if a == b { return 0 }
    guard Double(a) * ReferenceWhite.nits >= 1 else { return nil }
    return b > 0 ? ExactMath.log2(Double(b) / Double(a)) : -.infinity
  }
}

/// Returns the largest of three.
@inline(__always) func largest(_ r: Float, _ g: Float, _ b: Float) -> Float {
  let rg = r > g ? r : g
  return rg > b ? rg : b
}

/// Integer sums over the light of two pictures: brightness, and light that was cut.
struct LightSums: Sendable, Hashable {
  /// The sum of log2 of luminances, B over A, in `unit`ths of a stop.
  private(set) var stops: Int64 = 0
  private(set) var lost = 0
  private var count = 0, lostCount = 0
  private let ceiling: Float

  private static let unit: Float = 1_048_576

  /// - Parameter peaks: those of the whole pictures.
  init(_ peaks: LightPeaks) { ceiling = peaks.b * 0.995 }

  /// Adds the brightness of rows.
  mutating func addStops(_ a: SampleImage, _ b: SampleImage, rows: Range<Int>) {
    var steps = [Float](repeating: 0, count: a.width), stopsA = steps, stopsB = steps
    for y in rows {
      Self.fill(&stopsA, a, y)
      Self.fill(&stopsB, b, y)
      steps.withUnsafeMutableBufferPointer { steps in
        for x in steps.indices {
          let d = stopsB[x] - stopsA[x]
          let magnitude = MetricLanes.truncated((d < 0 ? -d : d) * Self.unit + 0.5)
          steps[x] = d < 0 ? -magnitude : magnitude
        }
      }
      stops += MetricLanes.sum(steps)
    }
    count += a.width * rows.count
  }

  /// Writes log2 of the luminances of a row.
  private static func fill(_ stops: inout [Float], _ light: SampleImage, _ y: Int) {
    let weights = Primaries.bt2020.luminance.map { Float($0) }
    let floor = Float(0.1 / ReferenceWhite.nits), high = Float(10_000 / ReferenceWhite.nits)
    let wr = weights[0], wg = weights[1], wb = weights[2]
    @inline(__always) func inside(_ x: Float) -> Float {
      let low: Float = x > 0 ? x : 0
      return low < high ? low : high
    }
    let r = light.channels[0].floats(row: y), g = light.channels[1].floats(row: y)
    let b = light.channels[2].floats(row: y)
    stops.withUnsafeMutableBufferPointer { stops in
      for x in stops.indices {
        let y = wr * inside(r[x]) + wg * inside(g[x]) + wb * inside(b[x])
        stops[x] = y > floor ? y : floor
      }
      if let first = stops.baseAddress { rowLoops.log2(first, count: stops.count) }
    }
  }

  /// Adds the light of rows that was cut.
  mutating func addLost(_ a: SampleImage, _ b: SampleImage, rows: Range<Int>) {
    let ceiling = ceiling
    for y in rows {
      let ar = a.channels[0].floats(row: y), ag = a.channels[1].floats(row: y), ab = a.channels[2].floats(row: y)
      let br = b.channels[0].floats(row: y), bg = b.channels[1].floats(row: y), bb = b.channels[2].floats(row: y)
      var count: UInt32 = 0
      for x in 0..<a.width {
        let most = largest(ar[x], ag[x], ab[x]), other = largest(br[x], bg[x], bb[x])
        count = count &+ (most > 1 && other >= ceiling && most > 1.02 * other ? 1 : 0)
      }
      lost += Int(count)
    }
    lostCount += a.width * rows.count
  }

  /// Forgets the rows.
  mutating func clear() { (stops, lost, count, lostCount) = (0, 0, 0, 0) }

  mutating func merge(_ other: LightSums) {
    stops += other.stops
    lost += other.lost
    count += other.count
    lostCount += other.lostCount
  }

  /// The mean in stops; + is a brighter B.
  var bias: Double { Double(stops) / (Double(Self.unit) * Double(max(1, count))) }
  /// The share of pixels above 203 cd/m² that lie below A's at B's ceiling.
  var lostShare: Double { Double(lost) / Double(max(1, lostCount)) }
}
