import HDRCore

/// Stage `canny`, a load: edges a pixel wide of gradients, in two steps. Numbers of source 0's first planes; R, G and B of
/// the result are equal. Beyond the border the border's pixels repeat.
///
/// Squares are compared, and directions by products, so no root and no angle is rounded.
public enum CannyStage: KernelStage {
  package static let readsColumns = true
  package static let operations = 256

  public enum Mode: Int, Sendable, Hashable, CaseIterable {
    /// Gradients along rows in R and down columns in G become 1 where an edge is strong, 1/2 where it is weak, else 0.
    case thin
    /// 1 also where an edge is weak beside a strong one.
    case strengthen
  }

  public struct Parameters: StageParameters {
    public let mode: Choice<Mode>, width: UInt32, height: UInt32
    /// The least squares of gradients of strong and of weak edges.
    public let high: Float, low: Float

    package init(_ mode: Mode, width: Int, height: Int, high: Double, low: Double) {
      (self.mode, self.width, self.height) = (Choice(mode), width.word, height.word)
      (self.high, self.low) = (Float(high * high), Float(low * low))
    }
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), out = s.red
    switch words.mode.value {
    case .thin: thin(s, c, words)
    case .strengthen: strengthen(s, c, words)
    }
    for i in s.count..<s.padded { out[i] = 0 }
    s.green.update(from: out, count: s.padded)
    s.blue.update(from: out, count: s.padded)
    for i in 0..<s.padded { s.alpha[i] = 1 }
  }

  /// Returns a number that is large enough to be squared.
  @inlinable @inline(always) static func seen(_ x: Float) -> Float {
    let a: Float = x < 0 ? -x : x
    return a < 0x1p-40 ? 0 : x
  }

  @inlinable @inline(always) static func thin(_ s: Strip, _ c: StageContext, _ words: Parameters) {
    let width = Int(words.width), height = Int(words.height), out = s.red, n = s.count &+ 2
    let along = c.channels[0], down = c.channels[1]
    @inline(always) func row(_ view: ChannelView, _ y: Int, _ copy: Int) -> UnsafePointer<Float> {
      Neighbourhood.row(view, Neighbourhood.inside(y, height), s, reach: 1, width: width, s.scratch(copy))
    }
    for dy in 0..<3 {
      let x = row(along, s.y &+ dy &- 1, 3), y = row(down, s.y &+ dy &- 1, 4), m = s.scratch(dy)
      for i in 0..<n {
        let gx = seen(x[i]), gy = seen(y[i])
        m[i] = gx * gx + gy * gy
      }
    }
    let x = row(along, s.y, 3) + 1, y = row(down, s.y, 4) + 1
    let above = s.scratch(0), own = s.scratch(1), below = s.scratch(2)
    for i in 0..<s.count {
      let gx = seen(x[i]), gy = seen(y[i]), ax: Float = gx < 0 ? -gx : gx, ay: Float = gy < 0 ? -gy : gy
      let isAlong = ay <= 0x1.a8279ap-2 * ax, isDown = ax < 0x1.a8279ap-2 * ay, falls = (gx > 0) == (gy > 0)
      let slantBefore: Float = falls ? above[i] : above[i &+ 2], slantAfter: Float = falls ? below[i &+ 2] : below[i]
      let downBefore: Float = isDown ? above[i &+ 1] : slantBefore
      let downAfter: Float = isDown ? below[i &+ 1] : slantAfter
      let before: Float = isAlong ? own[i] : downBefore, after: Float = isAlong ? own[i &+ 2] : downAfter
      let m = own[i &+ 1], isEdge = m > before && m >= after
      let strength: Float = m >= words.high ? 1 : m >= words.low ? 0.5 : 0
      out[i] = isEdge ? strength : 0
    }
  }

  @inlinable @inline(always) static func strengthen(_ s: Strip, _ c: StageContext, _ words: Parameters) {
    let width = Int(words.width), height = Int(words.height), view = c.channels[0], out = s.red, most = s.scratch(0)
    for i in 0..<s.count { most[i] = 0 }
    for dy in -1...1 {
      let p = Neighbourhood.row(
        view, Neighbourhood.inside(s.y &+ dy, height), s, reach: 1, width: width, s.scratch(1))
      for i in 0..<s.count {
        let a: Float = p[i] > p[i &+ 1] ? p[i] : p[i &+ 1], b: Float = p[i &+ 2] > a ? p[i &+ 2] : a
        most[i] = b > most[i] ? b : most[i]
        if dy == 0 { out[i] = p[i &+ 1] }
      }
    }
    for i in 0..<s.count { out[i] = out[i] > 0.25 && most[i] > 0.75 ? 1 : out[i] }
  }
}
