import HDRCore
import Kernels

/// A filter that puts an input over the picture by one of the modes of `BlendMode`. None of them is safe for HDR: their
/// formulas take light of 0...1. With the content's `headroom` both layers are scaled into that range and back, so
/// nothing is cut.
protocol BlendFilter: Filter {
  static var mode: BlendMode.Mode { get }
}

extension BlendFilter {
  static var category: FilterCategory { .composite }
  static var parameters: [FilterParameter] { Compositing.parameters + [BlendMode.headroom] }
  static var isHDRSafe: Bool { false }
  static var alpha: AlphaRule { .premultiplied }
  static var headroomEffect: HeadroomEffect { .recomputed }

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    Headroom(factor: values.value(BlendMode.headroom))
  }

  static func takes(_ content: Headroom, _ values: FilterValues) -> Bool {
    content.stops <= Headroom(factor: values.value(BlendMode.headroom)).stops + 1e-9
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    try BlendMode.apply(mode, values, to: &edit)
  }
}

enum MultiplyBlend: BlendFilter {
  static let name = "multiply-blend"
  static let summary = "blend mode: cB cS, cut to 0...1"
  static let mode = BlendMode.Mode.multiply
}

enum Screen: BlendFilter {
  static let name = "screen"
  static let summary = "blend mode: cB + cS - cB cS"
  static let mode = BlendMode.Mode.screen
}

enum Overlay: BlendFilter {
  static let name = "overlay"
  static let summary = "blend mode: hard light with the layers exchanged"
  static let mode = BlendMode.Mode.overlay
}

enum SoftLight: BlendFilter {
  static let name = "soft-light"
  static let summary = "blend mode: a soft spotlight through the input"
  static let mode = BlendMode.Mode.softLight
}

enum HardLight: BlendFilter {
  static let name = "hard-light"
  static let summary = "blend mode: multiply by the input's dark half, screen with its bright half"
  static let mode = BlendMode.Mode.hardLight
}

enum ColorDodge: BlendFilter {
  static let name = "color-dodge"
  static let summary = "blend mode: cB / (1 - cS): the input brightens"
  static let mode = BlendMode.Mode.colorDodge
}

enum ColorBurn: BlendFilter {
  static let name = "color-burn"
  static let summary = "blend mode: 1 - (1 - cB) / cS: the input darkens"
  static let mode = BlendMode.Mode.colorBurn
  /// The result jumps where the picture is next to white.
  static let workingFormat = WorkingFormat.rgba32f
}

enum Darken: BlendFilter {
  static let name = "darken"
  static let summary = "blend mode: the darker component"
  static let mode = BlendMode.Mode.darken
}

enum Lighten: BlendFilter {
  static let name = "lighten"
  static let summary = "blend mode: the brighter component"
  static let mode = BlendMode.Mode.lighten
}

enum Difference: BlendFilter {
  static let name = "difference"
  static let summary = "blend mode: the distance of the components"
  static let mode = BlendMode.Mode.difference
}

enum Exclusion: BlendFilter {
  static let name = "exclusion"
  static let summary = "blend mode: like difference, softer: cB + cS - 2 cB cS"
  static let mode = BlendMode.Mode.exclusion
}

enum Divide: BlendFilter {
  static let name = "divide"
  static let summary = "blend mode: cB / cS"
  static let mode = BlendMode.Mode.divide
}

enum Subtract: BlendFilter {
  static let name = "subtract"
  static let summary = "blend mode: cB - cS"
  static let mode = BlendMode.Mode.subtract
}

enum LinearDodge: BlendFilter {
  static let name = "linear-dodge"
  static let summary = "blend mode: cB + cS"
  static let mode = BlendMode.Mode.linearDodge
}

enum LinearBurn: BlendFilter {
  static let name = "linear-burn"
  static let summary = "blend mode: cB + cS - 1"
  static let mode = BlendMode.Mode.linearBurn
}

enum LinearLight: BlendFilter {
  static let name = "linear-light"
  static let summary = "blend mode: cB + 2 cS - 1"
  static let mode = BlendMode.Mode.linearLight
}

enum VividLight: BlendFilter {
  static let name = "vivid-light"
  static let summary = "blend mode: burn by the input's dark half, dodge by its bright half"
  static let mode = BlendMode.Mode.vividLight
  /// The result jumps where the picture is next to white.
  static let workingFormat = WorkingFormat.rgba32f
}

enum PinLight: BlendFilter {
  static let name = "pin-light"
  static let summary = "blend mode: darken by the input's dark half, lighten by its bright half"
  static let mode = BlendMode.Mode.pinLight
}

enum HueBlend: BlendFilter {
  static let name = "hue"
  static let summary = "blend mode: hue of the input, saturation and luminosity of the picture"
  static let mode = BlendMode.Mode.hue
}

enum SaturationBlend: BlendFilter {
  static let name = "saturation"
  static let summary = "blend mode: saturation of the input, hue and luminosity of the picture"
  static let mode = BlendMode.Mode.saturation
}

enum ColorBlend: BlendFilter {
  static let name = "color"
  static let summary = "blend mode: hue and saturation of the input, luminosity of the picture"
  static let mode = BlendMode.Mode.color
}

enum LuminosityBlend: BlendFilter {
  static let name = "luminosity"
  static let summary = "blend mode: luminosity of the input, hue and saturation of the picture"
  static let mode = BlendMode.Mode.luminosity
}
