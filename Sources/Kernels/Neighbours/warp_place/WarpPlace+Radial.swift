import HDRCore

extension WarpPlace {
  /// Returns the shift of a ray at a share q of a lens's radius, in radii: Snell's law for a view from above on glass of
  /// circular section, whose refractive index has the square `index`.
  @inlinable @inline(always) static func lens(_ q: Float, _ index: Float) -> Float {
    let square = q * q, a: Float = square < 1 ? square : 1, z = Exact.sqrt(1 - a), b = Exact.sqrt(index - a)
    return Exact.div(z * (b - z), z * b + a)
  }

  /// Returns the share of a squared radius that a squared distance is, at most 1.
  @inlinable @inline(always) static func share(_ square: Float, _ scale: Float) -> Float {
    let w = square * scale
    return w < 1 ? w : 1
  }

  /// Returns 1 less that share. Near the centre of a large radius it has rounded the share away: powers and roots take
  /// `share` itself.
  @inlinable @inline(always) static func within(_ square: Float, _ scale: Float) -> Float { 1 - share(square, scale) }

  /// Writes the places of the shapes that move along a radius.
  @inlinable @inline(always) static func radial(
    _ s: Strip, _ words: Parameters, _ u: UnsafeMutablePointer<Float>, _ v: UnsafeMutablePointer<Float>,
    _ cover: UnsafeMutablePointer<Float>
  ) {
    let n = words.numbers
    switch words.shape.value {
    case .bump:
      each(s, words, u, v, cover) { p in
        let rest = within(p.dx * p.dx + p.dy * p.dy, n.a), t = (n.b * rest) * rest
        return p.moved(-(p.dx * t), -(p.dy * t))
      }
    case .line:
      each(s, words, u, v, cover) { p in
        let q = n.c * p.dx + n.d * p.dy, rest = within(q * q, n.a), t = q * ((n.b * rest) * rest)
        return p.moved(-(n.c * t), -(n.d * t))
      }
    case .pinch:
      each(s, words, u, v, cover) { p in
        let w = share(p.dx * p.dx + p.dy * p.dy, n.a), rest = 1 - w, low: Float = w > 0x1p-40 ? w : 0x1p-40
        let t = E32.exp2(-((n.b * rest) * rest) * E32.log2(low)) - 1
        return p.moved(p.dx * t, p.dy * t)
      }
    case .hole:
      each(s, words, u, v, cover) { p in
        let square = p.dx * p.dx + p.dy * p.dy, t = Exact.div(n.a, square > n.a ? square : n.a)
        let edge = (Exact.sqrt(square) - n.b) + 0.5, low: Float = edge > 0 ? edge : 0
        return p.moved(-(p.dx * t), -(p.dy * t), low < 1 ? low : 1)
      }
    case .splash:
      each(s, words, u, v, cover) { p in
        let square = p.dx * p.dx + p.dy * p.dy
        let t: Float = square > n.a ? Exact.div(n.b, Exact.sqrt(square)) - 1 : 0
        return p.moved(p.dx * t, p.dy * t)
      }
    case .torus:
      each(s, words, u, v, cover) { p in
        let r = Exact.sqrt(p.dx * p.dx + p.dy * p.dy), q = ((r - n.a) + n.c) * n.b
        let shift = Exact.div((n.c * q) * lens(q, n.d), r), t: Float = q > -1 && q < 1 ? shift : 0
        return p.moved(-(p.dx * t), -(p.dy * t))
      }
    default:
      each(s, words, u, v, cover) { p in
        let along = (p.dx * n.a + p.dy * n.b) * n.c, low: Float = along > 0 ? along : 0, t: Float = low < 1 ? low : 1
        let ex = p.dx - n.a * t, ey = p.dy - n.b * t, q = Exact.sqrt(ex * ex + ey * ey) * n.d
        let shift: Float = q < 1 ? lens(q, n.e) : 0
        return p.moved(-(ex * shift), -(ey * shift))
      }
    }
  }
}
