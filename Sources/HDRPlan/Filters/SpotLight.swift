import HDRCore
import Kernels

/// The light of a lamp above the picture that shines on a place.
///
/// With D the way from the lamp to a pixel and N the direction of the beam: light times brightness
/// max(D.N / |D|, 2^-20)^(1 / concentration) lz / |D| times the colour, lz the lamp's height. This formula is this
/// project's choice.
enum SpotLight: Filter {
  static let name = "spot-light"
  static let summary = "the light of a lamp above the picture"
  static let category = FilterCategory.stylize
  static let lamp = place("light-position", "without it above the right bottom corner")
  static let target = place("light-points-at", "without it the picture's centre")
  static let brightness = FilterParameter("brightness", .number(3, 0...100), "of the light, a factor")
  static let concentration = FilterParameter(
    "concentration", .number(0.1, 0.001...2), "the smaller, the narrower the beam")
  static let color = FilterParameter("color", .color([1, 1, 1]), "of the light, encoded sRGB; 1 is white")
  static let parameters = [lamp, target, brightness, concentration, color]
  static let headroomEffect = HeadroomEffect.unknown

  private static func place(_ name: String, _ without: String) -> FilterParameter {
    FilterParameter(
      name, .vector(nil, size: 3, -1_048_576...1_048_576), "x, y and height above the picture in pixels; \(without)")
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let w = Double(edit.width), h = Double(edit.height)
    let from = values.vector(lamp) ?? [w, 0, h / 3], to = values.vector(target) ?? [w / 2, h / 2, 0]
    guard from != to else { throw .invalidParameter("\(name): the light points at its own place") }
    edit.stage(
      .spotLight,
      SpotLightStage.words(
        lamp: from, target: to, power: 1 / values.value(concentration), brightness: values.value(brightness),
        color: Array(values.color(color).prefix(3))))
  }
}
