import HDRCore

/// Stage `aces1_head`: what ACES 1 does to scene light in AP0 before its tones: the glow of dark saturated colours, and
/// reds that are less saturated (`ACES1Head` has the formulas); one of them alone; and the inverse.
///
/// How much of a red is changed is a curve of |y| / (|x| + |y|), where x and y are the hue's components: no angle is
/// computed.
public enum ACES1HeadStage: KernelStage {
  package static let operations = 512

  public enum Direction: Int, Sendable, Hashable, CaseIterable {
    case forward, inverse
  }

  public struct Parameters: StageParameters {
    public let reds: CurveWords
    /// Half of the largest glow; the light whose glow is half of that, where it begins to fade, and where it ends.
    public let glow: Float, middle: Float, fullEnd: Float, end: Float
    /// The part of its saturation that a red loses; 1 if green or blue follows, so that the hue stays.
    public let redness: Float, keepsHue: UInt32
    /// The smallest result.
    public let least: Float
    public let direction: Choice<Direction>
  }

  /// Makes the table of the share by which a red of a place is changed. Below its first octave it is 1.
  package static func reds(_ head: ACES1Head) -> CurveTable {
    CurveTable(octaves: -12..<0, k: 5, head.redShare(place:))
  }

  package static func words(
    _ head: ACES1Head, _ direction: Direction = .forward, table: ([UInt32]) -> UInt32
  ) -> [UInt32] {
    let reds = reds(head)
    return Parameters(
      reds: CurveWords(reds, offset: table(reds.words)), glow: (head.glow / 2).lane, middle: head.middle.lane,
      fullEnd: (2 * head.middle / 3).lane, end: (2 * head.middle).lane, redness: head.redness.lane,
      keepsHue: head.keepsHue.word, least: (head.clamps ? 0 : -0x1p100).lane, direction: Choice(direction)
    ).list
  }

  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] {
    let heads: [ACES1Head] = [.output, .glow03, .glow10, .red03, .red10]
    return heads.flatMap { head in Direction.allCases.map { words(head, $0, table: table) } }
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self)
    if words.direction.value == .inverse {
      locate(s)
      lookup(s, c, words)
      lessen(s, words)
    } else {
      enlarge(s, words)
      lookup(s, c, words)
      redden(s, words)
    }
  }

  @inlinable @inline(always) static func lookup(_ s: Strip, _ c: StageContext, _ words: Parameters) {
    let share = s.scratch(0), reds = words.reds
    CurveTable.lookup(
      c.table(at: reds.table), from: share, to: share, s.padded, reds.domain, index: s.scratch(1),
      fraction: s.scratch(2))
  }

  /// Adds glow. Scratch 0 and 3: places of hues, and numbers that are above 0 for hues near red.
  @inlinable @inline(always) static func enlarge(_ s: Strip, _ words: Parameters) {
    let p = s.base, share = s.scratch(0), isRed = s.scratch(3)
    for i in 0..<s.padded {
      let r = p[i], g = p[i &+ Strip.stride], b = p[i &+ 2 &* Strip.stride]
      let rg = r - g, gb = g - b, br = b - r
      let light = light(r, g, b, rg, gb, br), amount = amount(r, g, b, words.glow)
      let divisor: Float = light > 0.01 ? light : 0.01
      let fading = amount * (words.middle * E32.reciprocal(divisor) - 0.5)
      let dim: Float = light > words.fullEnd ? fading : amount
      let glow: Float = 1 + (light < words.end ? dim : 0)
      let hue = place((rg - br) * glow, (1.732_050_8 * gb) * glow)
      share[i] = hue.place
      isRed[i] = hue.ahead
      p[i] = r * glow
      p[i &+ Strip.stride] = g * glow
      p[i &+ 2 &* Strip.stride] = b * glow
    }
  }

  /// Makes reds less saturated, and brings all to the smallest result.
  @inlinable @inline(always) static func redden(_ s: Strip, _ words: Parameters) {
    let p = s.base, share = s.scratch(0), isRed = s.scratch(3), redness = words.redness, least = words.least
    let keepsHue = words.keepsHue == 1
    for i in 0..<s.padded {
      let r = p[i], g = p[i &+ Strip.stride], b = p[i &+ 2 &* Strip.stride]
      let weight: Float = isRed[i] > 0 ? share[i] : 0
      let red = r + ((weight * saturation(r, g, b)) * (0.03 - r)) * redness
      let turned: Float = keepsHue ? weight : 0
      let low: Float = b < g ? b : g, high: Float = b < g ? g : b
      let moved = between(low, high, from: r, to: red), inner: Float = turned > 0 ? moved : high
      let green: Float = g < b ? g : inner, blue: Float = g < b ? inner : b
      p[i] = red > least ? red : least
      p[i &+ Strip.stride] = green > least ? green : least
      p[i &+ 2 &* Strip.stride] = blue > least ? blue : least
    }
  }

  /// Finds the places of hues.
  @inlinable @inline(always) static func locate(_ s: Strip) {
    let p = s.base, share = s.scratch(0), isRed = s.scratch(3)
    for i in 0..<s.padded {
      let r = p[i], g = p[i &+ Strip.stride], b = p[i &+ 2 &* Strip.stride]
      let hue = place((r - g) - (b - r), 1.732_050_8 * (g - b))
      share[i] = hue.place
      isRed[i] = hue.ahead
    }
  }

  /// Returns the place of a hue on the curve of reds, of the hue's components, and a number above 0 for hues near red.
  @inlinable @inline(always) static func place(_ x: Float, _ y: Float) -> (place: Float, ahead: Float) {
    let across: Float = y < 0 ? -y : y, ahead: Float = x > 0 ? x : 0
    return (across * E32.reciprocal(ACESLanes.divisor(ahead + across)), ahead)
  }

  /// Undoes the change of reds, then glow.
  @inlinable @inline(always) static func lessen(_ s: Strip, _ words: Parameters) {
    let p = s.base, share = s.scratch(0), isRed = s.scratch(3), redness = words.redness, least = words.least
    let keepsHue = words.keepsHue == 1
    for i in 0..<s.padded {
      let r = p[i], g0 = p[i &+ Strip.stride], b0 = p[i &+ 2 &* Strip.stride]
      let weight: Float = isRed[i] > 0 ? share[i] : 0
      let low: Float = b0 < g0 ? b0 : g0, high: Float = b0 < g0 ? g0 : b0
      let part = weight * redness, rest = 1 - part, half = r - part * (0.03 + low)
      let square = half * half + 4 * (rest * (part * (0.03 * low)))
      let root = (half + longRoot(square)) * (0.5 * E32.reciprocal(rest))
      let red: Float = part > 0 ? root : r
      let turned: Float = keepsHue ? part : 0
      let moved = between(low, high, from: r, to: red), inner: Float = turned > 0 ? moved : high
      let g: Float = g0 < b0 ? g0 : inner, b: Float = g0 < b0 ? inner : b0
      let rg = red - g, gb = g - b, br = b - red
      let light = light(red, g, b, rg, gb, br), amount = amount(red, g, b, words.glow), whole = 1 + amount
      let divisor: Float = light > 0.01 ? light : 0.01
      let fading = (amount * (0.5 - words.middle * E32.reciprocal(divisor))) * E32.reciprocal(1 - 0.5 * amount)
      let full = -(amount * E32.reciprocal(whole))
      let dim: Float = light > whole * words.fullEnd ? fading : full
      let glow: Float = 1 + (light < words.end ? dim : 0)
      let x = red * glow, y = g * glow, z = b * glow
      p[i] = x > least ? x : least
      p[i &+ Strip.stride] = y > least ? y : least
      p[i &+ 2 &* Strip.stride] = z > least ? z : least
    }
  }

  /// Returns the largest of green and blue where it keeps its share of the distance from the least to red.
  @inlinable @inline(always) static func between(_ low: Float, _ high: Float, from red: Float, to other: Float) -> Float
  {
    let distance = red - low, divisor: Float = distance > 1e-10 ? distance : 1e-10
    return ((high - low) * E32.reciprocal(divisor)) * (other - low) + low
  }

  /// Returns a mean of the components that rises with saturation.
  @inlinable @inline(always) static func light(
    _ r: Float, _ g: Float, _ b: Float, _ rg: Float, _ gb: Float, _ br: Float
  ) -> Float {
    let chroma = ACESLanes.root(0.5 * ((gb * gb + rg * rg) + br * br))
    return (((r + g) + b) + 1.75 * chroma) * 0.333_333_34
  }

  /// Returns the glow of a dark colour: most where it is saturated.
  @inlinable @inline(always) static func amount(_ r: Float, _ g: Float, _ b: Float, _ glow: Float) -> Float {
    let u = 5 * saturation(r, g, b) - 2, size: Float = u < 0 ? -u : u
    let near = 1 - 0.5 * size, t: Float = near > 0 ? near : 0, rise = 1 - t * t
    return glow * (u < 0 ? 1 - rise : 1 + rise)
  }

  /// Returns √x; that of 2^-60 for smaller x.
  @inlinable @inline(always) static func longRoot(_ x: Float) -> Float {
    let y: Float = x > 0x1p-60 ? x : 0x1p-60, r = ACESLanes.inverseRoot(y), root = y * r
    return root + (0.5 * r) * (y - root * root)
  }

  /// Returns the difference of the largest and the least component, over the largest.
  @inlinable @inline(always) static func saturation(_ r: Float, _ g: Float, _ b: Float) -> Float {
    // Words of numbers that are not negative compare as the numbers do, and those of negative ones are less. Comparisons of
    // numbers would become a tree of predicates, three times as long.
    let x = LUT3DStage.bits(r), y = LUT3DStage.bits(g), z = LUT3DStage.bits(b)
    let faint = LUT3DStage.bits(1e-10), dark = LUT3DStage.bits(0.01)
    let xy = y > x ? y : x, most = z > xy ? z : xy, low = y < x ? y : x, least = z < low ? z : low
    let top = LUT3DStage.float(most > faint ? most : faint), bottom = LUT3DStage.float(least > faint ? least : faint)
    let divisor = LUT3DStage.float(most > dark ? most : dark)
    return (top - bottom) * E32.reciprocal(divisor)
  }
}
