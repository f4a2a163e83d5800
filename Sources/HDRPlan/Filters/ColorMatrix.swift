import HDRCore
import Kernels

/// R, G, B and alpha as sums of each other plus a bias, on colours that are not multiplied by alpha; alpha stays in
/// [0, 1].
enum ColorMatrix: Filter {
  static let name = "color-matrix"
  static let summary = "each of R, G, B, A a weighted sum of the four, plus a bias"
  static let category = FilterCategory.color
  static let red = row("r-vector", [1, 0, 0, 0])
  static let green = row("g-vector", [0, 1, 0, 0])
  static let blue = row("b-vector", [0, 0, 1, 0])
  static let alphaRow = row("a-vector", [0, 0, 0, 1])
  static let bias = FilterParameter("bias", .vector([0, 0, 0, 0], size: 4, -100...100), "added to R, G, B, A")
  static let parameters = [red, green, blue, alphaRow, bias]
  static let alpha = AlphaRule.made
  static let headroomEffect = HeadroomEffect.recomputed

  private static func row(_ name: String, _ weights: [Double]) -> FilterParameter {
    FilterParameter(name, .vector(weights, size: 4, -100...100), "weights of R, G, B, A in the new component")
  }

  private static func rows(_ values: FilterValues) -> [[Double]] {
    [red, green, blue, alphaRow].map { values.vector($0) ?? [0, 0, 0, 0] }
  }

  private static func matrix3(_ rows: [[Double]]) -> Matrix3 { Matrix3(rows.prefix(3).flatMap { $0.prefix(3) }) }

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    let rows = rows(values), offsets = values.vector(bias) ?? []
    guard rows.prefix(3).allSatisfy({ $0[3] == 0 }), offsets.prefix(3).allSatisfy({ $0 == 0 }) else { return nil }
    return ColorTransform.headroom(matrix3(rows), after: content)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let rows = rows(values), offsets = values.vector(bias) ?? [0, 0, 0, 0]
    let keepsAlpha = rows[3] == [0, 0, 0, 1] && offsets[3] == 0
    if keepsAlpha && rows.prefix(3).allSatisfy({ $0[3] == 0 }) {
      edit.matrix(matrix3(rows))
      edit.affine(scale: [1, 1, 1], offset: Array(offsets.prefix(3)))
      return
    }
    if !keepsAlpha { edit.makeTransparent() }
    edit.stage(.matrix4, Matrix4Stage.words(rows: rows, bias: offsets))
  }
}
