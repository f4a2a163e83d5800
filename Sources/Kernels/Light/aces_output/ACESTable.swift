import HDRCore
import Synchronization

/// The table of an output transform of ACES 2.0 or of its inverse: numbers, curves, cells over hue, and rows of functions.
///
/// Places are in words; all are multiples of 4. GLSL has the same ones.
package enum ACESTable {
  /// Tables are kept for the next picture: one takes a tenth of a second.
  private static let known = Mutex<[Key: [UInt32]]>([:])

  /// Outputs that differ only in the display's encoding have the same table.
  private struct Key: Hashable {
    var peak: Double
    var limit: Primaries
    var isInverse: Bool
  }

  package static func words(_ output: ACESOutput, isInverse: Bool = false) -> [UInt32] {
    let key = Key(peak: output.peak, limit: output.limit, isInverse: isInverse)
    if let words = known.withLock({ $0[key] }) { return words }
    let words = words(ACESTransform(output), isInverse)
    known.withLock { tables in
      // More than the releases have: those of files come and go.
      if tables.count >= 64 { tables.removeAll() }
      tables[key] = words
    }
    return words
  }

  /// True if all numbers of both tables are finite, which those of odd primaries may not be.
  package static func isFinite(_ output: ACESOutput) -> Bool {
    [false, true].allSatisfy { words(output, isInverse: $0).allSatisfy { Float(bitPattern: $0).isFinite } }
  }

  /// The words of each row of segments over A: value at the start and two coefficients of eight functions.
  static let rowWords = 24
  /// The words of a cell over hue: breaks, then values there and slopes before and after, of twice four functions.
  static let cellWords = 28
  /// Cells in a quarter of the circle.
  static let quarter = 512

  private static func words(_ transform: ACESTransform, _ isInverse: Bool) -> [UInt32] {
    let cone = CurveTable(octaves: -30..<13, k: 5, ACESAppearance.compressed)
    let light = CurveTable(octaves: -20..<0, k: 6, ACESAppearance.expanded)
    let achromatic = CurveTable(octaves: -17..<10, k: 5, ACESAppearance.achromatic(ofLightness:))
    let lower = CurveTable(octaves: -20..<6, k: 5) { ExactMath.pow($0, transform.tones.lowerExponent) }
    let numbers = ACESNumbers(transform, isInverse: isInverse).list
    var words = numbers + [UInt32](repeating: 0, count: Int(ACESPlaces.cone) - numbers.count)
    for (curve, place) in [
      (cone, ACESPlaces.cone), (light, ACESPlaces.light), (achromatic, ACESPlaces.achromatic),
      (lower, ACESPlaces.lower),
    ] {
      precondition(words.count == place)
      words += curve.words
    }
    precondition(words.count == ACESPlaces.cells)
    words += cells(transform)
    precondition(words.count == ACESPlaces.rows)
    let tones = transform.tones
    guard isInverse else { return words + rows(ACESPlaces.achromaticDomain) { functions($0, tones) } }
    words += CurveTable(octaves: -14..<5, k: 6, ACESAppearance.lightness(ofAchromatic:)).words
    precondition(words.count == ACESPlaces.dimRows)
    words += rows(ACESPlaces.dimDomain) { inverseFunctions(min($0, tones.jMax), tones) }
    precondition(words.count == ACESPlaces.brightRows)
    return words + rows(ACESPlaces.brightDomain) { inverseFunctions(tones.jEnd - $0, tones) }
  }

  /// Returns eight functions of the scene's achromatic signal.
  private static func functions(_ a: Double, _ tones: ACESTones) -> [Double] {
    let j = tones.lightness(ofAchromatic: a)
    return [j, ACESAppearance.achromatic(ofLightness: j) / a] + toes(j, tones)
      + [ExactMath.log10(max(1e-4, tones.jMax - j))]
  }

  /// Returns eight functions of the display's lightness; the last one is 0.
  private static func inverseFunctions(_ j: Double, _ tones: ACESTones) -> [Double] {
    let shown = ACESAppearance.achromatic(ofLightness: j), y = ACESAppearance.luminance(ofAchromatic: shown)
    let a = ACESAppearance.achromatic(ofLightness: ACESAppearance.lightness(ofLuminance: tones.untoned(y)))
    return [a, a / shown] + toes(j, tones) + [0]
  }

  /// Returns the share of the reach at a lightness, and k2 and k of both toes.
  private static func toes(_ j: Double, _ tones: ACESTones) -> [Double] {
    let share = j / tones.jMax, rest = max(0, 1 - share)
    let first = (share * share + tones.saturationThreshold).squareRoot(), firstRest = rest * tones.saturation
    let second = max(rest, 0.001), secondShare = share * tones.compression
    return [
      ExactMath.pow(max(share, 0), 1 / ACESAppearance.cz),
      first, (first * first + firstRest * firstRest).squareRoot(),
      second, (second * second + secondShare * secondShare).squareRoot(),
    ]
  }

  private static func rows(_ domain: CurveDomain, _ functions: (Double) -> [Double]) -> [UInt32] {
    let count = 1 + Int((domain.maxBits - domain.minBits) >> (23 - domain.k))
    var left = functions(Double(Float(bitPattern: domain.minBits)))
    return (0..<count).flatMap { segment -> [UInt32] in
      let start = domain.minBits + UInt32(segment) << (23 - domain.k), end = start + 1 << (23 - domain.k)
      let from = Double(Float(bitPattern: start)), to = Double(Float(bitPattern: end))
      let middle = functions((from + to) / 2), right = functions(to), first = left
      left = right
      return first.map(\.word)
        + first.indices.map { (4 * middle[$0] - 3 * first[$0] - right[$0]).word }
        + first.indices.map { (2 * (first[$0] + right[$0]) - 4 * middle[$0]).word }
    }
  }

  /// Returns the hue in degrees at a place on the diamond |a| + |b| = 1, which is 0 to 4 around.
  private static func hue(_ place: Double) -> Double {
    let x = place < 2 ? 1 - place : place - 3, y = place < 1 ? place : place < 3 ? 2 - place : place - 4
    return ExactMath.degrees(y: y, x: x)
  }

  private static func place(hue: Double) -> Double {
    let (x, y) = ExactMath.cosSin(degrees: hue), t = y / (abs(x) + abs(y))
    return x < 0 ? 2 - t : y < 0 ? 4 + t : t
  }

  private static func cells(_ transform: ACESTransform) -> [UInt32] {
    let tables = transform.tables, tones = transform.tones
    func gamut(_ place: Double) -> [Double] {
      let cusp = tables.cusp(hue(place))
      return [cusp.j, cusp.m, cusp.exponent, ExactMath.log10(tones.jMax - cusp.flattening(tones))]
    }
    func chroma(_ place: Double) -> [Double] {
      let h = hue(place), (cosine, sine) = ExactMath.cosSin(degrees: h)
      let norm = tones.chromaNorm(cosine: cosine, sine: sine)
      return [tables.reach(h), norm, 1 / norm, 0]
    }
    let nodes = tables.hues.map(place), degrees = (0..<ACESTables.count).map { place(hue: Double($0)) }
    return (0..<4 * quarter).flatMap { cell -> [UInt32] in
      let start = Double(cell) / Double(quarter), end = Double(cell + 1) / Double(quarter)
      func lines(_ nodes: [Double], _ values: (Double) -> [Double]) -> (node: Double, words: [UInt32]) {
        let near = 1e-6, inside = nodes.filter { $0 > start + near && $0 < end - near }
        // Of two nodes, which are rare, the one with the sharper bend.
        func bend(_ x: Double) -> Double {
          let middle = values(x), sides = zip(values(x - near), values(x + near)).map { $0 + $1 }
          return zip(sides, middle).map { abs($0 - 2 * $1) }.max()!
        }
        let sharpest = inside.count < 2 ? inside.first : inside.max { bend($0) < bend($1) }
        // Binary32, as loops compare with it.
        let node = Double(Float(sharpest ?? (start + end) / 2))
        let first = values(start), middle = values(node), last = values(end)
        let before = zip(first, middle).map { ($1 - $0) / (node - start) }
        let after = zip(middle, last).map { ($1 - $0) / (end - node) }
        return (node, (middle + before + after).map(\.word))
      }
      let cusp = lines(nodes, gamut), reach = lines(degrees, chroma)
      return [cusp.node.word, reach.node.word, 0, 0] + cusp.words + reach.words
    }
  }
}

/// The parameters of a stage all of whose numbers lie in a table of `ACESTable`.
public struct ACESTablePlace: StageParameters {
  public let table: UInt32
}

/// A stage of an output transform of ACES 2.0: the transform or its inverse.
package protocol ACESTableStage: KernelStage where Parameters == ACESTablePlace {}

extension ACESTableStage {
  package static var operations: Int { 1024 }

  /// Makes the words for a table of `ACESTable` at an offset.
  package static func words(table: UInt32) -> [UInt32] { ACESTablePlace(table: table).list }
}

/// Numbers at the head of the table.
public struct ACESNumbers: StageParameters {
  /// From RGB that comes in to cones, then to A, a, b; and back to RGB that goes out.
  public let toCones: Matrix3Stage.Parameters, toOpponents: Matrix3Stage.Parameters
  public let fromOpponents: Matrix3Stage.Parameters, fromCones: Matrix3Stage.Parameters
  /// The largest channel that comes in, and that goes out.
  public let largestIn: Float, largestOut: Float
  /// Lightness of the peak and its inverse; of middle grey; the length of a line's flattest gain.
  public let jMax: Float, jMaxInverse: Float, jMiddle: Float, gain: Float
  /// The factor of the reach's edge; the lightness that no light reaches; a half of `jMax`.
  public let reach: Float, jEnd: Float, jHalf: Float

  init(_ t: ACESTransform, isInverse: Bool) {
    let tones = t.tones, fromWorking = ACESTransform.acesToWorking.inverse!
    let scene = (to: t.scene.toCones * fromWorking, from: ACESTransform.acesToWorking * t.scene.fromCones)
    let display = (to: t.display.toCones, from: t.display.fromCones)
    toCones = Matrix3Stage.Parameters(isInverse ? display.to : scene.to)
    toOpponents = Matrix3Stage.Parameters(isInverse ? t.display.toOpponents : t.scene.toOpponents)
    fromOpponents = Matrix3Stage.Parameters(isInverse ? t.scene.fromOpponents : t.display.fromOpponents)
    fromCones = Matrix3Stage.Parameters(isInverse ? scene.from : display.from)
    let (largest, peak) = (tones.largest.lane, (tones.peak / 100).lane)
    (largestIn, largestOut) = isInverse ? (peak, largest) : (largest, peak)
    (jMax, jMaxInverse, jMiddle) = (tones.jMax.lane, (1 / tones.jMax).lane, tones.jMiddle.lane)
    gain = (tones.jMax * tones.focus).lane
    // (x / jMax)^(1/cz) from the curve (x / 100)^(1/cz).
    reach = (tones.jMax / ACESAppearance.achromatic(ofLightness: tones.jMax)).lane
    (jEnd, jHalf) = (tones.jEnd.lane, (tones.jMax / 2).lane)
  }
}

/// Places of curves in the table, and their domains.
public enum ACESPlaces {
  public static let cone: UInt32 = 48
  public static let light: UInt32 = 48 + 43 * 32 * 4
  public static let achromatic: UInt32 = 48 + 43 * 32 * 4 + 20 * 64 * 4
  public static let lower: UInt32 = 48 + 43 * 32 * 4 + 20 * 64 * 4 + 27 * 32 * 4
  public static let cells: UInt32 = 48 + 43 * 32 * 4 + 20 * 64 * 4 + 27 * 32 * 4 + 26 * 32 * 4
  /// Functions of A; of an inverse the curve from A to J, then functions of J, and of the distance from its end.
  public static let rows: UInt32 = 48 + 43 * 32 * 4 + 20 * 64 * 4 + 27 * 32 * 4 + 26 * 32 * 4 + 2048 * 28
  public static let dimRows: UInt32 = rows + 19 * 64 * 4
  public static let brightRows: UInt32 = dimRows + 26 * 64 * 24

  @inlinable @inline(always) static func domain(_ first: Int, _ end: Int, k: UInt32) -> CurveDomain {
    CurveDomain(
      minBits: UInt32(truncatingIfNeeded: 127 &+ first) &<< 23,
      maxBits: (UInt32(truncatingIfNeeded: 127 &+ end) &<< 23) &- 1, k: k)
  }
  @inlinable @inline(always) static var coneDomain: CurveDomain { domain(-30, 13, k: 5) }
  @inlinable @inline(always) static var lightDomain: CurveDomain { domain(-20, 0, k: 6) }
  @inlinable @inline(always) static var lightnessDomain: CurveDomain { domain(-17, 10, k: 5) }
  @inlinable @inline(always) static var lowerDomain: CurveDomain { domain(-20, 6, k: 5) }
  @inlinable @inline(always) static var achromaticDomain: CurveDomain { domain(-14, 5, k: 6) }
  @inlinable @inline(always) static var dimDomain: CurveDomain { domain(-17, 9, k: 6) }
  @inlinable @inline(always) static var brightDomain: CurveDomain { domain(-4, 9, k: 6) }
}
