import HDRCore

/// Stage `scale_by_first`: the first component times one curve of its magnitude, the other two times another: an
/// intensity and two colour differences (I, Ct, Cp; lightness and opponents), where the colour follows the tone.
public enum ScaleByFirst: KernelStage {
  public struct Parameters: StageParameters {
    public let first: UInt32, others: UInt32, domain: CurveDomain
  }

  /// Makes the words of two tables of the same domain.
  package static func words(first: CurveTable, others: CurveTable, offsets: [UInt32]) -> [UInt32] {
    Parameters(first: offsets[0], others: offsets[1], domain: first.domain).list
  }

  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] {
    let first = CurveTable(octaves: -12..<4, k: 6) { 1 / (1 + $0) }
    let others = CurveTable(octaves: -12..<4, k: 6) { ExactMath.pow($0, 0.3) }
    return [words(first: first, others: others, offsets: [first, others].map { table($0.words) })]
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), domain = words.domain
    let p = s.base, a = s.scratch(0), b = s.scratch(1), index = s.scratch(2), fraction = s.scratch(3)
    CurveTable.lookup(
      c.table(at: words.first), from: p, to: a, s.padded, domain, index: index, fraction: fraction)
    CurveTable.lookup(
      c.table(at: words.others), from: p, to: b, s.padded, domain, index: index, fraction: fraction)
    for i in 0..<s.padded {
      p[i] = p[i] * a[i]
      p[i &+ Strip.stride] = p[i &+ Strip.stride] * b[i]
      p[i &+ 2 &* Strip.stride] = p[i &+ 2 &* Strip.stride] * b[i]
    }
  }
}
