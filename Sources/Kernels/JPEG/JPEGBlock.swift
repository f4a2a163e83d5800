import HDRCore

/// Quantised coefficients of one 8x8 block, zigzag order: the twin of jpeg_blocks.glsl.
///
/// The integers are those of libjpeg-turbo's C code and its SIMD, which agree for samples of 8 bits: jccolor.c,
/// jcsample.c with its changing bias, jfdctint.c, jcdctmgr.c.
package struct JPEGBlock: Sendable, Hashable {
  package var values: [Int16]

  /// Makes the block of a component at a place of its grid. Outside the picture it has the DC of the block before it in
  /// the scan, and no AC (jccoefct.c).
  ///
  /// - Parameters:
  ///   - pixels: R G B x of 8 bits; a grey picture is the first.
  ///   - component: 0: luma or grey, 1: Cb, 2: Cr.
  package init(
    _ pixels: UnsafePointer<UInt8>, rowBytes: Int, _ layout: JPEGLayout, component index: Int, column: Int, row: Int,
    _ tables: JPEGTables
  ) {
    let component = layout.components[index], size = layout.samples(component)
    var (column, row) = (column, row), isOutside = false
    let rows = (size.height + 7) / 8, columns = (size.width + 7) / 8
    if row >= rows {
      (isOutside, row) = (true, rows - 1)
      column = column / component.blocksX * component.blocksX + component.blocksX - 1
    }
    if column >= columns { (isOutside, column) = (true, columns - 1) }

    func pixel(_ x: Int, _ y: Int) -> Int32 {
      let x = min(x, layout.width - 1), y = min(y, layout.height - 1)
      let p = pixels + y * rowBytes + 4 * x, r = Int32(p[0])
      if layout.chroma == .none { return r }
      let g = Int32(p[1]), b = Int32(p[2])
      switch index {
      case 0: return (19595 * r + 38470 * g + 7471 * b + 32768) >> 16
      case 1: return (-11059 * r - 21709 * g + 32768 * b + 8_421_375) >> 16
      default: return (32768 * r - 27439 * g - 5329 * b + 8_421_375) >> 16
      }
    }
    func sample(_ x: Int, _ y: Int) -> Int32 {
      let y = min(y, size.height - 1) << component.shiftY, fullX = x << component.shiftX
      if component.shiftX == 0 { return pixel(fullX, y) }
      let sum = pixel(fullX, y) + pixel(fullX + 1, y), bias = Int32(x & 1)
      if component.shiftY == 0 { return (sum + bias) >> 1 }
      return (sum + pixel(fullX, y + 1) + pixel(fullX + 1, y + 1) + bias + 1) >> 2
    }
    var samples = EightRows { x, y in sample(8 * column + x, 8 * row + y) - 128 }
    samples.transpose()
    samples.transformColumns(shift: 11)
    samples.transpose()
    samples.transformColumns(shift: 15)
    let quantisers = tables.quantisers[index == 0 ? 0 : 1]
    values = (0..<64).map { place in
      let natural = Int(JPEGTables.zigzag[place]), value = samples.rows[natural >> 3][natural & 7],
        divisor = Int32(quantisers[place]) << 3
      let magnitude = (abs(value) + divisor >> 1) / divisor
      return isOutside && place > 0 ? 0 : Int16(value < 0 ? -magnitude : magnitude)
    }
  }

  /// Returns all blocks of a picture in the order of its scan.
  package static func all(
    _ pixels: UnsafePointer<UInt8>, rowBytes: Int, _ layout: JPEGLayout, _ tables: JPEGTables
  ) -> [JPEGBlock] {
    (0..<layout.mcuColumns * layout.mcuRows).flatMap { mcu in
      let row = mcu / layout.mcuColumns, column = mcu % layout.mcuColumns
      return layout.components.enumerated().flatMap { index, component in
        (0..<component.blocks).map { place in
          JPEGBlock(
            pixels, rowBytes: rowBytes, layout, component: index,
            column: column * component.blocksX + place % component.blocksX,
            row: row * component.blocksY + place / component.blocksX, tables)
        }
      }
    }
  }

  /// Makes a block of the 32 words that kernels write for it.
  package init(words: some Collection<UInt32>) {
    values = words.flatMap { [Int16(truncatingIfNeeded: $0), Int16(truncatingIfNeeded: $0 >> 16)] }
  }
}

/// Holds the rows of a block and transforms all its columns at once.
struct EightRows {
  var rows: [SIMD8<Int32>]

  init(value: (_ x: Int, _ y: Int) -> Int32) {
    rows = (0..<8).map { y in SIMD8((0..<8).map { x in value(x, y) }) }
  }

  mutating func transpose() {
    for y in 0..<8 {
      for x in 0..<y { (rows[y][x], rows[x][y]) = (rows[x][y], rows[y][x]) }
    }
  }

  /// Transforms all columns: of a transposed block (shift 11), then of the block (shift 15).
  mutating func transformColumns(shift: Int32) {
    let rounding: Int32 = 1 << (shift - 1)
    let (s0, s1, s2, s3) = (rows[0] &+ rows[7], rows[1] &+ rows[6], rows[2] &+ rows[5], rows[3] &+ rows[4])
    let (d0, d1, d2, d3) = (rows[0] &- rows[7], rows[1] &- rows[6], rows[2] &- rows[5], rows[3] &- rows[4])
    let e0 = s0 &+ s3, e3 = s0 &- s3, e1 = s1 &+ s2, e2 = s1 &- s2
    let scaled = { (sum: SIMD8<Int32>) in shift == 11 ? sum &<< 2 : (sum &+ 2) &>> 2 }
    let rounded = { (sum: SIMD8<Int32>) in (sum &+ rounding) &>> SIMD8(repeating: shift) }
    rows[0] = scaled(e0 &+ e1)
    rows[4] = scaled(e0 &- e1)
    let z = (e2 &+ e3) &* 4433
    rows[2] = rounded(z &+ e3 &* 6270)
    rows[6] = rounded(z &- e2 &* 15137)
    let z1 = (d3 &+ d0) &* -7373, z2 = (d2 &+ d1) &* -20995
    let z5 = (d3 &+ d1 &+ d2 &+ d0) &* 9633
    let z3 = (d3 &+ d1) &* -16069 &+ z5, z4 = (d2 &+ d0) &* -3196 &+ z5
    rows[7] = rounded(d3 &* 2446 &+ z1 &+ z3)
    rows[5] = rounded(d2 &* 16819 &+ z2 &+ z4)
    rows[3] = rounded(d1 &* 25172 &+ z2 &+ z3)
    rows[1] = rounded(d0 &* 12299 &+ z1 &+ z4)
  }
}
