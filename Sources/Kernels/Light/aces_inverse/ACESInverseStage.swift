import HDRCore

/// Stage `aces_inverse`: the inverse of `aces_output`, from display light in RGB of the limiting gamut, 1.0 = 100 cd/m², to
/// scene light in AP1.
public enum ACESInverseStage: ACESTableStage {
  public typealias Parameters = ACESTablePlace

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let table = c.table(at: c.words(Parameters.self).table)
    let numbers = UnsafeRawPointer(table).load(as: ACESNumbers.self)
    ACESLanes.cones(s, table, numbers)
    ACESLanes.hue(s)
    ACESLanes.lookup(s, table, ACESPlaces.rows, ACESPlaces.achromaticDomain, from: s.red, to: s.scratch(5))
    // Lines are flatter towards the peak. How flat one is follows from the lightness that is sought, so a first result
    // tells it for the second.
    room(s, numbers, of: s.scratch(5))
    cells(s, table)
    ACESLanes.move(s, table, numbers, isInverse: true, j: -4, m: 6)
    cells(s, table)
    flatten(s, numbers)
    ACESLanes.move(s, table, numbers, isInverse: true, j: 5, m: -3)
    rows(s, table, numbers)
    ACESLanes.cells(s, table, node: 1, values: 16, to: (12, 13, 2, nil))
    chroma(s, numbers)
    ACESLanes.light(s, table, numbers)
  }

  @inlinable @inline(always) static func cells(_ s: Strip, _ table: UnsafePointer<Float>) {
    ACESLanes.cells(s, table, node: 1, values: 16, to: (12, 13, 2, nil))
    ACESLanes.cells(s, table, node: 0, values: 4, to: (6, 7, 8, 9))
  }

  /// Returns log10 of the distance from the peak's lightness.
  @inlinable @inline(always) static func room(_ j: Float, _ numbers: ACESNumbers) -> Float {
    let left = numbers.jMax - j
    return E32.log2(left > 1e-4 ? left : 1e-4) * 0.301_03
  }

  @inlinable @inline(always) static func room(_ s: Strip, _ numbers: ACESNumbers, of j: UnsafeMutablePointer<Float>) {
    let rest = s.red
    for i in 0..<s.padded { rest[i] = room(j[i], numbers) }
  }

  /// Replaces the first result in R by the logarithm that decides the line: its own, or that of a colour that is too dark
  /// for flatter lines.
  @inlinable @inline(always) static func flatten(_ s: Strip, _ numbers: ACESNumbers) {
    let rest = s.red, j = s.scratch(5), flat = s.scratch(9)
    for i in 0..<s.padded {
      let own = room(j[i], numbers), found = room(rest[i], numbers)
      rest[i] = flat[i] > own ? found : own
    }
  }

  /// Looks up A of the scene and six more functions of the display's lightness. Near its end they are steep, so there the
  /// distance from the end is looked up.
  @inlinable @inline(always) static func rows(_ s: Strip, _ table: UnsafePointer<Float>, _ numbers: ACESNumbers) {
    let n = s.padded, j = s.scratch(5), place = s.scratch(0), signal = s.red
    let offset = UnsafeMutableRawPointer(s.scratch(1)).assumingMemoryBound(to: UInt32.self), fraction = s.scratch(2)
    for i in 0..<n {
      let isDim = j[i] < numbers.jHalf
      place[i] = isDim ? j[i] : numbers.jEnd - j[i]
    }
    // Both domains end at 2^9; a bright place lies beyond all dim ones.
    let dim = ACESPlaces.dimDomain, bright = ACESPlaces.brightDomain
    for i in 0..<n {
      let isDim = j[i] < numbers.jHalf, first = isDim ? dim.minBits : bright.minBits
      let bits = Int32(bitPattern: place[i].pattern & 0x7fff_ffff), least = Int32(bitPattern: first)
      let low = bits < least ? least : bits, last = Int32(bitPattern: dim.maxBits)
      let word = UInt32(bitPattern: low > last ? last : low)
      // As if a segment had 16 bytes, which `ACESLanes.rows` multiplies.
      offset[i] = (((word &- first) &>> 17) &<< 4) &+ (isDim ? 0 : 26 &* 64 &* 16)
      fraction[i] = Float(bitPattern: ((word &<< 6) & 0x7f_ffff) | 0x3f80_0000) - 1
    }
    ACESLanes.rows(s, table, ACESPlaces.dimRows, to: ((-4, 6, 7, 8), (9, 10, 11, nil)))
    for i in 0..<n {
      let lit: Float = j[i] < 0x1p-17 ? 0 : signal[i]
      signal[i] = lit
    }
  }

  /// Undoes the compression of colourfulness.
  @inlinable @inline(always) static func chroma(_ s: Strip, _ numbers: ACESNumbers) {
    let m = s.green, ratio = s.scratch(6), power = s.scratch(7), first = s.scratch(8), firstRoot = s.scratch(9)
    let second = s.scratch(10), secondRoot = s.scratch(11), reach = s.scratch(12), norm = s.scratch(13)
    let inverse = s.scratch(2), signal = s.red
    for i in 0..<s.padded {
      let limit = power[i] * (reach[i] * inverse[i]), end = limit - 0.001
      let kept = toe(m[i] * inverse[i], limit, secondRoot[i], second[i])
      let x = limit - toe(limit - kept, end, firstRoot[i], first[i])
      let some: Float = x > 0 ? (x * norm[i]) * ratio[i] : 0
      let lit: Float = signal[i] > 0 ? some : 0
      m[i] = m[i] > 0 ? lit : 0
    }
  }

  /// Returns the inverse of the toe of `ACESOutputStage`.
  @inlinable @inline(always) static func toe(_ x: Float, _ end: Float, _ k: Float, _ k2: Float) -> Float {
    let bent = ((x * x + k * x) * (end + k2)) * E32.reciprocal(ACESLanes.divisor((end + k) * (x + k2)))
    return x > end ? x : bent
  }
}
