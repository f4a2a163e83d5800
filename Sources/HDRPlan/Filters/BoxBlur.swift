import HDRCore

/// Mean over a square of 2 radius + 1 pixels a side.
enum BoxBlur: Filter {
  static let name = "box-blur"
  static let summary = "mean over a square of 2 radius + 1 pixels a side"
  static let category = FilterCategory.blur
  static let radius = FilterParameter(
    "radius", .number(10, 0...500), "pixels to each side; of what is not whole, pixels count in part")
  static let parameters = [radius, GaussianBlur.edges]
  static let alpha = AlphaRule.premultiplied

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let r = values.value(radius), whole = Int(r), edges = GaussianBlur.edges(values, &edit)
    if r == 0 { return }
    let half = [Double](repeating: 1, count: whole + 1) + (r > Double(whole) ? [r - Double(whole)] : [])
    let list = half.map { $0 / (2 * r + 1) }
    edit.premultiply()
    edit.convolve(
      name, x: .symmetric(edit.width, list, edges: edges), y: .symmetric(edit.height, list, edges: edges))
    edit.unpremultiply()
  }
}

/// Mean over a disc; pixels on its rim count by how much of them lies inside.
enum DiscBlur: Filter {
  static let name = "disc-blur"
  static let summary = "mean over a disc"
  static let category = FilterCategory.blur
  static let radius = FilterParameter("radius", .number(8, 0...32), "pixels from the centre to the rim")
  static let parameters = [radius]
  static let alpha = AlphaRule.premultiplied

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let r = values.value(radius)
    if r == 0 { return }
    edit.premultiply()
    edit.convolve2D(name, disc(r), keepsAlpha: false)
    edit.unpremultiply()
  }

  /// Returns the area of each pixel of a square inside the disc, from 16x16 points a pixel, of sum 1.
  static func disc(_ r: Double) -> [Double] {
    let reach = max(0, Int((r - 0.5).rounded(.up))), points = (0..<16).map { (Double($0) + 0.5) / 16 - 0.5 }
    var list: [Double] = []
    for y in -reach...reach {
      for x in -reach...reach {
        var inside = 0
        for py in points {
          for px in points {
            let dx = Double(x) + px, dy = Double(y) + py
            if dx * dx + dy * dy < r * r { inside += 1 }
          }
        }
        list.append(Double(inside))
      }
    }
    let sum = list.reduce(0, +)
    return sum == 0 ? [1] : list.map { $0 / sum }
  }
}
