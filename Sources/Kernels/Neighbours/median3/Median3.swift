import HDRCore

/// Stage `median3`: the median of 3x3 samples of source 0's planes: columns are sorted; the largest of their least, the
/// median of their middle and the least of their largest are three whose median it is.
public enum Median3: KernelStage {
  package static let readsColumns = true
  package static let operations = 256

  public struct Parameters: StageParameters {
    public let channels: UInt32, width: UInt32, height: UInt32
  }

  package static func words(channels: Int, width: Int, height: Int) -> [UInt32] {
    Parameters(channels: channels.word, width: width.word, height: height.word).list
  }

  @inlinable @inline(always) static func least(_ a: Float, _ b: Float) -> Float { a < b ? a : b }
  @inlinable @inline(always) static func most(_ a: Float, _ b: Float) -> Float { a > b ? a : b }
  @inlinable @inline(always) static func middle(_ a: Float, _ b: Float, _ c: Float) -> Float {
    most(least(a, b), least(most(a, b), c))
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), channels = Int(words.channels), n = s.count
    let width = Int(words.width), height = Int(words.height)
    let low = s.scratch(3), mid = s.scratch(4), high = s.scratch(5)
    for channel in 0..<channels {
      let view = c.channels[channel], out = s.plane(channel)
      @inline(always) func row(_ offset: Int, _ scratch: Int) -> UnsafePointer<Float> {
        Neighbourhood.row(
          view, Neighbourhood.inside(s.y &+ offset, height), s, reach: 1, width: width, s.scratch(scratch))
      }
      let above = row(-1, 0), here = row(0, 1), below = row(1, 2)
      for i in 0..<(n &+ 2) {
        let a = least(above[i], here[i]), b = most(above[i], here[i])
        low[i] = least(a, below[i])
        mid[i] = least(b, most(a, below[i]))
        high[i] = most(b, most(a, below[i]))
      }
      for i in 0..<n {
        out[i] = middle(
          most(most(low[i], low[i &+ 1]), low[i &+ 2]), middle(mid[i], mid[i &+ 1], mid[i &+ 2]),
          least(least(high[i], high[i &+ 1]), high[i &+ 2]))
      }
    }
    WeightedSum.finish(s, channels: channels)
  }
}
