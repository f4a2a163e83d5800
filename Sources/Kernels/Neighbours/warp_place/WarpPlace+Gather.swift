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

  /// Reads source 0 at the places.
  @inlinable @inline(always) static func gather(
    _ s: Strip, _ w: Parameters, _ c: StageContext, _ u: UnsafeMutablePointer<Float>,
    _ v: UnsafeMutablePointer<Float>, _ cover: UnsafeMutablePointer<Float>, _ pixel: (UnsafeRawPointer) -> SIMD4<Float>
  ) {
    // A loop each, so that the compiler knows the number of taps.
    if w.sampling.value == .bicubic {
      gather(s, w, c, u, v, cover, isBicubic: true, pixel)
    } else {
      gather(s, w, c, u, v, cover, isBicubic: false, pixel)
    }
  }

  @inlinable @inline(always) static func gather(
    _ s: Strip, _ w: Parameters, _ c: StageContext, _ u: UnsafeMutablePointer<Float>,
    _ v: UnsafeMutablePointer<Float>, _ cover: UnsafeMutablePointer<Float>, isBicubic: Bool,
    _ pixel: (UnsafeRawPointer) -> SIMD4<Float>
  ) {
    let width = Int32(bitPattern: w.width), height = Int32(bitPattern: w.height), channels = Int(w.channels)
    let isNearest = w.sampling.value == .nearest
    let isTransparent = w.isTransparent != 0, columns = w.wrapsColumns != 0, rows = w.wrapsRows != 0
    @inline(always) func read(_ x: Int32, _ y: Int32) -> SIMD4<Float> {
      Bilinear.sample(
        c.channels, Int(inside(x, width, columns)), Int(inside(y, height, rows)), channels, pixel)
    }
    @inline(always) func weight(_ w: Float, _ i: Int32, _ size: Int32, _ wraps: Bool) -> Float {
      isTransparent && !wraps && inside(i, size, false) != i ? 0 : w
    }
    // Two taps along each axis, or four; sums begin with 0, as those of the loop on a GPU.
    let taps: Int32 = isBicubic ? 4 : 2, before: Int32 = isBicubic ? 1 : 0
    for i in 0..<s.count {
      let a = cell(u[i], width, isNearest: isNearest), b = cell(v[i], height, isNearest: isNearest)
      let x = a.first &- before, y = b.first &- before
      let cx = WarpBicubic.weights(a.rest), cy = WarpBicubic.weights(b.rest)
      var wx = isBicubic ? SIMD4(cx.0, cx.1, cx.2, cx.3) : SIMD4(1 - a.rest, a.rest, 0, 0)
      var wy = isBicubic ? SIMD4(cy.0, cy.1, cy.2, cy.3) : SIMD4(1 - b.rest, b.rest, 0, 0)
      var across: Float = 0, coverage: Float = 0
      for tap in 0..<taps {
        wx[Int(tap)] = weight(wx[Int(tap)], x &+ tap, width, columns)
        wy[Int(tap)] = weight(wy[Int(tap)], y &+ tap, height, rows)
        across = across + wx[Int(tap)]
      }
      var q = SIMD4<Float>(repeating: 0)
      for row in 0..<taps {
        var line = SIMD4<Float>(repeating: 0)
        for column in 0..<taps { line = line + read(x &+ column, y &+ row) * wx[Int(column)] }
        q = q + line * wy[Int(row)]
        coverage = coverage + across * wy[Int(row)]
      }
      if channels != 4 { q.w = coverage }
      if isBicubic {
        let positive: Float = q.w > 0 ? q.w : 0
        q.w = positive < 1 ? positive : 1
      }
      s.put(q * cover[i], i)
    }
    s.spread()
  }
}
