import HDRCore

/// Stage `aces1_head_inverse`: the exact inverse of `aces1_head`, for light that is not negative and no hues that stay
/// (`ACES1Head.solution`).
///
/// A red is found by secants of the change of reds, which end within 2^-20 of it; then the factor of the glow by its
/// formulas, as only that of colours below 0.01 changes their saturation.
public enum ACES1HeadInverse: KernelStage {
  package static let operations = 1024

  /// The first of those of `aces1_head`, with whose GLSL the stage's own computes.
  public struct Parameters: StageParameters {
    public let reds: CurveWords, glow: Float, middle: Float, fullEnd: Float, end: Float, redness: Float
  }

  package static func words(_ head: ACES1Head = .output, table: ([UInt32]) -> UInt32) -> [UInt32] {
    Array(ACES1HeadStage.words(head, table: table).prefix(MemoryLayout<Parameters>.size / 4))
  }

  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] {
    [ACES1Head.output, .glow03, .red10].map { words($0, table: table) }
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let red = s.red, now = s.scratch(3), before = s.scratch(4), error = s.scratch(5), slope = s.scratch(6)
    ACESLanes.clamp(s, 0x1p36)
    for i in 0..<s.padded {
      // No red stays none: the first of two points of a secant.
      now[i] = red[i]
      before[i] = 0
      error[i] = -red[i]
      slope[i] = 1
    }
    for _ in 0..<6 { approach(s, c) }
    for i in 0..<s.padded { red[i] = now[i] }
    dim(s, c.words(Parameters.self))
  }

  /// Makes the red in scratch 3 a better one: a step along the secant through the last two.
  @inlinable @inline(always) static func approach(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), reds = words.reds, redness = words.redness
    let red = s.red, green = s.green, blue = s.blue
    let now = s.scratch(3), before = s.scratch(4), error = s.scratch(5), slope = s.scratch(6)
    let share = s.scratch(0), isRed = s.scratch(7)
    for i in 0..<s.padded {
      let r = now[i], g = green[i], b = blue[i], hue = ACES1HeadStage.place((r - g) - (b - r), 1.732_050_8 * (g - b))
      share[i] = hue.place
      isRed[i] = hue.ahead
    }
    CurveTable.lookup(
      c.table(at: reds.table), from: share, to: share, s.padded, reds.domain, index: s.scratch(1),
      fraction: s.scratch(2))
    for i in 0..<s.padded {
      let r = now[i], g = green[i], b = blue[i], wanted = red[i], weight: Float = isRed[i] > 0 ? share[i] : 0
      let changed = r + ((weight * ACES1HeadStage.saturation(r, g, b)) * (0.03 - r)) * redness, miss = changed - wanted
      let step = r - before[i], rise = miss - error[i]
      let run: Float = step < 0 ? -step : step, size: Float = rise < 0 ? -rise : rise
      // Nearer points tell rounding errors, no slope.
      let isClear = size > 0x1p-14 * wanted + 0x1p-60
      let ratio = run * E32.reciprocal(isClear ? size : 1), found: Float = isClear ? ratio : slope[i]
      let factor: Float = found < 4 ? found : 4
      let next = r - factor * miss, most = 1.25 * wanted
      let low: Float = next > 0 ? next : 0
      before[i] = r
      error[i] = miss
      slope[i] = factor
      now[i] = low < most ? low : most
    }
  }

  /// Takes the glow away.
  @inlinable @inline(always) static func dim(_ s: Strip, _ words: Parameters) {
    let red = s.red, green = s.green, blue = s.blue
    for i in 0..<s.padded {
      let r = red[i], g = green[i], b = blue[i], light = ACES1HeadStage.light(r, g, b, r - g, g - b, b - r)
      let once = dimmed(light, r, g, b, words)
      let twice = dimmed(light, r * once, g * once, b * once, words)
      let factor = dimmed(light, r * twice, g * twice, b * twice, words)
      red[i] = r * factor
      green[i] = g * factor
      blue[i] = b * factor
    }
  }

  /// Returns the factor that undoes the glow of a colour: its luminance is that with glow, its components without.
  @inlinable @inline(always) static func dimmed(
    _ light: Float, _ r: Float, _ g: Float, _ b: Float, _ words: Parameters
  ) -> Float {
    let amount = ACES1HeadStage.amount(r, g, b, words.glow), whole = 1 + amount
    let divisor: Float = light > 0.01 ? light : 0.01
    let fading = (light - words.middle * amount) * E32.reciprocal((1 - 0.5 * amount) * divisor)
    let full = E32.reciprocal(whole)
    let dim: Float = light > whole * words.fullEnd ? fading : full
    return light < words.end ? dim : 1
  }
}
