import HDRCore

/// A Gaussian blur whose standard deviation follows a mask: `radius` where its luminance is 1 and more, none where it is 0.
///
/// With m = 4 Y of the mask, cut to 0...4: a linear mix of the two blurs of radius · k/4 whose k are next to m, on
/// premultiplied colour. The definition is this project's.
enum MaskedVariableBlur: Filter {
  static let name = "masked-variable-blur"
  static let summary = "Gaussian blur by the luminance of a mask: all of the radius where it is white"
  static let category = FilterCategory.blur
  static let mask = FilterParameter("mask", .input(nil), "picture whose luminance, 0 to 1, is the share of the radius")
  static let radius = FilterParameter("radius", .number(5, 0...500), "standard deviation in pixels where the mask is 1")
  static let parameters = [mask, radius]
  static let alpha = AlphaRule.premultiplied
  /// The number of blurs.
  static let steps = 4

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let radius = values.value(radius), name = values.input(mask) ?? ""
    if radius < 0.16 {
      _ = try edit.content(name)
      return
    }
    let share = try edit.mask(name, .luminance, isStretched: true)
    edit.premultiply()
    let picture = edit.planes()
    var mixed = picture
    for k in 1...steps {
      edit.use(picture)
      edit.gaussian(radius: radius * Double(k) / Double(steps), edges: .clamp)
      let blurred = edit.builder.close(channels: 4)
      edit.use(share)
      // 0 up to the blur before this one, 1 from this one on.
      let first = 1 - Double(k)
      edit.affine(scale: [Double(steps), Double(steps), Double(steps)], offset: [first, first, first])
      edit.clamp(low: 0, high: 1)
      let weight = edit.builder.close(channels: 1)
      edit.use(mixed)
      edit.blend(blurred, by: weight)
      if k < steps { mixed = edit.planes() }
    }
    edit.unpremultiply()
  }
}
