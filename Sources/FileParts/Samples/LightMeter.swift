import HDRCore

/// Measures the light level of a picture from its 16-bit codes.
///
/// - Parameters:
///   - image: interleaved R' G' B' A `uint16` of full range. Alpha is ignored.
///   - transfer: 16 (PQ) or 18 (HLG on the nominal 1000 cd/m² display, primaries taken as BT.2020).
/// - Returns: cd/m²; MaxCLL = ceil of the largest max(R, G, B), MaxFALL = the mean of max(R, G, B) rounded. `nil` for
///   another transfer or layout, and for a black picture: a level of 0 means "unknown" in a file and is not written.
/// - Source: CTA-861.3 (docs/colour-formulas.md#light-level). The largest code decides MaxCLL, so a picture clipped at
///   1000 cd/m² whose nearest code means 1000.02 has MaxCLL 1001.
package func measureLightLevel(_ image: SampleImage, transfer: Int) -> ContentLightLevel? {
  readLight(image, transfer: transfer, bound: .infinity)?.level
}

/// Measures the light level, the largest component, and the share of pixels with a component of at least `bound`
/// (cd/m²).
package func readLight(_ image: SampleImage, transfer: Int, bound: Double) -> LightReading? {
  guard var meter = LightMeter(transfer: transfer, bound: bound), meter.add(image, rows: 0..<image.height) else {
    return nil
  }
  return meter.read()
}

/// A meter that measures as `measureLightLevel` does, row by row, for pictures with another memory layout.
package struct LightMeter: Sendable {
  private var sums: any LightSums

  /// Makes a meter.
  ///
  /// - Parameters:
  ///   - transfer: 16 or 18; `nil` for others.
  ///   - isScene: true if HLG codes are light of the scene; a signal of 75 % is then taken as 203 cd/m².
  ///   - bound: a luminance in cd/m²; pixels whose largest component is at least this are counted.
  package init?(transfer: Int, isScene: Bool = false, bound: Double = .infinity) {
    switch transfer {
    case 16: sums = PQSums(bound)
    case 18: sums = HLGSums(bound, isScene: isScene)
    default: return nil
    }
  }

  /// Adds rows of an interleaved picture R' G' B' A of 16 bits.
  ///
  /// - Returns: `false` for another layout.
  package mutating func add(_ image: SampleImage, rows: Range<Int>) -> Bool {
    guard let lines = try? PixelRows(image, format: .uint16, kind: .pqPNG) else { return false }
    for y in rows { add(lines.row(y).assumingMemoryBound(to: UInt16.self), width: lines.width) }
    return true
  }

  /// Adds the measurements of another meter of the same kind; the order does not matter.
  package mutating func merge(_ other: LightMeter) { sums.merge(other.sums) }

  /// Adds a row.
  ///
  /// - Parameter row: `width` pixels R' G' B' A of 16 bits.
  package mutating func add(_ row: UnsafePointer<UInt16>, width: Int) { sums.add(row, width) }

  package mutating func read() -> LightReading { sums.read() }

  /// Returns the PQ code of 16 bits from which on pixels count as being at `bound`, cd/m².
  package static func pqCode(ofBound bound: Double) -> Int {
    bound < 10_000 ? Int((Transfer.pqInverseEOTF(bound) * 65_535).rounded()) : 65_535
  }
}

/// The results of a light meter.
package struct LightReading {
  /// The light level; `nil` for a black picture.
  package var level: ContentLightLevel?
  /// The largest component in cd/m².
  package var peak: Double
  /// The share of pixels whose largest component reaches the bound.
  package var boundShare: Double
}

extension LightReading {
  /// Takes what was measured of PQ codes of 16 bits elsewhere; `nil` if `error` leaves MaxFALL open.
  ///
  /// - Parameters:
  ///   - largest: the largest code of a component.
  ///   - mean: the mean light of the pixels' largest components, cd/m², and the most by which it may be wrong.
  ///   - atBound: the number of pixels from `LightMeter.pqCode(ofBound:)` on.
  package init?(largest: Int, mean: Double, error: Double, atBound: Int, pixels: Int) {
    let peak = Transfer.pqEOTF(Double(largest) / 65_535), share = pixels > 0 ? Double(atBound) / Double(pixels) : 0
    guard largest == 0 || (mean - error).rounded() == (mean + error).rounded() else { return nil }
    self.init(
      level: largest > 0 ? ContentLightLevel(peak: peak, mean: mean) : nil, peak: peak, boundShare: share)
  }
}

private protocol LightSums: Sendable {
  mutating func add(_ row: UnsafePointer<UInt16>, _ width: Int)
  mutating func merge(_ other: any LightSums)
  mutating func read() -> LightReading
}

/// The sums for PQ. PQ is one rising curve for all channels, so the largest channel of a pixel is its largest code. Its
/// light is taken as linear between nodes at every 16th code. So each stretch only needs the number of codes and the
/// sum of their places. As whole numbers they depend neither on the order of rows nor on threads.
private struct PQSums: LightSums {
  private static let stretches = 4096
  /// The light at the nodes; the relative error is less than 3e-6 from 1 cd/m² up. The last node lies beyond the last
  /// code and makes that code exact.
  private static let nodes: [Double] = {
    var nodes = (0..<stretches).map { Transfer.pqEOTF(Double(16 * $0) / 65_535) }
    nodes.append(nodes[stretches - 1] + (Transfer.pqEOTF(1) - nodes[stretches - 1]) * 16 / 15)
    return nodes
  }()

  /// The number of pixels and the sum of places from 0 to 15, by stretch.
  private var numbers: [Int] = []
  private var places: [Int] = []
  /// The counts since the last drain, the number in the high and the sum of places in the low bits of a word. Each
  /// stretch has four adjacent counters: otherwise neighbours of one colour would wait for each other's store.
  private let counters = PixelBuffer(byteCount: 4 * stretches * 8)
  private var counted = 0
  private var largest = 0
  private var atBound = 0
  private let boundCode: Int

  init(_ bound: Double) {
    boundCode = LightMeter.pqCode(ofBound: bound)
  }

  private mutating func drain() {
    if counted == 0 { return }
    if numbers.isEmpty { (numbers, places) = (Self.none, Self.none) }
    let four = counters.base.assumingMemoryBound(to: SIMD4<UInt64>.self)
    for stretch in 0..<Self.stretches {
      let sum = four[stretch].wrappedSum()
      numbers[stretch] += Int(sum >> 32)
      places[stretch] += Int(sum & 0xffff_ffff)
      four[stretch] = SIMD4(repeating: 0)
    }
    counted = 0
  }

  private static var none: [Int] { [Int](repeating: 0, count: stretches) }

  mutating func merge(_ other: any LightSums) {
    guard var other = other as? PQSums else { return }
    drain()
    other.drain()
    largest = max(largest, other.largest)
    atBound += other.atBound
    if other.numbers.isEmpty { return }
    if numbers.isEmpty { (numbers, places) = (Self.none, Self.none) }
    for stretch in 0..<Self.stretches {
      numbers[stretch] += other.numbers[stretch]
      places[stretch] += other.places[stretch]
    }
  }

  mutating func add(_ row: UnsafePointer<UInt16>, _ width: Int) {
    // Below 2^28 pixels a sum of places cannot overflow into the number.
    if counted + width > 1 << 28 { drain() }
    counted += width
    let counters = counters.base.assumingMemoryBound(to: UInt64.self)
    @inline(__always) func code(_ x: Int) -> UInt16 { max(row[4 &* x], max(row[4 &* x &+ 1], row[4 &* x &+ 2])) }
    @inline(__always) func count(_ x: Int, _ lane: Int) {
      let code = Int(code(x))
      counters[(code &>> 2) & ~3 &+ lane] &+= 1 << 32 | UInt64(truncatingIfNeeded: code & 15)
    }
    for four in 0..<width >> 2 { for lane in 0..<4 { count(4 &* four &+ lane, lane) } }
    for x in width & ~3..<width { count(x, 0) }
    let most = Int(Self.largest(row, width))
    largest = max(largest, most)
    if most >= boundCode { for x in 0..<width where code(x) >= boundCode { atBound += 1 } }
  }

  /// Returns the largest of R', G' and B' in a row.
  private static func largest(_ row: UnsafePointer<UInt16>, _ width: Int) -> UInt16 {
    let row = UnsafeRawPointer(row), colours = SIMD8<UInt16>(65_535, 65_535, 65_535, 0, 65_535, 65_535, 65_535, 0)
    var largest = SIMD8<UInt16>(repeating: 0)
    @inline(__always) func take(_ codes: SIMD8<UInt16>) {
      let codes = codes & colours
      largest = largest.replacing(with: codes, where: codes .> largest)
    }
    for pair in 0..<width >> 1 { take((row + 16 &* pair).loadUnaligned(as: SIMD8<UInt16>.self)) }
    if width & 1 == 1 {
      let last = (row + 8 * (width - 1)).loadUnaligned(as: UInt64.self)
      take(unsafeBitCast(SIMD2(last, 0), to: SIMD8<UInt16>.self))
    }
    return largest.max()
  }

  mutating func read() -> LightReading {
    drain()
    var sum = 0.0, pixels = 0.0
    for (stretch, number) in numbers.enumerated() where number > 0 {
      let low = Self.nodes[stretch], slope = (Self.nodes[stretch + 1] - low) / 16
      sum += Double(number) * low + Double(places[stretch]) * slope
      pixels += Double(number)
    }
    let peak = Transfer.pqEOTF(Double(largest) / 65_535)
    return LightReading(
      level: largest > 0 ? ContentLightLevel(peak: peak, mean: sum / pixels) : nil, peak: peak,
      boundShare: pixels > 0 ? Double(atBound) / pixels : 0)
  }
}

/// The sums for HLG, whose OOTF depends on a pixel's luminance: light of a channel = 1000 * scene * Ys^0.2. Sums are
/// whole numbers of 2^-16 cd/m², so their order does not matter.
private struct HLGSums: LightSums {
  /// The scene light at every 16th code, and its slope per code. It is linear between them; the error is less than
  /// 3e-7.
  private static let scene: [SIMD2<Double>] = {
    let nodes = (0...4096).map { Transfer.hlgInverseOETF(min(Double(16 * $0) / 65_535, 1)) }
    return (0..<4096).map { SIMD2(nodes[$0], (nodes[$0 + 1] - nodes[$0]) / ($0 == 4095 ? 15 : 16)) }
  }()
  /// The gain 1000 Ys^0.2 at 256 steps of each octave of Ys from 2^-30 to 1, and its slope per step; the error is less
  /// than 4e-7. Below 2^-30, where no display shows light, the gain at 2^-30 is used.
  private static let displayGain: [SIMD2<Double>] = {
    let steps = (0...30 * 256).map { (step: Int) -> Double in
      let luminance = (1 + Double(step & 255) / 256) * Double(sign: .plus, exponent: step >> 8 - 30, significand: 1)
      return 1000 * ExactMath.pow(luminance, 0.2)
    }
    return steps.indices.map { SIMD2(steps[$0], $0 + 1 < steps.count ? steps[$0 + 1] - steps[$0] : 0) }
  }()
  private static let sceneGain = [SIMD2<Double>](
    repeating: SIMD2(ReferenceWhite.nits / Transfer.hlgInverseOETF(0.75), 0), count: displayGain.count)
  private let gain: [SIMD2<Double>]
  private var sum = 0
  private var peak = 0.0
  private var pixels = 0
  private var atBound = 0
  /// The bound minus half a code, as light that was clipped there may be rounded down.
  private let bound: Double

  init(_ bound: Double, isScene: Bool) {
    self.bound = bound * 0.9995
    gain = isScene ? Self.sceneGain : Self.displayGain
  }

  mutating func merge(_ other: any LightSums) {
    guard let other = other as? HLGSums else { return }
    sum += other.sum
    peak = max(peak, other.peak)
    pixels += other.pixels
    atBound += other.atBound
  }

  mutating func add(_ row: UnsafePointer<UInt16>, _ width: Int) {
    // The 8 bits of a Float below its exponent select the step of a gain.
    let first = Int(Float(sign: .plus, exponent: -30, significand: 1).bitPattern >> 15), last = gain.count - 1
    Self.scene.withUnsafeBufferPointer { scene in
      gain.withUnsafeBufferPointer { gain in
        let scene = scene.baseAddress!, gain = gain.baseAddress!
        @inline(__always) func light(_ code: UInt16) -> Double {
          let node = scene[Int(code) &>> 4]
          return node[0] + Double(Int32(code & 15)) * node[1]
        }
        var sum = 0, peak = peak, atBound = 0
        for x in 0..<width {
          let r = light(row[4 &* x]), g = light(row[4 &* x &+ 1]), b = light(row[4 &* x &+ 2])
          let bits = Float(0.2627 * r + 0.6780 * g + 0.0593 * b).bitPattern
          let node = gain[min(max(Int(bits >> 15) &- first, 0), last)]
          let factor = node[0] + Double(Int32(bits & 0x7fff)) * 0x1p-15 * node[1]
          let light = max(r, max(g, b)) * factor
          sum &+= Int(light * 65_536 + 0.5)
          peak = light > peak ? light : peak
          atBound &+= light >= bound ? 1 : 0
        }
        self.sum += sum
        self.peak = peak
        self.atBound += atBound
      }
    }
    pixels += width
  }

  func read() -> LightReading {
    // White is 1000, except for the last bits of the sum of weights.
    LightReading(
      level: peak > 0 ? ContentLightLevel(peak: peak - 1e-6, mean: Double(sum) / 65_536 / Double(pixels)) : nil,
      peak: peak, boundShare: pixels > 0 ? Double(atBound) / Double(pixels) : 0)
  }
}

extension ContentLightLevel {
  fileprivate init(peak: Double, mean: Double) {
    self.init(maxCLL: max(1, peak.rounded(.up)), maxFALL: mean.rounded())
  }
}
