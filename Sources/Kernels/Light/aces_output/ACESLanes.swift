import HDRCore

/// The lanes that the output transforms of ACES 2.0 and their inverses share.
public enum ACESLanes {
  /// Looks up a plane of values that are not negative; 0 below the domain. Scratch 0 to 2 are used.
  @inlinable @inline(always) static func lookup(
    _ s: Strip, _ table: UnsafePointer<Float>, _ place: UInt32, _ domain: CurveDomain,
    from x: UnsafeMutablePointer<Float>, to y: UnsafeMutablePointer<Float>
  ) {
    let n = s.padded, value = s.scratch(0), least = Float(bitPattern: domain.minBits)
    CurveTable.lookup(
      table + Int(place), from: x, to: value, n, domain, index: s.scratch(1), fraction: s.scratch(2))
    for i in 0..<n {
      let found: Float = x[i] < least ? 0 : value[i]
      y[i] = found
    }
  }

  /// Computes A, a, b of RGB.
  @inlinable @inline(always) static func cones(_ s: Strip, _ table: UnsafePointer<Float>, _ numbers: ACESNumbers) {
    clamp(s, numbers.largestIn)
    Matrix3Stage.apply(s, numbers.toCones)
    for channel in 0..<3 {
      let p = s.plane(channel)
      lookup(s, table, ACESPlaces.cone, ACESPlaces.coneDomain, from: p, to: p)
    }
    Matrix3Stage.apply(s, numbers.toOpponents)
  }

  @inlinable @inline(always) static func clamp(_ s: Strip, _ most: Float) {
    for channel in 0..<3 {
      let p = s.plane(channel)
      for i in 0..<s.padded {
        let low: Float = p[i] > 0 ? p[i] : 0
        p[i] = low < most ? low : most
      }
    }
  }

  /// Computes colourfulness, cosine and sine of the hue, and the place around the diamond. Greys have the hue 0.
  @inlinable @inline(always) static func hue(_ s: Strip) {
    let signal = s.red, m = s.green, place = s.blue, cosine = s.scratch(3), sine = s.scratch(4)
    for i in 0..<s.padded {
      let x = m[i], y = place[i], q = x * x + y * y
      let lit: Float = signal[i] < 0x1p-14 ? 0 : q
      let isColor = lit > 0x1p-60
      let square: Float = isColor ? q : 1
      let inverse = inverseRoot(square)
      let c: Float = isColor ? x * inverse : 1, d: Float = isColor ? y * inverse : 0
      let positive: Float = c < 0 ? -c : c, across: Float = d < 0 ? -d : d
      let t = d * E32.reciprocal(positive + across)
      let right: Float = d < 0 ? 4 + t : t
      place[i] = c < 0 ? 2 - t : right
      m[i] = isColor ? q * inverse : 0
      cosine[i] = c
      sine[i] = d
    }
  }

  /// Returns 1/√x for x >= 2^-60.
  @inlinable @inline(always) static func inverseRoot(_ x: Float) -> Float {
    let half = 0.5 * x
    var r = Float(bitPattern: 0x5f37_5a86 &- (x.pattern &>> 1))
    r = r * (1.5 - (half * r) * r)
    r = r * (1.5 - (half * r) * r)
    return r * (1.5 - (half * r) * r)
  }

  /// Returns √x; that of 2^-40 for smaller x.
  @inlinable @inline(always) static func root(_ x: Float) -> Float {
    let y = divisor(x), half = 0.5 * y
    var r = Float(bitPattern: 0x5f37_5a86 &- (y.pattern &>> 1))
    r = r * (1.5 - (half * r) * r)
    r = r * (1.5 - (half * r) * r)
    let root = y * r
    return root + (0.5 * r) * (y - root * root)
  }

  /// Keeps what is divided by, and what a root is taken of, from 2^-40 on.
  @inlinable @inline(always) static func divisor(_ x: Float) -> Float { x > 0x1p-40 ? x : 0x1p-40 }

  /// Looks up eight functions at once: they are side by side in segments. Scratch 1 and 2: places in a table of one
  /// function (`CurveTable.locate`). `planes`: those of the first four functions, then of the others.
  @inlinable @inline(always) static func rows(
    _ s: Strip, _ table: UnsafePointer<Float>, _ place: UInt32,
    to planes: (first: (Int, Int, Int, Int?), second: (Int, Int, Int, Int?))
  ) {
    let fraction = s.scratch(2), segments = UnsafeRawPointer(table + Int(place))
    let offset = UnsafeMutableRawPointer(s.scratch(1)).assumingMemoryBound(to: UInt32.self)
    @inline(always) func row(_ i: Int) -> SIMD8<Float> {
      // A segment of one curve has 16 bytes, this one 96.
      let at = segments + 6 &* Int(offset[i]), f = fraction[i]
      let a = at.loadUnaligned(as: SIMD8<Float>.self), b = (at + 32).loadUnaligned(as: SIMD8<Float>.self)
      return a + f * (b + f * (at + 64).loadUnaligned(as: SIMD8<Float>.self))
    }
    for i in stride(from: 0, to: s.padded, by: 4) {
      let r0 = row(i), r1 = row(i &+ 1), r2 = row(i &+ 2), r3 = row(i &+ 3)
      spread(s, i, (r0.lowHalf, r1.lowHalf, r2.lowHalf, r3.lowHalf), to: planes.first)
      spread(s, i, (r0.highHalf, r1.highHalf, r2.highHalf, r3.highHalf), to: planes.second)
    }
  }

  /// Stores four values of four pixels each to planes of scratch.
  @inlinable @inline(always) static func spread(
    _ s: Strip, _ i: Int, _ v: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>),
    to planes: (Int, Int, Int, Int?)
  ) {
    let even = SIMD8(lowHalf: v.0, highHalf: v.1), odd = SIMD8(lowHalf: v.2, highHalf: v.3)
    // Values 0 and 2, then 1 and 3, of all pixels.
    let first = SIMD8(lowHalf: even.evenHalf, highHalf: odd.evenHalf)
    let second = SIMD8(lowHalf: even.oddHalf, highHalf: odd.oddHalf)
    @inline(always) func store(_ x: SIMD4<Float>, _ plane: Int) {
      UnsafeMutableRawPointer(s.scratch(plane) + i).storeBytes(of: x, as: SIMD4<Float>.self)
    }
    store(first.evenHalf, planes.0)
    store(second.evenHalf, planes.1)
    store(first.oddHalf, planes.2)
    if let last = planes.3 { store(second.oddHalf, last) }
  }

  /// Looks up four functions of the hue: lines on both sides of a break. `values`: their first word in a cell.
  @inlinable @inline(always) static func cells(
    _ s: Strip, _ table: UnsafePointer<Float>, node: Int, values: Int, to planes: (Int, Int, Int, Int?)
  ) {
    let n = s.padded, place = s.blue
    let offset = UnsafeMutableRawPointer(s.scratch(0)).assumingMemoryBound(to: UInt32.self)
    for i in 0..<n {
      let q = 512 * place[i] - 0.5
      let low: Float = q > 0 ? q : 0, cell: Float = low < 2047 ? low : 2047
      offset[i] = ((cell + 8_388_608).pattern & 0x7ff) &* 112
    }
    let cells = UnsafeRawPointer(table + Int(ACESPlaces.cells))
    @inline(always) func pixel(_ i: Int) -> SIMD4<Float> {
      let at = cells + Int(offset[i]), beyond = place[i] - at.loadUnaligned(fromByteOffset: 4 &* node, as: Float.self)
      let lines = at + 4 &* values, isAfter = Int(1 &- (beyond.pattern &>> 31))
      let slope = (lines + (16 &+ 16 &* isAfter)).loadUnaligned(as: SIMD4<Float>.self)
      return lines.loadUnaligned(as: SIMD4<Float>.self) + beyond * slope
    }
    for i in stride(from: 0, to: n, by: 4) {
      spread(s, i, (pixel(i), pixel(i &+ 1), pixel(i &+ 2), pixel(i &+ 3)), to: planes)
    }
  }

  /// Finds the line of gamut compression, and all of its edges but for powers.
  ///
  /// Scratch after it: the lower edge's ratio (6) and factor (8), the upper edge (9), the slope (10), the factor of the
  /// reach's edge (12), where the line meets the axis (13).
  @inlinable @inline(always) static func lines(_ s: Strip, _ numbers: ACESNumbers) {
    let rest = s.red, m = s.green, j = s.scratch(5), cuspJ = s.scratch(6), cuspM = s.scratch(7), exponent = s.scratch(8)
    let flat = s.scratch(9), slopes = s.scratch(10), reach = s.scratch(12), starts = s.scratch(13)
    let most = numbers.jMax
    for i in 0..<s.padded {
      let cj = cuspJ[i], cm = cuspM[i], turned = flat[i] - rest[i]
      let e: Float = turned > 0 ? turned : 0
      let gain = numbers.gain * (1 + e * e)
      let share = 1.3 - cj * numbers.jMaxInverse, t: Float = share < 1 ? share : 1
      let focus = cj + t * (numbers.jMiddle - cj)
      let inverse = E32.reciprocal(gain * focus), perGain = inverse * focus, perFocus = inverse * gain
      let own = line(j[i], m[i], focus, perGain, perFocus, most), cusp = line(cj, cm, focus, perGain, perFocus, most)
      let both = E32.reciprocal(own.divisor * cusp.divisor)
      let start = own.twice * (both * cusp.divisor), atCusp = divisor(cusp.twice * (both * own.divisor))
      let above = start - focus, room = most - start
      let side: Float = above < 0 ? start : room
      let slope = (side * above) * inverse
      let below = divisor(cj - slope * cm), over = divisor((most - cj) + slope * cm),
        roomAtCusp = divisor(most - atCusp)
      let edges = E32.reciprocal(below * over), starting = E32.reciprocal(atCusp * roomAtCusp)
      let ratio = divisor(room * (starting * atCusp))
      // Above the peak no colour is left; a product of two of its colourfulness must not be subnormal.
      let power = divisor(E32.exp2(exponent[i] * E32.log2(ratio)))
      cuspJ[i] = start * (starting * roomAtCusp)
      exponent[i] = (atCusp * cm) * (edges * over)
      flat[i] = ((roomAtCusp * power) * cm) * (edges * below)
      slopes[i] = slope
      reach[i] = (numbers.reach * reach[i]) * E32.reciprocal(divisor(most - slope * reach[i]))
      starts[i] = start
    }
  }

  /// Returns twice the numerator and the divisor of the lightness where the line through a colour meets the axis.
  @inlinable @inline(always) static func line(
    _ j: Float, _ m: Float, _ focus: Float, _ perGain: Float, _ perFocus: Float, _ most: Float
  ) -> (twice: Float, divisor: Float) {
    let share = m * perGain, alpha = share * perFocus
    let isBelow = j < focus
    let c: Float = isBelow ? j : most * share + j
    let b: Float = isBelow ? 1 - share : (1 + share) + most * alpha
    let product = (4 * alpha) * c, signed: Float = isBelow ? product : -product
    return (2 * c, divisor(b + root(b * b + signed)))
  }

  /// Moves colours along their lines, into the gamut or, as the inverse, out of it.
  ///
  /// Lightness and colourfulness are in scratch 5 and G. Moved lightness goes to plane `j` of scratch, moved
  /// colourfulness to `m`; -4 and -3 are R and G.
  @inlinable @inline(always) static func move(
    _ s: Strip, _ table: UnsafePointer<Float>, _ numbers: ACESNumbers, isInverse: Bool, j movedJ: Int, m movedM: Int
  ) {
    lines(s, numbers)
    lookup(s, table, ACESPlaces.lower, ACESPlaces.lowerDomain, from: s.scratch(6), to: s.scratch(6))
    lookup(s, table, ACESPlaces.achromatic, ACESPlaces.lightnessDomain, from: s.scratch(13), to: s.scratch(11))
    let m = s.green, j = s.scratch(5), lower = s.scratch(6), cuspM = s.scratch(7), lowerFactor = s.scratch(8)
    let upper = s.scratch(9), slope = s.scratch(10), power = s.scratch(11), reachFactor = s.scratch(12)
    let start = s.scratch(13), toJ = s.scratch(movedJ), toM = s.scratch(movedM), most = numbers.jMax
    for i in 0..<s.padded {
      let low = lower[i] * lowerFactor[i], high = upper[i], smooth = 0.12 * cuspM[i]
      let reach = divisor(power[i] * reachFactor[i]), both = E32.reciprocal(smooth * reach)
      let apart = low - high, gap: Float = apart < 0 ? -apart : apart, least: Float = apart < 0 ? low : high
      let over = smooth - gap, near: Float = over > 0 ? over * (both * reach) : 0
      let boundary = least - ((near * near) * near) * (smooth * 0.166_666_67)
      let filled = boundary * (both * smooth), share: Float = filled > 0.75 ? filled : 0.75
      let knee = share * boundary, far = reach - knee, room = boundary - knee, x = m[i] - knee
      let product = far * room, ahead = x * (far - room)
      let beyond: Float
      if isInverse {
        let left = product - ahead, isOpen = left > 0
        let below: Float = isOpen ? left : far - room, factor: Float = isOpen ? x : 1
        beyond = factor * (product * E32.reciprocal(divisor(below)))
      } else {
        beyond = x * (product * E32.reciprocal(divisor(ahead + product)))
      }
      let moved = knee + beyond, asked: Float = share < 1 ? x : 0
      let isBent = asked > 0
      let kept: Float = isBent ? moved : m[i]
      let within: Float = boundary > 0 ? kept : 0
      let isOver = j[i] > most
      let colour: Float = isOver ? 0 : within
      let onLine = start[i] + colour * slope[i], bent: Float = isBent ? onLine : j[i]
      let lit: Float = colour > 0 ? bent : j[i]
      toJ[i] = lit
      toM[i] = colour
    }
  }

  /// Computes RGB from A in R, colourfulness in G, and the hue.
  @inlinable @inline(always) static func light(_ s: Strip, _ table: UnsafePointer<Float>, _ numbers: ACESNumbers) {
    let m = s.green, b = s.blue, cosine = s.scratch(3), sine = s.scratch(4)
    for i in 0..<s.padded {
      b[i] = m[i] * sine[i]
      m[i] = m[i] * cosine[i]
    }
    Matrix3Stage.apply(s, numbers.fromOpponents)
    for channel in 0..<3 {
      CurveStage.apply(s, s.plane(channel), table + Int(ACESPlaces.light), ACESPlaces.lightDomain, 0, 0)
    }
    Matrix3Stage.apply(s, numbers.fromCones)
    clamp(s, numbers.largestOut)
  }
}
