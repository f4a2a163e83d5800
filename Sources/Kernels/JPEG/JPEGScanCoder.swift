import HDRCore

/// Writes the bytes of a scan: Huffman codes of blocks, and codes that kernels have made (ITU-T T.81, F.1.2).
package struct JPEGScanCoder {
  private let blocksOfMCU: Int
  /// The words of all tables, 256 each.
  private let codes: [UInt32]
  private var prediction: JPEGPrediction
  private var sink = JPEGBitSink()

  /// - Parameters:
  ///   - layout: of the whole picture.
  ///   - codes: of each `JPEGCodeTable`.
  package init(_ layout: JPEGLayout, _ codes: [JPEGCodes]) {
    blocksOfMCU = layout.blocksOfMCU
    self.codes = codes.flatMap { $0.words(count: 256) }
    prediction = JPEGPrediction(layout)
  }

  /// Appends the codes of whole MCUs.
  package mutating func append(_ blocks: [JPEGBlock]) {
    for (index, block) in blocks.enumerated() {
      prediction.symbols(of: block, ofMCU: index % blocksOfMCU) { table, symbol, value, size in
        let word = codes[table.rawValue << 8 | symbol]
        sink.append(word & 0xFFFF, Int(word >> 16))
        if size > 0 { sink.append(UInt32((value < 0 ? value - 1 : value) & (1 << size - 1)), size) }
      }
    }
  }

  /// Appends the first MCU of a band and the codes of its other blocks.
  ///
  /// - Parameters:
  ///   - first: the blocks of the first MCU.
  ///   - words: the codes of the others, the first bit the highest of a word; at least `bits` of them.
  ///   - lastDC: the DC value of each component's last block in the band.
  package mutating func append(first: [JPEGBlock], words: UnsafePointer<UInt32>, bits: Int, lastDC: [Int]) {
    append(first)
    sink.reserve(bits / 8 + bits / 512 + 64)
    for index in 0..<bits / 32 { sink.append(words[index], 32) }
    if bits % 32 > 0 { sink.append(words[bits / 32] >> UInt32(32 - bits % 32), bits % 32) }
    prediction.skip(to: lastDC)
  }

  /// Ends the scan and returns its bytes.
  package mutating func finish() -> [UInt8] {
    sink.finish()
    return sink.bytes
  }
}
