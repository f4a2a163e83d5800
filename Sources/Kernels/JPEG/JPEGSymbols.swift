import HDRCore

/// The DC values that blocks are predicted from, by component (ITU-T T.81, F.1.2.1).
struct JPEGPrediction {
  private let lumaOfMCU: Int
  private var lastDC = [Int](repeating: 0, count: 3)

  init(_ layout: JPEGLayout) { lumaOfMCU = layout.lumaOfMCU }

  /// Goes on behind a part of the scan.
  ///
  /// - Parameter lastDC: the DC value of each component's last block in it.
  mutating func skip(to lastDC: [Int]) { self.lastDC.replaceSubrange(lastDC.indices, with: lastDC) }

  /// Hands over the symbols of the next block: the table, the symbol, the value that its code stands for and the number
  /// of bits that tell it from others of its size.
  ///
  /// - Parameter place: its place in its MCU.
  @inline(__always) mutating func symbols(
    of block: JPEGBlock, ofMCU place: Int, _ take: (JPEGCodeTable, _ symbol: Int, _ value: Int, _ size: Int) -> Void
  ) {
    func size(_ value: Int) -> Int { Int.bitWidth - value.magnitude.leadingZeroBitCount }
    let component = place < lumaOfMCU ? 0 : place - lumaOfMCU + 1, dc = Int(block.values[0])
    let difference = dc - lastDC[component]
    lastDC[component] = dc
    take(component == 0 ? .lumaDC : .chromaDC, size(difference), difference, size(difference))
    let table: JPEGCodeTable = component == 0 ? .lumaAC : .chromaAC
    var zeros = 0
    for value in block.values.dropFirst() {
      if value == 0 {
        zeros += 1
        continue
      }
      for _ in 0..<zeros / 16 { take(table, 0xF0, 0, 0) }
      let bits = size(Int(value))
      take(table, (zeros % 16) << 4 | bits, Int(value), bits)
      zeros = 0
    }
    if zeros > 0 { take(table, 0, 0, 0) }
  }
}

/// The number of times that each symbol of each table occurs in a scan: the twin of jpeg_counts.glsl.
package struct JPEGSymbolCounts: Sendable {
  /// The symbols of both tables of DC, 16 each, then of both of AC, 256 each: as the codes lie in `JPEGTables.words`.
  package static let count = 544

  private let blocksOfMCU: Int
  private var prediction: JPEGPrediction
  private var counts = [Int](repeating: 0, count: Self.count)

  package init(_ layout: JPEGLayout) { (blocksOfMCU, prediction) = (layout.blocksOfMCU, JPEGPrediction(layout)) }

  private static func first(_ table: JPEGCodeTable) -> Int {
    table.isDC ? 16 * table.rawValue : 32 + 256 * (table.rawValue - JPEGCodeTable.lumaAC.rawValue)
  }

  /// Counts whole MCUs.
  package mutating func append(_ blocks: [JPEGBlock]) {
    for (index, block) in blocks.enumerated() {
      prediction.symbols(of: block, ofMCU: index % blocksOfMCU) { table, symbol, _, _ in
        counts[Self.first(table) + symbol] += 1
      }
    }
  }

  /// Counts the first MCU of a band, and adds what was counted of its other blocks.
  ///
  /// - Parameter lastDC: the DC value of each component's last block in the band.
  package mutating func append(first: [JPEGBlock], sums: [UInt32], lastDC: [Int]) {
    append(first)
    for (place, sum) in sums.enumerated() { counts[place] += Int(sum) }
    prediction.skip(to: lastDC)
  }

  /// Returns false for counts that blocks cannot have: each has a symbol of DC and at most one that ends it.
  package static func arePossible(_ counts: [UInt32], luma: Int, chroma: Int) -> Bool {
    zip([(JPEGCodeTable.lumaDC, JPEGCodeTable.lumaAC), (.chromaDC, .chromaAC)], [luma, chroma]).allSatisfy {
      let (dc, ac) = (first($0.0), first($0.1))
      return counts[dc..<dc + 16].reduce(0) { $0 + Int($1) } == $1 && Int(counts[ac]) <= $1
    }
  }

  /// The codes of the fewest bits for each `JPEGCodeTable`.
  package var codes: [JPEGCodes] {
    JPEGCodeTable.allCases.map {
      JPEGCodes(frequencies: Array(counts[Self.first($0)...].prefix($0.isDC ? 16 : 256)))
    }
  }
}
