import HDRCore

/// Stage `bin_index`: the number of the histogram bin that each component belongs to. Bins are [edge i, edge i + 1)
/// with edges from tables, so the numbers are exact. Values outside belong to the first or the last bin.
public enum BinIndex: KernelStage {
  package static let operations = 256

  package static let boundNumbers: Set = ["last"]

  /// Returns the edges of `count` bins: no limit below the first and above the last.
  package static func edges(_ count: Int, _ edge: (Double) -> Double) -> [UInt32] {
    let most = Float.greatestFiniteMagnitude
    /// Returns the smallest binary32 that is not below x.
    func ceiling(_ x: Double) -> Float {
      let f = Float(x)
      return Double(f) < x ? f.nextUp : f
    }
    return (0...count).map { i in
      i == 0 ? (-most).bitPattern : (i == count ? most : ceiling(edge(Double(i) / Double(count)))).bitPattern
    }
  }

  public struct Parameters: StageParameters {
    public let isLog: UInt32, low: Float, scale: Float, count: Float, last: Float, edges: UInt32, alphaEdges: UInt32
  }

  /// - Parameters:
  ///   - stops: `nil`: bins of equal width from 0 to 1; else of equal numbers of stops.
  package static func words(count: Int, stops: ClosedRange<Double>?, edges: UInt32, alphaEdges: UInt32) -> [UInt32] {
    let low = stops?.lowerBound ?? 0, high = stops?.upperBound ?? 1
    return Parameters(
      isLog: (stops != nil).word, low: Float(low), scale: Float(Double(count) / (high - low)), count: Float(count),
      last: Float(count - 1), edges: edges, alphaEdges: alphaEdges
    ).list
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), n = s.padded, q = s.scratch(0)
    let low = words.low, scale = words.scale, count = words.count, last = words.last
    for channel in 0..<4 {
      let p = s.plane(channel), edges = c.table(at: channel == 3 ? words.alphaEdges : words.edges)
      if channel == 3 || words.isLog == 0 {
        for i in 0..<n { q[i] = p[i] * count }
      } else {
        for i in 0..<n {
          let v: Float = p[i] > 0x1p-24 ? p[i] : 0x1p-24
          q[i] = (E32.log2(v) - low) * scale
        }
      }
      for i in 0..<n {
        let a: Float = q[i] > 0 ? q[i] : 0
        q[i] = LUT3DStage.cell(a < last ? a : last, last)
      }
      // The guess is off by one at most.
      for i in 0..<n {
        let bin = Int((q[i] + 8_388_608).pattern & 0x7f_ffff), v = p[i]
        let up: Float = v >= edges[bin &+ 1] ? 1 : 0, down: Float = v < edges[bin] ? 1 : 0
        p[i] = (q[i] + up) - down
      }
    }
  }
}
