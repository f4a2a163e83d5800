import HDRCore

extension WarpPlace {
  /// Returns a sample's place after a turn by an angle, counter-clockwise as seen, of the vector from the centre times a
  /// factor.
  @inlinable @inline(always) static func turn(_ p: Sample, _ angle: Float, _ factor: Float) -> Place {
    let c = Exact.wave(angle, 1) * factor, s = Exact.wave(angle, 0) * factor
    return p.moved(p.dx * (c - 1) + p.dy * s, p.dy * (c - 1) - p.dx * s)
  }

  /// Writes the places of the shapes that turn.
  @inlinable @inline(always) static func turned(
    _ s: Strip, _ words: Parameters, _ u: UnsafeMutablePointer<Float>, _ v: UnsafeMutablePointer<Float>,
    _ cover: UnsafeMutablePointer<Float>
  ) {
    let n = words.numbers
    switch words.shape.value {
    case .twirl:
      each(s, words, u, v, cover) { p in
        let rest = within(p.dx * p.dx + p.dy * p.dy, n.a)
        return turn(p, -((n.b * rest) * rest), 1)
      }
    case .vortex:
      each(s, words, u, v, cover) { p in
        let rest = 1 - Exact.sqrt(share(p.dx * p.dx + p.dy * p.dy, n.a))
        return turn(p, -((n.b * rest) * rest), 1)
      }
    case .tunnel:
      each(s, words, u, v, cover) { p in
        let square = p.dx * p.dx + p.dy * p.dy, r = Exact.sqrt(square)
        let out = turn(p, n.c * (1 - Exact.div(r, n.b)), Exact.div(n.b, r)), isOut = square > n.a
        return Place(x: isOut ? out.x : p.x, y: isOut ? out.y : p.y, cover: 1)
      }
    case .wrap:
      let width = Float(Int32(bitPattern: words.width)), height = Float(Int32(bitPattern: words.height))
      each(s, words, u, v, cover) { p in
        let f = Exact.atan2(p.dy, p.dx) * 0.159154943 + n.a
        let away = Exact.sqrt(p.dx * p.dx + p.dy * p.dy) - n.b
        return Place(
          x: width * (f - WarpProjective.roundedDown(f)) - 0.5, y: (height - away * n.c) - 0.5, cover: 1)
      }
    case .spiral: spiral(s, words, u, v, cover)
    default:
      let count = words.count
      each(s, words, u, v, cover) { p in
        // The axes of the mirrors, y upwards.
        var x = p.dx * n.a - p.dy * n.b, y = -(p.dx * n.b) - p.dy * n.a
        for _ in 0..<count {
          y = Exact.abs(y)
          let beyond = y * n.c - x * n.d, t: Float = beyond > 0 ? beyond : 0
          x = x + (2 * t) * n.d
          y = y - (2 * t) * n.c
        }
        y = Exact.abs(y)
        return p.at(x * n.a - y * n.b, -(x * n.b + y * n.a))
      }
    }
  }

  /// Writes the places of the picture in itself. Numbers: a periodicity, b turns into logarithms, c logarithm of the
  /// zoom, d rotation, e logarithm of the ratio, f to i reciprocals of the distances to the right, left, bottom, top.
  @inlinable @inline(always) static func spiral(
    _ s: Strip, _ words: Parameters, _ u: UnsafeMutablePointer<Float>, _ v: UnsafeMutablePointer<Float>,
    _ cover: UnsafeMutablePointer<Float>
  ) {
    let n = words.numbers
    let lastX = Float(Int32(bitPattern: words.width) &- 1), lastY = Float(Int32(bitPattern: words.height) &- 1)
    each(s, words, u, v, cover) { p in
      let square = p.dx * p.dx + p.dy * p.dy, some: Float = square > 0x1p-40 ? square : 0x1p-40
      let away = E32.log2(some) * 0.346573590 - n.c, direction = Exact.atan2(-p.dy, p.dx) - n.d
      let scale = n.a * away - n.b * direction, angle = n.a * direction + n.b * away
      let ex = Exact.wave(angle, 1), ey = -Exact.wave(angle, 0)
      let right: Float = ex > 0 ? ex * n.f : -(ex * n.g), below: Float = ey > 0 ? ey * n.h : -(ey * n.i)
      let gauge: Float = right > below ? right : below
      let level = WarpProjective.roundedDown(Exact.div(scale + Exact.log2(gauge) * 0.693147181, -n.e))
      let r = Exact.exp2((scale + level * n.e) * 1.44269504)
      let place = p.at(r * ex, r * ey)
      let lowX: Float = place.x > -0.5 ? place.x : -0.5, lowY: Float = place.y > -0.5 ? place.y : -0.5
      return Place(
        x: lowX < lastX + 0.5 ? lowX : lastX + 0.5, y: lowY < lastY + 0.5 ? lowY : lastY + 0.5, cover: 1)
    }
  }
}
