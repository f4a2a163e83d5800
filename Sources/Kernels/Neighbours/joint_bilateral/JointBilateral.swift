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
    let height = Int(words.height)
    let nearest = UnsafeMutableRawPointer(s.scratch(0)).assumingMemoryBound(to: Int32.self)
    let place = s.scratch(1), weight = s.scratch(2), sum = s.scratch(3), sample = s.scratch(4), first = Int32(s.x)
    // Sums of R G B A side by side: a pixel of the small picture is read and added at once.
    let totals = UnsafeMutableRawPointer(s.scratch(10))
    for i in 0..<n {
      let u = Float(first &+ Int32(truncatingIfNeeded: i)) * words.scaleX + words.offsetX
      let middle = WarpProjective.roundedDown(u + 0.5)
      nearest[i] = Int32(middle)
      place[i] = middle - u
      sum[i] = 0
      totals.storeBytes(of: SIMD4<Float>(repeating: 0), toByteOffset: 16 &* i, as: SIMD4<Float>.self)
    }
    // As many pixels at a time as have room for the columns that they read.
    let room = Strip.stride &- 2 &* reach &- 2
    var size = n
    while size > 1 && Int(nearest[size &- 1] &- nearest[0]) > room { size = (size &+ 1) &>> 1 }
    let v = Float(Int32(truncatingIfNeeded: s.y)) * words.scaleY + words.offsetY
    let row = WarpProjective.roundedDown(v + 0.5), own = s.red
    for dy in -reach...reach {
      let y = Neighbourhood.inside(Int(Int32(row)) &+ dy, height)
      let ey = Float(Int32(truncatingIfNeeded: dy)) + (row - v), down = (ey * ey) * words.distance
      var start = 0
      while start < n {
        let end = start &+ size < n ? start &+ size : n, left = Int(nearest[start]) &- reach
        line(s, words, c.channels, y, left, Int(nearest[end &- 1]) &+ reach &+ 1 &- left, channels)
        for dx in -reach...reach {
          let step = Float(Int32(truncatingIfNeeded: dx)), guide = s.scratch(5) + (dx &- left)
          let pixels = UnsafeRawPointer(s.scratch(6)) + 16 &* (dx &- left)
          for i in start..<end { sample[i] = guide[Int(nearest[i])] }
          for i in start..<end {
            let ex = step + place[i], d = own[i] - sample[i]
            let unlike = (d * d) * words.difference, least: Float = unlike > -20 ? unlike : -20
            let stops = (down + (ex * ex) * words.distance) + least
            weight[i] = E32.exp2(stops > -76 ? stops : -76)
            sum[i] = sum[i] + weight[i]
          }
          for i in start..<end {
            let pixel = pixels.load(fromByteOffset: 16 &* Int(nearest[i]), as: SIMD4<Float>.self)
            let total = totals.load(fromByteOffset: 16 &* i, as: SIMD4<Float>.self) + pixel * weight[i]
            totals.storeBytes(of: total, toByteOffset: 16 &* i, as: SIMD4<Float>.self)
          }
        }
        start = end
      }
    }
    let all = s.scratch(10)
    for channel in 0..<channels {
      let p = s.plane(channel)
      for i in 0..<n { p[i] = all[4 &* i &+ channel] * E32.reciprocal(sum[i]) }
    }
    if channels == 4 { Compositing.limitAlpha(s) } else { for i in 0..<n { s.alpha[i] = 1 } }
  }

  /// Writes columns of a row of the guide, and of the small picture with its channels side by side; beyond the border
  /// its pixels repeat.
  @inlinable @inline(always) static func line(
    _ s: Strip, _ words: Parameters, _ views: UnsafePointer<ChannelView>, _ y: Int, _ left: Int, _ count: Int,
    _ channels: Int
  ) {
    let last = Int(words.width) &- 1, guide = s.scratch(5), pixels = s.scratch(6)
    @inline(always) func row(_ view: ChannelView) -> UnsafePointer<Float> {
      (view.base + y &* view.rowBytes).assumingMemoryBound(to: Float.self)
    }
    let small = views + 4 &* Int(words.small), likeness = row(views[4 &* Int(words.guide)])
    let r = row(small[0]), g = row(small[1]), b = row(small[2]), a = row(small[channels == 4 ? 3 : 2])
    for i in 0..<count {
      let column = left &+ i, x = column > 0 ? (column < last ? column : last) : 0
      guide[i] = likeness[x]
      pixels[4 &* i] = r[x]
      pixels[4 &* i &+ 1] = g[x]
      pixels[4 &* i &+ 2] = b[x]
      pixels[4 &* i &+ 3] = a[x]
    }
  }
}
