import HDRCore
import Kernels

/// A gradient from one colour to another along a line.
enum LinearGradient: Filter {
  static let name = "linear-gradient"
  static let summary = "from one colour to another along a line"
  static let category = FilterCategory.generator
  static let point0 = FilterParameter(
    "point0", .vector([0, 0], size: 2, -1_048_576...1_048_576), "x, y where the first colour ends, in pixels")
  static let point1 = FilterParameter(
    "point1", .vector([200, 200], size: 2, -1_048_576...1_048_576), "x, y where the second colour begins")
  static let smooth = FilterParameter("smooth", .flag(false), "slower at both ends (smoothLinearGradient)")
  static let parameters = [point0, point1, Pattern.color0, Pattern.color1, smooth, Pattern.exposure]
  static let alpha = AlphaRule.made
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    Pattern.headroom(values, [Pattern.color0, Pattern.color1])
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    try draw(name, values, isSmooth: values.flag(smooth), to: &edit)
  }

  static func draw(
    _ name: String, _ values: FilterValues, isSmooth: Bool, to edit: inout Edit
  ) throws(PlanError) {
    let p = values.vector(point0) ?? [0, 0], q = values.vector(point1) ?? [0, 0]
    let dx = q[0] - p[0], dy = q[1] - p[1], square = dx * dx + dy * dy
    guard square > 0 else { throw .invalidParameter("\(name): point0 and point1 are the same") }
    edit.pattern(
      .sum, values, columns: (0..<edit.width).map { (Double($0) + 0.5 - p[0]) * dx / square },
      rows: (0..<edit.height).map { (Double($0) + 0.5 - p[1]) * dy / square }, isSmooth: isSmooth)
  }
}

/// A linear gradient that is slower at both ends: t² (3 - 2t).
enum SmoothLinearGradient: Filter {
  static let name = "smooth-linear-gradient"
  static let summary = "from one colour to another along a line, slower at both ends"
  static let category = FilterCategory.generator
  static let parameters = LinearGradient.parameters.filter { $0 != LinearGradient.smooth }
  static let alpha = AlphaRule.made
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    LinearGradient.headroom(values, after: content, inputs: inputs)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    try LinearGradient.draw(name, values, isSmooth: true, to: &edit)
  }
}
