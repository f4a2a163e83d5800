/// Gaussian blur of standard deviation `radius` (specs/filters-and-luts.md §3.3).
enum GaussianBlur: Filter {
  static let name = "gaussianBlur"
  static let summary = "Gaussian blur; the radius is its standard deviation"
  static let category = FilterCategory.blur
  static let radius = FilterParameter(
    "radius", .number(10, 0...500), "standard deviation in pixels; below 0.16 nothing")
  static let edges = FilterParameter(
    "edges", .choice("clamp", ["clamp", "transparent"]), "beyond the border: the border's pixels, or nothing")
  static let parameters = [radius, edges]
  static let alpha = AlphaRule.premultiplied

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let isTransparent = values.choice(edges) == "transparent"
    if isTransparent { edit.makeTransparent() }
    edit.premultiply()
    edit.gaussian(radius: values.value(radius), edges: isTransparent ? .transparent : .clamp)
    edit.unpremultiply()
  }
}

extension Edit {
  /// Gaussian blur of colour and alpha as they are; the last direction is left to the pass that follows.
  mutating func gaussian(radius sigma: Double, edges: AxisWeights.Edges) {
    if sigma < 0.16 { return }
    let half = Gaussian.half(sigma)
    convolve(
      "gaussian", x: .symmetric(width, half, edges: edges), y: .symmetric(height, half, edges: edges))
  }
}

enum Gaussian {
  /// Weights at distances 0, 1, 2 ... to three standard deviations, of sum 1 over both sides.
  static func half(_ sigma: Double) -> [Double] {
    let reach = max(1, Int((3 * sigma).rounded(.up)))
    let list = (0...reach).map { ExactMath.exp2(-0.5 * Double($0 * $0) / (sigma * sigma) * 1.442_695_040_888_963_4) }
    let sum = list[0] + 2 * list.dropFirst().reduce(0, +)
    return list.map { $0 / sum }
  }
}
