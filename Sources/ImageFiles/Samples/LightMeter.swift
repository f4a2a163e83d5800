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
  guard let rows = try? PixelRows(image, format: .uint16, kind: .pqPNG),
    var meter = LightMeter(transfer: transfer, bound: bound)
  else { return nil }
  for y in 0..<rows.height { meter.add(rows.row(y).assumingMemoryBound(to: UInt16.self), width: rows.width) }
  return meter.read()
}

/// What `measureLightLevel` does, row by row, for pictures that lie in memory otherwise.
package struct LightMeter {
  private var sums: any LightSums

  /// - Parameters:
  ///   - transfer: 16 or 18; `nil` for others.
  ///   - bound: cd/m²; pixels whose largest component is there or above are counted.
  package init?(transfer: Int, bound: Double = .infinity) {
    switch transfer {
    case 16: sums = PQSums(bound)
    case 18: sums = HLGSums(bound)
    default: return nil
    }
  }

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

private protocol LightSums {
  mutating func add(_ row: UnsafePointer<UInt16>, _ width: Int)
  mutating func read() -> LightReading
}

/// PQ is one rising curve for all channels: the largest channel of a pixel is its largest code, and counting codes is
/// all the work a pixel needs. Counts are whole numbers, so neither the order of rows nor threads change the mean.
private struct PQSums: LightSums {
  /// Two counters a code: neighbours of one colour would otherwise wait for each other's store.
  private let counters = PixelBuffer(byteCount: 2 * 65_536 * 4)
  private let nodes: [Double]
  private var sum = 0.0
  private var largest = 0
  private var counted = 0
  private var pixels = 0.0
  private var atBound = 0.0
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
    for code in 0..<65_536 {
      let count = UInt64(even[code]) + UInt64(odd[code])
      if count == 0 { continue }
      let low = nodes[code >> 4], part = Double(code & 15) / 16
      sum += Double(count) * (low + part * (nodes[code >> 4 + 1] - low))
      largest = max(largest, code)
      if code >= boundCode { atBound += Double(count) }
      even[code] = 0
      odd[code] = 0
    }
    counted = 0
  }

  mutating func add(_ row: UnsafePointer<UInt16>, _ width: Int) {
    if counted > Int(UInt32.max) - width { drain() }
    counted += width
    pixels += Double(width)
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
    let peak = Transfer.pqEOTF(Double(largest) / 65_535)
    return LightReading(
      level: largest > 0 ? ContentLightLevel(peak: peak, mean: sum / pixels) : nil, peak: peak,
      boundShare: pixels > 0 ? atBound / pixels : 0)
  }
}

/// HLG's OOTF works on the luminance of a pixel: light of a channel = 1000 * scene * Ys^0.2. Row sums in a fixed order.
private struct HLGSums: LightSums {
  private let scene = (0...65_535).map { Transfer.hlgInverseOETF(Double($0) / 65_535) }
  /// Ys^0.2 on 4096 steps of Ys^0.5, linear between them: 0.2 % at worst above Ys = 1e-4, where MaxCLL is decided.
  private let gain = (0...4097).map { ExactMath.pow(Double($0) / 4096, 0.4) }
  private var sum = 0.0
  private var peak = 0.0
  private var pixels = 0.0
  private var atBound = 0.0
  /// Half a code below: what was cut there may be rounded down.
  private let bound: Double

  init(_ bound: Double) { self.bound = bound * 0.9995 }

  mutating func add(_ row: UnsafePointer<UInt16>, _ width: Int) {
    var rowSum = 0.0
    for x in 0..<width {
      let r = scene[Int(row[4 * x])], g = scene[Int(row[4 * x + 1])], b = scene[Int(row[4 * x + 2])]
      let position = (0.2627 * r + 0.6780 * g + 0.0593 * b).squareRoot() * 4096
      let index = min(Int(position), 4096), part = position - Double(index)
      let light = 1000 * max(r, max(g, b)) * (gain[index] + part * (gain[index + 1] - gain[index]))
      rowSum += light
      peak = max(peak, light)
      if light >= bound { atBound += 1 }
    }
    sum += rowSum
    pixels += Double(width)
  }

  func read() -> LightReading {
    // White is 1000 up to the last bits of the sum of weights.
    LightReading(
      level: peak > 0 ? ContentLightLevel(peak: peak - 1e-6, mean: sum / pixels) : nil, peak: peak,
      boundShare: pixels > 0 ? atBound / pixels : 0)
  }
}

extension ContentLightLevel {
  fileprivate init(peak: Double, mean: Double) {
    self.init(maxCLL: max(1, peak.rounded(.up)), maxFALL: mean.rounded())
  }
}
