import HDRCore

/// Stage `blend_blurred`: R, G, B are the blurred picture G, the planes of a source the picture c itself; neither is
/// multiplied by alpha, which is the source's.
public enum BlendBlurred: KernelStage {
  public enum Mode: Int, Sendable, Hashable, CaseIterable {
    case unsharp, luminance, bloom, gloom, noise
  }

  public struct Parameters: StageParameters {
    public let mode: Choice<Mode>, source: UInt32, channels: UInt32, amount: Float, luminance: RGBWords<Float>
    /// The slope and start that turn a difference of luminance into the weight before it is cut.
    public let slope: Float, start: Float
  }

  package static func words(
    _ mode: Mode, source: Int, channels: Int, amount: Double, rise: (from: Double, to: Double)
  ) -> [UInt32] {
    Parameters(
      mode: Choice(mode), source: source.word, channels: channels.word, amount: Float(amount),
      luminance: RGBWords(Transfer.HLG.luminance), slope: Float(1 / (rise.to - rise.from)),
      start: Float(-rise.from / (rise.to - rise.from))
    ).list
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), mode = words.mode.value, channels = Int(words.channels)
    let views = c.channels + 4 &* Int(words.source), n = s.padded, amount = words.amount
    for channel in 0..<channels {
      let view = views[channel], own = s.scratch(channel)
      let row = (view.base + s.y &* view.rowBytes).assumingMemoryBound(to: Float.self) + s.x
      own.update(from: row, count: s.count)
      for i in s.count..<n { own[i] = 0 }
    }
    let r = s.red, g = s.green, b = s.blue, cr = s.scratch(0), cg = s.scratch(1), cb = s.scratch(2)
    if mode == .noise {
      let w = words.luminance
      for i in 0..<n {
        let blurred = (r[i] * w.r + g[i] * w.g) + b[i] * w.b, own = (cr[i] * w.r + cg[i] * w.g) + cb[i] * w.b
        let d = own - blurred, size: Float = d < 0 ? -d : d
        let u = size * words.slope + words.start
        let low: Float = u > 0 ? u : 0, t: Float = low < 1 ? low : 1
        let share = amount * ((t * t) * (3 - 2 * t))
        r[i] = r[i] + (cr[i] - r[i]) * share
        g[i] = g[i] + (cg[i] - g[i]) * share
        b[i] = b[i] + (cb[i] - b[i]) * share
      }
    } else if mode == .luminance {
      let w = words.luminance
      for i in 0..<n {
        let blurred = (r[i] * w.r + g[i] * w.g) + b[i] * w.b, own = (cr[i] * w.r + cg[i] * w.g) + cb[i] * w.b
        let more = (own - blurred) * amount
        r[i] = cr[i] + more
        g[i] = cg[i] + more
        b[i] = cb[i] + more
      }
    } else {
      for channel in 0..<3 {
        let p = s.plane(channel), own = s.scratch(channel)
        switch mode {
        case .unsharp, .luminance, .noise: for i in 0..<n { p[i] = own[i] + (own[i] - p[i]) * amount }
        case .bloom:
          for i in 0..<n {
            let low: Float = own[i] < 1 ? own[i] : 1
            p[i] = own[i] + (p[i] * (1 - low)) * amount
          }
        case .gloom:
          for i in 0..<n {
            let low: Float = p[i] < 1 ? p[i] : 1, positive: Float = own[i] > 0 ? own[i] : 0
            p[i] = own[i] - (positive * (1 - low)) * amount
          }
        }
      }
    }
    if channels == 4 { s.alpha.update(from: s.scratch(3), count: n) }
  }
}
