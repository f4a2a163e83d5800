import HDRCore

/// Light level of a picture, measured from its 16-bit codes.
///
/// - Parameters:
///   - image: interleaved R' G' B' A `uint16` of full range. Alpha is not looked at.
///   - transfer: 16 (PQ) or 18 (HLG on the nominal 1000 cd/m² display, primaries taken as BT.2020).
/// - Returns: cd/m²; MaxCLL = ceil of the largest max(R, G, B), MaxFALL = the mean of max(R, G, B) rounded. `nil` for
///   another transfer or layout, and for a black picture: a level of 0 means "unknown" in a file and is not written.
/// - Source: CTA-861.3 as read in specs/color.md §10.3. The largest code decides MaxCLL, so a picture clipped at
///   1000 cd/m² whose nearest code stands for 1000.02 says 1001.
public func measureLightLevel(_ image: SampleImage, transfer: Int) -> ContentLightLevel? {
  guard let rows = try? PixelRows(image, format: .uint16, kind: .pqPNG) else { return nil }
  switch transfer {
  case 16: return levelOfPQ(rows)
  case 18: return levelOfHLG(rows)
  default: return nil
  }
}

/// PQ is one rising curve for all channels: the largest channel of a pixel is its largest code, and counting codes is
/// all the work a pixel needs. Counts are whole numbers, so neither the order of rows nor threads change the mean.
private func levelOfPQ(_ rows: PixelRows) -> ContentLightLevel? {
  // Two counters a code: neighbours of one colour would otherwise wait for each other's store.
  let counters = PixelBuffer(byteCount: 2 * 65_536 * 4)
  let even = counters.base.assumingMemoryBound(to: UInt32.self)
  let odd = even + 65_536
  // The curve at every 16th code, linear between them: off by less than 3e-6 of the light from 1 cd/m² up. The last
  // node lies beyond the last code, where it makes that one exact.
  var nodes = (0..<4096).map { Transfer.pqEOTF(Double(16 * $0) / 65_535) }
  nodes.append(nodes[4095] + (Transfer.pqEOTF(1) - nodes[4095]) * 16 / 15)
  var sum = 0.0
  var largest = 0
  func drain() {
    for code in 0..<65_536 {
      let count = UInt64(even[code]) + UInt64(odd[code])
      if count == 0 { continue }
      let low = nodes[code >> 4], part = Double(code & 15) / 16
      sum += Double(count) * (low + part * (nodes[code >> 4 + 1] - low))
      largest = max(largest, code)
      even[code] = 0
      odd[code] = 0
    }
  }
  var counted = 0
  for y in 0..<rows.height {
    if counted > Int(UInt32.max) - rows.width {
      drain()
      counted = 0
    }
    counted += rows.width
    let row = rows.row(y).assumingMemoryBound(to: UInt16.self)
    @inline(__always) func code(_ x: Int) -> Int { Int(max(row[4 &* x], max(row[4 &* x &+ 1], row[4 &* x &+ 2]))) }
    for pair in 0..<rows.width >> 1 {
      even[code(2 &* pair)] &+= 1
      odd[code(2 &* pair &+ 1)] &+= 1
    }
    if rows.width & 1 == 1 { even[code(rows.width - 1)] &+= 1 }
  }
  drain()
  guard largest > 0 else { return nil }
  return level(peak: Transfer.pqEOTF(Double(largest) / 65_535), mean: sum / (Double(rows.width) * Double(rows.height)))
}

/// HLG's OOTF works on the luminance of a pixel: light of a channel = 1000 * scene * Ys^0.2. Row sums in a fixed order.
private func levelOfHLG(_ rows: PixelRows) -> ContentLightLevel? {
  let scene = (0...65_535).map { Transfer.hlgInverseOETF(Double($0) / 65_535) }
  // Ys^0.2 on 4096 steps of Ys^0.5, linear between them: 0.2 % at worst above Ys = 1e-4, where MaxCLL is decided.
  let gain = (0...4097).map { ExactMath.pow(Double($0) / 4096, 0.4) }
  var sum = 0.0, peak = 0.0
  for y in 0..<rows.height {
    let row = rows.row(y).assumingMemoryBound(to: UInt16.self)
    var rowSum = 0.0
    for x in 0..<rows.width {
      let r = scene[Int(row[4 * x])], g = scene[Int(row[4 * x + 1])], b = scene[Int(row[4 * x + 2])]
      let position = (0.2627 * r + 0.6780 * g + 0.0593 * b).squareRoot() * 4096
      let index = min(Int(position), 4096), part = position - Double(index)
      let light = 1000 * max(r, max(g, b)) * (gain[index] + part * (gain[index + 1] - gain[index]))
      rowSum += light
      peak = max(peak, light)
    }
    sum += rowSum
  }
  guard peak > 0 else { return nil }
  // White is 1000 up to the last bits of the sum of weights.
  return level(peak: peak - 1e-6, mean: sum / (Double(rows.width) * Double(rows.height)))
}

private func level(peak: Double, mean: Double) -> ContentLightLevel {
  ContentLightLevel(maxCLL: max(1, peak.rounded(.up)), maxFALL: mean.rounded())
}
