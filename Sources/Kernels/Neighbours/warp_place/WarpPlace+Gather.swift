import HDRCore

extension WarpPlace {
  /// Returns the remainder of a whole number that is not below 0.
  @inlinable @inline(always) static func modulo(_ i: Int32, _ n: UInt32) -> UInt32 { UInt32(bitPattern: i) % n }

  /// Returns a pixel number inside the source.
  @inlinable @inline(always) static func inside(_ i: Int32, _ size: Int32, _ wraps: Bool) -> Int32 {
    let last = size &- 1, cut = i > 0 ? (i < last ? i : last) : 0
    return wraps ? Int32(bitPattern: modulo(i &+ 4 &* size, UInt32(bitPattern: size))) : cut
  }

  /// The pixel before a place along one axis, and the share of the one after it.
  @inlinable @inline(always) static func cell(
    _ place: Float, _ size: Int32, isNearest: Bool
  ) -> (first: Int32, rest: Float) {
    let low: Float = place > -4 ? place : -4, most = Float(size) + 4
    let inside: Float = low < most ? low : most
    let q = isNearest ? inside + 0.5 : inside, below = WarpProjective.roundedDown(q)
    return (Int32(below), isNearest ? 0 : q - below)
  }

  /// Reads source 0 at the places, between four pixels or the nearest. Sums begin with 0, as those of the loop on a GPU.
  @inlinable @inline(always) static func gather(
    _ s: Strip, _ w: Parameters, _ c: StageContext, _ u: UnsafeMutablePointer<Float>,
    _ v: UnsafeMutablePointer<Float>, _ cover: UnsafeMutablePointer<Float>, _ pixel: (UnsafeRawPointer) -> SIMD4<Float>
  ) {
    let width = Int32(bitPattern: w.width), height = Int32(bitPattern: w.height), channels = Int(w.channels)
    let isNearest = w.sampling.value == .nearest, columns = w.wrapsColumns != 0, rows = w.wrapsRows != 0
    let fadesAcross = w.isTransparent != 0 && !columns, fadesDown = w.isTransparent != 0 && !rows
    @inline(always) func line(_ x0: Int32, _ w0: Float, _ x1: Int32, _ w1: Float, _ y: Int32) -> SIMD4<Float> {
      let first = Bilinear.sample(c.channels, Int(x0), Int(y), channels, pixel)
      let second = Bilinear.sample(c.channels, Int(x1), Int(y), channels, pixel)
      return (SIMD4<Float>(repeating: 0) + first * w0) + second * w1
    }
    for i in 0..<s.count {
      let a = cell(u[i], width, isNearest: isNearest), b = cell(v[i], height, isNearest: isNearest)
      let x0 = inside(a.first, width, columns), x1 = inside(a.first &+ 1, width, columns)
      let y0 = inside(b.first, height, rows), y1 = inside(b.first &+ 1, height, rows)
      let w0: Float = fadesAcross && x0 != a.first ? 0 : 1 - a.rest
      let w1: Float = fadesAcross && x1 != a.first &+ 1 ? 0 : a.rest
      let h0: Float = fadesDown && y0 != b.first ? 0 : 1 - b.rest
      let h1: Float = fadesDown && y1 != b.first &+ 1 ? 0 : b.rest
      let top = line(x0, w0, x1, w1, y0), bottom = line(x0, w0, x1, w1, y1)
      var q = (SIMD4<Float>(repeating: 0) + top * h0) + bottom * h1
      if channels != 4 {
        let across = (0 + w0) + w1
        q.w = (0 + across * h0) + across * h1
      }
      s.put(q * cover[i], i)
    }
    s.spread()
  }

  /// Reads source 0 at the places by a cubic over sixteen pixels.
  @inlinable @inline(always) static func gatherCubic(
    _ s: Strip, _ w: Parameters, _ c: StageContext, _ u: UnsafeMutablePointer<Float>,
    _ v: UnsafeMutablePointer<Float>, _ cover: UnsafeMutablePointer<Float>, _ pixel: (UnsafeRawPointer) -> SIMD4<Float>
  ) {
    let width = Int32(bitPattern: w.width), height = Int32(bitPattern: w.height), channels = Int(w.channels)
    let isTransparent = w.isTransparent != 0, columns = w.wrapsColumns != 0, rows = w.wrapsRows != 0
    @inline(always) func read(_ x: Int32, _ y: Int32) -> SIMD4<Float> {
      Bilinear.sample(
        c.channels, Int(inside(x, width, columns)), Int(inside(y, height, rows)), channels, pixel)
    }
    @inline(always) func weight(_ w: Float, _ i: Int32, _ size: Int32, _ wraps: Bool) -> Float {
      isTransparent && !wraps && inside(i, size, false) != i ? 0 : w
    }
    for i in 0..<s.count {
      let a = cell(u[i], width, isNearest: false), b = cell(v[i], height, isNearest: false)
      let x = a.first &- 1, y = b.first &- 1
      let cx = WarpBicubic.weights(a.rest), cy = WarpBicubic.weights(b.rest)
      var wx = SIMD4(cx.0, cx.1, cx.2, cx.3), wy = SIMD4(cy.0, cy.1, cy.2, cy.3)
      var across: Float = 0, coverage: Float = 0
      for tap: Int32 in 0..<4 {
        wx[Int(tap)] = weight(wx[Int(tap)], x &+ tap, width, columns)
        wy[Int(tap)] = weight(wy[Int(tap)], y &+ tap, height, rows)
        across = across + wx[Int(tap)]
      }
      var q = SIMD4<Float>(repeating: 0)
      for row: Int32 in 0..<4 {
        var line = SIMD4<Float>(repeating: 0)
        for column: Int32 in 0..<4 { line = line + read(x &+ column, y &+ row) * wx[Int(column)] }
        q = q + line * wy[Int(row)]
        coverage = coverage + across * wy[Int(row)]
      }
      if channels != 4 { q.w = coverage }
      let positive: Float = q.w > 0 ? q.w : 0
      q.w = positive < 1 ? positive : 1
      s.put(q * cover[i], i)
    }
    s.spread()
  }
}
