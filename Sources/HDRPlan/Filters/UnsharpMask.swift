import HDRCore

/// Amplifies differences from a Gaussian blur: c + intensity (c - G(c)).
enum UnsharpMask: Filter {
  static let name = "unsharp-mask"
  static let summary = "differences from a Gaussian blur made larger"
  static let category = FilterCategory.sharpen
  static let radius = FilterParameter("radius", .number(2.5, 0...500), "standard deviation of the blur in pixels")
  static let intensity = FilterParameter("intensity", .number(0.5, 0...10), "how much of the difference is added")
  static let parameters = [radius, intensity]
  static let headroomEffect = HeadroomEffect.unknown

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    BlendBlurred.apply(.unsharp, radius: values.value(radius), amount: values.value(intensity), to: &edit)
  }
}

/// Amplifies differences of luminance from a Gaussian blur: c + sharpness (Y - G(Y)).
enum SharpenLuminance: Filter {
  static let name = "sharpen-luminance"
  static let summary = "differences of luminance from a Gaussian blur made larger"
  static let category = FilterCategory.sharpen
  static let radius = FilterParameter("radius", .number(1.69, 0...500), "standard deviation of the blur in pixels")
  static let sharpness = FilterParameter("sharpness", .number(0.4, 0...10), "how much of the difference is added")
  static let parameters = [radius, sharpness]
  static let headroomEffect = HeadroomEffect.unknown

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    BlendBlurred.apply(.luminance, radius: values.value(radius), amount: values.value(sharpness), to: &edit)
  }
}

/// Glow: c + intensity G(c) (1 - min(c, 1)), like a screen up to white; never darkens if the blur is not negative.
enum Bloom: Filter {
  static let name = "bloom"
  static let summary = "glow around light, like a screen up to white"
  static let category = FilterCategory.stylize
  static let radius = FilterParameter("radius", .number(10, 0...500), "standard deviation of the glow in pixels")
  static let intensity = FilterParameter("intensity", .number(0.5, 0...10), "0 nothing, 1 all of the glow")
  static let parameters = [radius, intensity]
  static let headroomEffect = HeadroomEffect.unknown

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    BlendBlurred.apply(.bloom, radius: values.value(radius), amount: values.value(intensity), to: &edit)
  }
}

/// Bloom's dual: c - intensity max(c, 0) (1 - min(G(c), 1)), a multiplication below white; never brightens.
enum Gloom: Filter {
  static let name = "gloom"
  static let summary = "shade around darkness, a multiplication below white"
  static let category = FilterCategory.stylize
  static let radius = FilterParameter("radius", .number(10, 0...500), "standard deviation of the shade in pixels")
  static let intensity = FilterParameter("intensity", .number(0.5, 0...1), "0 nothing, 1 all of the shade")
  static let parameters = [radius, intensity]

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    BlendBlurred.apply(.gloom, radius: values.value(radius), amount: values.value(intensity), to: &edit)
  }
}

/// Blurs where luminance differs little from a Gaussian blur of 1 pixel, and sharpens where it differs much: G + w (1 +
/// sharpness) (c - G), w = smoothstep of |Y(c) - Y(G)| from half the noise level to twice that level.
enum NoiseReduction: Filter {
  static let name = "noise-reduction"
  static let summary = "small differences of luminance blurred, larger ones sharpened"
  static let category = FilterCategory.blur
  static let level = FilterParameter(
    "noise-level", .number(0.02, 0.0001...16), "difference of luminance that is noise, in linear light")
  static let sharpness = FilterParameter("sharpness", .number(0.4, 0...10), "how much of larger ones is added")
  static let parameters = [level, sharpness]
  static let headroomEffect = HeadroomEffect.unknown

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let level = values.value(level)
    BlendBlurred.apply(
      .noise, radius: 1, amount: 1 + values.value(sharpness), rise: (from: level / 2, to: level * 2), to: &edit)
  }
}

/// Stage `blend_blurred`: R, G, B are the blurred picture G, the planes of a source the picture c itself; neither is
/// multiplied by alpha, which is the source's.
public enum BlendBlurred {
  public enum Mode: Int, Sendable, Hashable, CaseIterable {
    case unsharp, luminance, bloom, gloom, noise
  }

  /// Blurs with weights by alpha, and blends the blur with the picture.
  static func apply(
    _ mode: Mode, radius: Double, amount: Double, rise: (from: Double, to: Double) = (0, 1), to edit: inout Edit
  ) {
    if amount == 0 { return }
    let own = edit.planes()
    edit.premultiply()
    edit.gaussian(radius: radius, edges: .clamp)
    edit.unpremultiply()
    let source = edit.read(own)
    edit.stage(.blendBlurred, words(mode, source: source, channels: own.channels, amount: amount, rise: rise))
  }

  public struct Words: StageWords {
    public let mode: Choice<Mode>, source: UInt32, channels: UInt32, amount: Float, luminance: RGBWords<Float>
    /// The slope and start that turn a difference of luminance into the weight before it is cut.
    public let slope: Float, start: Float
  }

  public static func words(
    _ mode: Mode, source: Int, channels: Int, amount: Double, rise: (from: Double, to: Double)
  ) -> [UInt32] {
    Words(
      mode: Choice(mode), source: source.word, channels: channels.word, amount: Float(amount),
      luminance: RGBWords(Transfer.HLG.luminance), slope: Float(1 / (rise.to - rise.from)),
      start: Float(-rise.from / (rise.to - rise.from))
    ).list
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Words.self), mode = words.mode.value, channels = Int(words.channels)
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
