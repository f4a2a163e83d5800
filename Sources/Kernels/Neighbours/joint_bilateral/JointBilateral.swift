import HDRCore

/// Stage `joint_bilateral`: the mean of a small picture's pixels around each place, weighted by their distance and by how
/// little their guide differs from R. Premultiplied.
public enum JointBilateral: KernelStage {
  package static let readsColumns = true
  package static let operations = 256

  public struct Parameters: StageParameters {
    /// The sources of the small picture and of its guide, one plane, and their size.
    public let small: UInt32, guide: UInt32, channels: UInt32, width: UInt32, height: UInt32
    /// The number of pixels to each side of the nearest one.
    public let reach: UInt32
    /// From a pixel's number to places in the small picture, in its pixel numbers.
    public let scaleX: Float, offsetX: Float, scaleY: Float, offsetY: Float
    /// Stops of a weight for a squared distance of 1, and for a squared difference of 1.
    public let distance: Float, difference: Float
  }

  package static func words(
    small: Int, guide: Int, channels: Int, size: (width: Int, height: Int), of width: Int, _ height: Int,
    spatial: Double, difference: Double
  ) -> [UInt32] {
    let x = Double(size.width) / Double(width), y = Double(size.height) / Double(height), stop = 0.721_347_520_444_481_7
    return Parameters(
      small: small.word, guide: guide.word, channels: channels.word, width: size.width.word, height: size.height.word,
      reach: reach(spatial).word, scaleX: Float(x), offsetX: Float(x / 2 - 0.5), scaleY: Float(y),
      offsetY: Float(y / 2 - 0.5), distance: Float(-stop / (spatial * spatial)),
      difference: Float(-stop / (difference * difference))
    ).list
  }

  /// Returns the number of pixels to each side of the nearest one.
  package static func reach(_ spatial: Double) -> Int { Int((2 * spatial).rounded(.up)) }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), n = s.padded, channels = Int(words.channels), reach = Int(words.reach)
    let width = Int32(words.width), height = Int(words.height), guide = c.channels[4 &* Int(words.guide)]
    let nearest = UnsafeMutableRawPointer(s.scratch(0)).assumingMemoryBound(to: Int32.self)
    let place = s.scratch(1), weight = s.scratch(2), sum = s.scratch(3), sample = s.scratch(4), first = Int32(s.x)
    for i in 0..<n {
      let u = Float(first &+ Int32(truncatingIfNeeded: i)) * words.scaleX + words.offsetX
      let middle = WarpProjective.roundedDown(u + 0.5)
      nearest[i] = Int32(middle)
      place[i] = middle - u
      sum[i] = 0
    }
    for channel in 0..<channels {
      let total = s.scratch(5 &+ channel)
      for i in 0..<n { total[i] = 0 }
    }
    let v = Float(Int32(truncatingIfNeeded: s.y)) * words.scaleY + words.offsetY
    let row = WarpProjective.roundedDown(v + 0.5), own = s.red
    @inline(always) func gather(_ view: ChannelView, _ y: Int, _ dx: Int) {
      let from = (view.base + y &* view.rowBytes).assumingMemoryBound(to: Float.self)
      for i in 0..<s.count {
        let x = nearest[i] &+ Int32(truncatingIfNeeded: dx), last = width &- 1
        sample[i] = from[Int(x > 0 ? (x < last ? x : last) : 0)]
      }
      for i in s.count..<n { sample[i] = 0 }
    }
    for dy in -reach...reach {
      let y = Neighbourhood.inside(Int(Int32(row)) &+ dy, height)
      let ey = Float(Int32(truncatingIfNeeded: dy)) + (row - v), down = (ey * ey) * words.distance
      for dx in -reach...reach {
        let step = Float(Int32(truncatingIfNeeded: dx))
        gather(guide, y, dx)
        for i in 0..<n {
          let ex = step + place[i], d = own[i] - sample[i]
          let unlike = (d * d) * words.difference, least: Float = unlike > -20 ? unlike : -20
          let stops = (down + (ex * ex) * words.distance) + least
          weight[i] = E32.exp2(stops > -76 ? stops : -76)
          sum[i] = sum[i] + weight[i]
        }
        for channel in 0..<channels {
          let total = s.scratch(5 &+ channel)
          gather(c.channels[4 &* Int(words.small) &+ channel], y, dx)
          for i in 0..<n { total[i] = total[i] + weight[i] * sample[i] }
        }
      }
    }
    for channel in 0..<channels {
      let p = s.plane(channel), total = s.scratch(5 &+ channel)
      for i in 0..<n { p[i] = total[i] * E32.reciprocal(sum[i]) }
    }
    if channels == 4 { Compositing.limitAlpha(s) } else { for i in 0..<n { s.alpha[i] = 1 } }
  }
}
