import HDRCore

/// Light grows: the largest value of each component over a disc.
enum MorphologyMaximum: Filter {
  static let name = "morphology-maximum"
  static let summary = "the largest of each component over a disc: light grows"
  static let category = FilterCategory.blur
  static let parameters = [Morphology.radius]
  static let alpha = AlphaRule.premultiplied

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    if values.value(Morphology.radius) >= 1 { Morphology.overDisc(.maximum, values, to: &edit) }
  }
}

/// Light shrinks: the smallest value of each component over a disc.
enum MorphologyMinimum: Filter {
  static let name = "morphology-minimum"
  static let summary = "the smallest of each component over a disc: light shrinks"
  static let category = FilterCategory.blur
  static let parameters = [Morphology.radius]
  static let alpha = AlphaRule.premultiplied

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    if values.value(Morphology.radius) >= 1 { Morphology.overDisc(.minimum, values, to: &edit) }
  }
}

/// The largest minus the smallest value of each component over a disc: edges. Alpha is the largest.
enum MorphologyGradient: Filter {
  static let name = "morphology-gradient"
  static let summary = "the largest minus the smallest of each component over a disc: edges"
  static let category = FilterCategory.blur
  static let parameters = [Morphology.radius]
  static let alpha = AlphaRule.premultiplied
  /// Components may be negative: no bound.
  static let headroomEffect = HeadroomEffect.unknown

  static func apply(_ values: FilterValues, to edit: inout Edit) { Morphology.overDisc(.gradient, values, to: &edit) }
}

/// The largest value of each component over a rectangle.
enum MorphologyRectangleMaximum: Filter {
  static let name = "morphology-rectangle-maximum"
  static let summary = "the largest of each component over a rectangle: light grows"
  static let category = FilterCategory.blur
  static let parameters = [Morphology.width, Morphology.height]
  static let alpha = AlphaRule.premultiplied

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    Morphology.overRectangle(.maximum, values, to: &edit)
  }
}

/// The smallest value of each component over a rectangle.
enum MorphologyRectangleMinimum: Filter {
  static let name = "morphology-rectangle-minimum"
  static let summary = "the smallest of each component over a rectangle: light shrinks"
  static let category = FilterCategory.blur
  static let parameters = [Morphology.width, Morphology.height]
  static let alpha = AlphaRule.premultiplied

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    Morphology.overRectangle(.minimum, values, to: &edit)
  }
}
