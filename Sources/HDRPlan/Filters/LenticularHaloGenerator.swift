import HDRCore
import Kernels

/// The halo of a bright light in an eye: rings of red, green and blue, crossed by rays.
///
/// With e = (1 - overlap) width / 2, rings lie at radius + e (red), radius, radius - e (blue); u = (r - ring) /
/// (width / 2), light (1 - u²)² inside ±1, times max(1 + strength (2q - 1), 0), q of the direction as in
/// `sunbeams-generator`. The formula is this project's choice.
enum LenticularHaloGenerator: Filter {
  static let name = "lenticular-halo-generator"
  static let summary = "the halo of a bright light: rings of red, green and blue with rays"
  static let category = FilterCategory.generator
  static let color = FilterParameter("color", .color([1, 0.9, 0.8, 1]), "of the light, encoded sRGB; 1 is white")
  static let radius = FilterParameter("halo-radius", .number(70, 0...1_048_576), "of the green ring, in pixels")
  static let width = FilterParameter("halo-width", .number(87, 0.01...1_048_576), "of each ring, in pixels")
  static let overlap = FilterParameter("halo-overlap", .number(0.77, 0...1), "of rings: 1 is all, which is white")
  static let strength = FilterParameter("striation-strength", .number(0.5, 0...3), "of the rays")
  static let contrast = FilterParameter("striation-contrast", .number(1, 0...5), "of rays and what lies between")
  static let parameters = [
    Pattern.center, color, radius, width, overlap, strength, contrast, SunbeamsGenerator.time, Pattern.exposure,
  ]
  static let alpha = AlphaRule.made
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    Emission.headroom(values, color, times: 1 + values.value(strength))
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let w = values.value(width)
    let words = HaloStage.words(
      center: edit.place(values, Pattern.center), degrees: 360 * values.value(SunbeamsGenerator.time),
      radius: values.value(radius), apart: (1 - values.value(overlap)) * w / 2, width: w,
      strength: values.value(strength), contrast: values.value(contrast), color: Emission.color(values, color))
    edit.emit(.halo) { _ in words }
  }
}
