import HDRCore

/// Light level of a picture, measured from its 16-bit codes.
///
/// - Parameters:
///   - image: interleaved R' G' B' A `uint16` of full range. Alpha is not looked at.
///   - transfer: 16 (PQ) or 18 (HLG on the nominal 1000 cd/m² display, primaries taken as BT.2020).
/// - Returns: cd/m²; MaxCLL = ceil of the largest max(R, G, B), MaxFALL = the mean of max(R, G, B) rounded. `nil` for
///   another transfer or layout, and for a black picture: a level of 0 means "unknown" in a file and is not written.
/// - Source: CTA-861.3 (docs/colour-formulas.md#light-level). The largest code decides MaxCLL, so a picture clipped at
///   1000 cd/m² whose nearest code stands for 1000.02 has MaxCLL 1001.
public func measureLightLevel(_ image: SampleImage, transfer: Int) -> ContentLightLevel? {
  readLight(image, transfer: transfer, bound: .infinity)?.level
}

/// The same, with the largest component and the share of pixels that have one at `bound` (cd/m²) or above.
package func readLight(_ image: SampleImage, transfer: Int, bound: Double) -> LightReading? {
  guard var meter = LightMeter(transfer: transfer, bound: bound), meter.add(image, rows: 0..<image.height) else {
    return nil
  }
  return meter.read()
}

/// What `measureLightLevel` does, row by row, for pictures that lie in memory otherwise.
package struct LightMeter: Sendable {
  private var sums: any LightSums

  /// - Parameters:
  ///   - transfer: 16 or 18; `nil` for others.
  ///   - isScene: HLG codes are light of the scene; its signal of 75 % counts as 203 cd/m².
  ///   - bound: cd/m²; pixels whose largest component is there or above are counted.
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

  /// Adds what another meter of the same kind has seen; the order does not matter.
  package mutating func merge(_ other: LightMeter) { sums.merge(other.sums) }

  /// - Parameter row: `width` pixels R' G' B' A of 16 bits.
  package mutating func add(_ row: UnsafePointer<UInt16>, width: Int) { sums.add(row, width) }

  package mutating func read() -> LightReading { sums.read() }
}

/// What was measured in codes.
package struct LightReading {
  /// `nil` for a black picture.
  package var level: ContentLightLevel?
  /// Largest component, cd/m².
  package var peak: Double
  /// Share of pixels at the bound.
  package var boundShare: Double
}

private protocol LightSums: Sendable {
  mutating func add(_ row: UnsafePointer<UInt16>, _ width: Int)
  mutating func merge(_ other: any LightSums)
  mutating func read() -> LightReading
}

/// PQ is one rising curve for all channels: the largest channel of a pixel is its largest code, and counting codes is
/// all the work a pixel needs. Counts are whole numbers, so neither the order of rows nor threads change the mean.
private struct PQSums: LightSums {
  /// Light of all pixels by code; whole numbers.
  private var counts: [Int] = []
  /// Two counters a code: neighbours of one colour would otherwise wait for each other's store.
  private let counters = PixelBuffer(byteCount: 2 * 65_536 * 4)
  private let nodes: [Double]
  private var counted = 0
  private let boundCode: Int

  init(_ bound: Double) {
    boundCode = bound < 10_000 ? Int((Transfer.pqInverseEOTF(bound) * 65_535).rounded()) : 65_535
    // The curve at every 16th code, linear between them: off by less than 3e-6 of the light from 1 cd/m² up. The last
    // node lies beyond the last code, where it makes that one exact.
    var nodes = (0..<4096).map { Transfer.pqEOTF(Double(16 * $0) / 65_535) }
    nodes.append(nodes[4095] + (Transfer.pqEOTF(1) - nodes[4095]) * 16 / 15)
    self.nodes = nodes
  }

  private var even: UnsafeMutablePointer<UInt32> { counters.base.assumingMemoryBound(to: UInt32.self) }
  private var odd: UnsafeMutablePointer<UInt32> { even + 65_536 }

  private mutating func drain() {
    if counted == 0 { return }
    if counts.isEmpty { counts = [Int](repeating: 0, count: 65_536) }
    for code in 0..<65_536 {
      counts[code] += Int(even[code]) + Int(odd[code])
      even[code] = 0
      odd[code] = 0
    }
    counted = 0
  }

  mutating func merge(_ other: any LightSums) {
    guard var other = other as? PQSums else { return }
    drain()
    other.drain()
    if counts.isEmpty {
      counts = other.counts
    } else {
      for (code, count) in other.counts.enumerated() { counts[code] += count }
    }
  }

  mutating func add(_ row: UnsafePointer<UInt16>, _ width: Int) {
    if counted > Int(UInt32.max) - width { drain() }
    counted += width
    let even = even, odd = odd
    @inline(__always) func code(_ x: Int) -> Int { Int(max(row[4 &* x], max(row[4 &* x &+ 1], row[4 &* x &+ 2]))) }
    for pair in 0..<width >> 1 {
      even[code(2 &* pair)] &+= 1
      odd[code(2 &* pair &+ 1)] &+= 1
    }
    if width & 1 == 1 { even[code(width - 1)] &+= 1 }
  }

  mutating func read() -> LightReading {
    drain()
    var sum = 0.0, largest = 0, pixels = 0.0, atBound = 0.0
    for (code, number) in counts.enumerated() where number > 0 {
      let low = nodes[code >> 4], part = Double(code & 15) / 16, count = Double(number)
      sum += count * (low + part * (nodes[code >> 4 + 1] - low))
      pixels += count
      largest = code
      if code >= boundCode { atBound += count }
    }
    let peak = Transfer.pqEOTF(Double(largest) / 65_535)
    return LightReading(
      level: largest > 0 ? ContentLightLevel(peak: peak, mean: sum / pixels) : nil, peak: peak,
      boundShare: pixels > 0 ? atBound / pixels : 0)
  }
}

/// HLG's OOTF works on the luminance of a pixel: light of a channel = 1000 * scene * Ys^0.2. Sums are whole numbers of
/// 2^-16 cd/m², so their order does not matter.
private struct HLGSums: LightSums {
  private static let scene = (0...65_535).map { Transfer.hlgInverseOETF(Double($0) / 65_535) }
  /// 1000 Ys^0.2 on 4096 steps of Ys^0.5, linear between them: 0.2 % at worst above Ys = 1e-4, where MaxCLL is decided.
  private static let displayGain = (0...4097).map { 1000 * ExactMath.pow(Double($0) / 4096, 0.4) }
  private static let sceneGain = [Double](repeating: ReferenceWhite.nits / Transfer.hlgInverseOETF(0.75), count: 4098)
  private let scene = HLGSums.scene
  private let gain: [Double]
  private var sum = 0
  private var peak = 0.0
  private var pixels = 0
  private var atBound = 0
  /// Half a code below: what was cut there may be rounded down.
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
    for x in 0..<width {
      let r = scene[Int(row[4 * x])], g = scene[Int(row[4 * x + 1])], b = scene[Int(row[4 * x + 2])]
      let position = (0.2627 * r + 0.6780 * g + 0.0593 * b).squareRoot() * 4096
      let index = min(Int(position), 4096), part = position - Double(index)
      let light = max(r, max(g, b)) * (gain[index] + part * (gain[index + 1] - gain[index]))
      sum += Int((light * 65_536).rounded())
      peak = max(peak, light)
      if light >= bound { atBound += 1 }
    }
    pixels += width
  }

  func read() -> LightReading {
    // White is 1000 up to the last bits of the sum of weights.
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
