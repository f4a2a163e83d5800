import HDRCore
import Kernels

/// Maps luminance to the colours of a picture that is a scale: 0 gives its left end, white and more its right end. It
/// is linear between the middles of the scale's pixels; several rows give their mean. Alphas multiply.
enum ColorMap: Filter {
  static let name = "color-map"
  static let summary = "luminance 0 to 1 as the place in a picture that is a scale of colours"
  static let category = FilterCategory.color
  static let gradient = FilterParameter("gradient", .input(nil), "the scale, dark to bright from the left")
  static let parameters = [gradient]
  static let isHDRSafe = false
  static let alpha = AlphaRule.made
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    values.input(gradient).flatMap(inputs)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let own = edit.planes(), scale = try edit.scale(values.input(gradient) ?? "")
    edit.use(own)
    let source = edit.read(scale, rows: .all(height: edit.height, of: 1))
    if scale.hasAlpha { edit.makeTransparent() }
    edit.stage(
      .colorMap,
      ColorMapStage.Parameters(
        source: source.word, width: scale.width.word, luminance: RGBWords(ColorTransform.luminance)
      ).list)
    edit.unpremultiply()
  }
}

extension Edit {
  /// Makes a scale of colours: one row, premultiplied, binary32, so that stages may read it at any place.
  fileprivate mutating func scale(_ name: String) throws(PlanError) -> PlaneRef {
    use(try input(name))
    premultiply()
    resize(width: width, height: 1)
    // With alpha, so that the input's planes are not taken unchanged.
    let isOpaque = !hasAlpha, format = builder.format
    makeTransparent()
    builder.format = .rgba32f
    defer { builder.format = format }
    var row = builder.close(channels: 4)
    row.isOpaque = isOpaque
    return row
  }
}
