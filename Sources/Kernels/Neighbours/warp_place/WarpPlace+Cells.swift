import HDRCore

extension WarpPlace {
  /// Returns the distance of a number to the nearest even integer.
  @inlinable @inline(always) static func mirrored(_ t: Float) -> Float {
    let half = t * 0.5
    return Exact.abs(2 * (half - WarpProjective.roundedDown(half + 0.5)))
  }

  /// Returns the distance of a number to the nearest integer, signed; halves count down.
  @inlinable @inline(always) static func centered(_ t: Float) -> Float { t - WarpProjective.roundedDown(t + 0.5) }

  /// Returns true if a vector lies in the quarter (or, of a lattice of triangles, the sixth) that others are turned to.
  @inlinable @inline(always) static func isHome(_ a: Float, _ b: Float) -> Bool {
    (a > 0 && b >= 0) || (a == 0 && b == 0)
  }

  /// Returns a whole number within ±2^22. `Int32(q)` would check its range, and loops would take one sample at a time.
  @inlinable @inline(always) static func whole(_ q: Float) -> Int32 {
    Int32(bitPattern: (q + 12_582_912).pattern) &- 0x4b40_0000
  }

  /// A cell of a lattice, cut along its diagonal: weights of the corners of the half that holds a place.
  @usableFromInline struct Half {
    @usableFromInline let i: Float
    @usableFromInline let j: Float
    @usableFromInline let isUpper: Bool
    @usableFromInline let first: Float
    @usableFromInline let second: Float
    @usableFromInline let third: Float

    @inlinable @inline(always) init(_ u: Float, _ v: Float) {
      i = WarpProjective.roundedDown(u)
      j = WarpProjective.roundedDown(v)
      let a = u - i, b = v - j
      isUpper = a + b >= 1
      first = isUpper ? (a + b) - 1 : 1 - (a + b)
      second = isUpper ? 1 - b : a
      third = isUpper ? 1 - a : b
    }

    /// The weights by the colour of their corners, of three.
    @inlinable @inline(always) var colored: (Float, Float, Float) {
      let kind = WarpPlace.modulo(WarpPlace.whole(i - j) &+ 6_291_456, 3)
      return (
        kind == 0 ? first : (kind == 1 ? third : second), kind == 0 ? second : (kind == 1 ? first : third),
        kind == 0 ? third : (kind == 1 ? second : first)
      )
    }

    /// The number of mirrors between the half and the one at the centre.
    @inlinable @inline(always) var mirrors: Float {
      Exact.abs(i) + Exact.abs(j) + Exact.abs((i + j) + (isUpper ? 1 : 0))
    }
  }

  /// Writes places by the numbers u, v of a sample in a lattice. Numbers: a to d from the vector to u, v; e to h back.
  @inlinable @inline(always) static func lattice(
    _ s: Strip, _ words: Parameters, _ x: UnsafeMutablePointer<Float>, _ y: UnsafeMutablePointer<Float>,
    _ cover: UnsafeMutablePointer<Float>, _ fold: (_ u: Float, _ v: Float) -> (a: Float, b: Float, cover: Float)
  ) {
    let n = words.numbers
    each(s, words, x, y, cover) { p in
      let u = n.a * p.dx + n.b * p.dy, v = n.c * p.dx + n.d * p.dy, to = fold(u, v), da = to.a - u, db = to.b - v
      return p.moved(n.e * da + n.f * db, n.g * da + n.h * db, to.cover)
    }
  }

  /// Writes the places of lattices whose cells are reflected, turned or moved.
  @inlinable @inline(always) static func folded(
    _ s: Strip, _ words: Parameters, _ x: UnsafeMutablePointer<Float>, _ y: UnsafeMutablePointer<Float>,
    _ cover: UnsafeMutablePointer<Float>
  ) {
    let n = words.numbers
    switch words.shape.value {
    case .parallelogram: lattice(s, words, x, y, cover) { u, v in (mirrored(u), mirrored(v), 1) }
    case .reflected: lattice(s, words, x, y, cover) { u, v in (mirrored(2 * u) * 0.5, mirrored(2 * v) * 0.5, 1) }
    case .translated: lattice(s, words, x, y, cover) { u, v in (centered(u), centered(v), 1) }
    case .glide:
      lattice(s, words, x, y, cover) { u, v in
        let j = WarpProjective.roundedDown(v), a = u - WarpProjective.roundedDown(u)
        return (whole(j) & 1 == 0 ? a : 1 - a, v - j, 1)
      }
    case .quarters:
      lattice(s, words, x, y, cover) { u, v in
        var a = centered(u), b = centered(v)
        for _ in 0..<3 {
          let isHome = isHome(a, b), turned = b
          b = isHome ? b : -a
          a = isHome ? a : turned
        }
        return (a, b, 1)
      }
    case .eighths:
      lattice(s, words, x, y, cover) { u, v in
        let a = mirrored(2 * u) * 0.5, b = mirrored(2 * v) * 0.5
        return (a < b ? b : a, a < b ? a : b, 1)
      }
    case .triangle:
      lattice(s, words, x, y, cover) { u, v in
        let a = u - WarpProjective.roundedDown(u), b = v - WarpProjective.roundedDown(v), isUpper = a + b >= 1
        return (isUpper ? 1 - a : a, isUpper ? 1 - b : b, 1)
      }
    case .thirds:
      lattice(s, words, x, y, cover) { u, v in
        let corners = Half(u, v).colored
        return (corners.1, corners.2, 1)
      }
    case .twelfths:
      lattice(s, words, x, y, cover) { u, v in
        let (p, q, r) = Half(u, v).colored, high: Float = p < q ? q : p, low: Float = p < q ? p : q
        let rest: Float = low < r ? low : r, middle: Float = low < r ? r : low
        return (middle < high ? middle : high, rest, 1)
      }
    case .sixths:
      lattice(s, words, x, y, cover) { u, v in
        let half = Half(u, v), upper: Float = half.isUpper ? 1 : 0
        let isSecond = half.second > half.first, most: Float = isSecond ? half.second : half.first
        let isThird = half.third > most
        let i: Float = isThird ? 0 : (isSecond ? 1 : upper), j: Float = isThird ? 1 : (isSecond ? 0 : upper)
        var a = u - (half.i + i), b = v - (half.j + j)
        for _ in 0..<5 {
          let isHome = isHome(a, b), turned = a + b
          b = isHome ? b : -a
          a = isHome ? a : turned
        }
        return (a, b, 1)
      }
    default:
      lattice(s, words, x, y, cover) { u, v in
        let half = Half(u, v), corners = half.colored, power = half.mirrors * n.i
        return (corners.1, corners.2, power < -40 ? 0 : E32.exp2(power))
      }
    }
  }

  /// Writes the places of cells that each show the picture about their middle, and of a plane that repeats it.
  @inlinable @inline(always) static func placed(
    _ s: Strip, _ words: Parameters, _ x: UnsafeMutablePointer<Float>, _ y: UnsafeMutablePointer<Float>,
    _ cover: UnsafeMutablePointer<Float>
  ) {
    let n = words.numbers
    if words.shape.value == .cells {
      return each(s, words, x, y, cover) { p in
        let mx = (WarpProjective.roundedDown(p.dx * n.a) + 0.5) * n.b
        let my = (WarpProjective.roundedDown(p.dy * n.a) + 0.5) * n.b, qx = p.dx - mx, qy = p.dy - my
        return p.at(mx + (qx * n.c + qy * n.d), my + (qy * n.c - qx * n.d))
      }
    }
    let width = Float(Int32(bitPattern: words.width)), height = Float(Int32(bitPattern: words.height))
    each(s, words, x, y, cover) { p in
      let below = (n.g * p.x + n.h * p.y) + n.i, isSeen = below > 1e-4
      let inverse = E32.reciprocal(isSeen ? below : 1)
      let u = limited(((n.a * p.x + n.b * p.y) + n.c) * inverse + 0.5)
      let v = limited(((n.d * p.x + n.e * p.y) + n.f) * inverse + 0.5)
      return Place(
        x: (u - width * WarpProjective.roundedDown(u * n.j)) - 0.5,
        y: (v - height * WarpProjective.roundedDown(v * n.k)) - 0.5, cover: isSeen ? 1 : 0)
    }
  }

  /// Returns a number cut to ±2^21.
  @inlinable @inline(always) static func limited(_ x: Float) -> Float {
    let low: Float = x > -0x1p21 ? x : -0x1p21
    return low < 0x1p21 ? low : 0x1p21
  }
}
