import HDRCore
import Kernels

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

extension BlendBlurred {
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
}
