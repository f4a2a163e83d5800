import HDRCore

/// Exchanges left and right, or top and bottom.
enum Flip: Filter {
  static let name = "flip"
  static let summary = "left and right exchanged, or top and bottom"
  static let category = FilterCategory.geometry
  static let direction = FilterParameter(
    "direction", .choice("horizontal", ["horizontal", "vertical"]), "horizontal: left and right change places")
  static let parameters = [direction]
  static let isGeometric = true
  static func keepsPixels(_ values: FilterValues) -> Bool { true }

  private static func orientation(_ values: FilterValues) -> Orientation {
    values.choice(direction) == "vertical" ? .downMirrored : .upMirrored
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) { edit.turn(orientation(values)) }

  static func move(_ size: PictureSize, _ values: FilterValues) -> PixelMove? {
    PixelMove(Geometry(width: size.width, height: size.height, orientation: orientation(values)))
  }
}
