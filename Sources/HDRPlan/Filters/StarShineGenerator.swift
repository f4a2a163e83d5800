import HDRCore
import Kernels

/// A spot of light with a cross of four beams.
///
/// With S(a, b) = 2^(-|b| / width - |a| / length), length = cross-scale 2^-epsilon, of places turned by the cross's
/// angle, light is the colour times sm(1 - r / radius) + 2^opacity (S(a, b) + S(b, a)); alpha is the same, 1 at most.
/// Beams may be brighter than the colour. The formula is this project's choice.
enum StarShineGenerator: Filter {
  static let name = "star-shine-generator"
  static let summary = "a spot of light with a cross of four beams"
  static let category = FilterCategory.generator
  static let color = FilterParameter("color", .color([1, 0.8, 0.6, 1]), "of the light, encoded sRGB; 1 is white")
  static let radius = FilterParameter("radius", .number(50, 0.01...1_048_576), "of the spot, in pixels")
  static let scale = FilterParameter(
    "cross-scale", .number(15, 0.01...1_048_576), "pixels along a beam over which its light halves, for epsilon 0")
  static let angle = FilterParameter("cross-angle", .number(34.4, -36000...36000), "of a beam, in degrees")
  static let opacity = FilterParameter("cross-opacity", .number(-2, -8...2), "light of the beams, in stops")
  static let width = FilterParameter(
    "cross-width", .number(2.5, 0.01...1_048_576), "pixels across a beam over which its light halves")
  static let epsilon = FilterParameter("epsilon", .number(-2, -8...8), "stops by which beams are shorter")
  static let parameters = [Pattern.center, color, radius, scale, angle, opacity, width, epsilon, Pattern.exposure]
  static let alpha = AlphaRule.made
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    Emission.headroom(values, color, times: 1 + 2 * ExactMath.exp2(values.value(opacity)))
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let words = StarShine.words(
      center: edit.place(values, Pattern.center), radius: values.value(radius), degrees: values.value(angle),
      width: values.value(width), length: values.value(scale) * ExactMath.exp2(-values.value(epsilon)),
      stops: values.value(opacity), color: Emission.color(values, color))
    edit.emit(.starShine) { _ in words }
  }
}
