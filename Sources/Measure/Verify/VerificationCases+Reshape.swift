import HDRCore
import HDRPlan

extension VerificationCases {
  /// Returns cases of Dolby Vision's reshaping with numbers by chance: polynomials and regressions in one to eight pieces, on
  /// random codes, many of which are pivots.
  static func reshaped(pixels: Int) -> [VerificationCase] {
    let layouts: [(Int, ChromaSubsampling, ChromaSiting, [Int])] = [
      (10, .s420, .topLeft, [7, 0, 3]), (12, .s422, .left, [2, 7, 1]), (8, .s444, .left, [0, 4, 6]),
    ]
    return layouts.enumerated().compactMap { number, layout in
      let (bits, chroma, siting, pivots) = layout
      let image = TestPictures.randomPlanes(
        width: width, height: rows(pixels), bits: bits, chroma: chroma, siting: siting, seed: UInt64(70 + number))
      var source = source(image, primaries: 9, transfer: 16, matrix: 9, full: true)
      source.color.reshape = .random(bits: bits, pivots: pivots, seed: UInt64(80 + number))
      return recipe("reshaped \(chroma.rawValue) \(bits) bit, pivots \(pivots)", source, linearHalf)
    }
  }
}

extension DolbyReshape {
  /// Makes curves by chance.
  ///
  /// - Parameter pivots: the number of inner pivots of each component, up to 7.
  package static func random(bits: Int, pivots: [Int], seed: UInt64) -> DolbyReshape {
    var random = TestPictures.Generator(seed: seed), table = [Float](repeating: 0, count: Layout.count)
    let largest = 1 << bits - 1
    func number(_ middle: Float, _ spread: Float) -> Float {
      middle + spread * Float(Int32(truncatingIfNeeded: random.next())) * 0x1p-31
    }
    table[Layout.scale] = 1 / Float(largest)
    for index in 0..<9 {
      let diagonal: Float = index % 4 == 0 ? 1 : 0
      table[Layout.toSignal + index] = number(diagonal, 0.25)
      table[Layout.toBT2020 + index] = number(diagonal, 0.05)
    }
    for index in 0..<3 { table[Layout.offsets + index] = number(0.1, 0.1) }
    for component in 0..<3 {
      let curve = Layout.curves + component * Layout.curveStride
      let inner = (0..<pivots[component]).map { _ in Float(random.next() % UInt64(largest)) }.sorted()
      let rest = repeatElement(unreached, count: Layout.pivotCount - inner.count)
      table.replaceSubrange(curve + Layout.pivots..<curve + Layout.pivots + Layout.pivotCount, with: inner + rest)
      (table[curve + Layout.least], table[curve + Layout.largest]) = (number(0.1, 0.05), number(0.8, 0.1))
      for piece in 0...inner.count {
        let place = curve + Layout.pieces + piece * Layout.pieceStride, isRegression = (piece + component) % 2 == 1
        (table[place + Layout.kind], table[place + Layout.constant]) = (isRegression ? 1 : 0, number(0.05, 0.2))
        for index in 0..<21 where isRegression || index % 7 == component && index < 14 {
          table[place + Layout.factors + index] = number(index == component ? 0.9 : 0, 0.3)
        }
      }
    }
    return DolbyReshape(table: table)
  }
}
