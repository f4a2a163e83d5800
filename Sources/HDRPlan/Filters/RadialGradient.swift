import HDRCore
import Kernels

/// A gradient from one colour to another between two circles.
enum RadialGradient: Filter {
  static let name = "radial-gradient"
  static let summary = "from one colour to another between two circles"
  static let category = FilterCategory.generator
  static let radius0 = FilterParameter(
    "radius0", .number(5, 0...1_048_576), "radius in pixels where the first colour ends")
  static let radius1 = FilterParameter(
    "radius1", .number(100, 0...1_048_576), "radius where the second colour begins; may be the smaller")
  static let parameters = [Pattern.center, radius0, radius1, Pattern.color0, Pattern.color1, Pattern.exposure]
  /// The smallest distance of the circles in pixels; nearer ones make a hard edge of this width.
  static let least = 1e-3
  static let alpha = AlphaRule.made
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    Pattern.headroom(values, [Pattern.color0, Pattern.color1])
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let (x, y) = edit.place(values, Pattern.center)
    let r0 = values.value(radius0), r1 = values.value(radius1)
    let width = abs(r1 - r0) < least ? least : r1 - r0
    func squares(_ size: Int, _ center: Double) -> [Double] {
      (0..<size).map { i in
        let d = Double(i) + 0.5 - center
        return d * d
      }
    }
    edit.pattern(
      .distance, values, columns: squares(edit.width, x), rows: squares(edit.height, y), scale: 1 / width,
      offset: -r0 / width)
  }
}
