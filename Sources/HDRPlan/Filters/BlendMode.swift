import HDRCore

/// Stage `blend_mode`: the blend modes of PDF and of W3C "Compositing and Blending Level 1" §9, in linear light: R, G, B, A,
/// not multiplied, is the backdrop, the planes of a source, not multiplied, the top. Colours of both are divided by a
/// headroom and cut to [0, 1] first, and the result is multiplied by it. The result is premultiplied:
/// `aS ((1 - aB) cS + aB blend(cB, cS)) + (1 - aS) aB cB`.
///
/// Modes that W3C does not have: divide cB / cS; subtract cB - cS; linearDodge cB + cS; linearBurn cB + cS - 1;
/// linearLight cB + 2 cS - 1; vividLight colorBurn by 2 cS below a half, colorDodge by 2 cS - 1 above; pinLight
/// min(cB, 2 cS) below, max(cB, 2 cS - 1) above; each cut to [0, 1].
public enum BlendMode {
  public enum Mode: Int, Sendable, Hashable, CaseIterable {
    case multiply, screen, overlay, softLight, hardLight, colorDodge, colorBurn, darken, lighten, difference, exclusion
    case divide, subtract, linearDodge, linearBurn, linearLight, vividLight, pinLight
    /// These mix components.
    case hue, saturation, color, luminosity
  }

  static let headroom = FilterParameter(
    "headroom", .number(1, 1...65536),
    "both layers are divided by it before they are cut to 0...1, and multiplied after")

  /// Square root of 0.25...2, for soft light.
  static let root = CurveTable(octaves: -2..<1, k: 6) { $0.squareRoot() }
  /// The weights of `Lum` (W3C §9.2).
  static let weights = [0.3, 0.59, 0.11]

  static func apply(_ mode: Mode, _ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let picture = edit.planes(), top = try edit.foreground(values, isPremultiplied: false)
    edit.use(picture)
    let at = values.vector(Compositing.offset) ?? [0, 0], x = Int(at[0].rounded()), y = Int(at[1].rounded())
    let source = edit.read(top, rows: edit.rows(of: top, from: y)), peak = values.value(headroom)
    edit.stage(.blendMode, tables: mode == .softLight ? [root.words] : []) { offsets in
      [mode.rawValue.word, source.word, x.word, y.word, top.width.word, top.height.word, (1 / peak).word, peak.word]
        + weights.map(\.word) + [offsets.first ?? 0] + root.domainWords
    }
    edit.unpremultiply()
  }

  // MARK: Lanes

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    Compositing.loadForeground(
      s, c.channels + 4 &* c.int(1), x: c.int(2), y: c.int(3), width: c.int(4), height: c.int(5))
    let n = s.padded, down = c.float(6), up = c.float(7)
    for channel in 0..<3 {
      let b = s.plane(channel), t = s.scratch(channel)
      for i in 0..<n {
        b[i] = unit(b[i] * down)
        t[i] = unit(t[i] * down)
      }
    }
    blend(s, c)
    let a = s.alpha, ta = s.scratch(3)
    for channel in 0..<3 {
      let b = s.plane(channel), t = s.scratch(channel), r = s.scratch(4 &+ channel)
      for i in 0..<n {
        b[i] = (ta[i] * ((1 - a[i]) * t[i] + a[i] * r[i]) + ((1 - ta[i]) * a[i]) * b[i]) * up
      }
    }
    for i in 0..<n { a[i] = ta[i] + a[i] * (1 - ta[i]) }
    Compositing.limitAlpha(s)
  }

  /// Blended colours of planes 0...2 and scratch 0...2 to scratch 4...6.
  @inlinable @inline(always) static func blend(_ s: Strip, _ c: StageContext) {
    let w0 = c.float(8), w1 = c.float(9), w2 = c.float(10)
    switch c.int(0) {
    case 0: each(s) { b, t in b * t }
    case 1: each(s) { b, t in screen(b, t) }
    case 2: each(s) { b, t in hardLight(t, b) }
    case 3: softLight(s, c)
    case 4: each(s) { b, t in hardLight(b, t) }
    case 5: each(s) { b, t in colorDodge(b, t) }
    case 6: each(s) { b, t in colorBurn(b, t) }
    case 7: each(s) { b, t in b < t ? b : t }
    case 8: each(s) { b, t in b > t ? b : t }
    case 9: each(s) { b, t in b > t ? b - t : t - b }
    case 10: each(s) { b, t in (b + t) - 2 * (b * t) }
    case 11: each(s) { b, t in divide(b, t) }
    case 12: each(s) { b, t in unit(b - t) }
    case 13: each(s) { b, t in unit(b + t) }
    case 14: each(s) { b, t in unit((b + t) - 1) }
    case 15: each(s) { b, t in unit((b + 2 * t) - 1) }
    case 16: each(s) { b, t in t > 0.5 ? colorDodge(b, 2 * t - 1) : colorBurn(b, 2 * t) }
    case 17: each(s) { b, t in pinLight(b, t) }
    case 18:
      pixels(s) { b, t in
        let hue = withSaturation(t, spread(b))
        return withLuminosity(hue, luminosity(b, w0, w1, w2), w0, w1, w2)
      }
    case 19:
      pixels(s) { b, t in
        let own = withSaturation(b, spread(t))
        return withLuminosity(own, luminosity(b, w0, w1, w2), w0, w1, w2)
      }
    case 20: pixels(s) { b, t in withLuminosity(t, luminosity(b, w0, w1, w2), w0, w1, w2) }
    default: pixels(s) { b, t in withLuminosity(b, luminosity(t, w0, w1, w2), w0, w1, w2) }
    }
  }

  @inlinable @inline(always) static func each(_ s: Strip, _ f: (Float, Float) -> Float) {
    for channel in 0..<3 {
      let b = s.plane(channel), t = s.scratch(channel), r = s.scratch(4 &+ channel)
      for i in 0..<s.padded { r[i] = f(b[i], t[i]) }
    }
  }

  @inlinable @inline(always) static func unit(_ x: Float) -> Float {
    let low: Float = x > 0 ? x : 0
    return low < 1 ? low : 1
  }

  @inlinable @inline(always) static func screen(_ b: Float, _ t: Float) -> Float { (b + t) - b * t }

  @inlinable @inline(always) static func hardLight(_ b: Float, _ t: Float) -> Float {
    let twice = 2 * t
    return t > 0.5 ? screen(b, twice - 1) : b * twice
  }

  /// a / d for 0 <= a < d <= 1, below 1 or 1; divisors that are next to nothing count as 1.
  @inlinable @inline(always) static func quotient(_ a: Float, _ d: Float) -> Float {
    let safe: Float = d > 0x1p-40 ? d : 1
    let q = a * E32.reciprocal(safe)
    return q < 1 ? q : 1
  }

  @inlinable @inline(always) static func colorDodge(_ b: Float, _ t: Float) -> Float {
    let d = 1 - t, q = quotient(b, d)
    let r: Float = b < d ? q : 1
    return b > 0 ? r : 0
  }

  @inlinable @inline(always) static func colorBurn(_ b: Float, _ t: Float) -> Float {
    let a = 1 - b, q = quotient(a, t)
    let r: Float = a < t ? 1 - q : 0
    return b < 1 ? r : 1
  }

  @inlinable @inline(always) static func divide(_ b: Float, _ t: Float) -> Float {
    let q = quotient(b, t)
    let r: Float = b < t ? q : 1
    return b > 0 ? r : 0
  }

  @inlinable @inline(always) static func pinLight(_ b: Float, _ t: Float) -> Float {
    let twice = 2 * t, above = twice - 1
    let low: Float = b < twice ? b : twice
    let high: Float = b > above ? b : above
    return t > 0.5 ? high : low
  }

  @inlinable @inline(always) static func softLight(_ s: Strip, _ c: StageContext) {
    for channel in 0..<3 {
      let b = s.plane(channel), t = s.scratch(channel), r = s.scratch(4 &+ channel)
      CurveTable.lookup(
        c.table(11), from: b, to: r, s.padded, minBits: c.constants[12], maxBits: c.constants[13], k: c.constants[14],
        index: s.scratch(7), fraction: s.scratch(8))
      for i in 0..<s.padded {
        let x = b[i], steep = ((16 * x - 12) * x + 4) * x
        let d: Float = x > 0.25 ? r[i] : steep
        let up = 2 * t[i] - 1
        r[i] = t[i] > 0.5 ? x + up * (d - x) : x + (up * x) * (1 - x)
      }
    }
  }

  // MARK: Components together

  public typealias Color = (r: Float, g: Float, b: Float)

  @inlinable @inline(always) static func pixels(_ s: Strip, _ f: (Color, Color) -> Color) {
    let r = s.red, g = s.green, b = s.blue, tr = s.scratch(0), tg = s.scratch(1), tb = s.scratch(2)
    let outR = s.scratch(4), outG = s.scratch(5), outB = s.scratch(6)
    for i in 0..<s.padded {
      let q = f((r[i], g[i], b[i]), (tr[i], tg[i], tb[i]))
      outR[i] = q.r
      outG[i] = q.g
      outB[i] = q.b
    }
  }

  @inlinable @inline(always) static func least(_ c: Color) -> Float {
    let m: Float = c.r < c.g ? c.r : c.g
    return m < c.b ? m : c.b
  }

  @inlinable @inline(always) static func most(_ c: Color) -> Float {
    let m: Float = c.r > c.g ? c.r : c.g
    return m > c.b ? m : c.b
  }

  @inlinable @inline(always) static func luminosity(_ c: Color, _ w0: Float, _ w1: Float, _ w2: Float) -> Float {
    (w0 * c.r + w1 * c.g) + w2 * c.b
  }

  /// Largest less smallest component: W3C `Sat`.
  @inlinable @inline(always) static func spread(_ c: Color) -> Float { most(c) - least(c) }

  /// W3C `SetSat`.
  @inlinable @inline(always) static func withSaturation(_ c: Color, _ wanted: Float) -> Color {
    let low = least(c), own = most(c) - low
    let safe: Float = own > 0x1p-40 ? own : 1
    let inverse = wanted * E32.reciprocal(safe)
    let k: Float = own > 0x1p-40 ? inverse : 0
    return ((c.r - low) * k, (c.g - low) * k, (c.b - low) * k)
  }

  /// W3C `SetLum` with `ClipColor`.
  @inlinable @inline(always) static func withLuminosity(
    _ c: Color, _ wanted: Float, _ w0: Float, _ w1: Float, _ w2: Float
  ) -> Color {
    let d = wanted - luminosity(c, w0, w1, w2)
    let m: Color = (c.r + d, c.g + d, c.b + d)
    let l = luminosity(m, w0, w1, w2), low = least(m), high = most(m)
    // Towards grey by as much as brings the component that is farthest outside to its limit.
    let below = l - low, above = high - l
    let safeBelow: Float = below > 0x1p-40 ? below : 1
    let safeAbove: Float = above > 0x1p-40 ? above : 1
    let lift = l * E32.reciprocal(safeBelow), fall = (1 - l) * E32.reciprocal(safeAbove)
    let k: Float = low < 0 ? lift : (high > 1 ? fall : 1)
    return (unit(l + (m.r - l) * k), unit(l + (m.g - l) * k), unit(l + (m.b - l) * k))
  }
}
