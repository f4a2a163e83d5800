import HDRCore

/// Stage `blend_mode`: the blend modes of PDF and of W3C "Compositing and Blending Level 1" §9, in linear light: R, G, B, A,
/// not multiplied, is the backdrop, the planes of a source, not multiplied, the top. Colours of both are divided by a
/// headroom and cut to [0, 1] first, and the result is multiplied by it. The result is premultiplied:
/// `aS ((1 - aB) cS + aB blend(cB, cS)) + (1 - aS) aB cB`.
///
/// Modes that W3C does not have: divide cB / cS; subtract cB - cS; linearDodge cB + cS; linearBurn cB + cS - 1;
/// linearLight cB + 2 cS - 1; vividLight colorBurn by 2 cS below a half, colorDodge by 2 cS - 1 above; pinLight
/// min(cB, 2 cS) below, max(cB, 2 cS - 1) above; each cut to [0, 1].
public enum BlendMode: KernelStage {
  package static let operations = 256

  public enum Mode: Int, Sendable, Hashable, CaseIterable {
    case multiply, screen, overlay, softLight, hardLight, colorDodge, colorBurn, darken, lighten, difference, exclusion
    case divide, subtract, linearDodge, linearBurn, linearLight, vividLight, pinLight
    /// Modes that mix components.
    case hue, saturation, color, luminosity
  }

  /// Square root of 0.25...2, for soft light.
  package static let root = CurveTable(octaves: -2..<1, k: 6) { $0.squareRoot() }
  /// The weights of `Lum` (W3C §9.2).
  package static let weights = [0.3, 0.59, 0.11]

  public struct Parameters: StageParameters {
    public let mode: Choice<Mode>, source: UInt32, x: Int32, y: Int32, width: UInt32, height: UInt32
    /// The factors 1 / headroom and headroom.
    public let down: Float, up: Float
    public let weights: RGBWords<Float>, root: CurveWords
  }

  /// - Parameters:
  ///   - source: the number of the pass's source that is the top, whose corner lies at (x, y).
  ///   - headroom: the factor by which both layers are divided.
  ///   - offset: that of the table of `root`, which soft light reads.
  package static func words(
    _ mode: Mode, source: Int, x: Int, y: Int, width: Int, height: Int, headroom: Double,
    root offset: UInt32
  ) -> [UInt32] {
    Parameters(
      mode: Choice(mode), source: source.word, x: Int32(truncatingIfNeeded: x), y: Int32(truncatingIfNeeded: y),
      width: width.word, height: height.word, down: Float(1 / headroom), up: Float(headroom),
      weights: RGBWords(weights), root: CurveWords(root, offset: offset)
    ).list
  }

  // MARK: Lanes

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self)
    Compositing.loadForeground(
      s, c.channels + 4 &* Int(words.source), x: Int(words.x), y: Int(words.y), width: Int(words.width),
      height: Int(words.height))
    let n = s.padded, down = words.down, up = words.up
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

  /// Blends colours of planes 0...2 and scratch 0...2, and writes to scratch 4...6.
  @inlinable @inline(always) static func blend(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), w = words.weights
    switch words.mode.value {
    case .multiply: each(s) { b, t in b * t }
    case .screen: each(s) { b, t in screen(b, t) }
    case .overlay: each(s) { b, t in hardLight(t, b) }
    case .softLight: softLight(s, c)
    case .hardLight: each(s) { b, t in hardLight(b, t) }
    case .colorDodge: each(s) { b, t in colorDodge(b, t) }
    case .colorBurn: each(s) { b, t in colorBurn(b, t) }
    case .darken: each(s) { b, t in b < t ? b : t }
    case .lighten: each(s) { b, t in b > t ? b : t }
    case .difference: each(s) { b, t in b > t ? b - t : t - b }
    case .exclusion: each(s) { b, t in (b + t) - 2 * (b * t) }
    case .divide: each(s) { b, t in divide(b, t) }
    case .subtract: each(s) { b, t in unit(b - t) }
    case .linearDodge: each(s) { b, t in unit(b + t) }
    case .linearBurn: each(s) { b, t in unit((b + t) - 1) }
    case .linearLight: each(s) { b, t in unit((b + 2 * t) - 1) }
    case .vividLight: each(s) { b, t in t > 0.5 ? colorDodge(b, 2 * t - 1) : colorBurn(b, 2 * t) }
    case .pinLight: each(s) { b, t in pinLight(b, t) }
    case .hue:
      pixels(s) { b, t in
        let hue = withSaturation(t, spread(b))
        return withLuminosity(hue, luminosity(b, w), w)
      }
    case .saturation:
      pixels(s) { b, t in
        let own = withSaturation(b, spread(t))
        return withLuminosity(own, luminosity(b, w), w)
      }
    case .color: pixels(s) { b, t in withLuminosity(t, luminosity(b, w), w) }
    case .luminosity: pixels(s) { b, t in withLuminosity(b, luminosity(t, w), w) }
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

  /// Returns a / d, at most 1, for 0 <= a < d <= 1; a divisor next to nothing counts as 1.
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
    let root = c.words(Parameters.self).root
    for channel in 0..<3 {
      let b = s.plane(channel), t = s.scratch(channel), r = s.scratch(4 &+ channel)
      CurveTable.lookup(
        c.table(at: root.table), from: b, to: r, s.padded, root.domain, index: s.scratch(7), fraction: s.scratch(8))
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

  @inlinable @inline(always) static func luminosity(_ c: Color, _ w: RGBWords<Float>) -> Float {
    (w.r * c.r + w.g * c.g) + w.b * c.b
  }

  /// Returns the largest component minus the smallest: W3C `Sat`.
  @inlinable @inline(always) static func spread(_ c: Color) -> Float { most(c) - least(c) }

  /// Does W3C `SetSat`.
  @inlinable @inline(always) static func withSaturation(_ c: Color, _ wanted: Float) -> Color {
    let low = least(c), own = most(c) - low
    let safe: Float = own > 0x1p-40 ? own : 1
    let inverse = wanted * E32.reciprocal(safe)
    let k: Float = own > 0x1p-40 ? inverse : 0
    return ((c.r - low) * k, (c.g - low) * k, (c.b - low) * k)
  }

  /// Does W3C `SetLum` with `ClipColor`.
  @inlinable @inline(always) static func withLuminosity(
    _ c: Color, _ wanted: Float, _ w: RGBWords<Float>
  ) -> Color {
    let d = wanted - luminosity(c, w)
    let m: Color = (c.r + d, c.g + d, c.b + d)
    let l = luminosity(m, w), low = least(m), high = most(m)
    // Mixes with grey just enough to bring the component that is farthest outside to its limit.
    let below = l - low, above = high - l
    let safeBelow: Float = below > 0x1p-40 ? below : 1
    let safeAbove: Float = above > 0x1p-40 ? above : 1
    let lift = l * E32.reciprocal(safeBelow), fall = (1 - l) * E32.reciprocal(safeAbove)
    let k: Float = low < 0 ? lift : (high > 1 ? fall : 1)
    return (unit(l + (m.r - l) * k), unit(l + (m.g - l) * k), unit(l + (m.b - l) * k))
  }
}
