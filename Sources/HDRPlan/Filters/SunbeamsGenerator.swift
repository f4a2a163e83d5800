import HDRCore
import Kernels

/// A sun whose light fades into rays.
///
/// With q of the direction 0...1 as in `flash-transition`, turned by `time` turns, and g = 1 - strength + strength q,
/// light is the colour times sm(1 - (r - sun) / max(sun g, 1/2)), sun times the largest radius of rays. The formula is
/// this project's choice.
enum SunbeamsGenerator: Filter {
  static let name = "sunbeams-generator"
  static let summary = "a sun whose light fades into rays"
  static let category = FilterCategory.generator
  static let color = FilterParameter("color", .color([1, 0.5, 0, 1]), "of the light, encoded sRGB; 1 is white")
  static let radius = FilterParameter("sun-radius", .number(40, 0...1_048_576), "in pixels")
  static let reach = FilterParameter("max-striation-radius", .number(2.58, 0...10), "how far rays reach, times the sun")
  static let strength = FilterParameter("striation-strength", .number(0.5, 0...1), "how much of that they do")
  static let contrast = FilterParameter("striation-contrast", .number(1.375, 0...5), "of rays and what lies between")
  static let time = FilterParameter("time", .number(0, -36000...36000), "turns of the rays")
  static let parameters = [Pattern.center, color, radius, reach, strength, contrast, time, Pattern.exposure]
  static let alpha = AlphaRule.made
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    Emission.headroom(values, color)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let sun = values.value(radius)
    let words = SunbeamsStage.words(
      center: edit.place(values, Pattern.center), degrees: 360 * values.value(time), radius: sun,
      reach: sun * values.value(reach), share: values.value(strength), contrast: values.value(contrast),
      color: Emission.color(values, color))
    edit.emit(.sunbeams) { _ in words }
  }
}
