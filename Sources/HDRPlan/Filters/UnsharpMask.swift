import HDRCore

/// Differences from a Gaussian blur made larger: c + intensity (c - G(c)).
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

/// The same by luminance: c + sharpness (Y - G(Y)).
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

/// Glow: c + intensity G(c) (1 - min(c, 1)), like a screen up to white; does not darken where the blur is not negative.
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

/// Bloom's dual: c - intensity max(c, 0) (1 - min(G(c), 1)), a multiplication below white; does not brighten.
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

/// Stage `blend_blurred`: R, G, B are the blurred picture G, the planes of a source the picture c itself; neither is
/// multiplied by alpha, which is the source's.
public enum BlendBlurred {
  public enum Mode: Int, Sendable, Hashable {
    case unsharp, luminance, bloom, gloom
  }

  /// The blur is a mean that pixels count in by their alpha.
  static func apply(_ mode: Mode, radius: Double, amount: Double, to edit: inout Edit) {
    if amount == 0 { return }
    let own = edit.planes()
    edit.premultiply()
    edit.gaussian(radius: radius, edges: .clamp)
    edit.unpremultiply()
    let source = edit.read(own)
    edit.stage(.blendBlurred, words(mode, source: source, channels: own.channels, amount: amount))
  }

  public static func words(_ mode: Mode, source: Int, channels: Int, amount: Double) -> [UInt32] {
    [mode.rawValue.word, source.word, channels.word, amount.word] + Transfer.HLG.luminance.map(\.word)
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let views = c.channels + 4 &* c.int(1), n = s.padded, amount = c.float(3)
    for channel in 0..<c.int(2) {
      let view = views[channel], own = s.scratch(channel)
      let row = (view.base + s.y &* view.rowBytes).assumingMemoryBound(to: Float.self) + s.x
      own.update(from: row, count: s.count)
      for i in s.count..<n { own[i] = 0 }
    }
    let r = s.red, g = s.green, b = s.blue, cr = s.scratch(0), cg = s.scratch(1), cb = s.scratch(2)
    if c.int(0) == 1 {
      let wr = c.float(4), wg = c.float(5), wb = c.float(6)
      for i in 0..<n {
        let blurred = (r[i] * wr + g[i] * wg) + b[i] * wb, own = (cr[i] * wr + cg[i] * wg) + cb[i] * wb
        let more = (own - blurred) * amount
        r[i] = cr[i] + more
        g[i] = cg[i] + more
        b[i] = cb[i] + more
      }
    } else {
      for channel in 0..<3 {
        let p = s.plane(channel), own = s.scratch(channel)
        switch c.int(0) {
        case 0: for i in 0..<n { p[i] = own[i] + (own[i] - p[i]) * amount }
        case 2:
          for i in 0..<n {
            let low: Float = own[i] < 1 ? own[i] : 1
            p[i] = own[i] + (p[i] * (1 - low)) * amount
          }
        default:
          for i in 0..<n {
            let low: Float = p[i] < 1 ? p[i] : 1, positive: Float = own[i] > 0 ? own[i] : 0
            p[i] = own[i] - (positive * (1 - low)) * amount
          }
        }
      }
    }
    if c.int(2) == 4 { s.alpha.update(from: s.scratch(3), count: n) }
  }
}
