import HDRCore
import Kernels

/// The parameters and the shape that both generators of rounded rectangles share.
enum RoundedShape {
  static let extent = FilterParameter(
    "extent", .vector(nil, size: 4, -1_048_576...1_048_576),
    "x, y, width, height in pixels; without it the middle third of the picture")
  static let radius = FilterParameter("radius", .number(10, 0...1_048_576), "of the corners, in pixels")
  static let color = FilterParameter("color", .color([1, 1, 1, 1]), "encoded sRGB; 1 is white")

  /// - Parameter line: the width of the line; `nil`: the area.
  static func apply(
    _ filter: String, _ values: FilterValues, line: Double?, to edit: inout Edit
  ) throws(PlanError) {
    let w = Double(edit.width), h = Double(edit.height), rect = values.vector(extent) ?? [w / 3, h / 3, w / 3, h / 3]
    guard rect[2] >= 0, rect[3] >= 0 else {
      throw .invalidParameter("\(filter): width and height of the extent are 0 or more")
    }
    let words = RoundedRectangle.words(
      rect: rect, radius: values.value(radius), line: line, color: Emission.color(values, color))
    edit.emit(.roundedRectangle) { _ in words }
  }
}

/// A rectangle of one colour with round corners. Its edge is a pixel wide.
enum RoundedRectangleGenerator: Filter {
  static let name = "rounded-rectangle-generator"
  static let summary = "a rectangle of one colour with round corners"
  static let category = FilterCategory.generator
  static let parameters = [RoundedShape.extent, RoundedShape.radius, RoundedShape.color, Pattern.exposure]
  static let alpha = AlphaRule.made
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    Emission.headroom(values, RoundedShape.color)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    try RoundedShape.apply(name, values, line: nil, to: &edit)
  }
}
