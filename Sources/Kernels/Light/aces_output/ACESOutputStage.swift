import HDRCore

/// Stage `aces_output`: an output transform of ACES 2.0, from scene light in AP1 to display light in RGB of the limiting
/// gamut, 1.0 = 100 cd/m² (`ACESTransform` has the formulas).
///
/// All numbers of an output lie in one table. Nothing needs an angle: opponents over colourfulness are the hue's cosine
/// and sine, and cells over hue are numbered around the diamond |a| + |b| = 1. Light below 2^-30 is black.
public enum ACESOutputStage: ACESTableStage {
  public typealias Parameters = ACESTablePlace

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let table = c.table(at: c.words(Parameters.self).table)
    let numbers = UnsafeRawPointer(table).load(as: ACESNumbers.self)
    // Planes: R, G, B become A, a, b and then, in turn, log10(jMax - J), M and the place around the diamond.
    ACESLanes.cones(s, table, numbers)
    ACESLanes.hue(s)
    rows(s, table)
    ACESLanes.cells(s, table, node: 1, values: 16, to: (12, 13, 2, nil))
    chroma(s, numbers)
    ACESLanes.cells(s, table, node: 0, values: 4, to: (6, 7, 8, 9))
    ACESLanes.move(s, table, numbers, isInverse: false, j: 5, m: -3)
    ACESLanes.lookup(
      s, table, ACESPlaces.achromatic, ACESPlaces.lightnessDomain, from: s.scratch(5), to: s.red)
    ACESLanes.light(s, table, numbers)
  }

  /// Looks up lightness and seven more functions of A.
  @inlinable @inline(always) static func rows(_ s: Strip, _ table: UnsafePointer<Float>) {
    let signal = s.red, j = s.scratch(5), rest = s.scratch(0)
    CurveTable.locate(
      signal, s.padded, ACESPlaces.achromaticDomain, index: s.scratch(1), fraction: s.scratch(2))
    ACESLanes.rows(s, table, ACESPlaces.rows, to: ((5, 6, 7, 8), (9, 10, 11, 0)))
    for i in 0..<s.padded {
      let lit: Float = signal[i] < 0x1p-14 ? 0 : j[i]
      j[i] = lit
      signal[i] = rest[i]
    }
  }

  /// Compresses colourfulness by lightness.
  @inlinable @inline(always) static func chroma(_ s: Strip, _ numbers: ACESNumbers) {
    let m = s.green, ratio = s.scratch(6), power = s.scratch(7), first = s.scratch(8), firstRoot = s.scratch(9)
    let second = s.scratch(10), secondRoot = s.scratch(11), reach = s.scratch(12), norm = s.scratch(13)
    let inverse = s.scratch(2)
    for i in 0..<s.padded {
      let scale = inverse[i], limit = power[i] * (reach[i] * scale), x = limit - (m[i] * ratio[i]) * scale
      let end = limit - 0.001, k = firstRoot[i], k2 = first[i], l = secondRoot[i], l2 = second[i]
      let p = end + k2, q = limit + l2, both = E32.reciprocal(p * q)
      let far = toe(x, end, k, k2, (end + k) * (both * q))
      let kept = toe(limit - far, limit, l, l2, (limit + l) * (both * p))
      let some: Float = kept > 0 ? kept * norm[i] : 0
      m[i] = m[i] > 0 ? some : 0
    }
  }

  /// Returns the toe of chroma compression: the line from `end` on.
  @inlinable @inline(always) static func toe(_ x: Float, _ end: Float, _ k: Float, _ k2: Float, _ k3: Float) -> Float {
    let steep = k3 * x, b = steep - k
    let bent = 0.5 * (b + ACESLanes.root(b * b + (4 * k2) * steep))
    return x > end ? x : bent
  }
}
