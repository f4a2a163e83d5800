import HDRCore

/// Stage `knots`: a curve on each of R, G, B that is a cubic between knots at any places, constant beyond its ends.
///
/// A knot belongs to the piece before it, so a curve may step there. Distances from a knot below 2^-30 count as 0.
public enum KnotsStage: KernelStage {
  public struct Parameters: StageParameters {
    /// `counts`: the numbers of pieces. `turns`: halvings that find one among the most.
    public let tables: RGBWords<UInt32>, counts: RGBWords<UInt32>, turns: UInt32
    public let low: RGBWords<Float>, high: RGBWords<Float>
  }

  /// A curve: `count` starts of pieces by rising value, then the four numbers of each piece, lowest power first; the
  /// first start and the end of the last piece.
  package struct Curve {
    package var table: UInt32
    package var count: Int
    package var low: Double
    package var high: Double

    package init(table: UInt32, count: Int, low: Double, high: Double) {
      (self.table, self.count, self.low, self.high) = (table, count, low, high)
    }
  }

  /// Numbers of pieces below this are 0, so that no product is subnormal.
  private static let least = 0x1p-36

  /// Returns the table of a curve: starts, then the numbers of each piece.
  package static func table(starts: [Double], numbers: [[Double]]) -> [UInt32] {
    (starts + numbers.joined()).map { abs($0) < least ? 0 : $0.word }
  }

  /// Makes the words of the curves of R, G and B.
  package static func words(_ curves: [Curve]) -> [UInt32] {
    let most = curves.map(\.count).max() ?? 1
    func bound(_ x: Double) -> Double { abs(x) < least ? 0 : x }
    return Parameters(
      tables: RGBWords(curves.map(\.table)), counts: RGBWords(curves.map(\.count.word)),
      turns: (Int.bitWidth - (most - 1).leadingZeroBitCount).word, low: RGBWords(curves.map { bound($0.low) }),
      high: RGBWords(curves.map { bound($0.high) })
    ).list
  }

  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] {
    let curves = [3, 5, 8].map { count -> Curve in
      let starts = (0..<count).map { -0.2 + 0.04 * Double($0 * $0) + 0.01 * Double(count) }
      let numbers = starts.map { [0.9 * $0 + 0.02 * Double(count), 0.8 - 0.1 * $0, 0.4, -0.3] }
      return Curve(
        table: table(Self.table(starts: starts, numbers: numbers)), count: count, low: starts[0],
        high: starts[count - 1] + 0.3)
    }
    return [words(curves), words([curves[0], curves[0], curves[0]])]
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), turns = words.turns
    for channel in 0..<3 {
      let t = c.table(at: words.tables[channel]), count = words.counts[channel], p = s.plane(channel)
      let low = words.low[channel], high = words.high[channel]
      for i in 0..<s.padded {
        let above: Float = p[i] > low ? p[i] : low
        let x: Float = above < high ? above : high
        var piece: UInt32 = 0, turn = turns
        while turn > 0 {
          turn = turn &- 1
          let next = piece &+ (1 &<< turn)
          let candidate = next < count ? next : piece
          piece = t[Int(truncatingIfNeeded: candidate)] < x ? candidate : piece
        }
        let away = x - t[Int(truncatingIfNeeded: piece)]
        let d: Float = away < 0x1p-30 ? 0 : away
        let n = t + Int(truncatingIfNeeded: count &+ 4 &* piece)
        p[i] = n[0] + d * (n[1] + d * (n[2] + d * n[3]))
      }
    }
  }
}
