extension JPEGBlock {
  /// Returns the rows of samples, eight in a word, the first lowest: dequantised, transformed and limited as
  /// libjpeg-turbo's SIMD for x86 does it (jidctint-avx2.asm). Products and some sums keep 16 bits there, which only impossible pictures exceed.
  ///
  /// - Parameter quantisers: 64 in zigzag order.
  func samples(_ quantisers: [UInt16]) -> [UInt64] {
    var rows = EightRows { _, _ in 0 }, isFlat = true
    for place in 0..<64 {
      let natural = Int(JPEGTables.zigzag[place])
      if values[place] != 0, natural >= 8 { isFlat = false }
      rows.rows[natural >> 3][natural & 7] = Int32(values[place] &* Int16(bitPattern: quantisers[place]))
    }
    if isFlat {
      let first = (rows.rows[0] &<< 18) &>> 16
      rows = EightRows { x, _ in first[x] }
    } else {
      rows.restoreColumns(shift: 11)
    }
    rows.transpose()
    rows.restoreColumns(shift: 18)
    rows.transpose()
    return rows.rows.map { row in
      let limited = row.clamped(lowerBound: .init(repeating: -128), upperBound: .init(repeating: 127))
      return unsafeBitCast(SIMD8<UInt8>(truncatingIfNeeded: limited &+ 128), to: UInt64.self)
    }
  }
}

extension EightRows {
  /// Transforms all columns back: of a block (shift 11), then of the transposed block (shift 18).
  fileprivate mutating func restoreColumns(shift: Int32) {
    let wrapped = { (row: SIMD8<Int32>) in (row &<< 16) &>> 16 }
    let (r0, r1, r2, r3) = (rows[0], rows[1], rows[2], rows[3]), (r4, r5, r6, r7) = (rows[4], rows[5], rows[6], rows[7])
    let e0 = wrapped(r0 &+ r4) &<< 13, e1 = wrapped(r0 &- r4) &<< 13
    let e2 = r2 &* 4433 &+ r6 &* -10704, e3 = r2 &* 10703 &+ r6 &* 4433
    let s0 = e0 &+ e3, s3 = e0 &- e3, s1 = e1 &+ e2, s2 = e1 &- e2
    let z3 = wrapped(r7 &+ r3), z4 = wrapped(r5 &+ r1)
    let o3 = z3 &* -6436 &+ z4 &* 9633, o4 = z3 &* 9633 &+ z4 &* 6437
    let d0 = r7 &* -4927 &+ r1 &* -7373 &+ o3, d1 = r5 &* -4176 &+ r3 &* -20995 &+ o4
    let d2 = r5 &* -20995 &+ r3 &* 4177 &+ o3, d3 = r7 &* -7373 &+ r1 &* 4926 &+ o4
    let rounded = { (sum: SIMD8<Int32>) in
      ((sum &+ (1 &<< (shift - 1))) &>> SIMD8(repeating: shift))
        .clamped(lowerBound: .init(repeating: -32768), upperBound: .init(repeating: 32767))
    }
    rows = [
      rounded(s0 &+ d3), rounded(s1 &+ d2), rounded(s2 &+ d1), rounded(s3 &+ d0), rounded(s3 &- d0),
      rounded(s2 &- d1), rounded(s1 &- d2), rounded(s0 &- d3),
    ]
  }
}
