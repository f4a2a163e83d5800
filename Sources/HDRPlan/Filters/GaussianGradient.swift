import HDRCore
import Kernels

/// A Gaussian spot of the first colour in the second.
enum GaussianGradient: Filter {
  static let name = "gaussian-gradient"
  static let summary = "a Gaussian spot of the first colour in the second"
  static let category = FilterCategory.generator
  static let radius = FilterParameter(
    "radius", .number(300, 0.01...1_048_576), "three standard deviations, in pixels")
  static let parameters = [Pattern.center, Pattern.color0, Pattern.color1, radius, Pattern.exposure]
  static let alpha = AlphaRule.made
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    Pattern.headroom(values, [Pattern.color0, Pattern.color1])
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let (x, y) = edit.place(values, Pattern.center), sigma = values.value(radius) / 3
    func bell(_ size: Int, _ center: Double) -> [Double] {
      (0..<size).map { i in
        let z = (Double(i) + 0.5 - center) / sigma
        return ExactMath.exp(-0.5 * z * z)
      }
    }
    edit.pattern(.product, values, columns: bell(edit.width, x), rows: bell(edit.height, y))
  }
}
