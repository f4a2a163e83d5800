import HDRCore

/// Stage `rounded_rectangle`: a colour inside a rectangle with round corners or along its border, transparent black
/// elsewhere; premultiplied. Edges are a pixel wide.
public enum RoundedRectangle: KernelStage {
  package static let operations = 256

  public struct Parameters: StageParameters {
    public let center: CenterWords
    /// Half the sides less the corners' radius, and that radius.
    public let innerX: Float, innerY: Float, radius: Float
    /// 0: the area; 1: the line around it. `limit` is the distance from the border, inwards negative, of no colour.
    public let isLine: UInt32, limit: Float, color: RGBAWords<Float>
  }

  /// - Parameters:
  ///   - rect: x, y, width, height in pixels.
  ///   - line: the width of the line; `nil`: the area.
  ///   - color: premultiplied.
  package static func words(rect: [Double], radius: Double, line: Double?, color: [Double]) -> [UInt32] {
    let hx = rect[2] / 2, hy = rect[3] / 2, round = min(radius, hx, hy)
    return Parameters(
      center: CenterWords(rect[0] + hx, rect[1] + hy), innerX: Float(hx - round), innerY: Float(hy - round),
      radius: Float(round), isLine: (line != nil).word, limit: Float(0.5 + (line ?? 0) / 2), color: RGBAWords(color)
    ).list
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), n = s.padded, cover = s.scratch(0)
    let dy = words.center.down(s.y), qy = (dy < 0 ? -dy : dy) - words.innerY, isLine = words.isLine != 0
    let outY: Float = qy > 0 ? qy : 0
    for i in 0..<n {
      let dx = words.center.along(s.x &+ i), qx = (dx < 0 ? -dx : dx) - words.innerX
      let outX: Float = qx > 0 ? qx : 0, most: Float = qx > qy ? qx : qy
      let within: Float = most < 0 ? most : 0
      let d = (PlanarLength.of(outX, outY) + within) - words.radius
      let away: Float = isLine && d < 0 ? -d : d
      let u = words.limit - away, low: Float = u > 0 ? u : 0
      cover[i] = low < 1 ? low : 1
    }
    for channel in 0..<4 {
      let p = s.plane(channel), color = words.color[channel]
      for i in 0..<n { p[i] = color * cover[i] }
    }
  }
}
