import PlainData

/// A filter under a name that other programs use, with values of its own.
package struct FilterAlias: Sendable {
  package let name: String
  package let filter: any Filter.Type
  package let values: [String: FilterValue]

  init(_ name: String, _ filter: any Filter.Type, _ values: [String: FilterValue] = [:]) {
    (self.name, self.filter, self.values) = (name, filter, values)
  }
}

extension Filters {
  package static let aliases = [
    FilterAlias("blur", GaussianBlur.self), FilterAlias("sharpen", SharpenLuminance.self),
    FilterAlias("denoise", NoiseReduction.self), FilterAlias("invert", ColorInvert.self),
    FilterAlias("negate", ColorInvert.self), FilterAlias("sepia", SepiaTone.self),
    FilterAlias("grayscale", ColorControls.self, [ColorControls.saturation.name: .number(0)]),
    FilterAlias("greyscale", ColorControls.self, [ColorControls.saturation.name: .number(0)]),
    FilterAlias("hue", HueAdjust.self), FilterAlias("temperature", TemperatureTint.self),
    FilterAlias("mirror", Flip.self), FilterAlias("flop", Flip.self),
    FilterAlias("lut", ColorCube.self),
    // A transform of numbers as they are, which ends where its tables end.
    FilterAlias(
      "clf", ColorCube.self,
      [ColorCube.space.name: .word("linear-bt2020"), ColorCube.extrapolate.name: .flag(false)]),
    // These turn clockwise, as in other programs.
    FilterAlias("rotate90", Rotate.self, [Rotate.angle.name: .number(-90)]),
    FilterAlias("rotate180", Rotate.self, [Rotate.angle.name: .number(180)]),
    FilterAlias("rotate270", Rotate.self, [Rotate.angle.name: .number(90)]),
  ]

  /// Finds an alias by its name, however hyphens and capitals are written: one of `aliases`, or a class of Core Image.
  package static func alias(_ name: String) -> FilterAlias? {
    aliases.first { Nearest.same($0.name, name) } ?? coreImageAlias(name)
  }
}
