import HDRCore
import Kernels

/// The picture's luminance as a relief, lit like a sphere's picture where that has the same slope.
///
/// With g half the differences of premultiplied luminance to both sides, n = -scale g / root(1 + scale² |g|²): the light
/// of `shading` at (1 + n) / 2 of its size, bilinear, times the picture's alpha.
enum ShadedMaterial: Filter {
  static let name = "shaded-material"
  static let summary = "luminance as a relief, lit like a sphere's picture"
  static let category = FilterCategory.stylize
  static let shading = FilterParameter(
    "shading", .input(""), "a lit sphere in a square; without it one of glass")
  static let scale = FilterParameter("scale", .number(10, 0...1_048_576), "height of white, in pixels")
  static let parameters = [shading, scale]
  static let alpha = AlphaRule.premultiplied
  static let headroomEffect = HeadroomEffect.recomputed

  /// Returns the shading's headroom.
  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    let name = values.input(shading) ?? ""
    return name.isEmpty ? GlassSphere.headroom : inputs(name)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let (width, height) = (edit.width, edit.height), picture = edit.planes()
    let shade = try edit.sphere(values.input(shading) ?? "")
    edit.use(picture)
    edit.luminancePlane()
    let heights = edit.builder.close(channels: 1)
    edit.use(picture)
    let source = edit.read(heights, rows: .around(height: height, reach: 1))
    let second = edit.read(shade, rows: .all(height: height, of: shade.height))
    edit.stage(
      .shadedMaterial,
      ShadedMaterialStage.words(
        heights: source, shade: second, width: width, height: height, shading: (shade.width, shade.height),
        scale: values.value(scale)))
    if shade.hasAlpha { edit.makeTransparent() }
    edit.unpremultiply()
  }
}

extension Edit {
  /// Returns the picture of a lit sphere, premultiplied: an input, or the ball of glass for an empty name.
  mutating func sphere(_ name: String) throws(PlanError) -> PlaneRef {
    let own = planes()
    if name.isEmpty { builder.begin(GlassSphere.picture) } else { use(try input(name)) }
    premultiply()
    let result = builder.close(channels: 4)
    use(own)
    return result
  }
}
