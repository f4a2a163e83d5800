import HDRCore

/// Stage `morphology`, a load: the largest or smallest value of each plane of source 0's pixels in rows around each
/// pixel, or for colours the difference of both. Without a fourth plane A = 1.
///
/// Values are compared as in `Extreme`. A run is the extreme of two runs half as long: log2 of the length are computed.
public enum MorphologyStage: KernelStage {
  package static let readsColumns = true

  public enum Kind: Int, Sendable, Hashable, CaseIterable {
    case minimum, maximum, gradient
  }

  public struct Parameters: StageParameters {
    public let channels: UInt32, kind: Choice<Kind>
    /// Four words a row: y, x, count, 0.
    public let rows: UInt32, table: UInt32
    public let width: UInt32, height: UInt32

    package init(channels: UInt32, kind: Choice<Kind>, rows: UInt32, table: UInt32, width: UInt32, height: UInt32) {
      (self.channels, self.kind, self.rows, self.table, self.width, self.height) = (
        channels, kind, rows, table, width, height
      )
    }
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), channels = Int(words.channels), kind = words.kind.value, n = s.count
    for channel in 0..<channels {
      let out = s.plane(channel)
      extreme(s, c, channel, flip: kind == .minimum ? -1 : 0, to: out)
      if kind == .gradient && channel < 3 {
        let least = s.scratch(8)
        extreme(s, c, channel, flip: -1, to: least)
        for i in 0..<n { out[i] = out[i] - least[i] }
      }
    }
    WeightedSum.finish(s, channels: channels)
  }

  /// Writes the largest value of a plane, or with `flip` -1 the smallest.
  @inlinable @inline(always) static func extreme(
    _ s: Strip, _ c: StageContext, _ channel: Int, flip: Int32, to out: UnsafeMutablePointer<Float>
  ) {
    let words = c.words(Parameters.self), table = c.tables + Int(words.table), view = c.channels[channel], n = s.count
    let width = Int(words.width), height = Int(words.height)
    // A row with the pixels around it takes two planes of scratch.
    let best = UnsafeMutableRawPointer(s.scratch(6)).assumingMemoryBound(to: Int32.self)
    let runs = UnsafeMutableRawPointer(s.scratch(3)).assumingMemoryBound(to: Int32.self)
    for i in 0..<n { best[i] = Int32.min }
    for row in 0..<Int(words.rows) {
      let entry = table + 4 &* row
      let dy = Int(Int32(bitPattern: entry[0])), dx = Int(Int32(bitPattern: entry[1])), count = Int(entry[2])
      let reach = 0 &- dx
      let samples = UnsafeRawPointer(
        Neighbourhood.row(
          view, Neighbourhood.inside(s.y &+ dy, height), s, reach: reach, width: width, s.scratch(0))
      ).assumingMemoryBound(to: UInt32.self)
      var there = n &+ count &- 1, length = 1
      for i in 0..<there { runs[i] = Extreme.key(samples[i]) ^ flip }
      while length &* 2 <= count {
        there = there &- length
        for i in 0..<there { runs[i] = runs[i] > runs[i &+ length] ? runs[i] : runs[i &+ length] }
        length = length &* 2
      }
      let rest = count &- length
      for i in 0..<n {
        let a = runs[i] > runs[i &+ rest] ? runs[i] : runs[i &+ rest]
        best[i] = best[i] > a ? best[i] : a
      }
    }
    for i in 0..<n { out[i] = Float(bitPattern: UInt32(bitPattern: Extreme.key(UInt32(bitPattern: best[i] ^ flip)))) }
  }
}
