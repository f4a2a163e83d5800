import HDRCore

extension WarpPlace {
  /// Writes places by source 1: displaced by the signals red and green of its own pixel, each less 0.5, times a; or by
  /// differences of its red, repeated as tiles about the centre, times a. Numbers: b and c are half of its size.
  @inlinable @inline(always) static func pictured(
    _ s: Strip, _ words: Parameters, _ c: StageContext, _ x: UnsafeMutablePointer<Float>,
    _ y: UnsafeMutablePointer<Float>, _ cover: UnsafeMutablePointer<Float>, _ pixel: (UnsafeRawPointer) -> SIMD4<Float>
  ) {
    let n = words.numbers, other = c.channels + 4, width = words.otherWidth, height = words.otherHeight
    each(s, words, x, y, cover) { p in p.moved(0, 0) }
    if words.shape.value == .signals {
      // The pixel that holds the sample.
      for i in 0..<s.count {
        let column = Int32(WarpProjective.roundedDown(x[i] + 0.5)), row = Int32(WarpProjective.roundedDown(y[i] + 0.5))
        let q = Bilinear.sample(other, Int(column), Int(row), 4, pixel)
        x[i] += n.a * (q.x - 0.5)
        y[i] += n.a * (q.y - 0.5)
      }
      return
    }
    @inline(always) func relief(_ column: Int32, _ row: Int32) -> Float {
      let i = modulo(column &+ words.biasX, width), j = modulo(row &+ words.biasY, height)
      return Bilinear.sample(other, Int(i), Int(j), 4, pixel).x
    }
    let dy = Float(Int32(truncatingIfNeeded: s.y) &- words.centerY) * words.step + words.toY
    let row = Int32(WarpProjective.roundedDown(dy + n.c))
    for i in 0..<s.count {
      let column = Int32(truncatingIfNeeded: s.x &+ i), dx = Float(column &- words.centerX) * words.step + words.toX
      let at = Int32(WarpProjective.roundedDown(dx + n.b))
      x[i] += n.a * (relief(at &+ 1, row) - relief(at &- 1, row))
      y[i] += n.a * (relief(at, row &+ 1) - relief(at, row &- 1))
    }
  }
}
