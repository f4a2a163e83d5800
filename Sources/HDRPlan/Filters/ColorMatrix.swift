import HDRCore

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

/// Stage `matrix4`: a 4×4 matrix on R, G, B, A plus a bias; alpha into [0, 1].
public enum Matrix4Stage {
  public static func words(rows: [[Double]], bias: [Double]) -> [UInt32] {
    zip(rows, bias).flatMap { row, offset in row.map(\.word) + [offset.word] }
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let m0 = c.float(0), m1 = c.float(1), m2 = c.float(2), m3 = c.float(3), m4 = c.float(4)
    let m5 = c.float(5), m6 = c.float(6), m7 = c.float(7), m8 = c.float(8), m9 = c.float(9)
    let m10 = c.float(10), m11 = c.float(11), m12 = c.float(12), m13 = c.float(13), m14 = c.float(14)
    let m15 = c.float(15), m16 = c.float(16), m17 = c.float(17), m18 = c.float(18), m19 = c.float(19)
    let p = s.base
    for i in 0..<s.padded {
      let r = p[i], g = p[i &+ Strip.stride], b = p[i &+ 2 &* Strip.stride], a = p[i &+ 3 &* Strip.stride]
      p[i] = (((m0 * r + m1 * g) + m2 * b) + m3 * a) + m4
      p[i &+ Strip.stride] = (((m5 * r + m6 * g) + m7 * b) + m8 * a) + m9
      p[i &+ 2 &* Strip.stride] = (((m10 * r + m11 * g) + m12 * b) + m13 * a) + m14
      let t = (((m15 * r + m16 * g) + m17 * b) + m18 * a) + m19
      let low: Float = t > 0 ? t : 0
      p[i &+ 3 &* Strip.stride] = low < 1 ? low : 1
    }
  }
}
