import HDRCore

/// Saturation, then brightness, then contrast about 0.5, all in linear light and with nothing cut.
enum ColorControls: Filter {
  static let name = "color-controls"
  static let summary = "saturation, brightness and contrast, in this order"
  static let category = FilterCategory.color
  static let saturation = FilterParameter("saturation", .number(1, 0...10), "0 is grey, above 1 more colour")
  static let brightness = FilterParameter("brightness", .number(0, -1...10), "added to each component")
  static let contrast = FilterParameter("contrast", .number(1, 0...10), "slope about 0.5 of reference white")
  static let parameters = [saturation, brightness, contrast]
  static let headroomEffect = HeadroomEffect.unknown

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let slope = values.value(contrast)
    let offset = (values.value(brightness) - 0.5) * slope + 0.5
    edit.matrix(ColorTransform.tinted([1, 1, 1], amount: 1 - values.value(saturation)) * slope)
    edit.affine(scale: [1, 1, 1], offset: [offset, offset, offset])
  }
}
