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
    var v = (0..<64).map { sample(8 * column + $0 & 7, 8 * row + $0 >> 3) - 128 }
    for line in 0..<8 { Self.transform(&v, from: 8 * line, apart: 1, shift: 11) }
    for line in 0..<8 { Self.transform(&v, from: line, apart: 8, shift: 15) }
    let quantisers = tables.quantisers[index == 0 ? 0 : 1]
    values = (0..<64).map { place in
      let value = v[Int(JPEGTables.zigzag[place])], divisor = Int32(quantisers[place]) << 3
      let magnitude = (abs(value) + divisor >> 1) / divisor
      return isOutside && place > 0 ? 0 : Int16(value < 0 ? -magnitude : magnitude)
    }
  }

  /// Makes a block of the 32 words that kernels write for it.
  package init(words: some Collection<UInt32>) {
    values = words.flatMap { [Int16(truncatingIfNeeded: $0), Int16(truncatingIfNeeded: $0 >> 16)] }
  }

  /// Transforms a row (shift 11) or a column (shift 15) of eight values.
  private static func transform(_ v: inout [Int32], from i: Int, apart: Int, shift: Int32) {
    let a = (0..<8).map { v[i + $0 * apart] }, rounding: Int32 = 1 << (shift - 1)
    let sums = (0..<4).map { a[$0] + a[7 - $0] }, differences = (0..<4).map { a[$0] - a[7 - $0] }
    let e0 = sums[0] + sums[3], e3 = sums[0] - sums[3], e1 = sums[1] + sums[2], e2 = sums[1] - sums[2]
    func put(_ place: Int, _ value: Int32) { v[i + place * apart] = value }
    put(0, shift == 11 ? (e0 + e1) << 2 : (e0 + e1 + 2) >> 2)
    put(4, shift == 11 ? (e0 - e1) << 2 : (e0 - e1 + 2) >> 2)
    let z = (e2 + e3) * 4433
    put(2, (z + e3 * 6270 + rounding) >> shift)
    put(6, (z - e2 * 15137 + rounding) >> shift)
    let (d0, d1, d2, d3) = (differences[0], differences[1], differences[2], differences[3])
    let z1 = (d3 + d0) * -7373, z2 = (d2 + d1) * -20995
    let z5 = (d3 + d1 + d2 + d0) * 9633, z3 = (d3 + d1) * -16069 + z5, z4 = (d2 + d0) * -3196 + z5
    put(7, (d3 * 2446 + z1 + z3 + rounding) >> shift)
    put(5, (d2 * 16819 + z2 + z4 + rounding) >> shift)
    put(3, (d1 * 25172 + z2 + z3 + rounding) >> shift)
    put(1, (d0 * 12299 + z1 + z4 + rounding) >> shift)
  }
}
