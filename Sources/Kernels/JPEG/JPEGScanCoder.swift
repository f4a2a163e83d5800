/// Writes the bytes of a scan: Huffman codes of blocks, and codes that kernels have made (ITU-T T.81, F.1.2). Every
/// byte 0xFF is followed by 0.
package struct JPEGScanCoder {
  private let layout: JPEGLayout
  /// The words of all tables, 256 each.
  private let codes: [UInt32]
  /// The DC value of each component's last block.
  private var lastDC = [Int](repeating: 0, count: 3)
  package private(set) var bytes: [UInt8] = []
  /// The bits that fill no byte yet, from the highest.
  private var held: UInt64 = 0
  private var heldBits = 0

  /// - Parameter layout: of the whole picture.
  package init(_ layout: JPEGLayout, _ tables: JPEGTables) {
    self.layout = layout
    codes = JPEGCodeTable.allCases.flatMap { tables.codes[$0]!.words(count: 256) }
  }

  /// Returns the scan of a whole picture: what kernels must make of it.
  ///
  /// - Parameter pixels: as of `JPEGBlock`.
  package static func scan(
    of pixels: UnsafePointer<UInt8>, rowBytes: Int, _ layout: JPEGLayout, _ tables: JPEGTables
  ) -> [UInt8] {
    var coder = JPEGScanCoder(layout, tables)
    for mcu in 0..<layout.mcuColumns * layout.mcuRows {
      let row = mcu / layout.mcuColumns, column = mcu % layout.mcuColumns
      for (index, component) in layout.components.enumerated() {
        for place in 0..<component.blocks {
          let block = JPEGBlock(
            pixels, rowBytes: rowBytes, layout, component: index,
            column: column * component.blocksX + place % component.blocksX,
            row: row * component.blocksY + place / component.blocksX, tables)
          coder.append(block, ofMCU: component.firstInMCU + place)
        }
      }
    }
    coder.finish()
    return coder.bytes
  }

  /// Appends the codes of one block.
  ///
  /// - Parameter place: its place in its MCU.
  package mutating func append(_ block: JPEGBlock, ofMCU place: Int) {
    let component = place < layout.lumaOfMCU ? 0 : place - layout.lumaOfMCU + 1, dc = Int(block.values[0])
    put(dc - lastDC[component], zeros: 0, component == 0 ? .lumaDC : .chromaDC)
    lastDC[component] = dc
    let table: JPEGCodeTable = component == 0 ? .lumaAC : .chromaAC
    var zeros = 0
    for value in block.values.dropFirst() {
      if value == 0 {
        zeros += 1
        continue
      }
      for _ in 0..<zeros / 16 { put(code: 0xF0, table) }
      put(Int(value), zeros: zeros % 16, table)
      zeros = 0
    }
    if zeros > 0 { put(code: 0, table) }
  }

  /// Appends the first MCU of a band and the codes of its other blocks.
  ///
  /// - Parameters:
  ///   - first: the blocks of the first MCU.
  ///   - words: the codes of the others, the first bit the highest of a word; at least `bits` of them.
  ///   - lastDC: the DC value of each component's last block in the band.
  package mutating func append(first: [JPEGBlock], words: UnsafePointer<UInt32>, bits: Int, lastDC: [Int]) {
    for (place, block) in first.enumerated() { append(block, ofMCU: place) }
    bytes.reserveCapacity(bytes.count + bits / 8 + bits / 512 + 64)
    for index in 0..<bits / 32 { append(words[index], 32) }
    if bits % 32 > 0 { append(words[bits / 32] >> UInt32(32 - bits % 32), bits % 32) }
    for (component, value) in lastDC.enumerated() { self.lastDC[component] = value }
  }

  /// Fills the last byte with ones (F.1.2.3).
  package mutating func finish() {
    if heldBits > 0 { append((1 << UInt32(8 - heldBits)) - 1, 8 - heldBits) }
  }

  private mutating func put(_ value: Int, zeros: Int, _ table: JPEGCodeTable) {
    let size = Int.bitWidth - value.magnitude.leadingZeroBitCount
    put(code: zeros << 4 | size, table)
    if size > 0 { append(UInt32((value < 0 ? value - 1 : value) & (1 << size - 1)), size) }
  }

  private mutating func put(code value: Int, _ table: JPEGCodeTable) {
    let word = codes[table.rawValue << 8 | value]
    append(word & 0xFFFF, Int(word >> 16))
  }

  /// Appends at most 32 bits.
  @inline(__always) private mutating func append(_ bits: UInt32, _ count: Int) {
    held |= UInt64(bits) << UInt64(64 - heldBits - count)
    heldBits += count
    while heldBits >= 8 {
      let byte = UInt8(truncatingIfNeeded: held >> 56)
      bytes.append(byte)
      if byte == 0xFF { bytes.append(0) }
      held <<= 8
      heldBits -= 8
    }
  }
}
